"""Writing projects and items inside a transaction that somebody else opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from irag.errors import UserError
from irag.labels.pooling import item_id
from irag.labels.rows import item_row, scale_text
from irag.labels.values import Item, Origin, Project
from irag.store.label_tables import (
    LabelGuidelineRow,
    LabelItemRow,
    LabelOriginRow,
    LabelProjectRow,
)

__all__ = ["add_guidelines", "add_items", "add_project", "checked_project_name"]


def checked_project_name(name: str) -> str:
    """A project's name on one line, 1 to 200 characters; UserError otherwise."""
    line = " ".join(name.split())
    if not 0 < len(line) <= 200:
        raise UserError("A project's name has 1 to 200 characters.")
    return line


def add_project(session: Session, project: Project, texts: dict[str, str]) -> None:
    """Write a project with its guidelines; UserError when the name is taken."""
    told = {name: getattr(project, name) for name in Project.__slots__}
    session.add(LabelProjectRow(**told | {"scale": scale_text(project.scale)}))
    add_guidelines(session, project.id, project.guideline, texts, project.created)
    try:
        session.flush()
    except IntegrityError as error:
        raise UserError(f"There is a project {project.name!r} already. Name it anew.") from error


def add_items(
    session: Session, project: Project, items: Iterable[Item], origins: Iterable[Origin]
) -> tuple[int, int, int]:
    """Add items by key, in order, and credit the runs; (new, known, over the project's cap).

    `origins` name items by key. An item over the cap is not added, nor are its origins.
    """
    mine = select(LabelItemRow.key, LabelItemRow.question_id, LabelItemRow.place).where(
        LabelItemRow.project_id == project.id
    )
    before = session.exec(mine).all()
    keys = {key for key, _, _ in before}
    per_question: dict[str, int] = {}
    for _, question, _ in before:
        per_question[question] = per_question.get(question, 0) + 1
    place = max((number for _, _, number in before), default=0)
    new = known = over = 0
    for item in items:
        if item.key in keys:
            known += 1
        elif per_question.get(item.question_id, 0) >= project.cap:
            over += 1
        else:
            new += 1
            keys.add(item.key)
            per_question[item.question_id] = per_question.get(item.question_id, 0) + 1
            own = item_id(project.id, item.key)
            own_item = replace(item, id=own, project_id=project.id, place=place + new)
            session.add(item_row(own_item))
    session.flush()
    _credit(session, project.id, (one for one in origins if one.item_id in keys))
    return new, known, over


def _credit(session: Session, project_id: str, origins: Iterator[Origin]) -> None:
    for one in origins:
        own = item_id(project_id, one.item_id)
        told = {name: getattr(one, name) for name in Origin.__slots__}
        session.merge(LabelOriginRow(**told | {"item_id": own, "project_id": project_id}))


def add_guidelines(
    session: Session, project_id: str, version: int, texts: dict[str, str], created: float
) -> None:
    """Write one version of the guidelines, Markdown by language."""
    session.add_all(
        LabelGuidelineRow(
            project_id=project_id, version=version, language=tongue, text=text, created=created
        )
        for tongue, text in texts.items()
    )
