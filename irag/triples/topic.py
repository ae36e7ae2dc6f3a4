"""What a passage is about, and what its pronouns stand for where that is safe to say."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from irag.text import tokens, word_set
from irag.triples.parsed import NOUNS, Parse
from irag.triples.preparing import base_title

__all__ = ["Other", "Topic", "gender_of_noun", "is_person_noun"]

Gender = Literal["he", "she", "it", "they"]

_PRONOUNS: dict[str, Gender] = {
    **dict.fromkeys(("he", "him", "his", "himself"), "he"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "she"),
    **dict.fromkeys(("it", "its", "itself"), "it"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they"),
}
_PEERAGE = re.compile(r",\s*\d+(?:st|nd|rd|th)\s.*\b(\w+)$")
_TITLED = re.compile(r",| of | the | von | de ")
_SUBJECT_PRONOUN = re.compile(r"\b(he|she)\b")
_PRONOUN = re.compile(r"\b(he|his|him|she|her|it|its|they|their)\b", re.IGNORECASE)
_HE = word_set(
    "father brother husband son uncle nephew grandfather grandson king prince duke man boy lord "
    "emperor margrave viscount marquess landgrave actor nobleman stepfather fiancé half-brother "
    "baron count earl sultan"
)
_SHE = word_set(
    "mother sister wife daughter aunt niece grandmother granddaughter queen princess duchess woman "
    "girl lady empress actress noblewoman stepmother fiancée half-sister baroness countess consort"
)
_PERSON = re.compile(
    r"(?:er|or|ist|ian|man|woman|ess|eer|ant|ete|ic|ka|rot|poet|monk|nun|pope|saint|child|spouse|"
    r"friend|cousin|star|legend|icon|figure|person|personality|celebrity|pilot|model|native|alumnus|"
    r"professional|general|colonel|captain|lord|noble|heir|elector|(?<!m)ent|head|partner|chief|judge|bishop|knight|hero|bride|member|king|queen)s?$"
)
_NOT_PERSON = word_set(
    "river chapter center tower theater theatre water order number paper letter summer winter "
    "computer border music museum album single series newspaper publisher thriller adventure "
    "monster disaster mission motor sector factor harbor floor color attic topic magic republic "
    "clinic fabric comic epic music plant grant restaurant corner power character chamber counter "
    "quarter cover layer continent event component patent extent content accident "
    "error terror horror tractor building"
)
_WORKS = word_set(
    "film movie album song single novel book series episode magazine newspaper play opera game "
    "poem show soundtrack drama comedy thriller documentary musical"
)
_SAME_KIND = [
    word_set("film movie picture documentary feature drama comedy thriller western musical short"),
    word_set("song track single ballad"),
    word_set("album record ep soundtrack"),
    word_set("series show program programme sitcom soap"),
    word_set("novel book story work"),
    word_set("band group duo trio quartet ensemble"),
    word_set("magazine newspaper journal"),
    word_set("school college university institution"),
    word_set("village town city settlement commune"),
    word_set("company firm label corporation"),
]


def _folded(phrase: str) -> str:
    return " ".join(re.sub(r"[^\w.&'’-]+|(?<=\w)-(?=\w)", " ", phrase).casefold().split()) or phrase


def _lead(name: str) -> str:
    """A name up to its title or origin: "Jon Pell" of "Jon Pell, Duke of Osk"."""
    return _TITLED.split(name)[0].strip() or name


def gender_of_noun(noun: str) -> Gender | None:
    """The pronoun that a common noun takes; None where it could be more than one."""
    word = noun.casefold()
    if word in _HE:
        return "he"
    if word in _SHE:
        return "she"
    return None if is_person_noun(word) else "it"


def is_person_noun(noun: str) -> bool:
    """Whether a common noun names people, by its ending."""
    word = noun.casefold()
    known = word in _HE or word in _SHE
    return known or (word.rstrip("s") not in _NOT_PERSON and bool(_PERSON.search(word)))


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody or something else that became the subject.

    `proper`: it has a name. `owned`: it was only introduced ("His father was Jon Pell."), so that
    the next "his" most likely goes on about the topic.
    """

    name: str
    gender: Gender | None
    proper: bool
    owned: bool = False


@dataclass(slots=True)
class Topic:
    """The title's entity as far as the passage has been read.

    `name` keeps the disambiguating parenthesis. `words` are all of its words, `aliases` whole names
    and `calls` the words by which a person is called (of "Jon Pell, Duke of Osk" not "Osk").
    `known`: the text does speak of the title, else nothing is said about it. `other`: who took over
    as subject, None while it is the topic itself.
    """

    name: str
    known: bool = False
    gender: Gender | None = None
    person_gender: Gender | None = None
    words: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    nouns: set[str] = field(default_factory=set)
    other: Other | None = None

    @classmethod
    def of(cls, title: str, text: str) -> Topic:
        """Before the first sentence: a person's pronoun is the most frequent one."""
        base = base_title(title)
        words = {word.casefold() for word in tokens(base) if len(word) > 1}
        spoken = [_PRONOUNS[word.casefold()] for word in _PRONOUN.findall(text)]
        # "he" and "she" are more often the topic than "his" and "her"
        people: list[Gender] = [gender for gender in spoken if gender in ("he", "she")]
        people += [_PRONOUNS[word] for word in _SUBJECT_PRONOUN.findall(text.casefold())]
        return cls(
            " ".join(title.split()),
            gender=spoken[0] if spoken else None,
            person_gender=Counter(people).most_common(1)[0][0] if people else None,
            words=words,
            aliases={_folded(base), _folded(_lead(base))},
            calls=set(_folded(_lead(base)).split())
            | set(map(str.casefold, _PEERAGE.findall(base))),
        )

    def also_called(self, phrase: str) -> None:
        """Another name of the topic, as its first sentence gives it."""
        self.aliases |= {_folded(phrase), _folded(_lead(phrase))}
        self.calls |= set(_folded(_lead(phrase)).split())

    @property
    def is_person(self) -> bool:
        """Whether the passage speaks of a he or she, or calls its topic a person."""
        return self.gender in ("he", "she") or any(map(is_person_noun, self.nouns))

    def learn(self, noun: str) -> None:
        """What the topic is called in its first sentence: "film", "actress"."""
        word = noun.casefold()
        self.nouns.add(word)
        self.learn_kind(word)
        if word in _WORKS or word in _HE or word in _SHE:
            self.gender = gender_of_noun(word)
        elif is_person_noun(word):
            self.learn_life()
        else:
            self.gender = "it"

    def learn_kind(self, noun: str) -> None:
        """A noun that helps to say what it is: also "the movie" means a film."""
        word = noun.casefold()
        for kind in _SAME_KIND:
            if word in kind:
                self.nouns |= kind

    def learn_life(self) -> None:
        """The topic is a person."""
        if not self.nouns & (_HE | _SHE):
            self.gender = self.person_gender

    @property
    def may_be_a_person(self) -> bool:
        """Whether somebody is called he or she, and the topic is no film, song or the like."""
        return self.is_person or (self.person_gender is not None and not self.nouns & _WORKS)

    def shares_a_name(self, phrase: str) -> bool:
        """Whether a subject's words and the title's overlap."""
        return any(w[0].isupper() and w.casefold() in self.words for w in tokens(phrase))

    def is_named_in(self, text: str) -> bool:
        """Whether the whole title, without its parenthesis, stands in a text."""
        return base_title(self.name).casefold() in text.casefold()

    def is_meant_by(self, parse: Parse, token: int) -> bool:
        """Whether a noun phrase means the topic: part of its name, or "the film" for a film."""
        if not self.known or parse.tags[token] not in NOUNS:
            return False
        members = [t for t in parse.members(token) if parse.words[t][0].isalnum()]
        if not members:
            return False
        if _folded(parse.render(members)) in self.aliases:
            return True
        words = [_folded(parse.words[t]) for t in members]
        if parse.is_proper(token):
            names = words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words
            whole = " ".join(names) in self.aliases
            return whole or (self.is_person and all(name in self.calls for name in names))
        called = words[-1] in self.nouns or words[-1] == self._last_word
        if not called or token != members[-1]:
            return False
        definite = len(words) > 1 and words[0] in ("the", "this")
        return definite and len(words) <= 6 and not any(map(parse.is_proper, members))

    @property
    def _last_word(self) -> str:
        """ "bridge" of Tem Bridge: "the bridge" is Tem Bridge."""
        return _folded(_lead(base_title(self.name))).split()[-1]

    def pronoun(self, word: str) -> str | None:
        """What a pronoun stands for; None when that is not safe to say."""
        gender = _PRONOUNS.get(word.casefold())
        if gender is None:
            return None
        other = self.other
        if other is None:
            fits = self.known and self.gender in (None, gender)
            return self.name if fits else None
        if gender == self.gender and self.known:
            apart = other.gender not in (None, gender)
            apart = apart or (other.owned and word.casefold() in ("his", "her", "its", "their"))
            work = gender == "it" and (not other.proper or other.gender in ("he", "she"))
            return self.name if apart or (work and bool(self.nouns & _WORKS)) else None
        if gender in ("he", "she") and other.proper and other.gender in (None, gender):
            return other.name
        return None

    def is_pronoun(self, word: str) -> bool:
        """Whether a word is a personal or possessive pronoun of the third person."""
        return word.casefold() in _PRONOUNS
