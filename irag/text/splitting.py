"""Where sentences begin and end: rules for English and Chinese, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irag.text.words import HAN, word_set

__all__ = ["sentences"]

_LINES = re.compile("[^\r\n\v\f\x85\u2028\u2029]+|\r\n|[\r\n\v\f\x85\u2028\u2029]")
_LIST_MARKER = re.compile(r"\s*(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]|[-*+•·–]|#{1,6})\s|\s*\|")
_MARKER_ONLY = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[IVXivx]{1,5})[.)]")
_ENDS_SENTENCE = re.compile(r"""[.!?…][)\]"'”’»]*$""")
_END = re.compile(
    r"""[.!?…]++["'”’»)\]]*+(?:\[\d{1,3}\])*+(?:[”’」』）》】]*+)|[。！？；｡;]++["'”’」』）》】)]*+"""
)
_SPACE = re.compile(r"\s*")
_NEXT_WORD = re.compile(r"""["'“‘«(\[]*(\w{1,24})""")
_BEFORE_IS_HAN = re.compile(f"[{HAN}」』）》】]")
_AFTER_IS_HAN = re.compile(f"[{HAN}“‘「『（《【]")

# Never the last word of a sentence.
_TITLES = word_set(
    "adm approx bro br brig capt cf cmdr col cpl dr drs e.g eds excl fig figs fr ft gen gov hon "
    "i.e ie eg incl lt maj messrs mgr mlle mme mr mrs ms msgr mt mts n.b nr pp prof pv rep rev rt "
    "sen sgt sp spp ssp st ste subsp supt syn transl var vs viz née ca c fl"
)
# An abbreviation only before a number: "No. 5" but "She said no. Five left."
_BEFORE_NUMBER = word_set("no nos vol vols p ch art sec op sect para chap pt r b d")
# May end a sentence; does so only where a word follows that usually begins one.
_MAY_END = word_set(
    "al assn ave bldg blvd bros cie co corp dept dist div ed esq est etc ext gmbh inc jr ltd llc "
    "mfg mus org pty rd ser sq sr univ jan feb mar apr jun jul aug sep sept oct nov dec"
)
_STARTERS = word_set(
    "a after although an and as at before both but by during each for from he her his how if in "
    "it its many most on one she since some that the their there these they this those though to "
    "two until we what when where which while who with you your i our"
)


def _ends_with_abbreviation(text: str, start: int, dot: int, following: str) -> bool:
    """Whether the full stop at `dot` belongs to an abbreviation, an initial or a list marker."""
    before = text[max(start, dot - 24) : dot].split()
    if not before or _MARKER_ONLY.fullmatch(text[start : dot + 1].strip()):
        return True
    word = before[-1].lstrip("""("'“‘«[""")
    folded = word.casefold()
    if folded in _TITLES or (folded in _BEFORE_NUMBER and following[:1].isdigit()):
        return True
    initial = len(word) == 1 and word.isupper() and word.isascii()
    dotted = "." in word and not any(character.isdigit() for character in word)
    return (initial or dotted or folded in _MAY_END) and following.casefold() not in _STARTERS


def _breaks(text: str, start: int, end: re.Match[str], stop: int) -> bool:
    """Whether the punctuation `end` closes the sentence that began at `start`."""
    mark, after = end.group(), end.end()
    if after >= stop:
        return False  # the block ends here anyway
    if mark[0] in "。！？；｡":
        return True
    before_is_han = end.start() > start and bool(_BEFORE_IS_HAN.match(text, end.start() - 1))
    if mark[0] == ";":
        return before_is_han
    if not text[after].isspace():
        return before_is_han and bool(_AFTER_IS_HAN.match(text, after))
    space = _SPACE.match(text, after)
    following = space.end() if space else after
    if following >= stop or text[following].islower():
        return False
    word = _NEXT_WORD.match(text, following)
    first = word.group(1) if word else ""
    if first[:1].islower():
        return False
    if mark[0] == "…" or mark.startswith(".."):
        return not text[max(start, end.start() - 1)].isspace()  # "one ... Two" goes on
    if mark[0] != ".":
        return True
    return not _ends_with_abbreviation(text, start, end.start(), first)


def _is_heading(line: str) -> bool:
    """A Markdown heading, or a short line in capitals without a full stop."""
    stripped = line.strip()
    if stripped.startswith("#"):
        return True
    capitals = 2 < len(stripped) <= 100 and stripped.isupper()
    return capitals and not _AFTER_IS_HAN.search(stripped) and not _ENDS_SENTENCE.search(stripped)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, headings and list entries: no sentence crosses these; line ends it may."""
    start, stop, blank = 0, 0, True
    for line in _LINES.finditer(text):
        content = line.group()
        if content[0] in "\r\n\v\f\x85\u2028\u2029":
            if blank and stop > start:
                yield start, stop
                start = stop
            blank = True
            continue
        if content.isspace():
            continue
        blank = False
        heading = _is_heading(content)
        if stop > start and (heading or _LIST_MARKER.match(content)):
            yield start, stop
            start = stop
        if stop == start:
            start = line.start()
        stop = line.end()
        if heading:
            yield start, stop
            start = stop
    if stop > start:
        yield start, stop


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """(start, end) spans of the sentences, in order, without outer white space or overlaps.

    Rules for English and Chinese; only white space lies outside the spans. A line end within a
    paragraph is not a border; blank lines, headings, table rows and list entries are. Linear time.
    """
    spans: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        piece = text[start:end]
        body = piece.strip()
        if body:
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(body)))

    for start, stop in _blocks(text):
        for end in _END.finditer(text, start, stop):
            if _breaks(text, start, end, stop):
                add(start, end.end())
                start = end.end()
        add(start, stop)
    return tuple(spans)
