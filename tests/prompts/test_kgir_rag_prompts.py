"""KGIR-RAG's prompts: complete, alike in both languages, and wary of what they quote."""

import json
import re

import pytest

from irag.methods.kgir_rag_calls import ENTITIES, QUESTION, REFLECTION
from irag.prompts import Lines, Passages, fill, header, render

SCHEMAS = {"entities": ENTITIES, "rewrite": QUESTION, "reflect": REFLECTION}
VALUES = {
    "evidence": Lines(("Osk lies in Veldland",)),
    "passages": Passages((("Osk", ("Osk is a port.",)),)),
    "history": "What is Osk?",
    "question": "Where is Osk?",
}


@pytest.mark.parametrize("purpose", SCHEMAS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_input_is_shown_once_and_every_example_keeps_to_the_schema(purpose, language):
    name = f"kgir_rag/{purpose}"
    inputs = [key.strip() for key in header(name, language)["inputs"].split(",")]
    shown = render(fill(name, language, **{key: VALUES[key] for key in inputs})).messages
    marks = {"evidence": "in Veldland", "passages": "[1] Osk", "history": "What is Osk?"}
    assert all(shown[-1].text.count(marks.get(key, "Where is Osk?")) == 1 for key in inputs)
    assert "$" not in shown[0].text + shown[-1].text
    assert "quoted text" in shown[0].text or "引用的材料" in shown[0].text
    examples = re.findall(r"^(?:Reply:|回答：) ?(\{.*\})$", shown[0].text, flags=re.M)
    assert examples
    for example in examples:
        assert list(json.loads(example)) == json.loads(SCHEMAS[purpose])["required"]
