"""How many of 2Wiki's gold facts are said by an extracted triple of the subject's own passage.

python -m benchmarks.triple_coverage QUESTIONS.jsonl.gz SPACY_MODEL_FOLDER [--missed N]

A gold fact (subject, relation, object) counts as reachable when its object's words stand in the
passage titled by the subject. `object`: some triple of that passage holds the object. `both`: that
triple's head (or tail) is the subject and the object stands in the rest of it. Triples that keep a
sentence whole are counted apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from irag.match import entity_key
from irag.text import clean, locate, token_f1
from irag.text import sentences as split
from irag.triples import open_extractor
from irag.triples.passage import WHOLE
from irag.types import Document, Triple, document_id

Fact = tuple[str, str, str]


def passages_and_facts(path: Path) -> tuple[dict[str, Document], list[Fact]]:
    documents: dict[str, Document] = {}
    facts: dict[Fact, None] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            question = json.loads(line)
            for title, sentences in question["context"]:
                documents.setdefault(title, _document(title, sentences))
            for head, relation, tail in question["evidences"]:
                if head in documents:
                    facts[(head, relation, tail)] = None
    return documents, list(facts)


def _document(title: str, sentences: list[str]) -> Document:
    text = clean(" ".join(sentence.strip() for sentence in sentences))
    return Document(document_id(title, text), title, text, split(text))


def says(triple: Triple, title: str, wanted: str) -> tuple[bool, bool]:
    """(the triple holds the object, and the subject is its other end)."""
    after = locate(wanted, f"{triple.relation} {triple.tail}") is not None
    after = after or token_f1(wanted, triple.tail) >= 0.6
    before = locate(wanted, triple.head) is not None
    about = entity_key(triple.head) == entity_key(title)
    done = entity_key(triple.tail) == entity_key(title)
    return after or before, (after and about) or (before and done)


def judged(
    documents: dict[str, Document], facts: list[Fact], triples: dict[str, tuple[Triple, ...]]
) -> Iterator[tuple[Fact, bool, bool]]:
    for fact in facts:
        document = documents[fact[0]]
        if locate(fact[2], document.text) is None:
            continue
        verdicts = [says(triple, document.title, fact[2]) for triple in triples[document.title]]
        yield fact, any(v[0] for v in verdicts), any(v[1] for v in verdicts)


def report(name: str, verdicts: list[tuple[Fact, bool, bool]]) -> None:
    held, both = (sum(v[i] for v in verdicts) * 100 / max(1, len(verdicts)) for i in (1, 2))
    print(f"{name}: object {held:.1f} %, both {both:.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("questions", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--missed", type=int, default=0, help="show this many missed facts")
    chosen = parser.parse_args()
    documents, facts = passages_and_facts(chosen.questions)
    wanted = list({fact[0]: documents[fact[0]] for fact in facts}.values())
    extracted = open_extractor(chosen.model).extract(wanted)
    triples = {d.title: made.triples for d, made in zip(wanted, extracted, strict=True)}
    verdicts = list(judged(documents, facts, triples))
    count = sum(map(len, triples.values()))
    print(f"{len(wanted)} passages, {count} triples, {count / len(wanted):.1f} a passage")
    print(f"{len(facts)} gold facts, {len(verdicts)} reachable in the passage")
    report("all triples", verdicts)
    parts = {t: tuple(x for x in xs if x.relation != WHOLE) for t, xs in triples.items()}
    print(f"{count - sum(map(len, parts.values()))} triples keep a sentence whole; without them:")
    verdicts = list(judged(documents, facts, parts))
    report("ruled triples", verdicts)
    lost = Counter(fact[1] for fact, _, both in verdicts if not both)
    print("not both, by relation:", dict(lost.most_common()))
    for fact, held, both in [v for v in verdicts if not v[2]][: chosen.missed]:
        print("\n", fact, "object only" if held and not both else "missed")
        print("  ", documents[fact[0]].text[:700])
        for triple in triples[fact[0]]:
            print("     ", (triple.head, triple.relation, triple.tail))


if __name__ == "__main__":
    main()
