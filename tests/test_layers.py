"""Who may import whom: the table of the layers, held over the source itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BASE = {"errors", "types", "text", "parse", "match"}
WORDS = BASE | {"actions", "remarks", "prompts"}
DRIVER = {"tools", "calls", "lookups", "performing", "running", "engine", "traces"}
BACKEND = WORDS | {"tools", "settings"}

MAY_IMPORT = {
    **dict.fromkeys(BASE, BASE),
    **dict.fromkeys(("actions", "remarks", "prompts", "tools"), WORDS),
    **dict.fromkeys(DRIVER - {"tools"}, WORDS | DRIVER),
    "graphs": BASE,
    "methods": WORDS | {"graphs"},
    "measures": WORDS | {"traces"},
    "evaluation": WORDS | DRIVER | {"measures", "methods"},
    "keys": {"errors"},
    "settings": {"errors", "keys"},
    "models": BACKEND,
    "llm": BACKEND | {"models"},
    "data": BACKEND,
    "retrieval": BACKEND | {"models"},
    "triples": BACKEND | {"models"},
    "corpus": BACKEND | {"models", "data", "retrieval", "triples", "graphs"},
    "aligner": BACKEND | {"models", "data", "retrieval", "triples", "corpus"},
    **dict.fromkeys(("store", "views"), WORDS | DRIVER | {"measures", "evaluation"}),
    "labels": WORDS | DRIVER | {"measures", "evaluation", "store", "views"},
}
ANYTHING = {"workbench", "jobs", "cli", "commands", "__main__", "__init__"} | {
    "asking",
    "defaults",
    "health",
    "llms",
    "preferences",
    "probing",
    "pulling",
}
PURE = BASE | WORDS | DRIVER | {"methods"}  # these stand on the standard library alone
UNFAITHFUL = {"random", "time", "datetime", "os", "pathlib", "socket", "threading", "subprocess"}
"""What would make a method's flow depend on more than what it is sent."""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Each absolute import of a file, as (line, dotted name)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: a relative import"
            stem = node.module or ""
            names = [f"irag.{alias.name}" for alias in node.names] if stem == "irag" else [stem]
            yield from ((node.lineno, name) for name in names)


def complaint(room: str, name: str) -> str:
    """Why a room may not import a name; "" when it may."""
    top, _, rest = name.partition(".")
    other = rest.partition(".")[0]
    if top in ("streamlit", "pages", "app"):
        return "nothing under irag knows the pages"
    if top == "irag":
        allowed = room in ANYTHING or other == room or other in MAY_IMPORT[room]
        return "" if allowed else f"{room} may import {', '.join(sorted(MAY_IMPORT[room]))}"
    if room in PURE and top not in sys.stdlib_module_names:
        return f"{room} stands on the standard library alone"
    if room == "methods" and top in UNFAITHFUL:
        return "a method depends on what it is sent and nothing else"
    return ""


def test_every_import_goes_down_the_layers() -> None:
    wrong = []
    for path in sorted((ROOT / "irag").rglob("*.py")):
        room = path.relative_to(ROOT / "irag").parts[0].removesuffix(".py")
        assert room in MAY_IMPORT or room in ANYTHING, f"irag/{room} has no line in the table"
        for line, name in imports(path):
            if why := complaint(room, name):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}: {why}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("room", "name", "may"),
    [
        ("methods", "irag.actions", True),
        ("methods", "irag.llm.cached", False),
        ("methods", "random", False),
        ("types", "numpy", False),
        ("store", "streamlit", False),
        ("retrieval", "irag.retrieval.dense", True),
        ("retrieval", "irag.workbench", False),
        ("cli", "irag.workbench", True),
    ],
)
def test_the_table_tells_right_from_wrong(room: str, name: str, may: bool) -> None:
    assert (complaint(room, name) == "") is may
