"""Small files and functions, everything annotated, and nothing that runs text as code."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("irag", "pages", "benchmarks", "tests")
SOURCES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py")) + [ROOT / "app.py"]
PRODUCT = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "tests"]
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(path)) if isinstance(node, Function))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)} {getattr(node, 'name', '')}"


def parameters(function: Function) -> list[ast.arg]:
    """All parameters but `self` and `cls`."""
    spec = function.args
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    return [arg for arg in named if arg.arg not in ("self", "cls")]


def unannotated(function: Function) -> bool:
    spec = function.args
    every = [*parameters(function), *filter(None, (spec.vararg, spec.kwarg))]
    return function.returns is None or any(arg.annotation is None for arg in every)


def unsafe(node: ast.AST) -> str:
    """What a node does that text from outside must never reach; "" for nothing."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
        return "imports pickle's kin" if UNSAFE_MODULES & {n.split(".")[0] for n in names} else ""
    if isinstance(node, ast.ExceptHandler):
        silent = all(isinstance(line, ast.Pass) for line in node.body)
        return "passes over an error" if silent else ""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
        return "runs text as code"
    yes = {k.arg for k in node.keywords if isinstance(k.value, ast.Constant) and k.value.value}
    return "opens a shell or a pickle" if yes & {"shell", "allow_pickle"} else ""


def test_no_file_is_longer_than_300_lines() -> None:
    lengths = {p: len(p.read_text("utf-8").splitlines()) for p in SOURCES}
    assert not [f"{p.relative_to(ROOT)}: {n}" for p, n in lengths.items() if n > 300]


def test_no_function_is_longer_than_40_lines() -> None:
    long = [
        f"{place(path, f)}: {f.end_lineno - f.lineno + 1}"
        for path in SOURCES
        for f in functions(path)
        if f.end_lineno and f.end_lineno - f.lineno >= 40
    ]
    assert not long


def test_no_function_takes_more_than_6_parameters() -> None:
    wide = [place(p, f) for p in PRODUCT for f in functions(p) if len(parameters(f)) > 6]
    assert not wide


def test_every_function_is_annotated() -> None:
    bare = [place(path, f) for path in PRODUCT for f in functions(path) if unannotated(f)]
    assert not bare


def test_nothing_runs_text_as_code_or_loses_an_error() -> None:
    found = [
        f"{place(path, node)} {what}"
        for path in PRODUCT
        for node in ast.walk(parsed(path))
        if (what := unsafe(node))
    ]
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')",
        "import pickle",
        "from joblib import load",
        "run('ls', shell=True)",
        "np.load(p, allow_pickle=True)",
        "try:\n    f()\nexcept Exception:\n    pass",
    ],
)
def test_unsafe_code_is_seen(source: str) -> None:
    assert any(unsafe(node) for node in ast.walk(ast.parse(source)))


def test_a_function_without_annotations_is_seen() -> None:
    tree = ast.parse("def bare(self, a, *, b: int): ...\ndef full(a: int) -> int: ...")
    bare, full = (node for node in tree.body if isinstance(node, Function))
    assert unannotated(bare) and not unannotated(full)
    assert [arg.arg for arg in parameters(bare)] == ["a", "b"]
