"""Keeps secrets out of what is stored and shown: a key is only ever named by its variable."""

from __future__ import annotations

import re

from irag.errors import UserError

__all__ = ["looks_like_key", "masked", "refuse_key"]

_KNOWN = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk[-_][\w-]{12,}"
    r"|(?:pk|rk|gsk|hf|xai|nvapi|ghp|gho|github_pat|glpat|pplx|csk|r8|fw|tgp)[-_](?=\S*\d)[\w-]{12,}"
    r"|AIza[\w-]{30,}|A[KS]IA[0-9A-Z]{16}|eyJ[\w-]{10,}\.[\w-]*|[Bb]earer\s+\S+)"
)
"""How the keys of well-known services begin, a JSON web token, an authorization header."""

_RUN = re.compile(r"[A-Za-z0-9_\-+=]{20,}")
_USERINFO = re.compile(r"(?P<before>://[^/@\s:]*):[^/@\s]*@")

_HOW = (
    "That looks like a key itself, so it was refused and kept nowhere. Put the key into an "
    "environment variable, start irag where that is set, and give the variable's NAME instead, as "
    "in openai:<address>#<model>@MY_KEY. A key that was shown on a screen is better replaced."
)


def looks_like_key(text: str) -> bool:
    """Whether a text has the shape of a secret: a known beginning, or a long run of letters and
    digits as nobody names a model or a variable.

    >>> looks_like_key("sk-proj-4f7Hq2Lw9Zx81"), looks_like_key("MY_KEY")
    (True, False)
    """
    return bool(_KNOWN.search(text)) or any(map(_random, _RUN.findall(text)))


def refuse_key(spec: str) -> None:
    """UserError when an LLM SPEC, or one part of it, holds a key; the message never repeats it.

    Files and folders may have any name, so only known keys are seen in theirs.
    """
    remote = spec.strip().lower().startswith(("openai:", "http:", "https:"))
    address = spec.partition("#")[0]
    held = "@" in address.partition("://")[2] or re.search(r"[?&][^=]*(key|token)=", address, re.I)
    if _KNOWN.search(spec) or (remote and (held or looks_like_key(spec))):
        raise UserError(_HOW)


def masked(text: str) -> str:
    """An address without the password in it."""
    return _USERINFO.sub(r"\g<before>:•••@", text)


def _random(run: str) -> bool:
    """Whether a run of characters has no words in it: many digits among letters, hardly a break."""
    digits = sum(one.isdigit() for one in run)
    breaks = sum(one in "-_" for one in run)
    letters = len(run) - digits - breaks
    return digits >= 4 and letters >= 4 and breaks * 10 < len(run)
