"""The README names what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from irag.llm import BACKENDS
from irag.methods import METHODS

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_stands_in_the_table_with_its_paper(name):
    rows = [r for r in (ROOT / "README.md").read_text("utf-8").splitlines() if f"| `{name}` |" in r]
    assert rows and "arXiv" in rows[0]


@pytest.mark.parametrize("scheme", BACKENDS)
def test_every_llm_scheme_is_documented(scheme):
    assert f"`{scheme}" in (ROOT / "irag" / "README.md").read_text("utf-8")


def test_every_picture_and_file_it_links_to_is_there():
    import re

    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert links and all((ROOT / link).exists() for link in links if "://" not in link)
