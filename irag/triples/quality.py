"""Which triples are worth keeping; a reason is given for each that is not, nothing is changed."""

from __future__ import annotations

from irag.match import entity_key
from irag.text import tokens, word_set

__all__ = ["weakness"]

_DEICTIC = word_set(
    "i me we us you he him she her it they them this that these those there here now then who whom "
    "which what someone something anyone everyone everything nothing nobody one ones other others "
    "another each both all some many most several such latter former same today yesterday topic "
    "himself herself itself themselves his hers its their theirs a an the "
    "这 那 这个 那个 它 他 她 它们 他们 她们 此 其 这里 那里 现在 我 我们 你"
)
_LONGEST_HEAD = 15  # words; a longer head is a mis-parsed clause


def weakness(head: str, relation: str, tail: str) -> str | None:
    """Why a triple should not be kept; None when it should.

    A pronoun or a word that only points ("this", "now") names nothing; a triple of a thing with
    itself says nothing.
    """
    if not tokens(relation):
        return "no relation"
    for part, text in (("head", head), ("tail", tail)):
        words = [word.casefold() for word in tokens(text)]
        if not words:
            return f"empty {part}"
        if all(word in _DEICTIC for word in words) or text.strip() in _DEICTIC:
            return f"the {part} only points"
    if len(tokens(head)) > _LONGEST_HEAD and head.isascii():
        return "over-long head"
    if entity_key(head) == entity_key(tail):
        return "head and tail are the same"
    return None
