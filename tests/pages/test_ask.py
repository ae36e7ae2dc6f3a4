"""The Ask page over a fake Workbench: what a press does."""

from __future__ import annotations

import time

from irag.actions import Generate
from irag.health import HealthCard
from irag.pulling import PullView
from tests.fakes import QUESTION
from tests.pages.fake_bench import ABSENT, NOTHING, FakeBench, corpus_card, with_runs
from tests.pages.opening import ask, opened, seen, until_over, words
from tests.views import traces


def test_the_page_opens_and_invites():
    page = opened(FakeBench())
    assert "Ask a question, or start from an example" in words(page)
    assert page.selectbox(key="ask.method").value == "kirag"
    assert page.button(key="ask.stop").disabled and not page.button(key="ask.ask").disabled


def test_without_models_it_explains_itself_and_offers_to_get_them():
    missing = tuple(
        HealthCard(f"model {name}", False, "missing")
        for name in ("all-minilm-l6-v2", "tiny", "other")
    )
    bench = FakeBench(llm_cards=(ABSENT, NOTHING), checks=missing)
    page = opened(bench)
    assert "Models to get: all-minilm-l6-v2, tiny" in words(page)
    seen(page.button(key="models.get").click().run())
    assert bench.pulled == ["all-minilm-l6-v2"]
    assert "Getting all-minilm-l6-v2 40 of 90 MB" in page.get("progress")[0].proto.text.replace(
        "\\", ""
    )


def test_when_one_model_has_come_the_next_is_fetched_and_a_failure_is_said():
    missing = (HealthCard("model tiny", False, "missing"),)
    bench = FakeBench(llm_cards=(ABSENT, NOTHING), checks=missing)
    page = opened(bench)
    page.session_state["models.getting"] = True
    bench.pull = PullView("all-minilm-l6-v2", 90, 90, False)
    seen(page.run())
    assert bench.pulled == ["tiny"]
    bench.pull = PullView("tiny", 5, 90, False, "The disk is full.")
    seen(page.run())
    assert bench.pulled == ["tiny"] and "The disk is full." in words(page)


def test_without_a_corpus_it_says_how_to_get_one_and_asks_nothing():  # FR-103
    bench = FakeBench(cards=())
    page = opened(bench)
    assert "No corpus yet" in words(page) and "python -m irag setup" in words(page)
    assert page.button(key="ask.ask").disabled and not bench.asked


def test_a_corpus_that_is_not_ready_is_marked():
    page = opened(FakeBench(cards=(corpus_card("fresh", False, "not indexed yet"),)))
    assert "not ready" in page.selectbox(key="ask.corpus").options[0]


def test_asking_shows_the_hops_the_answer_and_its_link():
    bench = FakeBench()
    page = until_over(ask(opened(bench), QUESTION), bench, "r1")
    said = words(page)
    assert bench.asked == [(QUESTION, "sample", "kirag", "scripted")]
    assert "**Hop 1**" in said and "**Hop 2**" in said and "the Tem" in said
    assert page.query_params["run"] in ("r1", ["r1"])


def test_the_exact_prompt_and_reply_are_one_click_away():
    bench = FakeBench()
    page = until_over(ask(opened(bench), QUESTION), bench, "r1")
    call = next(s.result for s in bench.view("r1").trace.steps if isinstance(s.action, Generate))
    shown = [one.value for one in page.code]
    assert call.prompt[-1].text in shown and call.text in shown


def test_a_refused_question_says_why_and_begins_nothing():
    bench = FakeBench()
    page = ask(opened(bench), "   ")
    assert "The question is empty. Write one." in words(page) and not bench.asked
    page = ask(page, "lorem " * 500)
    assert "3,000" in words(page) or "2,999" in words(page)
    page = ask(page, "Where is Osk?")
    assert "is empty" not in words(page) and len(bench.asked) == 1


def test_two_presses_begin_one_run():  # FR-182
    bench = FakeBench(delay=5)
    page = ask(opened(bench), QUESTION)
    for _ in range(2):
        page.button(key="ask.ask").proto.disabled = False  # pressed before it was redrawn
        seen(page.button(key="ask.ask").click().run())
    assert len(bench.asked) == 1
    bench.stop("r1")


def test_a_second_press_just_after_a_quick_run_begins_nothing():  # FR-182
    bench = FakeBench()
    page = until_over(ask(opened(bench), QUESTION), bench, "r1")
    asked = page.session_state["ask.asked"]
    asked.when = time.monotonic()
    seen(page.button(key="ask.ask").click().run())
    assert len(bench.asked) == 1
    asked.when -= 60
    seen(page.button(key="ask.ask").click().run())
    assert len(bench.asked) == 2


def test_stop_stops_this_sessions_run_and_says_so():
    bench = FakeBench(delay=30)
    page = ask(opened(bench), QUESTION)
    assert not page.button(key="ask.stop").disabled and page.button(key="ask.ask").disabled
    seen(page.button(key="ask.stop").click().run())
    assert bench.stopped == ["r1"]
    assert "Stopped by you" in words(until_over(page, bench, "r1"))


def test_settings_go_into_the_method_and_the_first_change_counts():  # FR-194
    bench = FakeBench()
    page = opened(bench)
    seen(page.number_input(key="kirag.max_hops").set_value(1).run())
    seen(page.selectbox(key="kirag.reader").set_value("none").run())
    ask(page, QUESTION)
    assert bench.asked[0][2] == "kirag:max_hops=1,reader=none"
    until_over(page, bench, "r1")
    assert "No answer asked" in words(page)


def test_settings_can_go_back_to_their_defaults():
    page = opened(FakeBench())
    seen(page.number_input(key="kirag.max_hops").set_value(2).run())
    reset = next(one for one in page.button if one.label == "Back to the defaults")
    seen(reset.click().run())
    assert page.number_input(key="kirag.max_hops").value == 5


def test_changing_the_method_once_takes_effect():  # FR-194
    bench = FakeBench()
    page = opened(bench)
    seen(page.selectbox(key="ask.method").set_value("naive_rag").run())
    ask(page, QUESTION)
    assert bench.asked[0][2] == "naive_rag"


def test_choices_survive_a_visit_to_another_page():  # FR-184
    page = opened(FakeBench(cards=(corpus_card(), corpus_card("wiki2"))))
    page.selectbox(key="ask.corpus").set_value("wiki2")
    seen(page.number_input(key="kirag.max_hops").set_value(3).run())
    seen(page.switch_page("pages/about.py").run())
    seen(page.switch_page("pages/ask.py").run())
    assert page.selectbox(key="ask.corpus").value == "wiki2"
    assert page.number_input(key="kirag.max_hops").value == 3


def test_one_session_never_sees_anothers_question():  # FR-090
    bench = FakeBench()
    until_over(ask(opened(bench), QUESTION), bench, "r1")
    other = opened(bench)
    assert QUESTION not in words(other) and not other.text_area(key="ask.question").value


def test_a_second_question_shows_nothing_of_the_first():  # FR-110
    bench = FakeBench()
    page = until_over(ask(opened(bench), QUESTION), bench, "r1")
    page = until_over(ask(page, "What does Kestrel Mill grind?"), bench, "r2")
    assert QUESTION not in words(page) and page.query_params["run"] in ("r2", ["r2"])


def test_an_example_fills_the_box():
    page = opened(FakeBench())
    (pills,) = page.pills
    assert pills.options == ["Bridge", "Yes/no", "中文"]
    seen(pills.select("Bridge").run())
    assert page.text_area(key="ask.question").value == QUESTION


def test_examples_are_only_offered_on_their_corpus():
    assert not opened(FakeBench(cards=(corpus_card("wiki2"),))).pills


def test_a_link_opens_a_saved_run_and_an_unknown_one_is_said():
    bench = with_runs([("saved", traces.trace_of())])
    assert "35,124" in words(opened(bench, "saved"))
    page = opened(bench, "<b>$5</b>")
    assert "There is no run with the id <b>$5</b>" in words(page)
    back = next(one for one in page.button if one.label == "Ask a question")
    assert "each hop appears here" in words(seen(back.click().run()))
