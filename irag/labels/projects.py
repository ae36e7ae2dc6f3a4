"""Projects: made, filled from runs, their guidelines, gold and scale; listed and removed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy import func
from sqlmodel import Session, col, delete, select

from irag.errors import UnknownName, UserError
from irag.labels.acts import Event, Seat
from irag.labels.filling import add_guidelines, add_items, add_project, checked_project_name
from irag.labels.guide import supplied
from irag.labels.pooling import EVERY, Choice, pool
from irag.labels.rows import Books, event_row, in_batches, item_of, new_id, project_of, scale_text
from irag.labels.values import SCALES, Item, Project, Scale
from irag.store.label_tables import (
    LABEL_TABLES,
    AnnotatorRow,
    LabelCurrentRow,
    LabelEventRow,
    LabelGuidelineRow,
    LabelItemRow,
    LabelProjectRow,
)
from irag.types import Trace

__all__ = ["Added", "Guideline", "NewProject", "ProjectCard", "Projects"]


@dataclass(frozen=True, slots=True)
class NewProject:
    """What a new project is to be. `scale`: a name in SCALES. `seed` None: a fresh one."""

    name: str
    scale: str = "grades"
    overlap: int = 2
    cap: int = 30
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ProjectCard:
    """A project in a list: how many items, questions and answers (label or flag) it has."""

    project: Project
    items: int
    questions: int
    answers: int


@dataclass(frozen=True, slots=True)
class Added:
    """What runs brought: new items, known ones credited to further runs, and what did not go in.

    `without` names runs that gave nothing, with the reason.
    """

    items: int
    known: int
    capped: int
    without: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Guideline:
    """Guidelines in one language, Markdown; versions count from 1."""

    version: int
    language: str
    text: str


@dataclass(frozen=True)
class Projects:
    """The label projects of one database."""

    books: Books

    def create(self, new: NewProject) -> Project:
        """A project with the supplied guidelines; UserError when its name or a number is unfit."""
        project = self._project(new)
        with self.books.writing() as session:
            add_project(session, project, supplied())
        return project

    def _project(self, new: NewProject) -> Project:
        if new.scale not in SCALES:
            raise UnknownName("scale", new.scale, SCALES)
        if new.overlap < 1 or new.cap < 1:
            raise UserError("Overlap and cap of a project must be at least 1.")
        seed = secrets.randbelow(2**31) if new.seed is None else new.seed
        told = (SCALES[new.scale], new.overlap, new.cap, seed, self.books.clock())
        return Project(new_id("p"), checked_project_name(new.name), *told)

    def get(self, project_id: str) -> Project:
        """A project by its id or name; UnknownName when there is none."""
        return self.books.project(project_id)

    def list(self) -> tuple[ProjectCard, ...]:
        """Every project, the newest first."""
        newest = col(LabelProjectRow.created).desc(), col(LabelProjectRow.id)
        with self.books.reading() as session:
            rows = session.exec(select(LabelProjectRow).order_by(*newest)).all()
            return tuple(ProjectCard(project_of(row), *_counts(session, row.id)) for row in rows)

    def add_runs(
        self, project_id: str, runs: Iterable[tuple[str, Trace]], choice: Choice = EVERY
    ) -> Added:
        """Pool the candidates of runs, as (run id, trace); a known item is credited, never doubled.

        The project's cap holds for what one question has altogether. One transaction.
        """
        project = self.get(project_id)
        with self.books.reading() as session:
            names = _question_names(session, project.id)
        choice = replace(choice, question_ids={**choice.question_ids, **names})
        found = pool(runs, choice, project.cap)
        with self.books.at(project.id) as (session, _):
            new, known, over = add_items(session, project, found.items, found.origins)
        return Added(new, known, found.capped + over, found.without)

    def items(self, project_id: str, ids: Iterable[str] | None = None) -> tuple[Item, ...]:
        """The items of a project in order, all or those with these ids, however many."""
        mine = col(LabelItemRow.project_id) == self.get(project_id).id
        batches = [None] if ids is None else list(in_batches(ids))
        found: list[Item] = []
        with self.books.reading() as session:
            for batch in batches:
                wanted = (mine,) if batch is None else (mine, col(LabelItemRow.id).in_(batch))
                found += map(item_of, session.exec(select(LabelItemRow).where(*wanted)))
        return tuple(sorted(found, key=lambda item: item.place))

    def guideline(self, project_id: str, language: str = "en", version: int = 0) -> Guideline:
        """The guidelines, newest for version 0; English where the language has none."""
        project = self.get(project_id)
        number = version or project.guideline
        with self.books.reading() as session:
            for tongue in dict.fromkeys((language, "en")):
                row = session.get(LabelGuidelineRow, (project.id, number, tongue))
                if row is not None:
                    return Guideline(row.version, row.language, row.text)
        raise UserError(f"Project {project.name} has no guidelines of version {number}.")

    def revise(self, project_id: str, texts: dict[str, str]) -> int:
        """New guidelines, Markdown by language; returns their version. Labels stay as they are.

        A language that is not given keeps its text. Review counts the labels of older versions.
        """
        project = self.get(project_id)
        with self.books.at(project.id) as (session, _):
            row = session.get_one(LabelProjectRow, project.id)
            old = select(LabelGuidelineRow).where(
                LabelGuidelineRow.project_id == row.id, LabelGuidelineRow.version == row.guideline
            )
            kept = {one.language: one.text for one in session.exec(old)}
            row.guideline += 1
            add_guidelines(session, row.id, row.guideline, kept | texts, self.books.clock())
            version = row.guideline
        return version

    def rescale(self, project_id: str, scale: Scale) -> None:
        """Another scale; UserError, with how often it is in use, once anything was judged on it."""
        project = self.get(project_id)
        if len(scale.grades) < 2 or scale.relevant not in scale.keys:
            raise UserError("A scale has at least two grades, and its cut is one of them.")
        with self.books.at(project.id) as (session, _):
            graded = col(LabelEventRow.project_id) == project.id, col(LabelEventRow.grade) != None  # noqa: E711
            used = session.exec(select(func.count()).where(*graded)).one()
            if used:
                raise UserError(
                    f"{used:,} judgements in {project.name} use its scale, so it stays as it is. "
                    "Make another project for another scale."
                )
            session.get_one(LabelProjectRow, project.id).scale = scale_text(scale)

    def set_gold(self, seat: Seat, project_id: str, item_id: str, grade: int | None) -> None:
        """Say what an item's right grade is, or (None) that it is gold no more; kept as an event.

        Everybody gets gold items, whatever the overlap; they never count in agreement.
        """
        project = self.get(project_id)
        if grade is not None and grade not in project.scale.keys:
            raise UserError(f"{grade} is no grade of {project.name}: {project.scale.keys}.")
        with self.books.at(project.id) as (session, _):
            row = session.get(LabelItemRow, item_id)
            if row is None or row.project_id != project.id:
                raise UnknownName("item", item_id, ())
            row.gold = grade
            who = project.id, item_id, seat.annotator_id
            event = Event(0, new_id("e"), *who, "gold", grade=grade, at=self.books.clock())
            session.add(event_row(event))

    def delete(self, project_id: str, name: str) -> None:
        """Remove a project with all its labels; UserError unless its name is given again."""
        project = self.get(project_id)
        if name != project.name:
            raise UserError(f"To remove this project and its labels, name it: {project.name}")
        with self.books.at(project.id) as (session, _):
            for table in LABEL_TABLES:
                if table not in (AnnotatorRow, LabelProjectRow):
                    session.exec(delete(table).where(table.project_id == project.id))
            session.exec(delete(LabelProjectRow).where(col(LabelProjectRow.id) == project.id))


def _question_names(session: Session, project_id: str) -> dict[str, str]:
    named = select(LabelItemRow.question, LabelItemRow.question_id).distinct()
    rows = session.exec(named.where(LabelItemRow.project_id == project_id)).all()
    return {question: name for question, name in rows}


def _counts(session: Session, project_id: str) -> tuple[int, int, int]:
    asked = col(LabelItemRow.question_id).distinct()
    counted = select(func.count(), func.count(asked)).select_from(LabelItemRow)
    items, questions = session.exec(counted.where(LabelItemRow.project_id == project_id)).one()
    answered = col(LabelCurrentRow.state) != "skip", col(LabelCurrentRow.origin) == "human"
    mine = LabelCurrentRow.project_id == project_id
    answers = session.exec(
        select(func.count()).select_from(LabelCurrentRow).where(mine, *answered)
    ).one()
    return items, questions, answers
