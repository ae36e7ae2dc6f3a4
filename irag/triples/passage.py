"""One passage, read sentence by sentence: claims become triples with names for pronouns."""

from __future__ import annotations

import re

from irag.match import entity_key
from irag.triples.clauses import MISSING, Claim, claims, entity_of, subjects
from irag.triples.kinship import kinships
from irag.triples.lifetimes import lifetime_facts
from irag.triples.nominal import appositions, possessions
from irag.triples.parsed import NOUNS, Parse
from irag.triples.preparing import Prepared
from irag.triples.quality import weakness
from irag.triples.topic import Other, Topic, gender_of_noun, is_person_noun
from irag.types import Document, Triple, triple_id

__all__ = ["WHOLE", "Passage"]

WHOLE = "states"
"""The relation of a sentence that is kept whole."""

_NAMING = frozenset({"NNP", "NNPS", "CD"})

_LEAD = 150  # characters of a first sentence in which its title, or a part of it, is named
_ALSO_CALLED = re.compile(r"\b(?:known|called|named|credited|titled|translated|née|born)\b|:")
_FEWEST_WORDS = 4  # of a sentence that is kept whole when no rule reads it


class Passage:
    """Reads the sentences of one document in order and collects its triples."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._topic = Topic.of(document.title, document.text)
        self._found: dict[str, Triple] = {}
        self._pronouns: dict[int, str | None] = {}
        self._said: list[str] = []

    def triples(self) -> tuple[Triple, ...]:
        """What was read so far, by sentence, each once."""
        return tuple(self._found.values())

    def read(self, number: int, prepared: Prepared, parse: Parse) -> None:
        """Take in one sentence."""
        self._said = []
        subject = self._main_subject(parse)
        if not self._topic.known:
            self._introduce(parse, subject, prepared, number)
        self._take_dates(prepared, number)
        self._resolve(parse, subject)
        taken = self._take_kin(parse, number)
        identified: set[int] = set()
        for claim in possessions(parse):
            identified.add(claim.tail)
            if claim.tail not in taken:
                self._add(parse, claim, number)
        for claim in (*claims(parse), *appositions(parse)):
            named = parse.deps[claim.tail] == "attr" and claim.tail in identified
            if not named and claim.tail not in taken and claim.subject not in taken:
                self._add(parse, claim, number)
        self._keep_rest(parse, number)

    def _resolve(self, parse: Parse, subject: int | None) -> None:
        """What each pronoun stands for: up to the main subject by whom the text spoke of before."""
        topic = self._topic
        spoken = [t for t, word in enumerate(parse.words) if topic.is_pronoun(word)]
        turn = -1 if subject is None else subject
        self._pronouns = {t: topic.pronoun(parse.words[t]) for t in spoken if t <= turn}
        self._turn(parse, subject)
        self._pronouns |= {t: topic.pronoun(parse.words[t]) for t in spoken if t > turn}

    def _take_kin(self, parse: Parse, number: int) -> set[int]:
        """Parents; returns the tokens that need no other rule."""
        taken: set[int] = set()
        for kin in kinships(parse):
            owners = [
                owner
                for said_of in entity_of(parse, kin.noun)
                if said_of != kin.noun
                for owner in _person(parse, said_of)
            ]
            heads = [self._name(parse, t) for t in owners] or [self._name(parse, MISSING)]
            linked = "" if parse.deps[kin.noun] != "attr" else parse.words[parse.heads[kin.noun]]
            relation = f"{linked or 'is'} {kin.relation}"
            names = [parse.render(name) for name in kin.names]
            for head in heads:
                for name in names:
                    if head:
                        self._keep(head, relation, name, number)
            if kin.spouse and len(names) == 2:
                self._keep(names[0], kin.spouse, names[1], number)
            if any(heads):
                taken |= set(range(kin.noun, kin.stop))
        return taken

    def _take_dates(self, prepared: Prepared, number: int) -> None:
        topic = self._topic
        if not (topic.known and prepared.bracketed):
            return
        facts = lifetime_facts(prepared.bracketed, topic.may_be_a_person)
        if any(relation.startswith(("was born", "died")) for relation, _ in facts):
            topic.learn_life()
        for relation, tail in facts:
            self._keep(topic.name, relation, tail, number)

    def _main_subject(self, parse: Parse) -> int | None:
        own = [s for s in subjects(parse, parse.root) if s != MISSING]
        return own[0] if own else None

    def _introduce(
        self, parse: Parse, subject: int | None, prepared: Prepared, number: int
    ) -> None:
        """Is the passage about its title? Learn what it is called and what it is."""
        topic = self._topic
        named = parse.phrase(subject) if subject is not None else ""
        called = f"{prepared.text[:_LEAD]} {prepared.bracketed}" if number == 0 else ""
        topic.known = (
            prepared.about_title
            or topic.shares_a_name(called)
            or (subject is not None and parse.words[subject].casefold() in topic.calls)
        )
        if not topic.known or subject is None:
            return
        alias = topic.is_named_in(called) and bool(_ALSO_CALLED.search(called))
        if parse.is_proper(subject) and (alias or topic.shares_a_name(named)):
            topic.also_called(named)
        if parse.words[parse.root] == "born":
            topic.learn_life()
        if parse.words[subject].casefold() in topic.calls and not parse.is_proper(subject):
            topic.learn(parse.words[subject])
        for attribute in parse.kids_as(parse.root, "attr"):
            for noun in parse.with_conjuncts(attribute):
                if parse.tags[noun] in NOUNS:
                    topic.learn(parse.words[noun])
                for token in parse.members(noun):
                    topic.learn_kind(parse.words[token])

    def _turn(self, parse: Parse, subject: int | None) -> None:
        """Whom the pronouns from here on speak of."""
        topic = self._topic
        if subject is None:
            return
        name = self._name(parse, subject)
        if name == topic.name:
            topic.other = None
        elif topic.is_pronoun(parse.words[subject]) or parse.tags[subject] not in NOUNS:
            return
        else:
            head = parse.heads[subject] if parse.deps[subject] == "appos" else subject
            noun = parse.words[head]
            proper = parse.is_proper(subject)
            common = not parse.is_proper(head)
            if common and not is_person_noun(noun) and topic.is_person:
                return  # "The war ended. He ..." still speaks of the person
            gender = gender_of_noun(noun) if common else None
            owned = bool(parse.kids_as(head, "poss")) and bool(parse.kids_as(parse.root, "attr"))
            topic.other = Other(name or parse.phrase(subject), gender, proper, owned and not proper)

    def _name(self, parse: Parse, token: int, without: tuple[int, ...] = ()) -> str | None:
        """A noun phrase as a name; None for a pronoun that cannot safely be told."""
        topic = self._topic
        if token == MISSING:
            return topic.name if topic.known and topic.other is None else None
        if token in self._pronouns:
            return self._pronouns[token]
        if topic.is_meant_by(parse, token):
            return topic.name
        named = [t for t in parse.kids_as(token, "appos") if parse.is_proper(t)]
        if named and parse.tags[token] == "NN":  # "her brother, Jon Pell"
            return self._name(parse, named[0])
        members = parse.members(token, without)
        if parse.is_proper(token) and parse.tags[members[0]] == "PRP$":
            return parse.render(t for t in members if parse.is_name_of(t, token))
        return self._spelled(parse, members)

    def _spelled(self, parse: Parse, members: list[int]) -> str | None:
        """A phrase with names for its possessives; None where it begins with an unsafe one."""
        owners = [t for t in members if t in self._pronouns and parse.tags[t] == "PRP$"]
        if owners and owners[0] == members[0] and not self._pronouns[owners[0]]:
            return None
        return parse.render(members, {t: f"{n}'s" for t in owners if (n := self._pronouns[t])})

    def _add(self, parse: Parse, claim: Claim, number: int) -> None:
        tail = (
            parse.render(parse.subtree(claim.tail))
            if claim.clause
            else self._name(parse, claim.tail, claim.without)
        )
        heads = [claim.subject]
        if claim.subject != MISSING:
            heads = entity_of(parse, claim.subject)
        for token in heads:
            head = self._name(parse, token)
            if head and tail:
                self._keep(head, claim.relation, tail, number)

    def _keep(self, head: str, relation: str, tail: str, number: int) -> None:
        if weakness(head, relation, tail):
            return
        said = f"{head} {relation} {tail}"
        self._said.append(said)
        key = entity_key(said)
        if key not in self._found:
            source = (self._document.id, number)
            self._found[key] = Triple(
                triple_id(head, relation, tail, *source), head, relation, tail, source
            )

    def _keep_rest(self, parse: Parse, number: int) -> None:
        """Where no rule reads a sentence, or one of its names and numbers, it is kept whole.

        Not where a pronoun leads it that cannot safely be told.
        """
        words = [w for w in parse.words if w[:1].isalnum()]
        if len(words) < _FEWEST_WORDS or self._pronouns.get(0, "") is None:
            return
        said = entity_key(" ".join(self._said)).split()
        names = {
            part
            for token, word in enumerate(parse.words)
            if parse.tags[token] in _NAMING
            for part in entity_key(word).split()
        }
        if not said or names - set(said) - self._topic.words:
            sentence = " ".join(self._document.sentence(number).split())
            self._keep(self._topic.name, WHOLE, sentence, number)


def _person(parse: Parse, token: int) -> list[int]:
    """Whose parents are named beside a word: not those of Marl in "Eva of Marl, daughter of",
    nor of Osk in "was born in Osk, the son of"."""
    if token == MISSING:
        return [token]
    of = parse.heads[token]
    if parse.words[of] == "of" and parse.is_proper(parse.heads[of]):
        return entity_of(parse, parse.heads[of])
    at = token
    while parse.deps[at] in ("pobj", "prep", "npadvmod", "oprd", "dobj", "appos"):
        at = parse.heads[at]
        if parse.words[at].casefold() == "born":
            return subjects(parse, at)
    return entity_of(parse, token)
