"""An algorithm: idea, pseudo-code beside a schedule of twelve jobs that it made, guarantee, parameters, rivals."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import fractional_table, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.results import written
from shadowtime.dashboard.components.run_panels import definition
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.explained.examples import EXPLANATIONS, FRACTIONAL, METRICS, RECORDED, VARIANT, held, names
from shadowtime.dashboard.explained.pseudocode import Explanation
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import metrics
from shadowtime.dashboard.pages import algorithms, unknown
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import UnknownName

MANY = 116


def layout(context: Context, name: str, query: Mapping[str, str]) -> Shown:
    """The page of an algorithm, or of all fractional variants."""
    try:
        entry = registry.find(VARIANT if name == FRACTIONAL else name)
    except UnknownName:
        return unknown.layout(context, f"{urls.ALGORITHMS}/{name}", query)
    is_fractional = entry.family == FRACTIONAL
    explanation = EXPLANATIONS.get(FRACTIONAL if is_fractional else entry.slug)
    title = "Fractional variants" if is_fractional else entry.title
    return Shown(
        title,
        tags.div(
            "st-single st-explained",
            headline(entry, title, is_fractional=is_fractional),
            html.P(explanation.idea if explanation else f"{entry.summary}.", className="st-idea"),
            *(stepped(FRACTIONAL if is_fractional else entry.slug, explanation) if explanation else []),
            html.H2("What is known"),
            facts(entry, explanation),
            *(parts() if is_fractional else []),
            html.H2("Parameters"),
            algorithms.parameters(entry),
            *rivals(entry, FRACTIONAL if is_fractional else entry.slug),
        ),
        page="algorithms",
    )


def headline(entry: Algorithm, title: str, *, is_fractional: bool) -> html.Div:
    """Name, slug and the way to the form with this algorithm chosen and the example's jobs filled in."""
    said = f"{MANY} variants" if is_fractional else entry.slug
    back = dcc.Link("All algorithms", href=urls.ALGORITHMS, className="st-button")
    example = "" if entry.slug == RECORDED else entry.family
    tried = dcc.Link("Try it", href=urls.try_out(entry.slug, example), id="try-it", className="st-button st-primary")
    name = html.Span(said, className="st-ink2" if is_fractional else "st-mono st-ink2")
    return tags.div("st-headline", html.H1(title), name, html.Div(className="st-grow"), back, tried)


def stepped(name: str, explanation: Explanation) -> list[Any]:
    """Pseudo-code beside the schedule of the example, and what steps through both."""
    example = held()[name]
    line_of = explanation.line_of()
    lane = registry.look_up_family(_family(name)).lane
    steps = [[time, line_of[event], said(event, job, note, lane), job] for time, event, job, note in example["steps"]]
    height = picture_height(example["lanes"])
    shown = {**{key: example[key] for key in ("lanes", "rectangles")}, "steps": steps, "height": height}
    lines = [
        html.Li(
            html.Span(line.text, style={"marginLeft": f"{20 * line.depth}px"}), **attributes({"data-line": f"{at}"})
        )
        for at, line in enumerate(explanation.lines)
    ]
    rows = [
        html.Tr([html.Td(words.duration(time)), html.Td(f"{line + 1}"), html.Td(text)]) for time, line, text, _ in steps
    ]
    return [
        tags.div(
            "st-lesson",
            tags.section(
                "st-pseudocode", html.H2("Pseudo-code"), html.Ol(lines), **attributes({"aria-label": "Pseudo-code"})
            ),
            tags.section(
                "st-lessonpicture",
                html.H2("Twelve jobs"),
                html.Div(className="st-lessonsvg", style={"minHeight": height}),
                html.Div(className="st-lessonbar"),
                html.P("", className="st-lessonsaid", **attributes({"aria-live": "polite"})),
                **attributes({"aria-label": "Schedule of twelve jobs"}),
            ),
            **attributes({"data-example": json.dumps(shown)}),
        ),
        tags.details(
            "st-lessontable",
            html.Summary(f"All {len(steps)} steps as a table"),
            tags.scrolled("st-table st-table-dense", ("Time", "Line", "What happens"), rows),
        ),
    ]


def picture_height(lanes: int) -> int:
    """Pixels of the schedule: lanes of 20 to 80, and the axis of time."""
    return round(lanes * min(80.0, max(20.0, 200 / lanes))) + AXIS


AXIS = 22
"""Pixels below the lanes of an example."""
VERBS = {
    "submit": "is submitted", "start": "starts", "background": "starts in the background", "end": "ends",
    "pause": "is paused", "resume": "resumes", "migrate": "migrates", "swap": "changes its tier", "kill": "is killed",
    "reserve": "gets a reservation", "backfill": "is backfilled", "reject": "is rejected",
    "unreserve": "loses its reservation", "correct": "runs past its predicted end",
}  # fmt: skip


LANES = re.compile(r"\d+([ -][\d -]+)?")
"""A note that names lanes and nothing else; the group is there if they are several."""


def said(event: str, job: int, note: str, lane: str) -> str:
    """Return an event of the example as a sentence; `lane`: what its lanes are."""
    found = LANES.fullmatch(note)
    where = f" {'to' if event == 'migrate' else 'on'} {lane}{'s' if found[1] else ''} {note}" if found else ""
    return f"Job {job} {VERBS[event]}{where or (f': {note}' if note else '')}."


def facts(entry: Algorithm, explanation: Explanation | None) -> html.Dl:
    """Paper, guarantee, complexity, workloads, command."""
    found = algorithms.facts(entry, html.Code(f"-a '{entry.slug}'"))
    if explanation:
        found.children[4:4] = [html.Dt("Complexity"), html.Dd(explanation.cost)]
    return found


def parts() -> list[Any]:
    """The parts of which names of fractional variants consist."""
    return [
        html.H2("Parts of the names"),
        fractional_table.table(),
        fractional_table.meanings(),
    ]


def rivals(entry: Algorithm, name: str) -> list[Any]:
    """Every algorithm of the family on the same twelve jobs."""
    same = [
        one for one in names() if one in held() and one not in (RECORDED, FRACTIONAL) and _family(one) == entry.family
    ]
    if name not in same or len(same) < 2:
        return []
    known = metrics()
    heads = ["Algorithm", *(html.Th(definition(metric, known[metric].title), scope="col") for metric in METRICS)]
    best = {metric: min(held()[one]["metrics"][metric] for one in same) for metric in METRICS}
    rows = []
    for one in same:
        link = dcc.Link(registry.find(one).title, href=urls.algorithm(one))
        cells: list[Any] = [html.Th(link, scope="row", **attributes({"aria-current": "true"} if one == name else {}))]
        for metric in METRICS:
            value = held()[one]["metrics"][metric]
            text = written(metric, value)
            is_best = value <= best[metric] * (1 + 1e-12)
            cells.append(html.Td([html.Strong(f"{text} (least)") if is_best else text]))
        rows.append(html.Tr(cells, className="st-thisone" if one == name else ""))
    return [
        html.H2("Rivals on the same twelve jobs"),
        html.P("A smaller value is better. Twelve jobs show how algorithms differ, not which one is better in general.",
               className="st-ink2"),
        tags.scrolled("st-table st-table-dense st-rivals", heads, rows),
    ]  # fmt: skip


def _family(name: str) -> str:
    return registry.find(VARIANT if name == FRACTIONAL else name).family
