"""Where things lie and which defaults hold; read when asked, never on import.

Precedence: flag, environment (`IRAG_*`), `settings.toml` in the home folder, default.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from irag.errors import UnknownName, UserError
from irag.keys import masked, refuse_key

__all__ = [
    "Origin",
    "Settings",
    "change",
    "edit",
    "home_of",
    "load",
    "origins",
    "save",
    "stored",
    "unset",
]

FILE = "settings.toml"
LLMS = "llms"
"""The one key of the file that is no setting: the LLMs that were added, kept by irag.llms."""


def _said(meaning: str, default: Any = None, restart: bool = True) -> Any:
    """A field with what it means; `restart`: a change holds from the next start on."""
    told = {"meaning": meaning, "restart": restart}
    return field(metadata=told) if default is None else field(default=default, metadata=told)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a process. `llm` "" means: this machine's default, or none."""

    home: Path = _said("Folder of corpora, runs and these settings.")
    models: Path = _said("Folder of the downloaded models, shared by every clone.")
    database_url: str = _said("Database of the runs, as a SQLAlchemy address.")
    llm: str = _said("LLM used when none is named; empty: the fastest on here.", "", restart=False)
    embedder: str = _said("Model that embeds passages and queries.", "all-minilm-l6-v2")
    reranker: str = _said("Cross-encoder that reranks; empty: none, the embedder ranks.", "")
    spacy_model: str = _said("spaCy model that finds triples.", "en_core_web_sm")
    window: int = _said("Tokens that prompt and reply may take together.", 4096)
    slots: int = _said("Runs, and prompts of one local model, at once.", 2)
    timeout: float = _said("Seconds to wait for a server's reply.", 120.0)
    hub_timeout: float = _said("Seconds to wait for the model hub before mirrors are tried.", 3.0)


@dataclass(frozen=True, slots=True)
class Origin:
    """One setting's value, as text that may be shown, and where it came from.

    `source`: flag, the variable's name, settings.toml or default.
    """

    name: str
    value: str
    source: str
    meaning: str = ""
    restart: bool = True

    @property
    def changeable(self) -> bool:
        """Whether it can stand in settings.toml, which lies in the home folder itself."""
        return self.name != "home"


def home_of(flag: str | None = None, env: Mapping[str, str] | None = None) -> Path:
    """The home folder: the flag's, else IRAG_HOME, else .irag beside the folder that holds irag."""
    chosen = flag or (os.environ if env is None else env).get("IRAG_HOME")
    beside = Path(__file__).resolve().parent.parent / ".irag"
    return Path(chosen).expanduser().resolve() if chosen else beside


def load(
    flags: Mapping[str, str | None] | None = None, env: Mapping[str, str] | None = None
) -> Settings:
    """The settings in force; UserError when the file or a value cannot be used."""
    values, _ = _collect(flags or {}, os.environ if env is None else env)
    return Settings(**{name: _typed(name, value) for name, value in values.items()})  # type: ignore[arg-type]


def origins(
    flags: Mapping[str, str | None] | None = None, env: Mapping[str, str] | None = None
) -> tuple[Origin, ...]:
    """Each setting with its value and where it came from."""
    flags, env = flags or {}, os.environ if env is None else env
    settings = load(flags, env)
    _, source = _collect(flags, env)
    return tuple(
        Origin(
            one.name,
            masked(str(getattr(settings, one.name))),
            source.get(one.name, "default"),
            one.metadata["meaning"],
            one.metadata["restart"],
        )
        for one in fields(Settings)
    )


def change(home: Path, name: str, text: str) -> None:
    """Write one setting into settings.toml; UserError when it cannot be that or holds a secret."""
    known = {one.name for one in fields(Settings)} - {"home"}
    if name == "home":
        raise UserError("The home folder holds this file, so set it by --home or IRAG_HOME.")
    if name not in known:
        raise UnknownName("setting", name, known)
    refuse_key(text)
    if masked(text) != text:
        raise UserError(
            f"A password is not kept in {FILE}. Set IRAG_{name.upper()} where irag is started."
        )
    if not text.strip():
        raise UserError(f"Setting {name}: say a value, or unset it to go back to the default.")
    value = _typed(name, text.strip())
    save(home, **{name: str(value) if isinstance(value, Path) else value})


def unset(home: Path, name: str) -> None:
    """Take one setting, also an unknown one, out of settings.toml; UserError if not in there."""

    def remove(document: Any) -> None:
        if name not in document:
            raise UserError(f"{name} is not set in {home / FILE}, so there is nothing to unset.")
        del document[name]

    edit(home, remove)


def save(home: Path, **changes: Any) -> None:
    """Write values into settings.toml as they are; None takes one out."""

    def put(document: Any) -> None:
        for name, value in changes.items():
            if value is None:
                document.pop(name, None)
            else:
                document[name] = value

    edit(home, put)


def edit(home: Path, how: Callable[[Any], None]) -> None:
    """Change the file's values, one process at a time, replaced atomically; everything else in it
    stays: comments, order, and keys that nobody knows. UserError when it cannot be written."""
    import tomlkit
    from filelock import FileLock

    stored(home)  # says what is wrong with a file that cannot be read
    path = home / FILE
    partial = home / f"{FILE}.{os.getpid()}.part"
    try:
        home.mkdir(parents=True, exist_ok=True)
        with FileLock(home / f".{FILE}.lock"):
            document = tomlkit.parse(path.read_text("utf-8") if path.is_file() else "")
            how(document)
            partial.write_text(tomlkit.dumps(document), "utf-8")
            partial.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror or error}).") from error


def _models() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("irag") / "models"


def stored(home: Path) -> dict[str, object]:
    """What settings.toml says, as it stands; UserError when it cannot be read."""
    path = home / FILE
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read ({error}). Mend or remove it.") from error


def _collect(
    flags: Mapping[str, str | None], env: Mapping[str, str]
) -> tuple[dict[str, object], dict[str, str]]:
    home = home_of(flags.get("home"), env)
    written = stored(home)
    names = {one.name for one in fields(Settings)}
    unknown = set(written) - (names - {"home"}) - {LLMS}
    if unknown:
        raise UserError(
            f"{home / FILE} has unknown settings: {', '.join(sorted(unknown))}. "
            f"Known: {', '.join(sorted(names - {'home'}))}."
        )
    values: dict[str, object] = {
        "home": home,
        "models": _models(),
        "database_url": f"sqlite:///{home / 'irag.db'}",
    }
    source = dict.fromkeys(values, "default")
    for name in sorted(names - {"home"}):
        for value, origin in (
            (written.get(name), FILE),
            (env.get(f"IRAG_{name.upper()}"), f"IRAG_{name.upper()}"),
            (flags.get(name), "flag"),
        ):
            if value not in (None, ""):
                values[name], source[name] = value, origin
    source["home"] = (
        "flag" if flags.get("home") else "IRAG_HOME" if env.get("IRAG_HOME") else "default"
    )
    return values, source


def _typed(name: str, value: object) -> object:
    kinds: dict[str, type] = {"window": int, "slots": int, "timeout": float, "hub_timeout": float}
    if name in ("home", "models"):
        return Path(str(value)).expanduser()
    try:
        typed = kinds.get(name, str)(value)
    except (ValueError, TypeError) as error:
        raise UserError(f"Setting {name}: {value!r} is not a number.") from error
    if name in kinds and not 0 < typed < float("inf"):
        raise UserError(f"Setting {name}: {value!r} must be above zero.")
    return typed
