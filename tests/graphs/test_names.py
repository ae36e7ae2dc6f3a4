"""The graph of names."""

from irag.graphs import components, name_graph
from irag.match import NameIndex
from irag.types import Triple


def triples(*facts):
    return [Triple(f"t{n}", *fact) for n, fact in enumerate(facts)]


def test_spellings_become_one_node_with_all_its_triples():  # FR-034
    graph = name_graph(
        triples(
            ("Osk Harbour Board", "owns", "Tem Bridge"),
            ("OSK HARBOUR BOARD", "was founded by", "Ana Kor"),
            ("The Osk  Harbour  Board", "hired", "Jon Pell"),
        )
    )
    node = graph.nodes["osk harbour board"]
    assert [t.id for t in node.triples] == ["t0", "t1", "t2"]
    assert node.name in node.spellings
    assert node.spellings == ("OSK HARBOUR BOARD", "Osk Harbour Board", "The Osk Harbour Board")
    assert len(graph.edges) == 3


def test_namesakes_and_numbered_names_stay_apart():  # FR-036, FR-038
    graph = name_graph(
        triples(
            ("Jon Pell (footballer)", "born in", "1990"),
            ("Jon Pell (potter)", "died in", "2001"),
            ("Report SR-2023-052", "covers", "Tem Bridge"),
            ("Report SR-2023-053", "covers", "Osk Tower"),
        )
    )
    assert len(components(graph.edges)) == 4
    assert [t.tail for t in graph.nodes["jon pell potter"].triples] == ["2001"]
    assert [node.name for node in graph.near(["report sr 2023 052"])] == ["Tem Bridge"]


def test_an_edge_weighs_its_triples_and_keeps_their_directions():  # FR-042
    (edge,) = name_graph(
        triples(
            ("Ana Kor", "teacher of", "Jon Pell"),
            ("Jon Pell", "employer of", "Ana Kor"),
            ("Ana Kor", "sister of", "Jon Pell"),
        )
    ).edges
    assert edge.weight == 3
    assert [t.head for t in edge.unit] == ["Ana Kor", "Jon Pell", "Ana Kor"]


def test_a_year_joins_nothing_but_is_kept():  # FR-116
    graph = name_graph(triples(("Tem Bridge", "opened in", "1931"), ("Ana Kor", "died in", "1931")))
    assert graph.nodes["1931"].literal
    assert graph.near(["tem bridge"]) == ()
    assert graph.near(["1931"]) == ()
    assert [node.name for node in graph.near(["tem bridge"], literals=True)] == ["1931"]


def test_near_is_bounded_heaviest_first():
    facts = [("Osk", f"r{n}", f"P{n % 3}") for n in range(7)] + [("Far", "r", "P0")]
    graph = name_graph(triples(*facts))
    assert [node.key for node in graph.near(["osk"])] == ["p0", "p1", "p2"]
    assert [node.key for node in graph.near(["osk"], most=1)] == ["p0"]
    assert [node.key for node in graph.near(["osk", "p0"])] == ["p1", "p2", "far"]
    assert graph.near(["nobody"]) == ()


def test_aliases_of_a_dictionary_merge_nodes():
    index = NameIndex(["Osk, Lincolnshire"])
    facts = triples(("Osk, Lincolnshire", "has", "a port"), ("Osk", "lies in", "Veldland"))
    assert "osk" not in name_graph(facts, index.key).nodes
    assert len(name_graph(facts, index.key).nodes["osk lincolnshire"].triples) == 2


def test_loops_and_empty_names_make_no_edge():
    graph = name_graph(triples(("Osk", "is", "osk"), ("", "is", "Osk")))
    assert list(graph.nodes) == ["osk"]
    assert graph.edges == ()
