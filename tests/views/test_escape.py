"""Whatever was written is shown literally, in HTML and in Streamlit's Markdown."""

from __future__ import annotations

import pytest

from irag.actions import ACTIONS, Remark, Together
from irag.types import Triple
from irag.views.escape import arrow, html, isolate, literal, shorten
from irag.views.words import CATALOGUE, measure, t


def test_html_holds_no_tag_of_the_text():  # FR-084
    assert (
        html('Osk</script><b a="x">&\'') == "Osk&lt;/script&gt;&lt;b a=&quot;x&quot;&gt;&amp;&#x27;"
    )


def test_every_markdown_character_is_escaped():  # FR-188
    passage = "$5 and $7. ~~Old~~ # Osk :smile: [x](javascript:alert(1)) *a_b_c* `c` <b> | \\"
    shown = literal(passage)
    for place, character in enumerate(shown):
        if character in "$~#:[]()*_`<>|":
            assert shown[place - 1] == "\\", shown[: place + 1]


@pytest.mark.parametrize(
    "text", ["a -> b", "a <- b", "x >= y", "a -- b", "~= 3", "http://a.b", "www.a.b", "a@b.cd"]
)
def test_arrows_and_bare_links_are_broken_by_an_invisible_joiner(text):
    shown = literal(text)
    assert "\u2060" in shown
    assert shown.replace("\u2060", "").replace("\\", "") == text


def test_ordinary_text_gets_no_joiner():
    assert literal("Kirton End, a hamlet") == "Kirton End\\, a hamlet"


def test_lone_surrogates_and_nul_can_be_encoded():  # FR-047
    for drawn in (
        html("Osk \ud83d tower\x00"),
        literal("Osk \ud83d tower\x00"),
        shorten("\ud83d", 9),
    ):
        drawn.encode("utf-8")
        assert "\x00" not in drawn


def test_parts_of_a_triple_are_isolated_in_logical_order():  # FR-132
    one = Triple("t", "אוסף", "located in", "ولد")
    assert arrow(one) == "\u2068אוסף\u2069 — \u2068located in\u2069 → \u2068ولد\u2069"
    assert isolate("x") == "\u2068x\u2069"


def test_long_text_is_shortened_to_the_limit_with_an_ellipsis():  # FR-133
    assert shorten("x" * 200, 40) == "x" * 39 + "…"
    assert shorten("a\n b", 10) == "a b"


def test_texts_know_one_from_many_and_never_expand_a_value():
    assert t("documents", n=1) == "1 document"
    assert t("documents", n=1200) == "1,200 documents"
    assert t("run.unknown", run="{n} $x %s").count("{n} $x %s") == 1


def test_an_unknown_text_lists_the_known_ones():
    with pytest.raises(Exception, match="Unknown text 'nope'"):
        t("nope")


def test_a_language_without_a_text_says_it_in_english(monkeypatch):
    monkeypatch.setitem(CATALOGUE, "zh", {"ask": "提问"})
    assert (t("ask", "zh"), t("stop", "zh")) == ("提问", "Stop")


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.041, "0.04 s"), (3.14, "3.1 s"), (125.2, "2 min 5 s")]
)
def test_seconds_have_their_unit(seconds, said):
    assert measure(seconds) == said


def test_every_action_that_does_something_says_what_it_does():
    for name, kind in ACTIONS.items():
        if not issubclass(kind, Remark | Together):
            assert t(f"doing.{name}")
