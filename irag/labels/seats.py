"""Who labels: named accounts with a PIN or a personal link, or one person alone.

Secrets are kept as salted scrypt hashes (PINs) and SHA-256 hashes (links, which are random). After
five wrong PINs an account waits, twice as long each time, up to a quarter of an hour.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import get_args

from sqlalchemy import func
from sqlmodel import Session, col, select

from irag.errors import UnknownName, UserError
from irag.labels.acts import Role, Seat
from irag.labels.rows import Books, new_id
from irag.store.label_tables import AnnotatorRow

__all__ = ["ALONE", "Account", "Seats", "require"]

ALONE = Seat("local", "you", "owner")
"""The one annotator where nobody was set up."""

FREE_TRIES = 5
FIRST_WAIT, LONGEST_WAIT = 30.0, 900.0
_PIN = re.compile(r"\S{4,64}")
_WRONG = "That name and PIN do not go together."


@dataclass(frozen=True, slots=True)
class Account:
    """An annotator as lists show them; no secret is in it."""

    annotator_id: str
    name: str
    role: Role
    active: bool
    has_pin: bool
    has_link: bool


@dataclass(frozen=True)
class Seats:
    """The annotators of one database."""

    books: Books

    def alone(self) -> Seat | None:
        """The local annotator, who needs no sign-in; None as soon as an account is set up."""
        with self.books.reading() as session:
            return None if _any(session) else ALONE

    def list(self) -> tuple[Account, ...]:
        """Every account by name, also those that were closed."""
        with self.books.reading() as session:
            rows = session.exec(select(AnnotatorRow).order_by(col(AnnotatorRow.name))).all()
        return tuple(map(_account, rows))

    def add(self, by: Seat | None, name: str, role: Role, pin: str = "") -> Account:
        """A new account; without a PIN it is entered by a link. The first one is the owner's.

        `by` is the owner who adds it; None only for the first. UserError when it may not be, or
        the name or PIN is unfit.
        """
        line = " ".join(name.split())
        if not 0 < len(line) <= 80:
            raise UserError("A name has 1 to 80 characters.")
        if role not in get_args(Role):
            raise UnknownName("role", role, get_args(Role))
        hashed = _hashed(_checked(pin)) if pin else ""
        with self.books.writing() as session:
            if not _any(session):
                if role != "owner":
                    raise UserError("The first account is the owner's: give it the role owner.")
            else:
                require(by, "owner")
            if session.exec(select(AnnotatorRow).where(AnnotatorRow.name == line)).first():
                raise UserError(f"There is an annotator {line!r} already.")
            row = AnnotatorRow(id=new_id("a"), name=line, role=role, pin=hashed)
            row.created = self.books.clock()
            session.add(row)
            return _account(row)

    def enter(self, name: str, pin: str) -> Seat:
        """The seat of a name and its PIN; UserError for a wrong one, or while it must wait."""
        named = AnnotatorRow.name == " ".join(name.split())
        with self.books.writing() as session:
            row = session.exec(select(AnnotatorRow).where(named)).first()
            wait = row.locked - self.books.clock() if row is not None else 0.0
            right = wait <= 0 and _matches(pin, row.pin if row is not None else "")
            if row is not None and wait <= 0:
                self._count(row, right)
                session.add(row)
        if wait > 0:
            raise UserError(f"Too many wrong PINs. Try again in {wait:.0f} seconds.")
        if row is None or not right or not row.active:
            raise UserError(_WRONG)
        return _seat(row)

    def _count(self, row: AnnotatorRow, right: bool) -> None:
        row.wrong = 0 if right else row.wrong + 1
        over = row.wrong - FREE_TRIES
        if over >= 0:
            row.locked = self.books.clock() + min(FIRST_WAIT * 2**over, LONGEST_WAIT)

    def link(self, by: Seat, annotator_id: str) -> str:
        """A fresh personal token for a link; older ones of the account end. Shown this once."""
        token = secrets.token_urlsafe(24)
        with self.books.writing() as session:
            row = _row(session, annotator_id)
            _own_or_owner(by, row)
            row.link = _link_hash(token)
            session.add(row)
        return token

    def enter_link(self, token: str) -> Seat:
        """The seat of a personal link; UserError when it is none, or ended."""
        with self.books.reading() as session:
            wanted = AnnotatorRow.link == _link_hash(token)
            row = session.exec(select(AnnotatorRow).where(wanted)).first()
        if not token or row is None or not row.active:
            raise UserError("This personal link is not valid any more. Ask for a new one.")
        return _seat(row)

    def set_pin(self, by: Seat, annotator_id: str, pin: str) -> None:
        """Another PIN, by the person or the owner; a waiting time ends."""
        hashed = _hashed(_checked(pin))
        with self.books.writing() as session:
            row = _row(session, annotator_id)
            _own_or_owner(by, row)
            row.pin, row.wrong, row.locked = hashed, 0, 0.0
            session.add(row)

    def close(self, by: Seat, annotator_id: str) -> None:
        """End an account; its labels stay. UserError for the last owner."""
        with self.books.writing() as session:
            require(by, "owner")
            row = _row(session, annotator_id)
            owner = AnnotatorRow.role == "owner", col(AnnotatorRow.active)
            others = select(func.count()).where(*owner, AnnotatorRow.id != row.id)
            if row.role == "owner" and not session.exec(others).one():
                raise UserError("The last owner's account stays open.")
            row.active = False
            session.add(row)

    def names(self) -> dict[str, str]:
        """Names by annotator id, for review; exports carry the ids alone."""
        return {ALONE.annotator_id: ALONE.name} | {a.annotator_id: a.name for a in self.list()}


def require(seat: Seat | None, *roles: Role) -> None:
    """UserError unless the seat has one of these roles."""
    if seat is None or seat.role not in roles:
        raise UserError(f"Only the {' or the '.join(roles)} may do this.")


def _any(session: Session) -> bool:
    return session.exec(select(AnnotatorRow.id).limit(1)).first() is not None


def _row(session: Session, annotator_id: str) -> AnnotatorRow:
    row = session.get(AnnotatorRow, annotator_id)
    if row is None:
        raise UnknownName("annotator", annotator_id, session.exec(select(AnnotatorRow.id)).all())
    return row


def _own_or_owner(by: Seat, row: AnnotatorRow) -> None:
    if by.annotator_id != row.id:
        require(by, "owner")


def _seat(row: AnnotatorRow) -> Seat:
    return Seat(row.id, row.name, row.role)  # type: ignore[arg-type]


def _account(row: AnnotatorRow) -> Account:
    role: Role = row.role  # type: ignore[assignment]
    return Account(row.id, row.name, role, row.active, bool(row.pin), bool(row.link))


def _checked(pin: str) -> str:
    if not _PIN.fullmatch(pin):
        raise UserError("A PIN has 4 to 64 characters and no spaces.")
    return pin


def _hashed(pin: str, salt: str = "") -> str:
    salt = salt or secrets.token_hex(16)
    raw = pin.encode("utf-8", "surrogatepass")
    # n = 2**14, r = 8, p = 1: interactive sign-in (Percival 2009, section 7), 16 MiB
    made = hashlib.scrypt(raw, salt=bytes.fromhex(salt), n=2**14, r=8, p=1)
    return f"{salt}${made.hex()}"


def _matches(pin: str, stored: str) -> bool:
    """Whether a PIN is the stored one; as slow for an account that has none."""
    salt = stored.partition("$")[0]
    return hmac.compare_digest(_hashed(pin, salt), stored)


def _link_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
