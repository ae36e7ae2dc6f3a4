"""What the verbs of a sentence say: subject, relation and tails, read off its dependency tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irag.text import word_set
from irag.triples.parsed import NOUNS, Parse

__all__ = ["MISSING", "Claim", "claims", "entity_of", "referent"]

MISSING = -1
"""Stands for a subject that the sentence leaves out."""

_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "attr", "oprd", "dative", "acomp")
_RELATIVE = frozenset({"WP", "WDT", "WP$"})
_UNREAL = word_set("if unless whether lest")
_SHORT = 8  # words of an object that may stand inside a relation
_DEEP = 8  # clauses climbed for a subject; a guard, real sentences need three


@dataclass(frozen=True, slots=True)
class Claim:
    """Token indexes of a subject (or MISSING) and a tail, and the relation's text.

    `clause`: the tail is a whole clause, not a noun phrase. `without` are children of the tail
    that the relation already says.
    """

    subject: int
    relation: str
    tail: int
    clause: bool = False
    without: tuple[int, ...] = ()


def referent(parse: Parse, token: int) -> int:
    """The noun that a relative pronoun stands for; any other token stands for itself."""
    if parse.tags[token] not in _RELATIVE:
        return token
    at = token
    for _ in range(_DEEP):
        if parse.deps[at] == "relcl":
            return parse.heads[at]
        if parse.heads[at] == at:
            break
        at = parse.heads[at]
    return token


def entity_of(parse: Parse, noun: int, depth: int = 0) -> list[int]:
    """Whom a noun speaks of: for "X is a film directed ..." the film is X."""
    if depth > _DEEP:
        return [noun]
    dep, head = parse.deps[noun], parse.heads[noun]
    if dep in ("attr", "oprd") and parse.is_verb(head):
        return subjects(parse, head, depth + 1) or [noun]
    if dep == "conj" and parse.deps[head] in ("attr", "oprd"):
        return entity_of(parse, head, depth + 1)
    if dep == "appos" and not parse.is_proper(noun):
        return entity_of(parse, head, depth + 1)
    if parse.deps[noun] in _SUBJECTS or not parse.is_proper(noun):
        named = [k for k in parse.kids_as(noun, "appos") if parse.is_proper(k)]
        if named and not parse.is_proper(noun):
            return named[:1]
    return [noun]


def subjects(parse: Parse, verb: int, depth: int = 0) -> list[int]:
    """The subjects of a verb, its own or the one it shares; [MISSING] where a root has none."""
    if depth > _DEEP:
        return []
    own = parse.kids_as(verb, *_SUBJECTS)
    if own:
        spread = [s for subject in own[-1:] for s in parse.with_conjuncts(subject)]
        return [e for s in spread for e in entity_of(parse, referent(parse, s), depth + 1)]
    dep, head = parse.deps[verb], parse.heads[verb]
    if head == verb:
        return [MISSING]
    if dep in ("acl", "relcl"):
        outer = _outer_subjects(parse, verb, depth + 1) if dep == "acl" else []
        return outer or entity_of(parse, head, depth + 1)
    if parse.is_verb(head) and dep == "xcomp" and parse.kids_as(head, "dobj"):
        return []  # "asked X to write": who writes is X, but that it was written is not said
    shares = dep in ("conj", "xcomp") or (dep == "advcl" and parse.tags[verb] in ("VBN", "VBG"))
    if shares and parse.is_verb(head):
        return subjects(parse, head, depth + 1)
    if dep in ("conj", "dep") and parse.tags[head] in NOUNS and parse.tags[verb] == "VBN":
        return _outer_subjects(parse, verb, depth + 1)
    return []


def _outer_subjects(parse: Parse, verb: int, depth: int) -> list[int]:
    """Subjects of what a participle after a comma goes on from: "made by A, directed by B"."""
    before = parse.words[verb - 1].casefold() if verb else ""
    if parse.deps[verb] == "acl" and before not in (",", "and", "then"):
        return []
    at = parse.heads[verb]
    while parse.deps[at] in ("pobj", "dobj", "prep", "agent", "conj", "appos"):
        at = parse.heads[at]
        if parse.tags[at] in ("VBN", "VBG"):
            return subjects(parse, at, depth)
        if parse.deps[at] == "attr":
            return entity_of(parse, at, depth)
    return []


def _inherits(parse: Parse, verb: int) -> bool:
    """Whether a coordinated verb needs the auxiliaries of the first: "was written and directed"."""
    if parse.deps[verb] != "conj" or parse.tags[verb] not in ("VB", "VBN", "VBG"):
        return False
    return parse.is_verb(parse.heads[verb]) and not parse.kids_as(
        verb, "aux", "auxpass", *_SUBJECTS
    )


def _parts(parse: Parse, verb: int) -> list[int]:
    """Tokens of a verb group: auxiliaries, negation, particle, an adverb right before the verb."""
    group = [verb, *parse.kids_as(verb, "aux", "auxpass", "neg", "prt")]
    for adverb in parse.kids_as(verb, "advmod"):
        if (
            not parse.kids[adverb]
            and adverb < verb
            and all(
                between in group or parse.deps[between] == "advmod"
                for between in range(adverb + 1, verb)
            )
        ):
            group.append(adverb)
    return sorted(group)


def _says_nothing(parse: Parse, verb: int) -> bool:
    """Whether a verb has no complement: its tails are those of the verb it is coordinated with."""
    plain = ("aux", "auxpass", "neg", "prt", "advmod", "cc", "conj", "punct", "mark", *_SUBJECTS)
    return parse.is_verb(verb) and all(parse.deps[k] in plain for k in parse.kids[verb])


def relation_of(parse: Parse, verb: int, depth: int = 0) -> str:
    """The relation's text; a negation is always part of it."""
    own = parse.render(_parts(parse, verb))
    first = parse.heads[verb]
    if parse.deps[verb] == "conj" and _says_nothing(parse, first) and depth < _DEEP:
        return f"{relation_of(parse, first, depth + 1)} and {own}"
    if parse.deps[verb] == "xcomp" and parse.is_verb(parse.heads[verb]) and depth < _DEEP:
        return f"{relation_of(parse, parse.heads[verb], depth + 1)} {own}"
    if _inherits(parse, verb):
        shared = [k for k in parse.kids_as(first, "aux", "auxpass", "neg") if k < first]
        if shared:
            return f"{parse.render(shared)} {own}"
    return own


def _is_unreal(parse: Parse, verb: int) -> bool:
    return any(parse.words[m].casefold() in _UNREAL for m in parse.kids_as(verb, "mark", "advmod"))


def _prepositional(
    parse: Parse, relation: str, preposition: int
) -> Iterator[tuple[str, int, bool]]:
    """(relation with the preposition, tail, whether the tail is a clause)."""
    before = [k for k in parse.kids_as(preposition, "advmod", "npadvmod") if k < preposition]
    said = f"{relation} {parse.render([*before, preposition])}"
    for kid in parse.kids[preposition]:
        dep = parse.deps[kid]
        if dep == "pobj":
            for tail in parse.with_conjuncts(kid):
                yield said, tail, False
        elif dep == "pcomp":
            yield said, kid, True
        elif dep == "prep":  # "out of", but "from 1784 to 1792" says both apart
            alone = parse.kids_as(preposition, "pobj")
            yield from _prepositional(parse, relation if alone else said, kid)


def _with_object(parse: Parse, verb: int, relation: str) -> str:
    """The relation with a short object in it, for what follows: "married Ana Kor on"."""
    first = parse.kids_as(verb, "dobj", "attr", "oprd", "acomp")
    if not first or parse.tags[first[0]] in _RELATIVE or parse.tags[first[0]] == "PRP":
        return relation
    words = parse.members(first[0])
    if len(words) > _SHORT:
        words = [t for t in words if t <= first[0]]
    return f"{relation} {parse.render(words)}" if len(words) <= _SHORT else relation


def _of_names(parse: Parse, subject: int, relation: str, noun: int) -> Iterator[Claim]:
    """ "is the son of" A, "is the son of" B: a relational noun goes into the relation."""
    for of in parse.kids_as(noun, "prep"):
        if parse.words[of].casefold() not in ("of", "to", "by", "for"):
            continue
        said = f"{relation} {parse.phrase(noun, [k for k in parse.kids[noun] if k >= of])}"
        for named in parse.kids_as(of, "pobj"):
            tails = parse.with_conjuncts(named)
            if any(map(parse.is_proper, tails)):
                for tail in tails:
                    yield Claim(subject, f"{said} {parse.words[of]}", tail)


def noun_claims(parse: Parse, subject: int, relation: str, noun: int) -> Iterator[Claim]:
    """What "subject relation noun" says, for a noun and what is coordinated with it."""
    for tail in parse.with_conjuncts(noun):
        if parse.is_verb(tail) and tail != noun:
            continue  # a clause that was attached to the noun; it speaks for itself
        split = [] if parse.is_proper(tail) else list(_of_names(parse, subject, relation, tail))
        yield from split
        yield Claim(subject, relation, tail)


def _between(parse: Parse, verb: int, kid: int) -> str:
    """Coordinated verbs that share a complement behind them: "written and directed by"."""
    sharing = [c for c in parse.kids_as(verb, "conj") if c < kid and _says_nothing(parse, c)]
    return "".join(f" and {parse.render(_parts(parse, c))}" for c in sharing)


def _arguments(parse: Parse, verb: int, subject: int, own: str) -> Iterator[Claim]:
    for kid in parse.kids[verb]:
        dep = parse.deps[kid]
        relation = own + _between(parse, verb, kid)
        longer = _with_object(parse, verb, relation)
        if dep == "acomp" or (dep == "oprd" and parse.tags[kid].startswith("JJ")):
            yield from _qualities(parse, subject, relation, kid)
        elif dep in _OBJECTS:
            yield from noun_claims(parse, subject, relation, kid)
        elif dep in ("prep", "agent"):
            for text, tail, clause in _prepositional(parse, longer, kid):
                yield Claim(subject, text, tail, clause)
        elif (dep in ("npadvmod", "tmod") and _is_dated(parse, kid)) or (
            dep == "ccomp" and kid > verb and not _is_open(parse, kid)
        ):
            yield Claim(subject, longer if dep != "ccomp" else relation, kid, dep == "ccomp")


def _qualities(parse: Parse, subject: int, relation: str, quality: int) -> Iterator[Claim]:
    """ "is married to" A; without a preposition the adjective itself is the tail."""
    prepositions = parse.kids_as(quality, "prep")
    if not prepositions:
        yield Claim(subject, relation, quality)
    for preposition in prepositions:
        said = f"{relation} {parse.words[quality]}"
        for text, tail, clause in _prepositional(parse, said, preposition):
            yield Claim(subject, text, tail, clause)


def _is_open(parse: Parse, clause: int) -> bool:
    return any(parse.tags[token] in _RELATIVE for token in parse.subtree(clause)[:2])


def _is_dated(parse: Parse, noun: int) -> bool:
    return any(parse.tags[t] == "CD" for t in parse.members(noun))


def claims(parse: Parse) -> Iterator[Claim]:
    """Every claim of a sentence's verbs, in order; conditions ("if ...") claim nothing."""
    for verb in parse.verbs():
        if _is_unreal(parse, verb):
            continue
        relation = relation_of(parse, verb)
        for subject in subjects(parse, verb):
            for claim in _arguments(parse, verb, subject, relation):
                if claim.tail != subject:
                    yield claim
