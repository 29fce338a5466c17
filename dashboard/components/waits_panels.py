"""What stands on the page of waits: likeness, the figure and table of groups, the maps of a busy machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import run_tables, site_panel, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import chart, plain
from shadowtime.dashboard.components.export_menu import DOWNLOAD
from shadowtime.dashboard.components.waits_view import WaitsView
from shadowtime.dashboard.figures import busy as maps
from shadowtime.dashboard.figures import waits as draw
from shadowtime.dashboard.figures.lines import styles
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import busy, urls, waits
from shadowtime.engine.metrics.outages import DEMAND, IDLE, SHORTEST, USERS
from shadowtime.engine.metrics.usage_by import NAMED
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.tables import rows

HOURS = "hours"
SHOWS = {**waits.MEASURES, HOURS: "Processor-hours"}
CHANGE = {"function": "shadowtime.grid.change(params.value)"}
SHARE = {"function": "shadowtime.grid.percent(params.value)"}
TERMS = (
    f"for {SHORTEST / 3600:g} h or more at most "
    f"{100 * IDLE:g}{words.GAP}% of the processors were in use, although jobs that waited all that time asked for "
    f"{100 * DEMAND:g}{words.GAP}% of the machine or more, and jobs of {USERS} or more users among them could have run "
    f"from start to end."
)
RULE = f"Logs do not say when a machine was down, so outages are derived: {TERMS}"


def likeness(view: WaitsView) -> list[Any]:
    """One line a run: does the simulation look like the machine?"""
    found = view.likeness()
    if not found:
        return [html.P("This workload has no recorded starts: there is no recorded column.", className="st-ink2")]
    lines = [html.P(waits.likeness_words(view.names[one.run.id], known), className="st-likeness")
             for one, known in zip(view.runs, found, strict=True)]  # fmt: skip
    return lines


def groups(view: WaitsView, by: str, search: str = "") -> dict[str, Any]:
    """The rows of a way to group, as JSON values; those of a search are not cached."""

    def make() -> dict[str, Any]:
        found = waits.grouped(view.subject, by, waits.MOST, search.strip())
        return {
            "names": list(found.names),
            "records": waits.records(view.subject, found),
            "others": found.others,
            "found": found.found,
            "jobs": rows(view.subject.jobs),
            "compared": int(view.subject.among.sum()),
            "columns": [one.name for one in view.subject.columns],
            "recorded": view.subject.is_recorded,
        }

    return make() if search.strip() else view.kept(f"groups-{by}-{'-'.join(view.names.values())}", make)


def figure(view: WaitsView, known: dict[str, Any], by: str, show: str) -> dict[str, Any]:
    """The figure of a measure."""
    is_named = by in NAMED
    names, lines = known["names"], known["records"]
    if show == HOURS:
        return plain(draw.bars(names, [line["hours"] for line in lines], is_named, "processor-hours"))
    chosen = styles([one.run.spec.algorithm for one in view.runs])
    if known["recorded"]:
        chosen = [draw.RECORDED, *chosen]
    shift = 0 if known["recorded"] else 1
    shown = [
        draw.Shown(name, style, draw.SYMBOLS[n + shift], [line[f"{show}{n}"] for line in lines])
        for n, (name, style) in enumerate(zip(known["columns"], chosen, strict=True))
    ]
    return plain(draw.figure(names, shown, is_named, f"{waits.MEASURES[show].lower()} wait"))


def figure_height(known: dict[str, Any], by: str) -> int:
    """Pixels of the figure."""
    return draw.height(len(known["names"]), by in NAMED)


def figure_panel(view: WaitsView, known: dict[str, Any], by: str, show: str) -> Any:
    """The figure in its place."""
    label = f"{SHOWS[show]} by {waits.BY[by].lower()}; as a table below"
    made = chart("waits-groups", figure(view, known, by, show), label, figure_height(known, by))
    return tags.figure("st-panel", made)


def note(view: WaitsView, known: dict[str, Any], by: str, search: str) -> str:
    """How many groups there are, and which of them are shown."""
    many = words.count(known["found"], waits.BY[by].lower(), waits.BY[by].lower() + "s")
    if by in ("hour", "weekday"):
        clock = view.log.clock
        return "of submission, local time" + (f" ({clock.zone})" if clock is not None and clock.zone else "")
    if search.strip():
        shown = len(known["names"])
        first = f", the {shown:,} that use most" if shown < known["found"] else ""
        return f"{words.count(known['found'], 'match', 'matches')}{first}"
    if by not in NAMED:
        return many
    return f"{many}, by usage" + (f"; {known['others']:,} summed up" if known["others"] else "")


def caption(view: WaitsView, known: dict[str, Any]) -> str:
    """Over which jobs the waits are, and whose sizes."""
    missing = known["jobs"] - known["compared"]
    said = "A wait is the time from submission to start; usage is the work of all jobs."
    if view.subject.sizes_differ:
        said += " The runs gave jobs different sizes: by size, the sizes are those of the workload."
    if not missing:
        return f"{said} Over all {words.count(known['jobs'], 'job')}."
    return f"{said} Waits are over the {known['compared']:,} of {known['jobs']:,} jobs that have one in every column."


def columns(known: dict[str, Any], by: str) -> list[dict[str, Any]]:
    """The columns of the table: usage, then every measure of the waits under every schedule."""
    usage = [
        {"field": "jobs", "headerName": "Jobs", "width": 84, "valueFormatter": run_tables.COUNT},
        {"field": "hours", "headerName": "Proc. hours", "width": 116, "valueFormatter": run_tables.REAL},
        {"field": "share", "headerName": "Share", "width": 80, "valueFormatter": SHARE},
    ]
    measured = []
    for measure, title in waits.MEASURES.items():
        inside = [
            {"field": f"{measure}{n}", "headerName": name, "width": 108, "valueFormatter": run_tables.LENGTH}
            for n, name in enumerate(known["columns"])
        ]
        if known["recorded"] and len(known["columns"]) == 2:
            inside.append({"field": f"{measure}_difference", "headerName": "Difference", "width": 112,
                           "valueFormatter": CHANGE})  # fmt: skip
        measured.append({"headerName": f"{title} wait" if measure != "p90" else "90th percentile", "children": inside})
    first = {"field": "group", "headerName": waits.BY[by], "width": 132, "pinned": "left", "headerClass": "",
             "cellClass": "st-strong", "filter": "agTextColumnFilter"}  # fmt: skip
    return [{"headerName": "Group", "children": [first]}, {"headerName": "Usage", "children": usage}, *measured]


def table(view: WaitsView, known: dict[str, Any], by: str) -> html.Div:
    """The table in its room; the row of the others stays at its end however it is sorted."""
    lines = known["records"]
    cut = len(lines) - 1 if known["others"] else len(lines)
    height = min(34 * 2 + 28 * len(lines) + 20, 710)
    made = run_tables.grid("waits-grid", columns(known, by), None, view.first.span, lines[:cut], height)
    made.dashGridOptions["pinnedBottomRowData"] = lines[cut:]
    return html.Div(made, style={"minHeight": height})


def downloads(view: WaitsView, by: str) -> list[Any]:
    """The table as CSV and JSON, the figure as a picture."""
    link = urls.api_waits(view.ids, by, "csv")
    return [
        html.A("CSV", href=link, id="waits-csv", className="st-link", **DOWNLOAD),
        html.A("JSON", href=urls.api_waits(view.ids, by), id="waits-json", className="st-link"),
        *pictures("waits-figure"),
    ]


def pictures(place: str) -> list[Any]:
    """Buttons that save the figures in an element."""
    return [
        html.Button(kind.upper(), className="st-link", **attributes({"data-waits-file": kind, "data-place": place}))
        for kind in ("svg", "png")
    ]


def maps_of(view: WaitsView, of: str) -> dict[str, Any]:
    """The maps of a run (its id), or of what was recorded, with the outages."""
    clock = view.log.clock

    def make() -> dict[str, Any]:
        one = next((run for run in view.runs if run.run.id == of), view.first)
        lanes = int(one.asked["lanes"])
        if of == waits.RECORDED:
            made = busy.recorded(view.log, lanes) or {}
        else:
            made = busy.simulated({name: one.run.table(name) for name in ("jobs", "series", "segments")}, lanes, clock)
        return made

    return {**view.kept(f"busy-{of}", make), "stops": stops_of(view)}


def stops_of(view: WaitsView) -> list[dict[str, Any]]:
    """The outages that the log of the runs shows."""
    return view.kept("stops", lambda: busy.stops(view.log, int(view.first.asked["lanes"])))


def busy_panel(view: WaitsView, of: str) -> list[Any]:
    """The maps, the rule of outages and their list."""
    known = maps_of(view, of)
    if not known.get("hours"):
        return [html.P("There are no days to draw: nothing ran, or the log lasts more than ten years.")]
    clock = view.log.clock
    bands = [
        maps.Band(stop["days"][0] - known["first"], stop["days"][1] - known["first"], busy.stop_words(stop, clock))
        for stop in known["stops"]
    ]
    parts = [
        figure_of("waits-hours", "By hour of the day",
                  maps.hours(maps.Map(known["hours"], known["first"], known["dated"], bands)), maps.HOURS_HEIGHT)
    ]  # fmt: skip
    lane = "node" if of == waits.RECORDED else look_up_family(view.first.asked["kind"]).lane
    if known["groups"]:
        shown = maps.Map(known["groups"], known["first"], known["dated"], bands)
        each = -(-known["rows"] // len(known["groups"]))
        title = f"By {lane}s" if each == 1 else f"By groups of {each:,} {lane}s"
        parts.append(figure_of("waits-nodes", title, maps.groups(shown, known["rows"], lane), maps.GROUPS_HEIGHT))
    elif of == waits.RECORDED:
        parts.append(html.P("By nodes: this log does not say on which nodes its jobs ran.", className="st-caption"))
    else:
        parts.append(html.P("By nodes: the rectangles of this run were not kept.", className="st-caption"))
    return [*parts, *outages(view, known["stops"])]


def figure_of(name: str, title: str, made: dict[str, Any], height: int) -> Any:
    """A map in its place."""
    label = f"Busy share of the machine, {title[:1].lower()}{title[1:]}, a column a day"
    return tags.figure("st-panel", html.Figcaption(title, className="st-paneltitle"), chart(name, made, label, height))


def counted(stops: Sequence[Mapping[str, Any]]) -> str:
    """`27 outages, 123 h in all`."""
    hours = sum(stop["end"] - stop["start"] for stop in stops) / 3600.0
    return f"{words.count(len(stops), 'outage')}, {words.number(hours)}{words.GAP}h in all"


def outages(view: WaitsView, stops: Sequence[dict[str, Any]]) -> list[Any]:
    """The outages that the files of a site name; how many the log shows, by which rule, and a list of them."""
    site = of_site(view)
    if not view.subject.is_recorded or (site and not stops):
        return site
    if site:
        said = f"{counted(stops)}, under the triangles, derived from the jobs: {TERMS}"
    else:
        said = f"{counted(stops)}, under the triangles. {RULE}" if stops else f"No outage. {RULE}"
    times = [(busy.stop_words(stop, view.log.clock), stop["start"], stop["end"]) for stop in stops]
    return [*site, html.P(said, className="st-caption", id="waits-outages"), *(listed(view, times) if stops else [])]


def of_site(view: WaitsView) -> list[Any]:
    """How many outages of nodes the files of a Slurm site name, and a list of them; nothing without any."""
    found = site_panel.site_of(view.first)["outages"]
    if not found:
        return []
    last = view.first.span[1]
    times = [
        (site_panel.text(one, view.first), one["start"], last if one["end"] is None else one["end"])
        for one in found[: site_panel.MOST_DRAWN]
    ]
    said = f"{words.count(len(found), 'outage')} of the site, as its files record; hatched in the schedule."
    return [html.P(said, className="st-caption", id="waits-site-outages"), *listed(view, times)]


def listed(view: WaitsView, times: Sequence[tuple[str, float, float]]) -> list[Any]:
    """Outages as a list of links; each a sentence, start and end [s]."""
    lines = [html.Li(dcc.Link(text, href=schedule(view, start, max(start + 1.0, end)))) for text, start, end in times]
    summary = html.Summary("list them, each a link to the schedule at that time")
    return [tags.details("st-astable", summary, html.Ul(lines, className="st-outages"))]


def schedule(view: WaitsView, start: float, end: float) -> str:
    """The schedules at a time, with as much before and after it."""
    shown = urls.View(start=2 * start - end, end=2 * end - start)
    if len(view.runs) == 1:
        return urls.run(view.first.run.id, shown)
    return f"{urls.compare(urls.Comparison(runs=view.ids))}&{shown.query()}"


def choices(identity: str, value: str, data: Sequence[tuple[str, str]], label: str) -> Any:
    """A switch between a few things."""
    return dmc.SegmentedControl(
        id=identity,
        value=value,
        data=[{"value": name, "label": word} for name, word in data],
        size="xs",
        **attributes({"aria-label": label}),
    )
