"""The panels beside a schedule: the summary with its bounds, and how stretch and wait are spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from dash import dcc, html

from shadowtime.dashboard.components import asking, results, tags, trust
from shadowtime.dashboard.components.attributes import attributes, identified
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.figures import distribution
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import find_title
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.tables import rows

CHART_HEIGHT = 106


class Spread(NamedTuple):
    """A value of every job, and how its histogram is written."""

    name: str
    title: str
    values: Callable[[RunView], np.ndarray]
    floor: float
    floor_words: str
    ticks: tuple[tuple[float, str], ...]
    text: Callable[[float], str]


SPREADS = (
    Spread("stretch", "Bounded slowdown", RunView.stretches, distribution.STRETCH_FLOOR, "below 1.5",
           distribution.STRETCH_TICKS, words.number),
    Spread("wait", "Wait", RunView.waits, distribution.WAIT_FLOOR, f"below 10{words.GAP}s",
           distribution.WAIT_TICKS, words.duration),
)  # fmt: skip
DEFINED = {"stretch": "bounded_slowdown", "wait": "wait", "flow": "turnaround", "done": "weighted_completion"}
"""Entries of the glossary for the values of jobs that are drawn."""


def summary(view: RunView) -> list[Any]:
    """Headline once finished, then value and ratio, then what the ratio means."""
    values, bounds = view.figures()
    kind, is_running = view.asked["kind"], not view.is_finished
    judged = results.headline(values, bounds, kind)
    end = "running" if view.run.status.is_unfinished else "not reached"
    shown = results.lines(values, bounds, kind, is_running=is_running, end=end)
    sure = view.intervals()
    has_headline = not is_running and judged is not None and results.ratio_of(judged, values, bounds) is not None
    body: list[Any] = [section_title("Summary", counted(view))]
    if has_headline and judged:
        proof = view.summary.get("bound_names", {}).get(judged, "")
        body.append(headline(judged, values, bounds, trust.interval(judged, sure), results.PROOFS.get(proof, "")))
        shown = [line for line in shown if line.name != judged]
    if not shown:
        body.append(html.P(waiting_words(view), className="st-ink3 st-small"))
        return body
    jobs = int(view.asked["jobs"])
    rows_shown = [
        row(line, trust.interval(line.name, sure) or ("" if is_running else results.often(line.name, values, jobs)))
        for line in shown
    ]
    body.append(html.Table(html.Tbody(rows_shown), className="st-figures"))
    beyond = int(view.summary.get("counters", {}).get("overcommitted", 0))
    are_proven = not is_running or asking.known_bounds(view.context, view.run.spec) is not None
    body.append(
        html.P(
            explanation(bounds, is_running, are_proven, overcommitted=beyond, is_partial=view.is_partial),
            className="st-caption",
        )
    )
    body.append(html.P(floor(view.tau), className="st-caption"))
    body += exact(view.summary.get("exact_bound") if view.is_finished else None)
    return body + trust.explanation(sure)


def headline(name: str, values: Any, bounds: Any, interval: str = "", proof: str = "") -> html.Div:
    """The one large figure: how far from the optimum at the most; `proof` is what the bound was proven by."""
    said = f"{results.whole(name, values[name])}; lower bound {results.whole(name, bounds[name])}"
    said += f" by {proof}" if proof else ""
    return tags.div(
        "st-headfigure",
        html.Div(words.at_most(results.ratio_of(name, values, bounds)), className="st-big"),
        html.Div(
            [html.Span(definition(name, results.titled(name)), className="st-strong"), f" {said}"], className="st-ink2"
        ),
        *([html.Div(interval, className="st-caption")] if interval else []),
    )


def row(line: results.Line, interval: str = "") -> html.Tr:
    """One figure beside its proof."""
    if line.name == "makespan" and line.value.startswith(("running", "not reached")):
        return tags.tr(
            "",
            html.Th(definition(line.name, line.title), scope="row"),
            html.Td(line.value, colSpan=2, className="st-ink2"),
            title=line.text,
        )
    proof = f"bound {line.bound}" if line.bound else None
    value: Any = line.value
    if line.name == "rejected":
        value = html.Button(f"{line.value} · list", className="st-link", **attributes({"data-list": "rejected"}))
    return tags.tr(
        "",
        html.Th(
            [definition(line.name, line.title), *([html.Div(interval, className="st-caption")] if interval else [])],
            scope="row",
        ),
        html.Td(value, className="st-value"),
        html.Td(line.ratio, title=proof),
        title=line.text,
    )


def counted(view: RunView) -> str:
    """`751 jobs, all ended`, `539 of 751 jobs ended`."""
    jobs = int(view.asked["jobs"])
    ended = view.ended
    if view.is_finished and ended == jobs:
        return f"{words.count(jobs, 'job')}, all ended"
    return f"{ended:,} of {words.count(jobs, 'job')} ended"


def waiting_words(view: RunView) -> str:
    """What stands in the summary before any job has ended."""
    match view.run.status.status:
        case "queued":
            return "No job has started yet."
        case "running" if seconds := view.status.progress.get("compiling"):
            return f"Figures appear once the algorithm is compiled: about {words.seconds_about(seconds)}, once."
        case "running":
            return "No job has ended yet."
    return "No figures: the run did not reach its end."


def explanation(
    bounds: Any, is_running: bool, are_proven: bool = True, *, overcommitted: int = 0, is_partial: bool = False
) -> str:
    """What × means, once a page; no number waits for its bound."""
    said = "So far, over ended jobs. " if is_running else ""
    if is_partial:
        said = "Partial results: over the jobs that had ended when the run was cancelled. "
    if overcommitted:
        return f"The log overcommits its machine by up to {overcommitted:,} processors, so no lower bound holds for it."
    if not are_proven:
        return said + "The lower bounds are being computed."
    if not bounds:
        return said + "No lower bound is proven for these jobs."
    return said + results.RATIO_WORDS


def floor(tau: float) -> str:
    """Which runtimes bounded slowdown counts as longer ones."""
    return f"Bounded slowdown: τ = {words.duration(tau)}, runtimes below it count as τ."


def exact(proof: Any) -> list[Any]:
    """How the proof of the exact bound of very many jobs stands; nothing once it is there, or was there at once."""
    if not proof or proof["status"] == "finished":
        return []
    said = "The exact bound of the largest bounded slowdown is being computed; until then a weaker bound is shown."
    if proof["status"] == "failed":
        said = f"The exact bound of the largest bounded slowdown was not computed: {proof['error']}."
    return [html.P(said, className="st-caption", role="status")]


def section_title(title: str, note: str = "", identity: str = "", define: str = "") -> html.Div:
    """A panel's head: its name, in grey what it is about, and a link to its entry `define` in the glossary."""
    parts = [html.H2(title), html.Span(note, className="st-note", **identified(identity))]
    return tags.div("st-section-title", *parts, *([definition(define)] if define else []))


def definition(name: str, word: str = "definition") -> dcc.Link:
    """A link to the entry of a figure in the glossary."""
    return dcc.Link(word, href=urls.definition(name), className="st-define")


def definitions(*names: str) -> html.P:
    """A line that leads from the figures of a table to their entries in the glossary."""
    titles = [find_title(name) for name in names]
    links = [
        definition(name, title if not n else title[0].lower() + title[1:])
        for n, (name, title) in enumerate(zip(names, titles, strict=True))
    ]
    between = [part for link in links for part in (link, ", ")][:-1]
    return tags.p("st-caption st-definitions", "Definitions: ", *between)


def spread(view: RunView, kind: Spread) -> html.Section:
    """A histogram's panel."""
    shown = filled(view, kind)
    below = [
        html.Div(shown["below"], id=f"{kind.name}-below", className="st-belowcount"),
        html.Div(kind.floor_words, className="st-caption"),
    ]
    label = f"Histogram: {kind.title.lower()} of the jobs that have ended"
    return tags.section(
        "",
        section_title(kind.title, shown["note"], f"{kind.name}-note", DEFINED.get(kind.name, "")),
        tags.div(
            "st-spread", html.Div(below, className="st-below"), chart(kind.name, shown["figure"], label, CHART_HEIGHT)
        ),
        html.Div(shown["table"], id=f"{kind.name}-table"),
    )


def filled(view: RunView, kind: Spread) -> dict[str, Any]:
    """What goes into the panel: figure, count below the floor, note, and the same as a table."""
    if not rows(view.jobs) or not view.ended:
        return {"figure": None, "below": "", "note": "no job has ended", "table": None}

    def make() -> dict[str, Any]:
        shown = distribution.distribution(kind.values(view), kind.floor)
        return {
            "figure": distribution.figure(shown, Scale(kind.floor, kind.ticks, kind.text)),
            "below": f"{shown.below:,}",
            "rows": distribution.rows(shown, kind.text),
        }

    what = f"spread:{kind.name}"
    known = cache.remembered(view.context.cache, view.run.id, what, make) if view.is_finished else make()
    table = as_table([kind.title, "Jobs"], known["rows"])
    return {"figure": known["figure"], "below": known["below"], "note": "ended jobs, log axis", "table": table}
