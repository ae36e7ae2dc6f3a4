"""Trying an LLM tells the truth about it: speed, and what its flags claim and it cannot do."""

from __future__ import annotations

from dataclasses import replace

from irag.errors import LLMError, ServerDown
from irag.llm.scripted import EVERYTHING, Scripted
from irag.probing import try_llm
from irag.tools import Flags

TEXT = "A river runs to the sea and carries sand along."


def tried(llm):
    trial = try_llm("scripted", lambda: llm)
    return trial, {one.name: (one.shown, one.note) for one in trial.abilities}


def test_an_llm_that_can_do_all_it_says():
    llm = Scripted(lambda r: '{"colour": "green"}' if r.schema else TEXT, delay=0.02)
    trial, abilities = tried(llm)
    assert all(shown for shown, _ in abilities.values()) and len(abilities) == 4
    assert trial.reply == TEXT and trial.written == 10 and trial.read > 5 and not trial.error
    assert 0.02 <= trial.first <= trial.seconds < 2 and trial.window == 4096


def test_every_prompt_is_new_so_no_cache_answers():
    llm = Scripted(lambda r: TEXT)
    tried(llm)
    tried(llm)
    prompts = [request.messages[0].text for request in llm.history]
    assert len(set(prompts)) == len(prompts) == 8


def test_flags_that_claim_too_much_are_found_out():
    liar = Scripted(lambda r: r.prefix if r.prefix else "sure thing", flags=EVERYTHING)  # fmt: skip
    answer = liar._answer
    liar._answer = lambda request: replace(answer(request), logprobs=())  # type: ignore[method-assign]
    _, abilities = tried(liar)
    assert abilities["schema"] == (False, "the reply was not JSON")
    assert abilities["logprobs"] == (False, "none came with the reply")
    assert abilities["prefix"] == (False, "nothing came after it") and abilities["streams"][0]


def test_a_flag_dropped_on_refusal_is_told():
    class Learns(Scripted):
        def generate(self, requests, emit, cancel):
            if requests[0].schema:
                self.flags = replace(self.flags, schema=False)
            return super().generate(requests, emit, cancel)

    _, abilities = tried(Learns(lambda r: TEXT))
    assert abilities["schema"][0] is False and "refused" in abilities["schema"][1]


def test_what_is_not_claimed_is_not_asked_for():
    plain = Scripted(lambda r: TEXT, flags=Flags())
    _, abilities = tried(plain)
    assert {shown for shown, _ in abilities.values()} == {None} and len(plain.history) == 1


def test_an_llm_that_fails_says_why():
    trial, abilities = tried(Scripted([ServerDown("Nothing answers at http://h. Start it.")]))
    assert trial.error.startswith("Nothing answers") and not abilities and trial.speed is None

    def broken():
        raise LLMError("The weights are damaged.")

    assert try_llm("llama:x", broken).error == "The weights are damaged."
