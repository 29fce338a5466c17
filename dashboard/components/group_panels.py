"""The panels of a run per user and class: figures, use of the machine over time, distributions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import dash_ag_grid as dag
from dash import html

from shadowtime.dashboard.components import run_tables, tags
from shadowtime.dashboard.components.chart import as_table, chart, plain
from shadowtime.dashboard.components.compare_panels import WHAT, ticks_of
from shadowtime.dashboard.components.export_menu import DOWNLOAD
from shadowtime.dashboard.components.group_view import CLASSES, OF, GroupView
from shadowtime.dashboard.components.run_panels import definition, section_title
from shadowtime.dashboard.components.waits_panels import SHARE, choices
from shadowtime.dashboard.figures import cumulative, group_use
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import groups, urls
from shadowtime.dashboard.sharing.classes import AREA, AREA_RULE, SIZE
from shadowtime.engine.registry import look_up_family

CHART_HEIGHT = 260
LOWEST = 34 * 2
NAMES = {name: WHAT[name].title for name in OF}
"""The values of jobs that are drawn, in words."""


def content(shown: GroupView) -> list[Any]:
    """All panels, with the first way to group chosen."""
    ways = shown.ways
    if not ways:
        return [html.P("This run has no jobs.", className="st-ink3")]
    by = ways[0]
    first = [
        tags.div(
            "st-inline st-waitscontrols",
            choices("groups-by", by, [(name, groups.BY[name]) for name in ways], "Group by"),
        ),
        html.Div(of_groups(shown, by), id="groups-shown"),
    ]
    return [*first, distributions(shown)]


def of_groups(shown: GroupView, by: str) -> list[Any]:
    """The table of all groups, and the small figures of the largest."""
    lines, used = shown.records(by), shown.use(by, group_use.POINTS)
    name = groups.BY[by].lower()
    many = words.count(len(lines), name, f"{name}{'es' if name.endswith('s') else 's'}")
    links = tags.span(
        "st-files",
        html.A("CSV", href=urls.api_groups(shown.view.run.id, by, "csv"), className="st-link", **DOWNLOAD),
        html.A("JSON", href=urls.api_groups(shown.view.run.id, by), className="st-link"),
    )
    means: list[Any] = [
        "Means over the jobs that ended: ", definition("wait", "wait"), ", ",
        definition("turnaround", "turnaround"), ", ",
        definition("bounded_slowdown", "bounded slowdown"), f" (τ = {words.duration(shown.view.tau)}). ",
        "Share: processors × runtime of the group, of that of all jobs.",
    ]  # fmt: skip
    rule = [html.P(f"Classes: {AREA_RULE}.", className="st-caption")] if by == AREA else []
    cut = lines[: run_tables.AT_ONCE]
    left = [f" The table has the first {len(cut):,}; the files have all."] if len(cut) < len(lines) else []
    return [
        tags.div("st-section-title", html.H3(f"By {name}"), html.Span(many, className="st-note"), links),
        table(shown, by, cut),
        html.P([*means, *left], className="st-caption"),
        *rule,
        *small(shown, by, used),
    ]


def table(shown: GroupView, by: str, lines: list[dict[str, Any]]) -> dag.AgGrid:
    """One row a group."""
    columns = [
        {"field": "group", "headerName": groups.BY[by], "width": 150, "pinned": "left", "headerClass": "",
         "cellClass": "st-strong", "filter": "agTextColumnFilter"},
        {"field": "jobs", "headerName": "Jobs", "width": 92, "valueFormatter": run_tables.COUNT},
        {"field": "ended", "headerName": "Ended", "width": 92, "valueFormatter": run_tables.COUNT},
        {"field": "share", "headerName": "Share of work", "width": 126, "valueFormatter": SHARE},
        {"field": "mean_wait", "headerName": "Mean wait", "width": 126, "valueFormatter": run_tables.LENGTH},
        {"field": "mean_flow", "headerName": "Mean turnaround", "width": 150, "valueFormatter": run_tables.LENGTH},
        {"field": "mean_bounded_stretch", "headerName": "Mean bounded slowdown", "width": 188,
         "valueFormatter": run_tables.REAL},
    ]  # fmt: skip
    height = min(LOWEST + 28 * len(lines), 410)
    return run_tables.grid("groups-grid", columns, None, shown.view.span, lines, height)


def small(shown: GroupView, by: str, used: dict[str, Any]) -> list[Any]:
    """A figure a group: its share of the machine over time, all on one scale."""
    head = section_title("Utilization over time", "", "groups-note", "useful_cpu")
    if used["use"] is None:
        limit = f"{groups.MOST_SEGMENTS:,}"
        return [head, html.P(f"Not drawn for runs of more than {limit} rectangles.", className="st-ink3")]
    end = group_use.top(used["use"])
    figures = []
    for at, (name, share, values) in enumerate(zip(used["names"], used["share"], used["use"], strict=True)):
        title = f"{said(shown, by, name)} · {words.number(100 * share)}{words.GAP}% of the work"
        drawn = group_use.figure(name, used["edges"], values, end, shown.view.clock)
        label = f"Share of the machine over time: {title}"
        figures.append(
            tags.figure(
                "st-panel",
                html.Figcaption(title, className="st-paneltitle"),
                chart(f"groups-use-{at}", drawn, label, group_use.HEIGHT),
            )
        )
    rule = (
        f"Useful CPU of each group, in percent of the whole machine, as means over {group_use.POINTS} equal spans; "
        f"all on the scale from 0 to {end:g}{words.GAP}%."
    )
    return [head, tags.div("st-panels st-panels-groups", *figures), html.P(rule, className="st-caption")]


def said(shown: GroupView, by: str, name: str) -> str:
    """`user 13`, `2–8 processors`; area classes and the sum of the others as they are."""
    if by == SIZE:
        held = look_up_family(shown.view.asked["kind"]).held
        return f"{name} {held}" if name == "1" else f"{name} {held}s"
    return name if by == AREA or name.endswith((" other", " others")) else f"{groups.BY[by].lower()} {name}"


def distributions(shown: GroupView) -> html.Section:
    """How wait, turnaround and slowdown are spread within the classes."""
    what, by = "wait", SIZE
    drawn = spread(shown, what, by)
    return tags.section(
        "st-block",
        html.Div(head(what), id="classes-head"),
        tags.div(
            "st-inline st-waitscontrols",
            choices("classes-what", what, list(NAMES.items()), "Value"),
            choices("classes-by", by, [(name, groups.BY[name]) for name in CLASSES], "Classes"),
        ),
        chart("classes", drawn["figure"], "Share of the jobs of each class at or below a value", CHART_HEIGHT),
        html.Div(drawn["table"], id="classes-table"),
        html.P(f"Size classes by processors. Area classes: {AREA_RULE}.", className="st-caption"),
    )


def head(what: str) -> html.Div:
    """The title, with the entry of the value in the glossary."""
    title = f"{NAMES[what]} by class"
    return section_title(title, "share of the jobs of a class at or below, log axis", "classes-note", OF[what])


def spread(shown: GroupView, what: str, by: str) -> dict[str, Any]:
    """Figure and table of one value of the jobs of each class."""
    kind = WHAT[what]
    floor = 1.0 if what == "stretch" else kind.floor
    ticks, finer = ticks_of(what)
    lines = [replace(line, name=said(shown, by, line.name)) for line in shown.lines(by, what)]
    figure = plain(cumulative.figure(lines, Scale(floor, ticks, kind.text, finer), 900))
    made = as_table(["Jobs", *(line.name for line in lines)], cumulative.rows(lines, kind.text))
    return {"figure": figure, "table": made}


def closed() -> html.Section:
    """Where the panels come to stand at a click: they cost a look through all rectangles."""
    button = html.Button("Show", id="groups-button", className="st-link")
    title = tags.div("st-section-title", html.H2("By user and class"), button)
    return tags.section("st-groupsection", title, html.Div(id="groups-panels"))
