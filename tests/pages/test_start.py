"""Starting the app is light, and app.py stays the only way in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = (
    "torch",
    "spacy",
    "transformers",
    "sentence_transformers",
    "xllamacpp",
    "faiss",
    "pyvis",
    "vllm",
)

LOOK = """
import json, sys
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("app.py", default_timeout=60).run()
print(json.dumps([[e.value for e in page.exception], sorted(sys.modules)]))
"""


def test_the_first_page_imports_no_heavy_package(tmp_path):
    env = {"IRAG_HOME": str(tmp_path / "home"), "IRAG_MODELS": str(tmp_path / "models")}
    found = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=ROOT, env={**_path(), **env}, capture_output=True, text=True, check=True
    )  # fmt: skip
    errors, modules = json.loads(found.stdout.strip().splitlines()[-1])
    assert not errors
    assert "irag.workbench" in modules
    assert not [name for name in HEAVY if name in modules]


def _path() -> dict[str, str]:
    import os

    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def test_every_page_of_the_folder_is_in_the_navigation():
    app = (ROOT / "app.py").read_text("utf-8")
    for page in (ROOT / "pages").glob("*.py"):
        assert f'"pages/{page.name}"' in app
