"""Runs in the background: watched, stopped, in order, always saved."""

from __future__ import annotations

import threading
import time

import pytest

from irag.asking import Asking
from irag.engine import Play
from irag.errors import CorpusError
from irag.llm.scripted import Scripted
from irag.methods import parse_method
from irag.types import Question
from tests.fakes import fake_tools

PLAY = Play(parse_method("naive_rag"), Question("q", "Where is Osk?"))


class Saved(dict):
    def __call__(self, run_id, trace, llm):
        self[run_id] = trace


def _wait(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.005)


def test_a_run_is_seen_while_it_runs_and_saved_at_its_end():
    saved, gate = Saved(), threading.Event()

    def reply(request):
        assert gate.wait(5)
        return "Osk"

    asking = Asking(2, saved)
    asking.start("r1", PLAY, "scripted", lambda: fake_tools(Scripted(reply)))
    _wait(lambda: asking.view("r1").pending)
    view = asking.view("r1")
    assert view.running and view.pending[0].step.action.prompt.name == "reader/answer"
    assert len(view.trace.steps) == 2
    gate.set()
    _wait(lambda: not asking.view("r1").running)
    assert asking.view("r1").trace.answer.text == "Osk" == saved["r1"].answer.text
    assert asking.view("r9") is None


def test_runs_wait_for_a_slot_in_order_and_say_so():
    gate = threading.Event()

    def tools():
        assert gate.wait(5)
        return fake_tools(Scripted(lambda r: "Osk"))

    asking = Asking(1, Saved())
    for name in ("r1", "r2", "r3"):
        asking.start(name, PLAY, "scripted", tools)
    _wait(lambda: asking.view("r3").waiting == "2 before yours")
    assert asking.view("r2").waiting == "1 before yours"
    gate.set()
    _wait(lambda: not asking.view("r3").running)


def test_a_waiting_run_can_be_stopped_and_does_no_work():
    saved, gate, opened = Saved(), threading.Event(), []

    def tools():
        opened.append(1)
        assert gate.wait(5)
        return fake_tools(Scripted(lambda r: "Osk"))

    asking = Asking(1, saved)
    asking.start("r1", PLAY, "scripted", tools)
    asking.start("r2", PLAY, "scripted", tools)
    asking.stop("r2")
    _wait(lambda: not asking.view("r2").running)
    assert saved["r2"].stopped == "cancelled" and len(opened) == 1
    gate.set()
    _wait(lambda: not asking.view("r1").running)
    assert saved["r1"].stopped == "sufficient"


@pytest.mark.parametrize("error", [CorpusError("No corpus 'x'."), ZeroDivisionError("oops")])
def test_a_run_whose_tools_cannot_be_opened_is_saved_as_failed(error):
    def tools():
        raise error

    saved = Saved()
    asking = Asking(1, saved)
    asking.start("r1", PLAY, "scripted", tools)
    _wait(lambda: not asking.view("r1").running)
    assert saved["r1"].stopped == "failed" and str(error) in saved["r1"].error


def test_a_run_that_cannot_be_saved_says_so_and_stays_visible():
    def full(run_id, trace, llm):
        raise CorpusError("disk full")

    asking = Asking(1, full)
    asking.start("r1", PLAY, "scripted", lambda: fake_tools(Scripted(["Osk"])))
    _wait(lambda: not asking.view("r1").running)
    view = asking.view("r1")
    assert "could not be saved: disk full" in view.trace.error and view.trace.answer.text == "Osk"
