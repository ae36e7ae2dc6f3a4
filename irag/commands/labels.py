"""irag labels: projects, labelling, agreement, exports and imports, without a browser."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from irag.commands.label_people import add_people, seat_of
from irag.data.questions import read_questions
from irag.errors import UnknownName, UserError
from irag.evaluation.folder import Folder
from irag.labels import Labels
from irag.labels.acts import SKIP_REASONS, Accepted, Duplicate, Mark, Rest, Serving, Stale, Ticket
from irag.labels.agreeing import agreement
from irag.labels.desk import new_event_id
from irag.labels.exports import EXPORTS, Wanted
from irag.labels.files import file_name, save_export
from irag.labels.pooling import Choice
from irag.labels.projects import Added, NewProject
from irag.labels.report import agreement_json, agreement_markdown
from irag.labels.scores import method_scores
from irag.labels.sources import experiment_runs, runs_of, saved_runs
from irag.labels.values import SCALES, Project
from irag.settings import load
from irag.store import RunStore
from irag.types import Trace
from irag.workbench import Workbench

__all__ = ["add_parser"]

KINDS = ("triple", "sentence", "passage")


def add_parser(subparsers: Any) -> None:
    """Add `labels`."""
    parser = subparsers.add_parser("labels", help="judge candidates; agreement, export, import")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    _add_project(verbs.add_parser("project", help="list projects, make one, fill it from runs"))
    _add_next(verbs.add_parser("next", help="show the next item; answer it"))
    _add_export(verbs.add_parser("export", help="write labels as a file"))
    _add_import(verbs.add_parser("import", help="bring a file of labels in"))
    agreed = verbs.add_parser("agreement", help="how far people agree; how methods rank")
    agreed.add_argument("project")
    agreed.add_argument("--json", action="store_true", help="print JSON")
    agreed.add_argument("--k", type=int, default=5, help="the first k of a ranking (default: 5)")
    agreed.set_defaults(run=show_agreement)
    add_people(verbs)


def _add_project(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("name", nargs="?", default="", help="a project, made when it is not there")
    verb.add_argument("--runs", nargs="+", default=[], metavar="RUN", help="runs to fill it from")
    verb.add_argument("--questions", type=Path, help="a question set whose saved runs fill it")
    verb.add_argument("--experiment", type=Path, help="an experiment whose plays fill it")
    verb.add_argument("--methods", nargs="+", default=[], metavar="METHOD", help="only of these")
    verb.add_argument("--hops", nargs="+", type=int, default=[], help="only of these hops")
    verb.add_argument("--kinds", nargs="+", default=["triple"], choices=KINDS)
    verb.add_argument("--scale", choices=SCALES, default="grades")
    verb.add_argument("--overlap", type=int, default=2, help="people for each item (default: 2)")
    verb.add_argument("--cap", type=int, default=30, help="most items of a question (default: 30)")
    verb.add_argument("--json", action="store_true", help="print JSON")
    verb.set_defaults(run=project)


def _add_next(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("project")
    verb.add_argument("--as", dest="who", default="", metavar="NAME", help="which annotator")
    verb.add_argument("--item", default="", help="this item, not the next one")
    verb.add_argument("--token", default="", help="what was printed with the item")
    said = verb.add_mutually_exclusive_group()
    said.add_argument("--grade", type=int, help="its grade")
    said.add_argument("--skip", choices=SKIP_REASONS, help="not this one, and why")
    said.add_argument("--broken", action="store_true", help="flag the item as broken")
    said.add_argument("--undo", action="store_true", help="take the last answer back")
    verb.add_argument("--note", help="a note with the answer")
    verb.add_argument("--json", action="store_true", help="print JSON")
    verb.set_defaults(run=next_item)


def _add_export(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("project")
    verb.add_argument("format", choices=EXPORTS)
    verb.add_argument("--out", type=Path, help="the file (default: named after the project)")
    verb.add_argument("--gold", action="store_true", help="gold items too")
    verb.add_argument("--bom", action="store_true", help="for Excel")
    verb.add_argument("--questions", type=Path, help="a question set with the right answers")
    verb.set_defaults(run=export)


def _add_import(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", type=Path)
    verb.add_argument("format", choices=[one.name for one in EXPORTS.values() if one.read])
    verb.add_argument("--project", default="", help="into this project (default: the file's own)")
    verb.add_argument("--who", default="import", help="whose, where it names nobody")
    verb.set_defaults(run=import_file)


def _bench(parsed: argparse.Namespace) -> Workbench:
    return Workbench(load({"home": parsed.home}))


def project(parsed: argparse.Namespace) -> int:
    """List the projects, or make and fill one."""
    bench = _bench(parsed)
    if not parsed.name:
        return _list(bench.labels, parsed.json)
    made = _made(bench.labels, parsed)
    added = Added(0, 0, 0)
    missing: tuple[tuple[str, str], ...] = ()
    if parsed.runs or parsed.questions or parsed.experiment:
        run_ids, choice, missing = _chosen(bench.runs, parsed)
        runs = chain(saved_runs(bench.runs, run_ids), _played(parsed.experiment))
        added = bench.labels.projects.add_runs(made.id, runs, choice)
    without = [*added.without, *((name, f"no run of {method}") for name, method in missing)]
    if parsed.json:
        told = {"project": made.id, "name": made.name, **asdict(added), "without": without}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(f"{made.id}  {made.name}: {added.items:,} new items, {added.known:,} known, ", end="")
        print(f"{added.capped:,} over the cap of {made.cap} a question")
    for name, why in without:
        print(f"{name}: {why}", file=sys.stderr)
    return 1 if without else 0


def _made(labels: Labels, parsed: argparse.Namespace) -> Project:
    try:
        return labels.projects.get(parsed.name)
    except UnknownName:
        new = NewProject(parsed.name, parsed.scale, parsed.overlap, parsed.cap)
        return labels.projects.create(new)


def _list(labels: Labels, as_json: bool) -> int:
    cards = labels.projects.list()
    for card in cards:
        if as_json:
            print(json.dumps(asdict(card), ensure_ascii=False))
        else:
            counts = f"{card.items:,} items, {card.questions:,} questions, {card.answers:,} answers"
            print(f"{card.project.id}  {card.project.name}  {counts}")
    if not cards and not as_json:
        print("No label projects yet: python -m irag labels project NAME --runs RUN ...")
    return 0


def _chosen(
    runs: RunStore, parsed: argparse.Namespace
) -> tuple[tuple[str, ...], Choice, tuple[tuple[str, str], ...]]:
    """The runs to use, how, and the questions and methods that have none."""
    found: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    names: dict[str, str] = {}
    if parsed.questions:
        questions = read_questions(parsed.questions)
        cards = [(c.run_id, c.question, c.method) for c in runs.cards(limit=runs.count())]
        methods = parsed.methods or sorted({method for _, _, method in cards})
        found, missing = runs_of(questions, methods, cards)
        names = {question.text: question.id for question in questions}
    methods = () if parsed.questions else tuple(parsed.methods)
    choice = Choice(methods, tuple(parsed.hops), tuple(parsed.kinds), names)
    return (*parsed.runs, *found), choice, missing if parsed.methods else ()


def _played(experiment: Path | None) -> Iterator[tuple[str, Trace]]:
    if experiment is not None:
        yield from experiment_runs(Folder(experiment))


def next_item(parsed: argparse.Namespace) -> int:
    """Answer what was shown, where an answer is given, and show what comes next."""
    labels = _bench(parsed).labels
    seat, desk = seat_of(labels, parsed.who), labels.desk
    serving: Any
    if parsed.undo:
        last = desk.last(seat, parsed.project)
        if last is None:
            raise UserError("There is no answer of yours to take back.")
        serving = desk.undo(seat, parsed.project, last.id, new_event_id())
    elif (mark := _mark(parsed)) is None:
        shown = desk.open(seat, parsed.project, parsed.item) if parsed.item else None
        serving = shown or desk.next(seat, parsed.project)
    else:
        ticket = Ticket(parsed.project, parsed.item, parsed.token)
        turn = desk.submit_and_next(seat, ticket, mark)
        if not isinstance(turn.outcome, Accepted | Duplicate):
            raise UserError(f"Not kept. {turn.outcome.reason}")
        serving = turn.serving
    return _show(labels, serving, parsed)


def _mark(parsed: argparse.Namespace) -> Mark | None:
    if parsed.grade is None and not parsed.skip and not parsed.broken:
        return None
    if not (parsed.item and parsed.token):
        raise UserError("Say what you answer: --item and --token, as they were printed with it.")
    state: Any = "skip" if parsed.skip else "flag" if parsed.broken else "label"
    reason = parsed.skip or ""
    return Mark(new_event_id(), state, parsed.grade, reason=reason, note=parsed.note)


def _show(labels: Labels, serving: Any, parsed: argparse.Namespace) -> int:
    if isinstance(serving, Rest):
        said = f"{serving.held:,} items are before others." if serving.held else "All is judged."
        print(json.dumps({"held": serving.held}) if parsed.json else said)
        return 0
    if not isinstance(serving, Serving):
        raise UserError(serving.reason if isinstance(serving, Stale) else str(serving.reason))
    item, scale = serving.item, labels.projects.get(parsed.project).scale
    if parsed.json:
        told = asdict(item) | {"token": serving.ticket.token, "note": serving.note}
        told["sentence"] = item.passage.sentence
        print(json.dumps(told, ensure_ascii=False))
        return 0
    print(f"{item.question}   (hop {item.hop})")
    for number, link in enumerate(item.chain, 1):
        print(f"  {number}. {link.text}")
    print(f"  ? {item.candidate.text}\n    {item.passage.title}: {item.passage.sentence}")
    print("  ".join(f"{grade.key} {grade.name}" for grade in scale.grades))
    print(f"--item {item.id} --token {serving.ticket.token}")
    return 0


def export(parsed: argparse.Namespace) -> int:
    """Write a file; what went in and what did not is printed beside its name."""
    labels = _bench(parsed).labels
    answers = {}
    if parsed.questions:
        answers = {one.id: one.gold.answers for one in read_questions(parsed.questions)}
    out = labels.export(parsed.format, parsed.project, Wanted(parsed.gold, parsed.bom, answers))
    title = f"{labels.projects.get(parsed.project).name}-{parsed.format}"
    path = parsed.out or Path(file_name(title, EXPORTS[parsed.format].suffix))
    for written in save_export(out, path):
        print(written)
    print(out.summary, file=sys.stderr)
    return 0


def import_file(parsed: argparse.Namespace) -> int:
    """Bring a file in; exit 1 when something of it was refused, each with its place."""
    try:
        text = parsed.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{parsed.file} cannot be read ({error}).") from error
    taken = _bench(parsed).labels.take_in(parsed.format, text, parsed.project, parsed.who)
    print(
        f"{taken.project_id}: {taken.items:,} new items ({taken.known_items:,} known), "
        f"{taken.events:,} new events ({taken.known_events:,} known), "
        f"{len(taken.refused):,} refused"
    )
    for one in taken.refused:
        print(f"{one.place}: {one.reason}", file=sys.stderr)
    return 1 if taken.refused else 0


def show_agreement(parsed: argparse.Namespace) -> int:
    """The report, then what each method's ranking is worth."""
    book = _bench(parsed).labels.book(parsed.project)
    found, scores = agreement(book), method_scores(book, max(1, parsed.k))
    if parsed.json:
        told = json.loads(agreement_json(book, found))
        print(json.dumps(told | {"methods": [asdict(one) for one in scores]}, ensure_ascii=False))
        return 0
    print(agreement_markdown(book, found))
    for one in scores:
        print(f"{one.method}: {one.summary}")
    return 0
