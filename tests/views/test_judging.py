"""The judge's scores as a chart: gaps where there was none."""

from irag.remarks import Judged
from irag.types import Answer, Step, Trace
from irag.views.judging import score_pictures
from irag.views.pictures import pictures
from tests.views.traces import question


def trace_with(*judged):
    steps = tuple(Step(n, n, one) for n, one in enumerate(judged, 1))
    return Trace("irag-trace-1", "x", (), "c", (), question(), steps, Answer(None), "max_hops", "")


def test_an_iteration_without_scores_is_a_gap_and_said():
    trace = trace_with(
        Judged(1, "<b>a</b>", (("faithfulness", 0.5), ("completeness", 0.25))),
        Judged(2, "", (), "no answer"),
        Judged(3, "b", (("faithfulness", 0.9), ("completeness", 0.75))),
    )
    (picture,) = score_pictures(trace)
    by_name = {line.name: list(line.y) for line in picture.figure.data}
    assert by_name == {"faithfulness": [0.5, None, 0.9], "completeness": [0.25, None, 0.75]}
    assert "iteration 2: no answer" in picture.note
    assert "<b>" not in picture.figure.data[0].customdata[0]
    assert picture in pictures(trace)


def test_a_run_without_a_judge_has_no_such_picture():
    assert score_pictures(trace_with()) == ()
