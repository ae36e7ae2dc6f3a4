"""Triples by an LLM: what becomes of each kind of reply."""

import pytest

from tests.triples.asked import CAPITAL, FLOWS, OSK, document, extracted, facts, listed


@pytest.mark.parametrize(
    ("reply", "fact"),
    [
        ('Sure! Here you go:\n```json\n[["Osk","capital of","Veldland"]]\n```', CAPITAL),  # FR-001
        ('{"subject":"Osk","predicate":"capital of","object":"Veldland"}', CAPITAL),  # FR-004
        (  # FR-013
            '<think>Maybe {"triples": [["Tem","guess","Osk"]]}? No.</think>' + listed(CAPITAL),
            CAPITAL,
        ),
        (  # FR-015
            "Using the schema {subject, predicate, object} I found: "
            '{"triples":[["Tem Bridge","opened","1931"]]} (see {note})',
            ("Tem Bridge", "opened", "1931"),
        ),
        ("{'triples': [['Osk','capital of','Veldland'],],}", CAPITAL),  # FR-024
        ("<Osk; capital of; Veldland>", CAPITAL),
    ],
)
def test_one_triple_however_it_is_wrapped_without_a_second_call(reply, fact):
    (found,), llm = extracted(reply)
    assert facts(found) == [fact]
    assert (found.problem, found.dropped, len(llm.history)) == ("", (), 1)


def test_an_apostrophe_stays_in_a_name_between_bare_keys():  # FR-024
    hall = document("Osk", "O'Brien Hall stands in Osk.")
    (found,), _ = extracted('{triples:[["O\'Brien Hall","in","Osk"]]}', documents=[hall])
    assert facts(found) == [("O'Brien Hall", "in", "Osk")]


def test_model_text_is_never_evaluated_and_spoils_its_own_document_alone(tmp_path):  # FR-003
    target = tmp_path / "touched"
    bad = (
        "{'triples': [['Kestrel Mill','built in',...]]}",
        f"__import__('pathlib').Path({str(target)!r}).touch()",
    )
    three = [document(f"Osk {n}") for n in range(3)]
    # A batch is asked whole, then its unusable ones once more.
    found, _ = extracted(listed(CAPITAL), *bad, *bad, documents=three)
    assert facts(found[0]) == [CAPITAL] and not found[0].problem
    assert all(one.problem.startswith("no triples: ") for one in found[1:])
    assert [one.reply for one in found[1:]] == list(bad)
    assert not target.exists()


def test_an_empty_list_is_a_result_and_an_unusable_reply_is_a_failure():  # FR-005, FR-007, FR-008
    texts = [document(f"Osk {n}") for n in range(4)]
    prose = "I am not able to do that."
    replies = [listed(CAPITAL), "", prose, '{"triples": []}']
    found, llm = extracted(*replies, "   \n", prose, documents=texts)
    assert [bool(one.problem) for one in found] == [False, True, True, False]
    assert found[1].problem == "no triples: empty model reply"
    assert found[2].reply == prose
    assert found[3].triples == () and len(llm.history) == 6


def test_a_second_try_that_is_usable_counts():  # FR-023
    (found,), llm = extracted("The capital of Veldland is Osk.", listed(CAPITAL))
    assert facts(found) == [CAPITAL] and not found.problem
    first, second = llm.history
    assert (first.temperature, first.sample) == (0, 0) and second.temperature > 0 < second.sample


def test_prose_twice_is_a_failure_with_its_text():  # FR-023
    prose = "The capital of Veldland is Osk, which lies on the Tem."
    (found,), llm = extracted(prose, prose)
    assert found.problem == "no triples: the reply holds no triples"
    assert found.reply == prose and len(llm.history) == 2


def test_whole_triples_of_a_cut_reply_are_kept_and_it_is_said():  # FR-009
    cut = '[["Osk","capital of","Veldland"],["Tem","flows into","Lake Orrin"],["Tem Bridge","op'
    (found,), llm = extracted(cut)
    assert facts(found) == [CAPITAL, FLOWS]
    assert found.problem == "some triples are missing: the reply was cut at the token limit"
    assert len(llm.history) == 1


def test_endless_white_space_is_a_failure_and_is_not_kept_whole():  # FR-011
    endless = "{" + "\n" * 8000
    (found,), _ = extracted(endless, endless)
    assert found.problem.startswith("no triples: ") and len(found.reply) < 2100


def test_delimiters_in_the_passage_break_no_field():  # FR-018
    text = (
        "The operator <|> means choice in the Bex language. ## is a comment and ### ends it. "
        "Bex was designed by Ana Kor."
    )
    fact = ("Bex", "designed by", "Ana Kor")
    for reply in (listed(fact), "<Bex; designed by; Ana Kor>"):
        (found,), llm = extracted(reply, documents=[document("Bex", text)])
        assert facts(found) == [fact] and found.triples[0].source[1] == 2
        assert text.replace("<|>", "<\u2060|>") in llm.history[0].messages[-1].text


def test_latex_with_single_backslashes_leaves_no_control_character():  # FR-019
    law = document("Drag law", r"The drag law is written $\frac{1}{2}\rho v^2$.")
    reply = r'{"triples":[["Drag law","is written","$\frac{1}{2}\rho v^2$"]]}'
    three = [document(), law, document("Tem", OSK)]
    found, _ = extracted(listed(CAPITAL), reply, listed(FLOWS), documents=three)
    assert facts(found[1]) == [("Drag law", "is written", r"$\frac{1}{2}\rho v^2$")]
    assert not any(one.problem for one in found)


def test_records_that_are_no_triples_are_counted():  # FR-021
    reply = (
        '[{"head":"Osk","relation":"capital of","tail":null},{"head":"Osk","relation":"on"},'
        '{"head":"Tem","relation":"flows into","tail":"Lake Orrin"},["only","two"],'
        '["a","b","c","d"],"text",7]'
    )
    (found,), llm = extracted(reply)
    assert facts(found) == [FLOWS] and found.dropped == (("not three texts", 6),)
    assert not found.problem and len(llm.history) == 1


def test_what_the_passage_does_not_say_is_dropped_by_reason():
    reply = listed(
        CAPITAL,
        ("Marie Curie", "born in", "Warsaw"),
        ("head", "relation", "tail"),
        ("Osk", "twinned with", "Marrakesh"),
        ("osk", "capital of", "Veldland"),
        ("It", "opened in", "1931"),
        ("Osk", "capital of], [", "Veldland"),
    )
    (found,), _ = extracted(reply)
    assert facts(found) == [CAPITAL] and not found.problem
    assert dict(found.dropped) == {
        "a copy of an example": 1,
        "a copy of the prompt": 1,
        "not in the passage": 2,
        "said twice": 1,
        "with records inside a part": 1,
    }


def test_a_reply_of_which_nothing_is_in_the_passage_is_a_failure():
    reply = listed(("Marie Curie", "born in", "Warsaw"))
    (found,), _ = extracted(reply, reply)
    assert found.problem.endswith("could be used (1 a copy of an example)") and not found.triples


def test_each_triple_has_the_sentence_that_says_it():
    text = "Mira Oduya is an engineer. She was born in Marl. In 1931 her bridge opened in Osk."
    reply = listed(
        ("Mira Oduya", "bridge opened in", "1931"),
        ("Mira Oduya", "born in", "Marl"),
        ("Mira Oduya", "occupation", "engineer"),
    )
    (found,), _ = extracted(reply, documents=[document("Mira Oduya", text)])
    assert [(t.tail, t.source[1]) for t in found.triples] == [
        ("engineer", 0), ("Marl", 1), ("1931", 2),
    ]  # fmt: skip


def test_chinese_passages_get_the_chinese_prompt_and_their_sentences():
    text = "奥斯克是维尔德的首都。特姆桥1931年开通，设计者是米拉。"
    reply = listed(("特姆桥", "开通于", "1931年"), ("奥斯克", "首都", "维尔德"))
    (found,), llm = extracted(reply, documents=[document("奥斯克", text)])
    assert [(t.head, t.source[1]) for t in found.triples] == [("奥斯克", 0), ("特姆桥", 1)]
    assert "标题：奥斯克" in llm.history[0].messages[-1].text
