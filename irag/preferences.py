"""What a person arranges, from the app or headless: the LLMs to choose from, models, settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from irag import llms
from irag.errors import UserError
from irag.keys import masked
from irag.models import CATALOGUE
from irag.models.removing import held_bytes, remove
from irag.probing import Trial, try_llm
from irag.settings import Origin, change, home_of, load, origins, unset

if TYPE_CHECKING:
    from irag.workbench import Workbench

__all__ = ["Preferences", "change_setting"]


def change_setting(home: Path, name: str, text: str | None) -> None:
    """Write a setting of a home, or with None take it out; UserError when it cannot be that."""
    if text is None:
        unset(home, name)
    else:
        change(home, name, llms.checked(text) if name == "llm" and text.strip() else text)


@dataclass(frozen=True)
class Preferences:
    """The arrangements of one Workbench; what needs no restart holds in it at once."""

    bench: Workbench

    def origins(self) -> tuple[Origin, ...]:
        """Every setting as it will be at the next start, with where it comes from."""
        home = self.bench.settings.home
        return origins({} if home == home_of() else {"home": str(home)})

    def in_force(self, name: str) -> str:
        """A setting's value in this process, as text that may be shown."""
        return masked(str(getattr(self.bench.settings, name)))

    def change(self, name: str, text: str | None) -> None:
        """Write a setting, or with None take it out of the file; UserError when it cannot be."""
        home = self.bench.settings.home
        change_setting(home, name, text)
        self.bench.settings = replace(self.bench.settings, llm=load({"home": str(home)}).llm)

    def added(self) -> tuple[str, ...]:
        """The LLMs that were added, by SPEC."""
        return llms.added(self.bench.settings.home)

    def add(self, spec: str) -> str:
        """Add an LLM to choose from; returns its SPEC, or raises a UserError."""
        return llms.add(self.bench.settings.home, spec)

    def forget(self, spec: str) -> None:
        """Take an added LLM from the list; nothing on a disk or a server is deleted."""
        llms.remove(self.bench.settings.home, spec)

    def try_llm(self, spec: str) -> Trial:
        """Ask an LLM a few short questions; one that fails says why in its trial."""
        return try_llm(spec, lambda: self.bench.llm(llms.checked(spec)))

    def held(self) -> dict[str, int]:
        """Bytes of each catalogue model that is here."""
        sizes = {name: held_bytes(name, self.bench.settings.models) for name in CATALOGUE}
        return {name: size for name, size in sizes.items() if size}

    def remove_model(self, name: str) -> int:
        """Delete a catalogue model's files and return the bytes freed; UserError during a run."""
        if self.bench.asking.busy:
            raise UserError(
                "A run is under way. Wait until it has ended, or stop it, and try again."
            )
        self.bench.close_llms(name)
        return remove(name, self.bench.settings.models)
