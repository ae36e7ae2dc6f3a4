"""python -m irag corpus retry, import-triples, export-triples: where triples come from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from irag.corpus.cli import print_value, progress_of, reported, settings_of, stoppable
from irag.corpus.imports import checked_label, export_triples, keep_import
from irag.corpus.names import existing_folder

__all__ = ["add_parsers", "add_source"]


def add_parsers(commands: Any) -> list[argparse.ArgumentParser]:
    """Add the verbs; they are returned."""
    retry = commands.add_parser("retry", help="extract triples again where that failed")
    retry.add_argument("name", help="the corpus")
    retry.set_defaults(run=_retry)

    taken = commands.add_parser("import-triples", help="use stored triples of others")
    taken.add_argument("name", help="the corpus")
    taken.add_argument("file", type=Path, help="JSON lines, may be gzipped; forms: see the README")
    taken.add_argument("--label", default="", help="name of these triples (default: the file's)")
    taken.add_argument(
        "--rest", default="none", help="source for passages without any: spacy, llm[:SPEC], none"
    )
    taken.set_defaults(run=_import)

    given = commands.add_parser("export-triples", help="write all triples as JSON lines")
    given.add_argument("name", help="the corpus")
    given.add_argument("file", type=Path, help="where to; gzipped when it ends in .gz")
    given.set_defaults(run=_export)
    return [retry, taken, given]


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add --triples; --extractor is the same."""
    parser.add_argument(
        "--triples", "--extractor", default="", metavar="SOURCE",
        help="spacy, llm[:SPEC], none or imported:LABEL (default: as the corpus has, else spacy)",
    )  # fmt: skip


def _retry(parsed: argparse.Namespace) -> int:
    from irag.corpus.opening import open_indexer

    chosen = settings_of(parsed)
    existing_folder(chosen.home, parsed.name)
    indexer = open_indexer(chosen, parsed.name, llm=parsed.open_llm)
    with stoppable() as cancel:
        return reported(parsed, indexer.retry_failed(progress_of(parsed), cancel))


def _import(parsed: argparse.Namespace) -> int:
    from irag.corpus.opening import open_indexer

    chosen = settings_of(parsed)
    label = checked_label(parsed.label or parsed.file.name.partition(".")[0])
    notices = keep_import(chosen.home, parsed.name, parsed.file, label)
    source = f"imported:{label}+{parsed.rest}"
    indexer = open_indexer(chosen, parsed.name, triples=source, llm=parsed.open_llm)
    with stoppable() as cancel:
        report = indexer.rebuild(progress_of(parsed), cancel, keep_vectors=True)
    rest = "no triples" if parsed.rest == "none" else f"triples by {parsed.rest}"
    report.notices[:0] = [*notices, f"Passages of which it says nothing have {rest}."]
    return reported(parsed, report)


def _export(parsed: argparse.Namespace) -> int:
    count = export_triples(settings_of(parsed).home, parsed.name, parsed.file)
    shown = {"triples": count, "file": str(parsed.file)}
    print_value(parsed, shown, [f"{count:,} triples of {parsed.name} written to {parsed.file}."])
    return 0
