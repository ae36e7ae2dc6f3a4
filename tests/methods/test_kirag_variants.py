"""KiRAG's units, its choice of demonstrations, and TRACE's chains as its reader."""

import pytest

from irag.actions import ChainGrew, Choose, Generate
from irag.engine import answer
from irag.errors import LLMError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.methods.trace import SHOWN
from irag.remarks import GraphMade
from irag.tools import Flags
from tests.fakes import BRIDGE, QUESTION, SECOND, fake_tools

WANTED = ("Ana Kor", "Marl", "the Tem")
BAD = ["", "I am not sure about that.", '{"chain": [', "x" * 10_000, LLMError("down")]


def letter(request):
    """The letter of the option that leads on; A once the chain ends at the Tem."""
    text = request.messages[-1].text
    chain = next(line for line in text.splitlines() if line.startswith("Chain so far:"))
    if chain.endswith("the Tem"):
        return "A"
    for line in text.splitlines():
        if line[1:3] == ". " and line[0] != "A" and line.endswith(WANTED):
            return line[0]
    return "A"


def reads(request):
    return letter(request) if request.max_tokens == 1 else "the Tem"


def play(method, script, **flags):
    llm = Scripted(script, flags=Flags(**flags)) if flags else Scripted(script)
    return answer(QUESTION, parse_method(method), fake_tools(llm)), llm


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_sentences_and_passages_are_chained_like_triples(unit):
    method = parse_method(f"kirag:documents=3,constructor=none,reader=none,unit={unit},max_hops=4")
    trace = answer("From which town came Ana Kor?", method, fake_tools())
    grown = [s.action.triple for s in trace.steps if isinstance(s.action, ChainGrew)]
    assert trace.error is None and len({t.id for t in grown}) == len(grown) >= 2
    assert all(triple.relation == "says" and triple.grounded for triple in grown)
    assert grown[0].head == BRIDGE
    assert (grown[0].tail == "Ana Kor was an artist. She came from Marl.") == (unit == "document")
    assert BRIDGE in {hit.unit.title for hit in trace.answer.evidence[:3]}


def test_similar_demonstrations_put_the_nearest_last():
    script = '{"chain": [], "answer": "x"}'
    trace, llm = play(
        "kirag:documents=3,constructor=choose,demonstrations=2,examples=similar,reader=none",
        lambda request: script,
    )
    fixed, other = play(
        "kirag:documents=3,constructor=choose,demonstrations=2,reader=none", lambda request: script
    )
    assert trace.error is None and fixed.error is None
    assert llm.history[0].messages[0].text != other.history[0].messages[0].text
    assert llm.history[0].messages[0].text.count("Question:") == 2


@pytest.mark.parametrize("reader", ["trace_triples", "trace_documents"])
@pytest.mark.parametrize("logprobs", [True, False])
def test_trace_follows_the_chain_and_reads_it(reader, logprobs):
    trace, llm = play(
        f"kirag:documents=3,constructor=none,reader={reader}", reads, logprobs=logprobs
    )
    assert trace.error is None and trace.answer.text == "the Tem"
    made = next(s.action for s in trace.steps if isinstance(s.action, GraphMade))
    assert made.kept[0].tail in WANTED
    asked = [s.action for s in trace.steps if isinstance(s.action, Generate)]
    assert len(asked) == 1 and asked[0].prompt.name.startswith("reader/")
    last = llm.history[-1].messages[-1].text
    assert ("the Tem" in last) if reader == "trace_triples" else (SECOND in last or BRIDGE in last)


def test_trace_never_offers_a_triple_twice_nor_too_many():
    trace, _ = play("kirag:documents=3,constructor=none,reader=trace_triples", reads)
    chosen = [
        request
        for step in trace.steps
        for request in getattr(step.action, "requests", ())
        if isinstance(request, Choose)
    ]
    assert chosen and all(len(set(one.options)) == len(one.options) for one in chosen)
    assert max(len(one.options) for one in chosen) <= SHOWN + 1


@pytest.mark.parametrize("reader", ["trace_triples", "trace_documents"])
@pytest.mark.parametrize("bad", BAD, ids=["empty", "prose", "half a JSON", "long", "error"])
@pytest.mark.parametrize("place", range(4))
def test_a_bad_reply_at_any_call_ends_in_an_answer_or_a_said_failure(reader, bad, place):
    count = iter(range(1000))

    def script(request):
        return bad if next(count) == place else reads(request)

    trace, _ = play(f"kirag:documents=3,constructor=none,reader={reader}", script)
    assert "Internal" not in (trace.error or "")
    assert trace.answer is not None or trace.error
