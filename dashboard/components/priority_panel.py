"""Beside the schedule of a run under Slurm: why the selected job waited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import html

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.priority_view import why_it_waited
from shadowtime.dashboard.components.run_panels import section_title
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.figures import priority as draw
from shadowtime.dashboard.look import theme, words
from shadowtime.engine.workload.job import Clock

LISTED = 12
"""Jobs that held its nodes which are shown at once; the others are behind a line."""


def panel(view: RunView, job: int | None) -> list[Any]:
    """The content: nothing where no job is selected or the run goes on; a sentence where the job did not wait."""
    if job is None or not view.is_finished:
        return []
    try:
        found = why_it_waited(view.context, view.run.id, int(job))
    except Refusal as refusal:
        return [section_title("Why it waited"), html.P(refusal.sentence, className="st-caption")]
    waited = words.duration(found["start"] - found["submit"])
    many = draw.drawn(found)
    label = f"Priority of job {job} over its wait of {waited}, {words.joined([draw.NAMES[name] for name in many])}"
    return [
        section_title("Why it waited", f"job {job}, {waited}"),
        tags.figure(
            "st-panel",
            html.Figcaption("Priority, factor by factor", className="st-paneltitle"),
            legend(found),
            chart("priority", draw.priority(found, view.clock), label, draw.PRIORITY_HEIGHT),
        ),
        *nice(found),
        tags.figure(
            "st-panel",
            html.Figcaption("Expected start, after submission", className="st-paneltitle"),
            chart("expected", draw.expected(found, view.clock), f"Expected start of job {job}", draw.EXPECTED_HEIGHT),
        ),
        *unplanned(found),
        as_table(draw.heads(found), draw.rows(found, view.clock)),
        *holders(found, view.clock),
    ]


def legend(found: Mapping[str, Any]) -> html.Ul:
    """The factors in the order of their areas, from the bottom up."""
    lines = [
        html.Li([html.Span(className="st-swatch", style={"background": theme.var(f"job-{draw.HUES[name]}")}),
                 draw.NAMES[name]])
        for name in draw.drawn(found)
    ]  # fmt: skip
    line = html.Li([html.Span(className="st-swatch st-lineswatch"), "priority"])
    return html.Ul([*lines, line], className="st-factors", title="from the bottom up")


def nice(found: Mapping[str, Any]) -> list[Any]:
    """What is subtracted from the factors, where something is."""
    given = found["nice"][0]
    if not given:
        return []
    said = f"Its nice value {'lowers' if given < 0 else 'raises'} the priority by {abs(given):,.0f}."
    return [html.P(said, className="st-caption")]


def unplanned(found: Mapping[str, Any]) -> list[Any]:
    """Why the expected start has gaps, where it has some."""
    if None not in found["expected"]:
        return []
    said = "No line: backfilling planned no start of it then (beyond bf_window, or not among the jobs that it tries)."
    return [html.P(said, className="st-caption")]


def holders(found: Mapping[str, Any], clock: Clock | None) -> list[Any]:
    """The jobs that ran on its nodes while it waited, those that left last first."""
    if not found["nodes"]:
        return [html.P("The rectangles of this run were not kept: who held its nodes is unknown.")]
    listed, many = found["held_by"], found["held_by_all"]
    title = tags.div("st-heldtitle", html.H3("Who held its nodes"), html.Span(node_words(found["nodes"])))
    if not many:
        return [title, html.P("No other job ran on them while it waited.", className="st-caption")]
    first = [holder(one, clock) for one in listed[:LISTED]]
    parts = [title, html.Ol(first, className="st-heldby")]
    if len(listed) > LISTED:
        rest = [holder(one, clock) for one in listed[LISTED:]]
        said = f"{words.count(many - LISTED, 'more job')} before them"
        if many > len(listed):
            said += f", the latest {len(rest):,} of them"
        parts.append(tags.details("st-astable", html.Summary(said), html.Ol(rest, className="st-heldby")))
    return parts


def node_words(nodes: list[str]) -> str:
    """Some names of nodes."""
    return ", ".join(nodes[:4]) + (f" and {len(nodes) - 4:,} more" if len(nodes) > 4 else "")


def holder(one: Mapping[str, Any], clock: Clock | None) -> html.Li:
    """One job: a click selects it in the schedule."""
    who = ", ".join(str(one[name]) for name in ("user", "account") if name in one)
    when = "ran at the submission" if one["at_submission"] else f"since {words.instant(one['since'], clock)}"
    button = tags.button(
        "",
        html.Strong(f"{one['job']}"),
        html.Span([who, html.Span(f" {when}", className="st-ink3")]),
        html.Span(f"until {words.instant(one['until'], clock)}"),
        type="button",
        **attributes({"data-job": str(one["job"]), "data-at": repr(float(one["since"]))}),
    )
    return html.Li(button)
