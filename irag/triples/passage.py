"""One passage, read sentence by sentence: claims become triples with names for pronouns."""

from __future__ import annotations

from collections.abc import Iterator

from irag.match import entity_key
from irag.triples.clauses import MISSING, Claim, claims, entity_of, subjects
from irag.triples.lifetimes import lifetime_facts
from irag.triples.nominal import appositions, possessions
from irag.triples.parsed import NOUNS, Parse
from irag.triples.preparing import Prepared
from irag.triples.quality import weakness
from irag.triples.topic import Other, Topic, gender_of_noun, is_person_noun
from irag.types import Document, Triple, triple_id

__all__ = ["Passage"]

_LEAD = 150  # characters of a first sentence in which its title, or a part of it, is named
_FEWEST_WORDS = 4  # of a sentence that is kept whole when no rule reads it


class Passage:
    """Reads the sentences of one document in order and collects its triples."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._topic = Topic.of(document.title, document.text)
        self._found: dict[str, Triple] = {}

    def triples(self) -> tuple[Triple, ...]:
        """What was read so far, by sentence, each once."""
        return tuple(self._found.values())

    def read(self, number: int, prepared: Prepared, parse: Parse) -> None:
        """Take in one sentence."""
        before = len(self._found)
        topic = self._topic
        subject = self._main_subject(parse)
        if not topic.known:
            self._introduce(parse, subject, prepared)
        self._turn(parse, subject)
        self._take_dates(prepared, number)
        for claim in self._claims(parse):
            self._add(parse, claim, number)
        if len(self._found) == before:
            self._keep_whole(parse, number)

    def _take_dates(self, prepared: Prepared, number: int) -> None:
        topic = self._topic
        if not (topic.known and prepared.bracketed):
            return
        facts = lifetime_facts(prepared.bracketed, topic.is_person)
        if any(relation.startswith(("was born", "died")) for relation, _ in facts):
            topic.learn_life()
        for relation, tail in facts:
            self._keep(topic.name, relation, tail, number)

    def _main_subject(self, parse: Parse) -> int | None:
        own = [s for s in subjects(parse, parse.root) if s != MISSING]
        return own[0] if own else None

    def _introduce(self, parse: Parse, subject: int | None, prepared: Prepared) -> None:
        """Is the passage about its title? Learn what it is called and what it is."""
        topic = self._topic
        named = parse.phrase(subject) if subject is not None else ""
        opens = topic.shares_a_name(prepared.text[:_LEAD])
        if not (prepared.about_title or opens or topic.shares_a_name(named)):
            return
        topic.known = True
        if subject is not None and parse.is_proper(subject):
            topic.words |= {w.casefold() for w in named.replace(",", " ").split()}
        if parse.words[parse.root] == "born":
            topic.learn_life()
        for attribute in parse.kids_as(parse.root, "attr"):
            for noun in parse.with_conjuncts(attribute):
                if parse.tags[noun] in NOUNS:
                    topic.learn(parse.words[noun])

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
            topic.other = Other(name or parse.phrase(subject), gender, proper)

    def _claims(self, parse: Parse) -> Iterator[Claim]:
        yield from possessions(parse)
        yield from claims(parse)
        yield from appositions(parse)

    def _name(self, parse: Parse, token: int, without: tuple[int, ...] = ()) -> str | None:
        """A noun phrase as a name; None for a pronoun that cannot safely be told."""
        topic = self._topic
        if token == MISSING:
            return topic.name if topic.known and topic.other is None else None
        if topic.is_pronoun(parse.words[token]):
            return topic.pronoun(parse.words[token])
        if topic.is_meant_by(parse, token):
            return topic.name
        phrase = parse.phrase(token, without)
        owner, _, rest = phrase.partition(" ")
        if rest and topic.is_pronoun(owner):
            known = topic.pronoun(owner)
            return f"{known}'s {rest}" if known else None
        return phrase

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
        key = entity_key(f"{head} {relation} {tail}")
        if key not in self._found:
            source = (self._document.id, number)
            self._found[key] = Triple(
                triple_id(head, relation, tail, *source), head, relation, tail, source
            )

    def _keep_whole(self, parse: Parse, number: int) -> None:
        """A sentence that no rule reads is kept as it stands, unless a pronoun leads it."""
        topic = self._topic
        words = [w for w in parse.words if w[:1].isalnum()]
        if len(words) < _FEWEST_WORDS or topic.is_pronoun(words[0]):
            return
        self._keep(topic.name, "states", " ".join(self._document.sentence(number).split()), number)
