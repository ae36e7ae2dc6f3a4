"""The methods, one file each: they say what they want done and never do any I/O themselves."""

from __future__ import annotations

import re

from irag.errors import UnknownName, UserError
from irag.methods.base import Card, Method, Setting, with_settings
from irag.methods.bm25 import BM25
from irag.methods.chainrag import ChainRAG
from irag.methods.dense import Dense
from irag.methods.hyde import HyDE
from irag.methods.ircot import IRCoT
from irag.methods.iter_retgen import IterRetGen
from irag.methods.kgir_rag import KGIRRAG
from irag.methods.kgirag import KGiRAG
from irag.methods.kirag import KiRAG
from irag.methods.naive_generation import NaiveGeneration
from irag.methods.naive_rag import NaiveRAG
from irag.methods.qd import QD
from irag.methods.self_ask import SelfAsk
from irag.methods.vector_prf import VectorPRF

__all__ = ["METHODS", "Card", "Method", "Setting", "card", "parse_method"]

METHODS: dict[str, type[Method]] = {
    kind.card.name: kind
    for kind in (
        NaiveRAG,
        KiRAG,
        ChainRAG,
        KGIRRAG,
        KGiRAG,
        NaiveGeneration,
        BM25,
        Dense,
        HyDE,
        VectorPRF,
        QD,
        IRCoT,
        IterRetGen,
        SelfAsk,
    )
}
"""Every method by name."""


def card(name: str) -> Card:
    """What people read about a method."""
    return _kind(name).card


def _kind(name: str) -> type[Method]:
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]


def parse_method(text: str) -> Method:
    """A method from its METHOD string: `name[:key=value,...]`; a comma before no `key=` is text."""
    name, _, rest = text.strip().partition(":")
    settings: dict[str, str] = {}
    for part in filter(None, re.split(r",(?=\w+=)|,$", rest)):
        key, equals, value = part.partition("=")
        if not equals:
            raise UserError(f"{text!r}: write settings as key=value, separated by commas.")
        settings[key.strip()] = value.strip()
    return with_settings(_kind(name), settings)
