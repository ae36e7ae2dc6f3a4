"""irag labels annotators: accounts, PINs and personal links; and who sits at the keyboard."""

from __future__ import annotations

import argparse
import getpass
import os
from typing import Any, get_args

from irag.errors import UserError
from irag.labels import Labels
from irag.labels.acts import Role, Seat
from irag.settings import load
from irag.workbench import Workbench

__all__ = ["PIN", "add_people", "seat_of"]

PIN = "IRAG_LABEL_PIN"
"""The environment variable with one's PIN, for scripts; asked for where it is not set."""


def add_people(verbs: Any) -> None:
    """Add `annotators` to the verbs of `labels`."""
    verb = verbs.add_parser("annotators", help="list accounts, add one, renew its link")
    verb.add_argument("name", nargs="?", default="", help="an account, made when it is not there")
    verb.add_argument("--role", choices=get_args(Role), default="annotator")
    verb.add_argument("--link", action="store_true", help="print a fresh personal link")
    verb.add_argument("--as", dest="who", default="", metavar="NAME", help="the owner who does it")
    verb.set_defaults(run=annotators)


def seat_of(labels: Labels, name: str) -> Seat:
    """The seat of whoever runs the command; UserError without a name, once accounts are set up."""
    alone = labels.seats.alone()
    if alone is not None:
        return alone
    if not name:
        raise UserError("Say who you are: --as NAME.")
    return labels.seats.enter(name, _pin(f"PIN of {name}: "))


def annotators(parsed: argparse.Namespace) -> int:
    """List the accounts; or make one, or give it a link."""
    labels = Workbench(load({"home": parsed.home})).labels
    accounts = {one.name: one for one in labels.seats.list()}
    if not parsed.name:
        for one in accounts.values():
            ways = [*["PIN"] * one.has_pin, *["link"] * one.has_link]
            state = "" if one.active else "  closed"
            print(f"{one.annotator_id}  {one.name}  {one.role}  {' '.join(ways)}{state}")
        if not accounts:
            print("No accounts: whoever runs the app labels as one person.")
        return 0
    owner = seat_of(labels, parsed.who) if accounts else None
    account = accounts.get(parsed.name)
    if account is None:
        pin = "" if parsed.link else _new_pin(parsed.name)
        account = labels.seats.add(owner, parsed.name, parsed.role, pin)
    print(f"{account.annotator_id}  {account.name}  {account.role}")
    if parsed.link:
        by = owner or Seat(account.annotator_id, account.name, account.role)
        print(f"/label?key={labels.seats.link(by, account.annotator_id)}")
    return 0


def _pin(prompt: str) -> str:
    return os.environ.get(PIN) or getpass.getpass(prompt)


def _new_pin(name: str) -> str:
    """A PIN for a new account, always asked for: the variable holds one's own."""
    return getpass.getpass(f"PIN for {name}: ")
