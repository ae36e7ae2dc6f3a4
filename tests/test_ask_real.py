"""One question to a real model over the sample, from the command line, in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
QUESTION = (
    "According to the 2001 census, what was the population of the city in which Kirton End is "
    "located?"
)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["llama", "hf"])
def test_kirag_asks_the_default_model_and_its_chain_is_grounded(tmp_path, engine):
    env = {**os.environ, "IRAG_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}

    def irag(*arguments):
        command = [sys.executable, "-m", "irag", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    irag("corpus", "add", "sample", str(ROOT / "assets/sample/passages.jsonl"))
    said = json.loads(
        irag(
            "ask", QUESTION, "--json", "--llm", f"{engine}:qwen2.5-coder-0.5b",
            "--method", "kirag:constructor=choose,max_hops=2",
        )
    )  # fmt: skip
    assert said["llm_calls"] >= 2 and said["tokens"]["prompt"] > 500
    assert said["answer"] and said["warnings"] == []
    assert 1 <= len(said["chain"]) <= 2 and all(triple["grounded"] for triple in said["chain"])
    assert "Kirton End" in {hit["title"] for hit in said["evidence"]}
