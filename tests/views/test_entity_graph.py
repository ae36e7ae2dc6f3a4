"""The entity graph: positions that do not collide, sides that say who says it of whom."""

from __future__ import annotations

from irag.types import Document, Triple, triple_id
from irag.views import corpus_markup
from irag.views.entity_graph import entity_graph


def _triple(head: str, relation: str, tail: str, sentence: int = 0) -> Triple:
    return Triple(
        triple_id(head, relation, tail, "d", sentence), head, relation, tail, ("d", sentence)
    )


def test_what_it_says_is_right_and_what_is_said_of_it_is_left():
    ring = [_triple("Osk", "lies on", "Tem"), _triple("Ana", "founded", "OSK")]
    graph = entity_graph("Osk", [ring], 2, False)
    place = {node.label: node for node in graph.nodes}
    assert place["Ana"].x < place["Osk"].x == 0 < place["Tem"].x
    assert place["Osk"].chain and not place["Tem"].chain and graph.note == ""


def test_no_two_entities_stand_on_one_place_and_the_rest_is_said():
    first = [_triple("Osk", "has", f"t{n}") for n in range(40)]
    second = [_triple(f"t{n % 40}", "has", f"u{n}") for n in range(200)]
    graph = entity_graph("Osk", [first, second], 240, False)
    assert len({(node.x, node.y) for node in graph.nodes}) == len(graph.nodes) == 150
    known = {node.id for node in graph.nodes}
    assert all({edge.source, edge.target} <= known for edge in graph.edges)
    assert graph.note == "showing 149 of 240 entities"
    assert entity_graph("Osk", [first], 40, True).note.endswith("or more")


def test_parallel_triples_bend_apart_and_one_entity_alone_is_drawn():
    ring = [_triple("Osk", "lies on", "Tem"), _triple("Tem", "crosses", "Osk")]
    one, other = entity_graph("Osk", [ring], 1, False).edges
    assert one.bend != other.bend
    assert len(entity_graph("Osk", [], 0, False).nodes) == 1


def test_a_sentence_is_marked_where_head_and_tail_stand_and_nothing_is_markup():
    triple = _triple("<b>Osk", "is", "Tem (")
    html = corpus_markup.said([(triple, "<i>", "the <b>osk is TEM ( now")])
    assert "<mark>&lt;b&gt;osk</mark>" in html and "<mark>TEM (</mark>" in html
    assert "<b>osk" not in html and "&lt;i&gt;" in html


def test_sentences_keep_the_whole_text_and_those_with_triples_are_underlined():
    text = "Osk & Tem. It <is>."
    document = Document("d", "Osk", text, ((0, 10), (11, 19)))
    html = corpus_markup.passage(document, [_triple("Osk", "is", "x", 1)])
    assert '<span id="sentence-1" title' in html
    assert '<span id="sentence-2" class="irag-gave"' in html and "&lt;is&gt;" in html
    assert 'href="#sentence-2"' in corpus_markup.sentence_triples([_triple("a", "b", "c", 1)])
