"""The figures of all pages: one name each, with its formula, its unit and what papers call it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look.definitions import (
    OF_A_GROUP,
    OF_A_JOB,
    OF_A_MODEL,
    OF_A_PAIR,
    OF_A_RUN,
    OF_THE_MACHINE,
    Definition,
    metrics,
)
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.metrics.metric import Metric

UNITS = {"s": "time", "share": "share of 1", "lane s": "processor seconds", "B/s": "bytes per second", "": "number"}
SYMBOLS = (
    "r submission, s first start, f end, p runtime, w weight, n size of a job, T = f − r its turnaround; N jobs that "
    "ended, P processors (or nodes), M makespan; τ the least runtime that bounded slowdown counts."
)

HEADS = ("Figure", "Formula", "Meaning", "Unit, better")


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page."""
    known = metrics()
    return Shown(
        "Glossary",
        tags.div(
            "st-single",
            tags.div(
                "st-headline",
                html.H1("Glossary"),
                html.Span("Every figure with its name, formula and unit", className="st-ink2"),
            ),
            html.P(["In the formulas: ", SYMBOLS], className="st-lead"),
            section("Of one job", [entry(name, one) for name, one in OF_A_JOB.items()]),
            section("Of a run", [of_metric(one) for one in known.values()]),
            section("Useful work U, by which utilization is defined", models(), ("Model", "Formula", "Meaning")),
            section("Of a job in a comparison", [entry(name, one) for name, one in OF_A_PAIR.items()]),
            section("Of a group of jobs", [entry(name, one) for name, one in OF_A_GROUP.items()]),
            section("Of the machine, and beside a bound", [entry(name, one) for name, one in OF_THE_MACHINE.items()]),
            html.P(
                [
                    "More words, such as backfilling, reservation and lease, are in the ",
                    html.A("glossary of the documents", href=f"{urls.DOCS}reference/glossary/", className="st-link"),
                    ".",
                ],
                className="st-ink2",
            ),
        ),
    )


def section(title: str, rows: Sequence[html.Tr], heads: Sequence[str] = HEADS) -> html.Section:
    """A table of definitions."""
    return tags.section("st-block", html.H2(title), tags.scrolled("st-table st-stacked st-glossary", heads, list(rows)))


def of_metric(metric: Metric) -> html.Tr:
    """A metric of a run; one that only some families have says so."""
    known = OF_A_RUN.get(metric.name, Definition(metric.title, ""))
    families = " Only " + ", ".join(name.replace("_", "-") for name in metric.kinds) + "." if metric.kinds else ""
    better = f", {metric.better} is better" if metric.better != "neither" else ""
    unit = f"{UNITS.get(metric.unit, metric.unit)}{better}"
    return entry(metric.name, Definition(metric.title, known.formula, metric.text + families, known.also), unit)


def models() -> list[html.Tr]:
    """A line a model: what utilization counts there."""
    return [
        tags.tr(
            "",
            html.Th(html.Span(one.title, className="st-strong"), scope="row"),
            html.Td(html.Code(one.formula)),
            html.Td(one.text),
            id=name,
        )
        for name, one in OF_A_MODEL.items()
    ]


def entry(name: str, one: Definition, unit: str = "") -> html.Tr:
    """A line, to which every page that shows the figure links."""
    meaning: list[Any] = [one.text]
    if one.also:
        meaning.append(html.Div(f"Also called {one.also}.", className="st-ink3"))
    title = [html.Span(one.title, className="st-strong"), html.Br(), html.Code(name, className="st-ink3")]
    return tags.tr(
        "", html.Th(title, scope="row"), html.Td(html.Code(one.formula)), html.Td(meaning), html.Td(unit), id=name
    )
