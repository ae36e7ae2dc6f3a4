"""Graphs over triples, names and sentences as pure functions; reads no file and asks no model.

Here stands what needs the standard library alone. What works on sparse matrices is imported from
its own module, so that a method does not load scipy: `pagerank`, `communities`, `sentences`.
"""

from irag.graphs.edges import Edge, heaviest_first, triple_edges
from irag.graphs.names import NameGraph, Node, name_graph
from irag.graphs.trees import Forest, around, components, maximum_spanning_tree, path_between

__all__ = [
    "Edge",
    "Forest",
    "NameGraph",
    "Node",
    "around",
    "components",
    "heaviest_first",
    "maximum_spanning_tree",
    "name_graph",
    "path_between",
    "triple_edges",
]
