"""python -m irag evaluate: a Chinese corpus, so that no model is loaded."""

from __future__ import annotations

import json

import pytest

from irag.cli import main
from irag.views.csv_text import read_csv

PASSAGES = [
    ("静港", "《静港》是画家柯安的一幅油画。"),
    ("柯安", "柯安是一位画家。柯安出生于马镇。"),
    ("马镇", "马镇位于滕河边。"),
    ("奥港", "奥港是一座港口。"),
]
QUESTIONS = [
    {"id": "a b", "question": "《静港》的画家是谁？", "answers": ["柯安"], "documents": ["静港"]},
    {"id": "born", "question": "柯安出生于哪里？", "answers": ["马镇"], "documents": ["柯安"],
     "chain": [["柯安", "出生于", "马镇"]]},
    {"id": "none", "question": "奥港是什么？", "documents": ["奥港"]},
    {"id": "facts", "question": "马镇在哪里？", "answer": "滕河边", "type": "bridge",
     "context": [["马镇", ["马镇位于滕河边。"]]],
     "supporting_facts": [["马镇", 5], ["不存在", 0], ["马镇", 0]]},
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    rows = [json.dumps({"title": t, "text": s, "language": "zh"}) for t, s in PASSAGES]
    (folder / "p.jsonl").write_text("\n".join(rows), "utf-8")
    asked = [json.dumps(one, ensure_ascii=False) for one in QUESTIONS]
    (folder / "q.jsonl").write_text("\n".join(asked), "utf-8")
    assert main(["--home", str(folder), "corpus", "add", "mini", str(folder / "p.jsonl")]) == 0
    return folder


@pytest.fixture
def evaluate(home, capsys, monkeypatch):
    """Runs the command; gives (exit code, stdout, stderr)."""
    monkeypatch.setenv("IRAG_HOME", str(home))
    capsys.readouterr()

    def run(out, *more, methods="naive_rag:reader=none kirag:constructor=none,reader=none"):
        code = main(
            ["evaluate", "--corpus", "mini", "--questions", str(home / "q.jsonl"),
             "--methods", methods, "--out", str(out), "--llm", "none", *more]
        )  # fmt: skip
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


# FR-227 and FR-228
def test_one_command_plays_scores_and_exports(evaluate, tmp_path):
    code, out, err = evaluate(tmp_path / "x")
    assert code == 0, err
    assert "naive_rag:reader=none (4 of 4 played, 0 failed)" in out and "against naive_rag" in out
    assert "3 gold references of 1 questions are not in the corpus" in out
    assert "1 questions have no gold answer" in out and "- (not asked)" in out
    assert "in all: 0 LLM calls" in err and "asking: 8 of 8" in err
    names = {path.name for path in (tmp_path / "x").iterdir()}
    assert {"experiment.json", "rows.jsonl", "traces.gz", "results.jsonl", "scores.csv",
            "report.txt", "report.json", "qrels.txt", "runs"} <= names  # fmt: skip
    told = json.loads((tmp_path / "x" / "experiment.json").read_text("utf-8"))
    assert told["corpus"].startswith("mini@") and dict(told["versions"])["python"]
    heads, rows = read_csv((tmp_path / "x" / "scores.csv").read_text("utf-8-sig"))
    assert len(rows) == 8 and rows[0][heads.index("EM")] == "" and rows[0][1] == "a b"
    runs = sorted((tmp_path / "x" / "runs").iterdir())
    assert [path.name[:3] for path in runs] == ["01-", "02-"]
    assert runs[0].read_text("utf-8").startswith("a_b Q0 d")


def test_the_same_command_again_plays_nothing_and_prints_the_same(evaluate, tmp_path):
    first = evaluate(tmp_path / "x", "--limit", "2", "--seed", "3")
    again = evaluate(tmp_path / "x", "--limit", "2", "--seed", "3")
    assert first[1] == again[1] and "0 questions" in again[2]
    other = evaluate(tmp_path / "x", "--limit", "3")
    assert other[0] == 2 and "other questions" in other[2]


def test_an_estimate_alone_writes_nothing(evaluate, tmp_path):
    code, out, err = evaluate(tmp_path / "x", "--estimate", methods="naive_rag")
    assert code == 0 and not out and "naive_rag: 4 questions" in err
    assert not (tmp_path / "x").exists()


def test_failed_questions_exit_1_and_are_not_ranked(evaluate, tmp_path):
    code, out, _ = evaluate(tmp_path / "x", methods="naive_rag naive_rag:reader=none")
    assert code == 1 and "naive_rag: FAILED, not ranked (4 of 4 played, 4 failed)" in out
    code, out, _ = evaluate(tmp_path / "x", "--json", methods="naive_rag:reader=none")
    assert code == 0 and json.loads(out)["methods"][0]["means"]["R@5"]["n"] == 4


@pytest.mark.parametrize(
    ("more", "words"),
    [(["--measures", "recall"], "R@k"), (["--limit", "0"], "at least one"),
     (["--baseline", "kirag"], "Known:"), (["--corpus", "nowhere"], "nowhere")],
)  # fmt: skip
def test_a_persons_mistake_is_one_line_and_exit_2(evaluate, tmp_path, more, words):
    code, _, err = evaluate(tmp_path / "x", *more)
    assert code == 2 and words in err.splitlines()[-1]
