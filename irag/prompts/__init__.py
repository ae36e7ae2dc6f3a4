"""The prompts, one text file each, and fill(); a prompt never leaves this room half-filled.

A file has header lines (`purpose:`, `inputs:`, `output:`, `source:`), then sections `[system]`,
`[user]` and, where the model continues a text, `[prefix]`, with `$name` placeholders that are
filled in one pass: a value is never expanded again. `<purpose>.zh.txt` is the Chinese variant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from string import Template

from irag.errors import UnknownName, UserError
from irag.types import Document, Message

__all__ = ["Lines", "Passages", "Prompt", "Rendered", "fill", "header", "quote", "render"]


@dataclass(frozen=True, slots=True)
class Lines:
    """A list input: to fit the window, whole entries are lost from the end."""

    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passages:
    """Numbered passages as (title, sentences): whole sentences are lost from the last one's end."""

    entries: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, documents: tuple[Document, ...]) -> Passages:
        """Passages of documents, in their order."""
        return cls(
            tuple(
                (d.title, tuple(d.sentence(i) for i in range(len(d.sentences))) or (d.text,))
                for d in documents
            )
        )


Value = str | Lines | Passages


@dataclass(frozen=True, slots=True)
class Prompt:
    """A named template with its inputs; `name` is "method/purpose", `language` "en" or "zh"."""

    name: str
    language: str
    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is sent: the messages, the beginning of the reply, and what was cut to fit."""

    messages: tuple[Message, ...]
    prefix: str = ""
    cut: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def _load(name: str, language: str) -> tuple[dict[str, str], dict[str, str]]:
    folder = resources.files(__package__)
    path = folder.joinpath(*f"{name}.{language}.txt".split("/"))
    if language == "en" or not path.is_file():
        path = folder.joinpath(*f"{name}.txt".split("/"))
    if not path.is_file():
        known = [
            f"{room.name}/{file.name.removesuffix('.txt')}"
            for room in folder.iterdir()
            if room.is_dir()
            for file in room.iterdir()
            if file.name.endswith(".txt")
        ]
        raise UnknownName("prompt", name, known)
    head, *rest = re.split(r"^\[(system|user|prefix)\]\n", path.read_text("utf-8"), flags=re.M)
    headers = dict(re.findall(r"^(\w+):\s*(.*)$", head, flags=re.M))
    sections = {rest[i]: rest[i + 1].strip("\n") for i in range(0, len(rest), 2)}
    return headers, sections


def header(name: str, language: str = "en") -> dict[str, str]:
    """The header lines of a prompt file."""
    return dict(_load(name, language)[0])


def fill(name: str, language: str = "en", **inputs: Value) -> Prompt:
    """Bind inputs to a template; UserError when one is missing or is not in the template."""
    headers, _ = _load(name, language)
    wanted = set(headers.get("inputs", "").replace(",", " ").split())
    if wanted != set(inputs):
        raise UserError(
            f"Prompt {name!r} takes the inputs {sorted(wanted)}, but was given {sorted(inputs)}."
        )
    return Prompt(name, language, tuple(inputs.items()))


_MARKERS = re.compile(
    r"<(?=\||/?s>|/?think>|start_of_turn>|end_of_turn>)|\[(?=/?INST\])", re.IGNORECASE
)


def quote(text: str) -> str:
    """Untrusted text for a prompt: chat-template markers in it are broken so that none is special.

    A word joiner (U+2060) goes in after the bracket, which leaves the text readable.
    """
    return _MARKERS.sub(lambda found: found.group() + "\u2060", text)


def _text(value: Value) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, Lines):
        return "\n".join(quote(entry) for entry in value.entries)
    return "\n\n".join(
        f"[{number}] {quote(title)}\n{quote(' '.join(s.strip() for s in sentences))}"
        for number, (title, sentences) in enumerate(value.entries, 1)
    )


def render(prompt: Prompt, values: dict[str, Value] | None = None) -> Rendered:
    """The messages of a prompt, with `values` in place of its own where given."""
    _, sections = _load(prompt.name, prompt.language)
    texts = {k: _text((values or {}).get(k, v)) for k, v in prompt.values}
    filled = {part: Template(text).substitute(texts) for part, text in sections.items()}
    messages = tuple(
        Message(role, filled[role]) for role in ("system", "user") if filled.get(role, "").strip()
    )
    return Rendered(messages, filled.get("prefix", ""))
