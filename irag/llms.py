"""The LLMs that a person added, by SPEC, kept in settings.toml; what a SPEC must hold to be one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from irag.errors import UnknownName, UserError
from irag.keys import refuse_key
from irag.llm import parse_spec
from irag.llm.openai_compatible import parse_server
from irag.models import CATALOGUE
from irag.settings import LLMS, edit, stored

__all__ = ["add", "added", "checked", "local_spec", "missing", "remove", "server_spec"]

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


def checked(spec: str) -> str:
    """A SPEC as it is kept; UserError for one that cannot be used or that holds a key.

    A catalogue name alone means llama.cpp's.
    """
    refuse_key(spec)
    spec = spec.strip()
    parsed = parse_spec(f"llama:{spec}" if spec in CATALOGUE else spec)
    if parsed.scheme == "openai":
        parse_server(parsed.rest)
    return str(parsed)


def server_spec(address: str, model: str, variable: str = "") -> str:
    """The SPEC of a model on a server; UserError when `variable` is no name of a variable."""
    for part in (address, model, variable):
        refuse_key(f"openai:{part}")
    variable = variable.strip()
    if variable and not _VARIABLE.fullmatch(variable):
        raise UserError(
            "The key's variable is a name in capitals, such as MY_KEY. If that was the key itself: "
            "it was kept nowhere; put it into an environment variable and give the variable's name."
        )
    if not address.strip() or not model.strip():
        raise UserError("Say the server's address and the model's name there.")
    return f"openai:{address.strip()}#{model.strip()}" + (f"@{variable}" if variable else "")


def local_spec(path: str) -> str:
    """The SPEC of a GGUF file (llama.cpp), a folder (transformers) or a file of recorded replies;
    UserError when it is not there."""
    place = Path(path.strip()).expanduser()
    if not path.strip() or not place.exists():
        raise UserError(
            f"{path.strip() or 'The path'} is not there. Say a file or folder of this machine."
        )
    if place.is_dir():
        return f"hf:{place}"
    schemes = {".gguf": "llama", ".jsonl": "recorded"}
    if place.suffix.lower() not in schemes:
        raise UserError(f"{place.name} is neither a .gguf file nor a folder nor recorded .jsonl.")
    return f"{schemes[place.suffix.lower()]}:{place}"


def missing(spec: str) -> str:
    """What keeps a SPEC from being opened, as far as it can be told without opening it; or ""."""
    scheme, _, rest = spec.partition(":")
    if scheme == "openai":
        key = parse_server(rest)[2]
        unset = bool(key) and not os.environ.get(key)
        told = f"The environment variable {key} with its key is not set"
        return f"{told}: set it where irag is started, and start it again." if unset else ""
    is_path = rest.startswith(("/", "~", ".")) or rest.endswith((".gguf", ".jsonl"))
    if is_path and not Path(rest).expanduser().exists():
        return f"{rest} is not there: put it back, or remove this LLM."
    return ""


def added(home: Path) -> tuple[str, ...]:
    """The added SPECs in the order they came; UserError when the file cannot be read."""
    written = stored(home).get(LLMS, [])
    if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
        raise UserError(f'{LLMS} in {home / "settings.toml"} must be a list of texts: ["openai:…"]')
    return tuple(written)


def add(home: Path, spec: str) -> str:
    """Keep a SPEC and return it as it is kept; adding it again changes nothing."""
    spec = checked(spec)
    if spec not in added(home):
        _write(home, [*added(home), spec])
    return spec


def remove(home: Path, spec: str) -> None:
    """Forget an added SPEC; UnknownName lists those there are."""
    kept = added(home)
    if spec not in kept:
        raise UnknownName("added LLM", spec, kept)
    _write(home, [one for one in kept if one != spec])


def _write(home: Path, specs: list[str]) -> None:
    edit(home, lambda document: document.update({LLMS: specs}))
