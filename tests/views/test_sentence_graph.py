"""The sentence pictures: seeds on the left, each expansion to the right, edges by kind."""

from dataclasses import replace

from irag.engine import answer
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.remarks import ContextGrew
from irag.types import Document, Sentence, Step
from irag.views.hops import hops
from irag.views.pictures import pictures
from irag.views.pyvis_html import payload, pyvis_html
from irag.views.sentence_graph import SHOWN, sentence_pictures
from irag.views.step_lines import step_lines
from tests.fakes import fake_tools
from tests.views import traces

NO_LLM = "chainrag:decomposition=none,reader=none,seeds=1,max_expansions=3,similar_edges=off"


def drawn(method=NO_LLM, question="Who is Ana Kor?"):
    trace = answer(question, parse_method(method), fake_tools())
    assert trace.error is None
    return trace, sentence_pictures(trace)


def test_each_expansion_stands_to_the_right_of_the_one_before():
    _, (picture,) = drawn()
    seed, *others = picture.graph.nodes
    assert seed.chain and seed.label == "Ana Kor: Ana Kor was an artist."
    columns = [node.x for node in picture.graph.nodes]
    assert columns == sorted(columns) and len(set(columns)) >= 3
    assert not any(node.chain for node in others)
    assert len({(node.x, node.y) for node in picture.graph.nodes}) == len(columns)


def test_every_sentence_hangs_on_the_edge_that_reached_it():
    _, (picture,) = drawn()
    first = {edge.target: edge for edge in picture.graph.edges if edge.chain}
    assert set(first) == {node.id for node in picture.graph.nodes[1:]}
    kinds = {edge.triple.tail.partition(":")[0]: edge.triple.relation for edge in first.values()}
    assert kinds["Ana Kor"] == "near" and kinds["Marl (town)"] == "shared name"
    assert {edge.hop for edge in first.values()} == {1, 3}


def test_the_note_says_what_each_expansion_added():
    _, (picture,) = drawn()
    assert picture.note.startswith("Left the 1 seed (5 words). Expansion 1 added 1 (1 near), 9")
    assert "Expansion 2 added 2 (2 shared name)" in picture.note


def test_each_sub_question_has_its_picture():
    method = "chainrag:reader=none,sub_questions=Who is Ana Kor? || What does Marl lie beside?"
    trace, found = drawn(method)
    assert [picture.key for picture in found] == ["sentences-1", "sentences-2"]
    assert {picture.key for picture in pictures(trace)} >= {"sentences-1", "sentences-2"}


def test_a_run_without_sentences_has_no_picture():
    assert sentence_pictures(traces.trace_of()) == ()
    trace = answer("Who is Ana Kor?", parse_method("naive_rag:reader=none"), fake_tools())
    assert sentence_pictures(trace) == ()


def grown(document):
    """A trace in which all sentences of a document are seeds."""
    seeds = tuple(Sentence(document, n) for n in range(len(document.sentences)))
    step = Step(1, 1, ContextGrew(1, 0, seeds, 3))
    return replace(traces.trace_of(), steps=(step,))


def test_what_is_too_much_is_limited_with_a_note():
    text = "Osk is a port. " * 15
    many = traces.document("Osk", text)
    (picture,) = sentence_pictures(grown(many))
    assert len(picture.graph.nodes) == SHOWN
    assert picture.graph.note == f"showing {SHOWN} of 15 sentences"


def test_hostile_titles_stay_text():
    text = "<img src=x onerror=alert(1)>"
    document = Document("d1", "</script><script>alert(1)</script>", text, ((0, len(text)),))
    (picture,) = sentence_pictures(grown(document))
    page = pyvis_html(picture.graph)
    assert "<script>alert(1)" not in page and "<img src=x" not in page.replace("\\u003c", "")
    assert len(payload(picture.graph)["nodes"]) == 1


def test_two_readings_at_once_are_the_reading_and_no_hop():
    reply = '{"sub_questions": ["Who is Ana Kor?", "Where is Osk?"]}'
    llm = Scripted(lambda request: reply if request.schema else "yes")
    method = parse_method("chainrag:integration=both")
    trace = answer("Who is Ana Kor of Osk?", method, fake_tools(llm))
    *_, last = hops(trace)
    assert last.reading and len(last.calls) == 2


def test_the_lines_say_it_too():
    trace, _ = drawn()
    lines = [line for step in trace.steps for line in step_lines(step)]
    assert any("1 sentences in [1] by seeds, 5 words: Ana Kor" in line for line in lines)
    assert any("by expansion 2, 25 words" in line for line in lines)
