"""The schedules of compared runs under one axis: what stands around them; browser code fills the rails and draws."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import export_menu, naming, states, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.compare_view import MOST, Compared
from shadowtime.dashboard.components.gantt import Gantt
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.run_head import share, waits
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine import registry as policies

HEIGHTS = {2: 216, 3: 156, 4: 124, 5: 104, 6: 90}
"""CSS pixels of a pane by how many runs there are: two thirds of a screen in all."""
TWO_TIERS = 1.75
AXIS = 24
SHOWN = (("stacked", "Stacked"), ("difference", "Difference"), ("scatter", "Scatter"))


def head(found: Compared, mates: list[tuple[str, str]]) -> list[Any]:
    """Title and facts; what can be done with the comparison."""
    return [
        tags.div(
            "st-headline",
            html.H1(found.title),
            *visitor.mark_all([one.run for one in found.runs]),
            html.Span(facts(found), className="st-ink2"),
            html.Div(className="st-grow"),
            tags.div("st-actions", *add(found, mates), *who_waited(found), *mine(found), export(found)),
        ),
    ]


def mine(found: Compared) -> list[Any]:
    """The buttons that share the comparison, if none of its runs is another person's private one."""
    if not all(visitor.owns(one.run) for one in found.runs):
        return []
    return [share(is_private=any(one.run.is_private for one in found.runs))]


def who_waited(found: Compared) -> list[Any]:
    """To the waits of all of them, where they are about the same jobs and have ended."""
    return [waits([one.run.id for one in found.runs])] if found.is_whole and not found.asked.align else []


def facts(found: Compared) -> str:
    """`751 jobs · 100 processors · the same jobs for all`."""
    specs = [one.run.spec for one in found.runs]
    kinds = [one.asked["kind"] for one in found.runs]
    machines = list(dict.fromkeys(map(naming.platform_words, (spec.platform for spec in specs), kinds)))
    tables = found.tables()
    n = len(tables[0]["job_id"]) if tables[0] else int(found.runs[0].asked["jobs"])
    if found.asked.align:
        counts = words.joined([f"{int(one.asked['jobs']):,}" for one in found.runs])
        origin = "times from the start of each workload"
        return " · ".join([f"aligned by job id: {n:,} of {counts} jobs", origin, *machines])
    return " · ".join([words.count(n, "job"), *machines, "the same jobs for all"])


def add(found: Compared, mates: list[tuple[str, str]]) -> list[Any]:
    """One more run on the same jobs, as long as there is room and one is known."""
    if not mates or len(found.runs) >= MOST:
        return []
    box = dmc.Select(
        id="compare-add",
        placeholder="Add a run",
        data=[{"value": run_id, "label": f"{name} · {run_id[:6]}"} for run_id, name in mates],
        searchable=True,
        leftSection=icon("plus"),
        w=150,
        comboboxProps={"width": 280, "position": "bottom-end"},
        attributes={"input": {"aria-label": "Add a run on the same jobs"}},
    )
    return [box]


def export(found: Compared) -> dmc.Menu:
    """The schedules as a picture; the numbers, for other programs."""
    pair = f"{found.name(found.of)} against {found.name(found.baseline)}"
    numbers = [
        export_menu.item("Figures as JSON", urls.api_compare(found.asked)),
        export_menu.item(f"Jobs as CSV, {pair}", urls.api_compared_jobs(found.asked)),
    ]
    report = [export_menu.item(export_menu.REPORT, urls.api_compared_report(found.asked))] if found.is_whole else []
    return export_menu.menu([*export_menu.pictures(), *report, dmc.MenuDivider(), *numbers])


def controls(found: Compared) -> html.Div:
    """How to look at it, and against which run."""
    return tags.div(
        "st-controls",
        dmc.SegmentedControl(
            id="compare-show",
            data=[{"value": value, "label": label} for value, label in SHOWN],
            value=found.asked.show,
            size="sm",
        ),
        tags.label(
            "st-inline",
            html.Span("baseline", className="st-ink3 st-small"),
            dmc.Select(
                id="compare-baseline",
                data=[{"value": one.run.id, "label": found.name(one)} for one in found.runs],
                value=found.baseline.run.id,
                allowDeselect=False,
                w=150,
                size="sm",
                attributes={"input": {"aria-label": "Baseline"}},
            ),
        ),
        html.Div(id="compare-bar", className="gv st-comparebar"),
    )


def stack(found: Compared) -> html.Div:
    """A rail and a viewer for each run; browser code moves the first one's controls over and under all of them."""
    lanes = [lane(found, one, place) for place, one in enumerate(found.runs)]
    below = [
        html.Div(id="compare-submitted", className="st-submitted", **attributes({"aria-live": "polite"})),
        html.Div(id="compare-now", className="gv"),
        html.Section(
            id="compare-lives",
            className="st-lives st-hidden",
            **attributes({"aria-label": "Timeline of a job in each run"}),
        ),
        html.Div(id="compare-scrub", className="gv st-comparescrub"),
    ]
    return tags.div("st-stack st-only-stacked", *lanes, *below, id="compare-stack")


def has_two_tiers(one: RunView) -> bool:
    """Jobs were put into the background, or may yet be."""
    if one.is_finished:
        return bool(one.run.table("segments")["tier"].any())
    known = policies.algorithms().get(one.run.spec.algorithm)
    return known is not None and all(policies.find_family(kind).tiers > 1 for kind in known.kinds)


def settings(found: Compared, one: RunView, place: int) -> dict[str, str]:
    """Of the schedule of a run: the first one brings the axis and the controls of all."""
    height = HEIGHTS[max(2, len(found.runs))] * (TWO_TIERS if has_two_tiers(one) else 1)
    return {
        "group": "compare",
        "link": "off" if place else "on",
        "parts": "none" if place else "bar axis scrub",
        "height": str(round(height + (0 if place else AXIS))),
        "colour": "stretch",
    }


def lane(found: Compared, one: RunView, place: int) -> html.Div:
    """One run: its name, the values at the cursor, its schedule."""
    state = "" if one.is_finished else states.WORDS[one.run.status.status]
    more = Comparison(
        runs=tuple(run_id for run_id in found.asked.runs if run_id != one.run.id), align=found.asked.align
    )
    leave: list[Any] = []
    if len(found.runs) > 2:
        label = f"Remove {found.name(one)}"
        leave = [
            html.A(
                icon("x", 14), href=urls.compare(more), className="st-leave", title=label,
                **attributes({"aria-label": label, "data-leave": one.run.id}),
            )
        ]  # fmt: skip
    rail = tags.div(
        "st-rail",
        tags.div(
            "st-railhead",
            dcc.Link(found.name(one), href=urls.run(one.run.id), className="st-railname"),
            html.Span("baseline", className="st-ink3 st-small st-isbaseline"),
            *leave,
        ),
        html.Div(state, className="st-railstate st-accent"),
        html.Div(className="st-railfacts"),
        html.Div(className="st-railwhy"),
    )
    return tags.div(
        "st-lane st-lane-first" if place == 0 else "st-lane",
        rail,
        Gantt(id=f"compare-gantt-{one.run.id}", run=one.run.id, **settings(found, one, place)),
        **attributes(
            {
                "data-run": one.run.id,
                "data-name": found.name(one),
                "data-baseline": "true" if one is found.baseline else "false",
            }
        ),
    )
