"""Triples of Chinese passages by a small set of patterns, without a model.

The title stands for a pronoun or a missing subject, until a sentence has another subject. What no
pattern reads is kept whole: (title, states, sentence).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from irag.match import entity_key
from irag.text import clean
from irag.triples.preparing import base_title
from irag.triples.quality import weakness
from irag.types import Document, Triple, triple_id

__all__ = ["RULES", "chinese_triples"]

RULES = "1"

_NOT = "(?:并?不|没有|从未|未曾|并未|未)?"
_DATE = r"(?:公元前)?\d{1,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?"
_PLACE_VERB = (
    "位于|坐落于|坐落在|出生于|出生在|生于|卒于|逝世于|去世于|毕业于|就读于|任职于|来自|属于|隶属于|成立于|"
    "建于|始建于|创立于|创建于|发源于|流入|注入|流经|毗邻|建成于|落成于|开通于|上映于|出版于|居住在|定居于|葬于|死于"
)
_VERB = (
    "导演|执导|主演|创作|发明|设计|建造|修建|创办|创立|创建|成立|编写|撰写|写下|写了|写过|著有|作曲|作词|演唱|"
    "出版|发行|制作|饰演|嫁给|嫁|娶|担任|出任|获得|荣获|击败|发现|收购|拥有|生产|教授|居住|领导|统治|"
    "建成|落成|开通|通车|开放|上映|出生|去世|逝世|毕业|移居|搬到|加入|离开|举行"
)
_COPULA = re.compile(rf"(?P<verb>{_NOT}(?<![于但可还只总就正也都若算])(?:是|为))(?P<tail>(?!了).+)")
_PLACED = re.compile(rf"(?P<verb>{_NOT}(?:{_PLACE_VERB}))(?P<tail>.+)")
_MADE_BY = re.compile(
    rf"由(?P<tail>[^，由]{{1,20}}?)(?:(?:在|于)?{_DATE})?(?:共同|负责)?(?P<verb>{_VERB})"
)
_DATED = re.compile(
    rf"(?:在|于)?(?P<tail>{_DATE})(?:在(?P<place>[^，]{{1,12}}?))?(?P<verb>{_NOT}(?:{_VERB}))"
)
_DOES = re.compile(rf"(?P<verb>{_NOT}(?:{_VERB})(?:了|过|于|在)?)(?P<tail>[^，]+)")
_ROLE = re.compile(r"^(?P<owner>.{1,20}?)的(?P<role>[^的是为，]{1,6})(?:是|为)(?P<tail>.+)")
_LIFE = re.compile(
    rf"[（(](?P<born>{_DATE})?\s*(?:出生)?\s*[－—–~-]+\s*(?P<died>{_DATE})?\s*[)）]"
    rf"|[（(](?:生于|出生于)?(?P<only>{_DATE})(?:出生|生)?[)）]"
)
_PRONOUN = re.compile(r"^(?:他们|她们|它们|他|她|它|其|该\w{1,3}|此人|本片|本书)")
_SPOKEN = re.compile("[他她它]")
_GENDER = {
    **dict.fromkeys("父夫兄哥弟子叔舅伯", "他"),
    **dict.fromkeys("母妻姐妹女姑姨", "她"),
}
_CLAUSE = re.compile(r"[，,；;。！？!?]+")
_ADVERBS = "曾经?|现|后来?|也|又|还|都|便|最终|于是|同年|之后|随后|主要|目前|并且?|而且?|且|被"
_ADVERB = re.compile(rf"(?:{_ADVERBS})+$")
_EDGES = " \u3000、：:“”「」《》\"'的"
_LONGEST_NAME = 20  # characters of a subject; longer is a clause
_WHOLE = "states"

Fact = tuple[str, str, str]


def _subject_end(clause: str) -> int:
    """Where the first pattern of a clause begins; its subject stands before."""
    patterns = (_PLACED, _COPULA, _MADE_BY, _DATED, _DOES)
    return min((m.start() for p in patterns if (m := p.search(clause))), default=-1)


def _facts_of(subject: str, rest: str) -> Iterator[Fact]:
    """What a clause says of its subject; `rest` begins at the verb."""
    made = _MADE_BY.match(rest)
    if made:
        yield subject, f"{made['verb']}者是", made["tail"]
        return
    dated = _DATED.match(rest)
    if dated:
        yield subject, f"{dated['verb']}于", dated["tail"]
        if dated["place"]:
            yield subject, f"{dated['verb']}于", dated["place"]
        rest = rest[dated.start("verb") :]
    dates = re.match(rf"(?:在|于)?({_DATE})", rest)
    rest = rest[dates.end() :] if dates else rest
    for pattern in (_PLACED, _COPULA, _DOES):
        found = pattern.match(rest)
        if found:
            yield subject, found["verb"], found["tail"].strip(_EDGES)
            if dates and pattern is _PLACED:
                yield subject, found["verb"], dates.group(1)
            return


class _Reader:
    """Goes through one passage; `subject` is whom the last sentence spoke of."""

    def __init__(self, title: str, text: str) -> None:
        self.title = title
        self.name = base_title(title)
        self.subject = title
        self.role = ""  # what the subject is to the one before: 丈夫
        first = _SPOKEN.search(text)
        self.pronoun = first.group() if first else ""

    def _meant(self, pronoun: str) -> str | None:
        """Whom a pronoun means; a passage's first pronoun is its title's. None: not safe."""
        spoken = pronoun[:1] if pronoun[:1] in "他她它" else ""
        if self.subject == self.title:
            return self.title if spoken in ("", self.pronoun) else None
        if spoken and spoken != self.pronoun:
            return self.subject
        others = {_GENDER[c] for c in self.role if c in _GENDER}
        return self.title if spoken and others and spoken not in others else None

    def _named(self, before: str) -> str | None:
        """The subject that stands before a verb."""
        words = _ADVERB.sub("", before.strip(_EDGES)).strip(_EDGES)
        if not words:
            return self.subject
        pronoun = _PRONOUN.match(words)
        if pronoun:
            meant = self._meant(words) if len(words) == pronoun.end() else None
            if meant:
                self.subject = meant
            return meant
        if len(words) > _LONGEST_NAME:
            return None
        self.subject = self.title if self.name in (words, words.split("（")[0]) else words
        return self.subject

    def sentence(self, text: str) -> list[Fact]:
        """The facts of one sentence."""
        facts: list[Fact] = []
        life = _LIFE.search(text)
        if life and text[: life.start()].strip(_EDGES) == self.name:
            born, died = life["born"] or life["only"], life["died"]
            facts += [(self.title, "出生于", born)] if born else []
            facts += [(self.title, "去世于", died)] if died else []
            text = text[: life.start()] + text[life.end() :]
        for number, clause in enumerate(filter(None, _CLAUSE.split(text))):
            facts += self._clause(clause.strip(), number)
        return facts

    def _clause(self, clause: str, number: int) -> list[Fact]:
        role = _ROLE.match(clause)
        if role:
            owner = self._owner(role["owner"])
            if not owner:
                return []
            self.subject, self.role = role["tail"].strip(_EDGES), role["role"]
            return [(owner, self.role, self.subject)]
        end = _subject_end(clause)
        if end >= 0:
            subject = self._named(clause[:end])
            return list(_facts_of(subject, clause[end:])) if subject else []
        if number == 0 and clause == self.name:
            self.subject = self.title
        elif number == 1 and "的" in clause and self.subject == self.title:
            return [(self.title, "是", clause)]  # apposition: "奥斯克，维尔德的首都，..."
        return []

    def _owner(self, words: str) -> str | None:
        if _PRONOUN.fullmatch(words):
            return self._meant(words)
        return self.title if words == self.name else words


def chinese_triples(document: Document) -> tuple[Triple, ...]:
    """The triples of one passage, by sentence, each once."""
    reader = _Reader(clean(document.title).strip(), document.text)
    kept: dict[str, Triple] = {}
    for number in range(len(document.sentences)):
        sentence = "".join(document.sentence(number).split("\n"))
        facts = reader.sentence(sentence)
        led = _PRONOUN.match(sentence) and reader.subject != reader.title
        if not facts and not led:
            facts = [(reader.title, _WHOLE, sentence.strip())]
        for head, relation, tail in facts:
            key = entity_key(f"{head} {relation} {tail}")
            if key not in kept and not weakness(head, relation, tail):
                source = (document.id, number)
                made = triple_id(head, relation, tail, *source)
                kept[key] = Triple(made, head, relation, tail, source)
    return tuple(kept.values())
