"""Model text -> values (yes/no, numbers, JSON, triples, an answer); it never runs model text.

Each function returns `Unparsed` with a reason where the reply cannot be read, and raises nothing.
"""

from irag.parse.lenient_json import Json
from irag.parse.records import Record, record, score, scores, text_list
from irag.parse.replies import (
    Unparsed,
    answer_line,
    conclusion,
    json_value,
    numbers,
    without_thinking,
    yes_no,
)
from irag.parse.triple_records import TripleRecords, triples

__all__ = [
    "Json",
    "Record",
    "TripleRecords",
    "Unparsed",
    "answer_line",
    "conclusion",
    "json_value",
    "numbers",
    "record",
    "score",
    "scores",
    "text_list",
    "triples",
    "without_thinking",
    "yes_no",
]
