from __future__ import annotations
from irag.match import entity_key


def _overlap(a, b):
    a, b = "".join(entity_key(a).split()), "".join(entity_key(b).split())
    n = min(3, len(a))
    if not n:
        return 0.0
    grams = {a[i : i + n] for i in range(len(a) - n + 1)}
    other = {b[i : i + n] for i in range(len(b) - n + 1)}
    return len(grams & other) / len(grams)


def same_name(a, b):
    return max(_overlap(a, b), _overlap(b, a)) >= 0.9


def stands_in(a, text):
    return _overlap(a, text) >= 0.9


def spanning_tree(edges):
    parent = {}

    def root(x):
        while parent.setdefault(x, x) != x:
            x = parent[x]
        return x

    kept = []
    for one in sorted(edges, key=lambda o: (-o.score, o.unit.id)):
        a, b = root(entity_key(one.unit.head)), root(entity_key(one.unit.tail))
        if a != b:
            parent[a] = b
            kept.append(one)
    return kept
