"""A whole run as one HTML page that opens without a network: nothing in it is loaded or run.

All text goes through escape.html(); a policy in the page forbids scripts and every request, so that
a passage could not reach out even if an escape were forgotten.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from irag.types import Trace
from irag.views import markup
from irag.views.answer import AnswerView, answer_view
from irag.views.calls import CallView
from irag.views.escape import html, isolate, shorten
from irag.views.graph import chain_graph
from irag.views.hops import HopView, hops
from irag.views.pictures import Picture, pictures
from irag.views.svg import svg
from irag.views.words import measure, t

__all__ = ["static_page"]

_ASSETS = Path(__file__).parents[2] / "assets"
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
_CANDIDATES = 4
"""Other candidates of each hop in the picture."""


def static_page(trace: Trace, run_id: str = "") -> str:
    """The run as one page, to be written as UTF-8; a failed or stopped one says so too."""
    view, steps = answer_view(trace), hops(trace)
    parts = [
        _heading(trace),
        _answer(view),
        _chain(trace, view),
        "".join(map(_picture, pictures(trace))),
        _section(t("evidence"), markup.evidence(view.evidence) if view.evidence else ""),
        _section(t("page.hops"), "".join(map(_hop, steps)) + _line(view.stopped)),
        _section(t("page.costs"), f'<div class="scroll">{markup.costs(steps)}</div>'),
        _section(t("page.settings"), _settings(trace, run_id)),
        f"<p><small>{t('page.made')}</small></p>",
    ]
    return (
        f'<!doctype html>\n<html lang="{html(trace.question.language or "en")}"><head>'
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html(shorten(trace.question.text, 80))}</title><style>{_style()}</style></head>"
        f"<body>\n{chr(10).join(part for part in parts if part)}\n</body></html>\n"
    )


@lru_cache(maxsize=1)
def _style() -> str:
    """The app's style sheet, then the page's own."""
    return "\n".join((_ASSETS / name).read_text("utf-8") for name in ("style.css", "page.css"))


def _heading(trace: Trace) -> str:
    llm = dict(trace.models).get("llm", "")
    when = trace.started_at[:16].replace("T", " ")
    parts = [trace.method, trace.corpus.partition("@")[0], llm, when]
    said = " · ".join(html(isolate(part)) for part in parts if part)
    return f"<h1><bdi>{html(trace.question.text)}</bdi></h1><p><small>{said}</small></p>"


def _answer(view: AnswerView) -> str:
    lines = [markup.answer(view)]
    if view.text:
        lines.append(_line(view.confidence))
    if view.constructed:
        lines.append(_line(t("answer.constructed", text=isolate(view.constructed))))
    if view.error:
        lines.append(f'<p class="error">{html(view.error)}</p>')
    return "".join(lines)


def _chain(trace: Trace, view: AnswerView) -> str:
    if not view.chain:
        return _section(t("chain"), _line(t("chain.none")))
    graph = chain_graph(trace, _CANDIDATES)
    picture = f'<div class="scroll">{svg(graph, t("page.graph"))}</div>'
    return _section(t("chain"), picture + _line(graph.note) + markup.facts(view.chain))


def _picture(picture: Picture) -> str:
    """A graph as SVG with what it shows in words; of a chart the words alone."""
    drawn = svg(picture.graph, picture.title) if picture.graph else ""
    scrolls = f'<div class="scroll">{drawn}</div>' if drawn else ""
    return _section(picture.title, scrolls + _line(picture.note))


def _hop(view: HopView) -> str:
    rows = [f"<h3>{_name(view)}<small>{html(_cost(view))}</small></h3>"]
    if view.query and not view.reading:
        rows.append(markup.query(view.query))
    if view.documents:
        label = t("documents.new", n=len(view.documents), new=view.new)
        rows.append(_details(label, markup.document_rows(view.documents)))
    if view.triple_count is not None:
        label = f"{t('triples', n=view.triple_count)}, {t('candidates', n=len(view.candidates))}"
        rows.append(_details(label, markup.candidates(view.candidates, view.number)))
    rows += [markup.triple(one, view.number, chosen=True) for one in view.grown]
    rows += [_line(line) for line in (*view.how, *view.said)]
    rows += [_call(call) for call in view.calls]
    rows += [_line(t("cut", what=note)) for note in view.notes]
    rows += [f'<p class="error">{html(error)}</p>' for error in view.errors]
    return f'<section class="hop">{"".join(rows)}</section>'


def _name(view: HopView) -> str:
    if view.reading:
        return t("reading")
    if not view.number:
        return t("hop.before")
    return markup.badge(view.number) + t("hop", number=view.number)


def _cost(view: HopView) -> str:
    calls = [t("calls", n=view.usage.calls)] if view.usage.calls else []
    return " · ".join([*calls, measure(view.seconds)])


def _call(call: CallView) -> str:
    spent = t("tokens", prompt=call.usage.prompt_tokens, written=call.usage.completion_tokens)
    label = f"{t('page.call', purpose=call.purpose)} · {measure(call.seconds)} · {spent}"
    parts = [_block(message.role, message.text) for message in call.prompt]
    if call.prefix:
        parts.append(_block(t("call.prefix"), call.prefix))
    if call.thinking:
        parts.append(_block(t("call.thinking"), call.thinking))
    if call.reply is None:
        parts.append(_line(t("call.no_reply")))
    else:
        parts.append(_block(t("call.reply"), call.reply or t("call.empty")))
    if call.finish == "length":
        parts.append(_line(t("call.length")))
    return _details(label, "".join(parts))


def _settings(trace: Trace, run_id: str) -> str:
    rows = [(t("page.run"), run_id)] if run_id else []
    rows += [(t("method"), trace.method), (t("corpus"), trace.corpus), *trace.models]
    rows += [*trace.settings, (t("column.when"), trace.started_at)]
    return markup.table([t("about.setting"), t("page.value")], rows)


def _section(title: str, body: str) -> str:
    return f"<h2>{html(title)}</h2>{body}" if body else ""


def _details(label: str, body: str) -> str:
    return f"<details><summary>{html(label)}</summary>{body}</details>"


def _block(title: str, text: str) -> str:
    return f"<h4>{html(title)}</h4><pre>{html(text)}</pre>"


def _line(text: str) -> str:
    return f'<p class="note">{html(text)}</p>' if text else ""
