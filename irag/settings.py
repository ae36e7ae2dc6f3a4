"""Where things lie and which defaults hold; read when asked, never on import.

Precedence: flag, environment (`IRAG_*`), `settings.toml` in the home folder, default.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from irag.errors import UserError

__all__ = ["Origin", "Settings", "load", "origins", "save"]


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a process. `llm` "" means: this machine's default, or none.

    `reranker` "" means: none, the embedder ranks.
    """

    home: Path
    models: Path
    database_url: str
    llm: str = ""
    embedder: str = "all-minilm-l6-v2"
    reranker: str = ""
    spacy_model: str = "en_core_web_sm"
    window: int = 4096
    slots: int = 2
    timeout: float = 120.0
    hub_timeout: float = 3.0


@dataclass(frozen=True, slots=True)
class Origin:
    """One setting's value and where it came from."""

    name: str
    value: str
    source: str


def _home(flag: str | None, env: Mapping[str, str]) -> Path:
    chosen = flag or env.get("IRAG_HOME")
    beside = Path(__file__).resolve().parent.parent / ".irag"
    return Path(chosen).expanduser().resolve() if chosen else beside


def _models(home: Path) -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("irag") / "models"


def _file(home: Path) -> dict[str, object]:
    path = home / "settings.toml"
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read ({error}). Mend or remove it.") from error


def _collect(
    flags: Mapping[str, str | None], env: Mapping[str, str]
) -> tuple[dict[str, object], dict[str, str]]:
    home = _home(flags.get("home"), env)
    stored = _file(home)
    names = {field.name for field in fields(Settings)}
    unknown = set(stored) - names - {"openai_models"}
    if unknown:
        raise UserError(
            f"{home / 'settings.toml'} has unknown settings: {', '.join(sorted(unknown))}. "
            f"Known: {', '.join(sorted(names))}."
        )
    values: dict[str, object] = {
        "home": home,
        "models": _models(home),
        "database_url": f"sqlite:///{home / 'irag.db'}",
    }
    source = dict.fromkeys(values, "default")
    for name in sorted(names - {"home"}):
        for value, origin in (
            (stored.get(name), "settings.toml"),
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
    except ValueError as error:
        raise UserError(f"Setting {name}: {value!r} is not a number.") from error
    if name in kinds and not typed > 0:
        raise UserError(f"Setting {name}: {value!r} must be above zero.")
    return typed


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
        Origin(field.name, str(getattr(settings, field.name)), source.get(field.name, "default"))
        for field in fields(Settings)
    )


def save(home: Path, **changes: str | int | float) -> None:
    """Write settings into settings.toml, keeping the others; replaced atomically."""
    stored = {**_file(home), **changes}
    lines = [
        f"{name} = {value if isinstance(value, int | float) else _quoted(str(value))}\n"
        for name, value in sorted(stored.items())
    ]
    home.mkdir(parents=True, exist_ok=True)
    partial = home / f"settings.toml.{os.getpid()}.part"
    partial.write_text("".join(lines), "utf-8")
    partial.replace(home / "settings.toml")


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
