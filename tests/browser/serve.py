"""Serves the real app with a slow script in place of a language model: `serve.py PORT SECONDS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from streamlit.web import bootstrap

from irag.llm import BACKENDS
from irag.llm.scripted import Scripted
from irag.tools import Request

ROOT = Path(__file__).parents[2]


def reply(request: Request) -> str:
    """Always candidate 1 and then another; the reader answers at once."""
    return json.dumps({"chain": [1, 2], "answer": "the Tem"}) if request.schema else "the Tem"


def main(port: int, seconds: float) -> None:
    BACKENDS["scripted"] = lambda rest, settings: Scripted(reply, delay=seconds)
    options = {"server.port": port, "server.headless": True}
    bootstrap.load_config_options(options)
    bootstrap.run(str(ROOT / "app.py"), False, [], options)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
