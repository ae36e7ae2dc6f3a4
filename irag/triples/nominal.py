"""What noun phrases say by themselves: apposition, possession, and names beside a role."""

from __future__ import annotations

from collections.abc import Iterator

from irag.text import word_set
from irag.triples.clauses import Claim, entity_of, noun_claims
from irag.triples.parsed import NOUNS, Parse

__all__ = ["appositions", "possessions"]

_MONTHS = word_set(
    "january february march april may june july august september october november december"
)


def _is_date(parse: Parse, token: int) -> bool:
    return parse.tags[token] == "CD" or parse.words[token].casefold() in _MONTHS


def appositions(parse: Parse) -> Iterator[Claim]:
    """ "Jon Pell, a potter": (Jon Pell, is, a potter); "the potter Jon Pell" is left alone."""
    for token, dep in enumerate(parse.deps):
        anchor = parse.heads[token]
        if dep != "appos" or parse.tags[token] not in NOUNS or _is_date(parse, token):
            continue
        if _is_date(parse, anchor):
            continue
        if parse.is_proper(anchor):
            if not parse.is_proper(token) or parse.kids_as(token, "det", "poss"):
                for subject in entity_of(parse, anchor):
                    yield from noun_claims(parse, subject, "is", token)
        elif (
            parse.tags[anchor] == "NN"
            and parse.is_proper(token)
            and not parse.kids_as(anchor, "poss")
        ):
            yield Claim(token, "is", anchor)


def possessions(parse: Parse) -> Iterator[Claim]:
    """ "Ana's brother, Jon Pell" and "Ana's brother is Jon Pell": (Ana, brother, Jon Pell).

    Also "the director of X is Y": (X, director, Y).
    """
    for token, dep in enumerate(parse.deps):
        owned = parse.heads[token]
        if dep == "poss" and parse.tags[owned] in NOUNS:
            yield from _owned(parse, token, owned)
        elif dep == "nsubj" and parse.tags[token] in NOUNS and not parse.is_proper(token):
            for of in parse.kids_as(token, "prep"):
                if parse.words[of] == "of":
                    for whole in parse.kids_as(of, "pobj"):
                        if parse.is_proper(whole):
                            yield from _identified(parse, whole, token, parse.kids[token])


def _owned(parse: Parse, owner: int, owned: int) -> Iterator[Claim]:
    if parse.is_proper(owned):
        # "his wife Jane Doe": the role stands as a modifier before the name
        role = [k for k in parse.kids[owned] if owner < k < owned and parse.tags[k] == "NN"]
        before = parse.heads[owned]
        if parse.deps[owned] == "conj" and parse.is_proper(before):
            owner = before  # "of Jon Pell and his wife Jane Doe": hers is Jon Pell
        if role:
            left_out = [k for k in parse.kids[owned] if k <= role[-1]]
            yield Claim(owner, parse.render(role), owned, without=tuple(left_out))
        return
    relation = _role(parse, owned, [owner])
    for named in parse.kids_as(owned, "appos"):
        if parse.is_proper(named):
            for tail in parse.with_conjuncts(named):
                yield Claim(owner, relation, tail)
    yield from _identified(parse, owner, owned, [owner])


def _role(parse: Parse, noun: int, without: list[int]) -> str:
    left_out = {*without, *parse.kids_as(noun, "det", "appos")}
    return parse.phrase(noun, [*left_out, *(k for k in parse.kids[noun] if k > noun)])


def _identified(parse: Parse, owner: int, role: int, without: list[int]) -> Iterator[Claim]:
    """(owner, role, Y) where the role is the subject of "is Y" and Y is a name."""
    verb = parse.heads[role]
    if parse.deps[role] != "nsubj" or not parse.is_verb(verb) or parse.kids_as(verb, "neg"):
        return
    for attribute in parse.kids_as(verb, "attr"):
        for tail in parse.with_conjuncts(attribute):
            if parse.is_proper(tail):
                yield Claim(owner, _role(parse, role, without), tail)
