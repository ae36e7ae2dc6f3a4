"""CSV that no spreadsheet takes for a formula, and that comes back as it was."""

from __future__ import annotations

import pytest

from irag.views.csv_text import csv_text, read_csv

TEXTS = (
    '=HYPERLINK("http://evil.example")', "+1 Group", "@osk", "-5", "\t=1+1", "'quoted", "''", "a, \"b\"",
    "line\nline", "静港", "", "plain",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_never_begins_like_a_formula_and_comes_back_as_it_was(text):  # FR-088
    written = csv_text(["entity", "score"], [(text, -0.25)])
    cell = written.split("\r\n", 1)[1].lstrip('"')
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert read_csv(written) == (("entity", "score"), [(text, "-0.25")])


def test_numbers_stay_numbers_and_nothing_is_an_empty_cell():  # FR-088
    assert csv_text(["a", "b", "c"], [(-0.25, None, -5)]).splitlines()[1] == "-0.25,,-5"
