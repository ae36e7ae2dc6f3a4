"""Triples by an LLM: what is asked, in what batches, and what becomes of each kind of reply."""

import json
import threading

import pytest

from irag.errors import AuthenticationFailed, Cancelled, LLMError, ServerDown, TimedOut
from irag.llm.scripted import Scripted
from irag.text import sentences
from irag.tools import Flags
from irag.triples.llm import BATCH_LOCAL, BATCH_SERVER, LOST_IN_A_ROW, LLMExtractor
from irag.types import Document, document_id

OSK = "Osk is the capital of Veldland. The Tem flows into Lake Orrin. Tem Bridge opened in 1931."


def document(title="Osk", text=OSK):
    return Document(document_id(title, text), title, text, sentences(text))


def extracted(*replies, documents=None, **options):
    """What comes of replies given in their order, one document each unless said."""
    llm = Scripted(replies, **options)
    return list(LLMExtractor(llm).extract(documents or [document()])), llm


def facts(extraction):
    return [(t.head, t.relation, t.tail) for t in extraction.triples]


def listed(*triples):
    return json.dumps({"triples": triples})


CAPITAL = ("Osk", "capital of", "Veldland")
FLOWS = ("Tem", "flows into", "Lake Orrin")


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
    )
    (found,), _ = extracted(reply)
    assert facts(found) == [CAPITAL] and not found.problem
    assert dict(found.dropped) == {
        "a copy of an example": 1,
        "a copy of the prompt": 1,
        "not in the passage": 2,
        "said twice": 1,
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


def test_the_title_is_shown_and_a_schema_is_sent_where_the_llm_keeps_one():
    _, llm = extracted(listed(CAPITAL))
    (request,) = llm.history
    assert (
        "Title: Osk\n" in request.messages[-1].text
        and "triples" in json.loads(request.schema)["properties"]
    )
    _, plain = extracted(listed(CAPITAL), flags=Flags())
    assert plain.history[0].schema is None


def test_a_small_window_costs_examples_first_and_never_the_passage():
    _, llm = extracted(listed(CAPITAL), window=330)
    asked = llm.history[0].messages
    assert OSK in asked[-1].text and "See also" not in asked[0].text
    found, llm = extracted(documents=[document("Osk", OSK * 40)], window=330)
    assert "window" in found[0].problem and llm.history == []


@pytest.mark.parametrize("concurrent", [True, False])
def test_batches_fit_the_backend(concurrent):
    sizes = []

    class Counting(Scripted):
        def generate(self, requests, emit, cancel):
            sizes.append(len(requests))
            return super().generate(requests, emit, cancel)

    llm = Counting(lambda request: listed(CAPITAL), flags=Flags(concurrent=concurrent))
    list(LLMExtractor(llm).extract([document(f"Osk {n}") for n in range(20)]))
    size = BATCH_SERVER if concurrent else BATCH_LOCAL
    assert sizes == [size] * (20 // size) + ([20 % size] if 20 % size else [])


def test_a_refused_key_ends_it_after_the_first_batch():  # FR-176
    llm = Scripted(lambda request: AuthenticationFailed("authentication failed"))
    with pytest.raises(AuthenticationFailed):
        list(LLMExtractor(llm).extract([document(f"Osk {n}") for n in range(100)]))
    assert len(llm.history) <= BATCH_LOCAL
    with pytest.raises(ServerDown):
        list(LLMExtractor(Scripted([ServerDown("gone")])).extract([document()]))


def test_passages_without_a_reply_fail_alone_and_many_in_a_row_end_it():  # FR-178
    busy = LLMError("429: too many requests")
    texts = [document(f"Osk {n}") for n in range(40)]
    found, _ = extracted(busy, listed(CAPITAL), busy, documents=texts[:3])
    assert [one.problem for one in found] == [
        "no triples: 429: too many requests",
        "",
        found[0].problem,
    ]
    llm = Scripted(lambda request: busy)
    given = []
    with pytest.raises(LLMError, match=r"8 passages in a row got no reply; the last: 429"):
        given.extend(LLMExtractor(llm).extract(texts))
    assert len(llm.history) == LOST_IN_A_ROW


def test_a_time_out_says_its_kind_and_seconds():  # FR-180
    (found,), _ = extracted(TimedOut("no reply within 120 s (step: triples)"))
    assert "no reply within 120 s" in found.problem
    (found,), _ = extracted(TimedOut())
    assert found.problem == "no triples: TimedOut"


def test_a_prompt_that_the_server_cut_is_no_clean_success():  # FR-181
    from dataclasses import replace

    class Cutting(Scripted):
        def generate(self, requests, emit, cancel):
            replies = super().generate(requests, emit, cancel)
            return [replace(reply, cut=("the server read 2048 tokens",)) for reply in replies]

    (found,) = LLMExtractor(Cutting([listed(CAPITAL)])).extract([document()])
    assert facts(found) == [CAPITAL] and "the server read 2048 tokens" in found.problem


def test_a_short_text_that_ends_at_the_limit_is_no_clean_success():  # FR-181
    class Limited(Scripted):
        def generate(self, requests, emit, cancel):
            from dataclasses import replace

            replies = super().generate(requests, emit, cancel)
            return [replace(reply, finish="length") for reply in replies]

    (found,) = LLMExtractor(Limited([listed(CAPITAL)])).extract([document()])
    assert facts(found) == [CAPITAL] and "cut at the token limit" in found.problem


def test_stop_takes_effect_between_batches():
    cancel, given = threading.Event(), []
    llm = Scripted(lambda request: listed(CAPITAL))
    with pytest.raises(Cancelled):
        for one in LLMExtractor(llm).extract([document(f"O {n}") for n in range(40)], 0, cancel):
            given.append(one)
            cancel.set()
    assert len(given) == len(llm.history) == BATCH_LOCAL


def test_the_name_changes_with_the_model_and_the_prompt(monkeypatch):
    from irag.triples import asking, source_of

    first = LLMExtractor(Scripted(name="hf:small")).name
    assert source_of(first) == "llm:hf:small"
    asking.prompt_version.cache_clear()
    monkeypatch.setattr(asking, "SCHEMA", "{}")
    assert LLMExtractor(Scripted(name="hf:small")).name != first
    asking.prompt_version.cache_clear()


def test_a_document_without_text_is_not_asked_about():
    found, llm = extracted(documents=[document("Osk", "  ")])
    assert found[0].triples == () and not found[0].problem and llm.history == []
