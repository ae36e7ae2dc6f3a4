"""Whether the answer is right: best over all gold answers, as the official scripts do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from irag.measures.base import Case, Measure, Score
from irag.text import (
    exact_match,
    is_refusal,
    lenient_form,
    official_f1,
    official_form,
    token_f1,
)
from irag.types import Answer, Trace

__all__ = ["EM", "F1", "Answered", "FirstF1", "LenientEM", "OfficialEM", "OfficialF1", "asked"]


def asked(trace: Trace) -> bool:
    """Whether the method was to answer, not only to retrieve."""
    return dict(trace.settings).get("reader") != "none"


@dataclass(frozen=True)
class Answered(Measure):
    """A comparison of the answer with each gold answer.

    For a question without an answer in the corpus, 1 for giving none or saying so. No answer where
    one was due scores 0; a method that was only to retrieve has no score.
    """

    def _has_gold(self, case: Case) -> bool:
        return bool(case.question.gold.answers) or not case.question.answerable

    def _of(self, case: Case, trace: Trace, answer: Answer) -> Score:
        if answer.text is None and not asked(trace):
            return Score(None, "not asked")
        if not case.question.answerable:
            return Score(float(answer.text is None or is_refusal(answer.text)))
        if answer.text is None:
            return Score(0.0, "no answer")
        return Score(self._best(answer.text, case.question.gold.answers))

    def _best(self, text: str, gold: tuple[str, ...]) -> float:
        """The best over all gold answers."""
        return max(float(self._compare(text, one)) for one in gold)

    @property
    def _compare(self) -> Callable[[str, str], float]:
        """(answer, one gold answer) -> score."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it compares.")


@dataclass(frozen=True)
class EM(Answered):
    """EM over the normalised forms; departures from SQuAD's script: irag/text/answers.py."""

    name: ClassVar[str] = "EM"
    about: ClassVar[str] = "whether the answer equals a gold answer after normalisation"

    @property
    def _compare(self) -> Callable[[str, str], float]:
        return exact_match


@dataclass(frozen=True)
class F1(Answered):
    """F1 over the tokens of the normalised forms, Chinese by character."""

    name: ClassVar[str] = "F1"
    about: ClassVar[str] = "overlap of words (Chinese: characters) with the nearest gold answer"

    @property
    def _compare(self) -> Callable[[str, str], float]:
        return token_f1


@dataclass(frozen=True)
class FirstF1(F1):
    """F1 against the first gold answer alone, as the KiRAG and TRACE code counts it."""

    name: ClassVar[str] = "FirstF1"
    about: ClassVar[str] = "F1 against the first gold answer only (KiRAG and TRACE code)"

    def _best(self, text: str, gold: tuple[str, ...]) -> float:
        return token_f1(text, gold[0])


@dataclass(frozen=True)
class OfficialEM(Answered):
    """EM as the official scripts write it: a number's point and sign are lost, Chinese is whole."""

    name: ClassVar[str] = "OfficialEM"
    about: ClassVar[str] = "EM exactly as the official scripts of SQuAD and HotpotQA count it"

    @property
    def _compare(self) -> Callable[[str, str], float]:
        return lambda text, gold: float(official_form(text) == official_form(gold))


@dataclass(frozen=True)
class OfficialF1(Answered):
    """F1 as the official scripts write it, words by white space."""

    name: ClassVar[str] = "OfficialF1"
    about: ClassVar[str] = "F1 exactly as the official script of HotpotQA counts it"

    @property
    def _compare(self) -> Callable[[str, str], float]:
        return official_f1


@dataclass(frozen=True)
class LenientEM(Answered):
    """EM that takes numbers in words and dates in another form for the same; no official one."""

    name: ClassVar[str] = "LenientEM"
    about: ClassVar[str] = "EM that takes nine for 9 and May 5, 2001 for 2001-05-05"

    @property
    def _compare(self) -> Callable[[str, str], float]:
        return lambda text, gold: float(lenient_form(text) == lenient_form(gold))
