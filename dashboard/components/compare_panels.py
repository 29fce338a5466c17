"""What stands beside and under the schedules of compared runs: winners and losers, distributions, differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import html

from shadowtime.dashboard.components import compare_jobs, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import as_table, chart, plain
from shadowtime.dashboard.components.compare_view import Compared
from shadowtime.dashboard.components.run_panels import DEFINED, SPREADS, Spread, section_title
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.figures import cumulative, differences, distribution, overlaid, usage
from shadowtime.dashboard.figures.lines import Line, Style, styles
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import words
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.engine.metrics.jobs import flow
from shadowtime.engine.output.series import series_of
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.tables import SEGMENTS, Table, empty, rows

FLOW = Spread(
    "flow", "Turnaround", lambda one: flow(one.jobs), distribution.WAIT_FLOOR, f"below 10{words.GAP}s",
    distribution.WAIT_TICKS, words.duration,
)  # fmt: skip
DONE = Spread(
    "done", "Weight", lambda one: np.asarray(one.jobs["end"]), distribution.WAIT_FLOOR, f"below 10{words.GAP}s",
    distribution.WAIT_TICKS, words.duration,
)  # fmt: skip
"""Ends counted from second 0, each with its job's weight: what lies over the curve is the weighted completion."""
WHAT: dict[str, Spread] = {spread.name: spread for spread in (*SPREADS, FLOW, DONE)}
"""Kinds whose objective is the weighted completion."""
STRETCH_TICKS = ((1.0, "1"), (10.0, "10"), (100.0, "100"), (1e3, "1,000"), (1e4, "10,000"), (1e5, "100,000"),
                 (1e6, "1,000,000"))  # fmt: skip
Ticks = Sequence[tuple[float, str]]
FORMS = (("share", "Cumulative"), ("count", "Histogram"))
CHART_HEIGHT = 232
SCATTER_HEIGHT = 540
SIDES = (("sooner", "accent"), ("same", "stretch-0"), ("later", "bgt"))


def line_styles(found: Compared) -> dict[str, Style]:
    """How the line of each run is drawn, by its id."""
    chosen = styles([one.run.spec.algorithm for one in found.runs])
    return {one.run.id: style for one, style in zip(found.runs, chosen, strict=True)}


def spread(found: Compared) -> list[Any]:
    """The panel of distributions: what of the jobs, and as which picture."""
    what, _, form = found.asked.spread.partition("-")
    what, form = (what, form) if what in WHAT else ("stretch", "share")
    shown = distributions(found, what, form)
    return [
        section_title("Distributions", shown["note"], "compare-spread-note", DEFINED.get(what, "turnaround")),
        tags.div(
            "st-inline st-charttools",
            dmc.SegmentedControl(
                id="compare-what",
                size="xs",
                value=what,
                data=[
                    {"value": name, "label": kind.title}
                    for name, kind in WHAT.items()
                    if kind is not DONE or look_up_family(found.baseline.asked["kind"]).is_weighted
                ],
            ),
            dmc.SegmentedControl(
                id="compare-form",
                size="xs",
                value=form,
                data=[{"value": value, "label": label} for value, label in FORMS],
            ),
        ),
        chart("compare-spread", shown["figure"], "How the jobs of each run are spread", CHART_HEIGHT),
        html.Div(shown["table"], id="compare-spread-table"),
    ]


def scatters(found: Compared) -> list[Any]:
    """Places of the figures of stretch against stretch; browser code, which holds the jobs, fills them."""
    return [
        tags.div(
            "st-scatter",
            tags.div("st-scatterhead", html.H2(), html.Span(className="st-note")),
            chart(f"compare-scatter-{place}", None, "Bounded slowdown against bounded slowdown", SCATTER_HEIGHT),
        )
        for place in range(len(found.runs) - 1)
    ]


def ticks_of(what: str) -> tuple[Ticks, Ticks]:
    """The ticks of the axis of a value of the jobs, and those where it spans few decades."""
    if what == "stretch":
        return STRETCH_TICKS, distribution.FINER_STRETCHES
    return ((10.0, f"10{words.GAP}s"), *WHAT[what].ticks), distribution.FINER_WAITS


def distributions(found: Compared, what: str, form: str) -> dict[str, Any]:
    """Figure, note and table of one value of the jobs under every run."""
    kind = WHAT[what]
    ready = [one for one in found.runs if rows(one.jobs) and one.ended]
    if not ready:
        return {"figure": None, "note": "no job has ended", "table": None}
    floor = 1.0 if what == "stretch" else kind.floor
    ticks, finer = ticks_of(what)
    chosen = line_styles(found)

    def make() -> dict[str, Any]:
        drawn = [
            Line(
                found.name(one), chosen[one.run.id], np.asarray(kind.values(one)),
                np.asarray(one.jobs["weight"]) if kind is DONE and form == "share" else None,
            )
            for one in ready
        ]  # fmt: skip
        head = [found.name(one) for one in ready]
        if form == "count":
            figure = overlaid.figure(drawn, Scale(kind.floor, kind.ticks, kind.text, finer))
            return {"figure": plain(figure), "rows": overlaid.rows(drawn, kind.floor, kind.text), "head": head}
        figure = cumulative.figure(drawn, Scale(floor, ticks, kind.text, finer))
        return {"figure": plain(figure), "rows": cumulative.rows(drawn, kind.text), "head": head}

    known = found.kept(ready, f"{what}-{form}-{'-'.join(found.names.values())}", make)
    whole = "weight" if kind is DONE else "jobs"
    first = whole.title() if form == "share" else kind.title
    note = f"share of {whole} at or below" if form == "share" else "jobs in logarithmic bins"
    return {
        "figure": known["figure"],
        "note": f"{note}, log axis",
        "table": as_table([first, *known["head"]], known["rows"]),
    }


def winners(found: Compared) -> list[Any]:
    """A bar of three counts for each other run, and the largest gains and losses of one of them."""
    base, chosen = found.baseline, found.of
    parts: list[Any] = [
        section_title("Winners and losers", f"turnaround, against {found.name(base)}", define="turnaround")
    ]
    parts += [bar(found, one, is_chosen=one is chosen) for one in found.others]
    result = found.outcome(chosen)
    if not result or not result["jobs"]:
        late = next((one for one in (base, chosen) if not one.is_finished), None)
        why = f" yet; {found.standing(late)}" if late else ""
        return [*parts, html.P(f"No job has ended under both{why}.", className="st-ink3 st-small")]
    for side, title in (("gained", "Largest gains"), ("lost", "Largest losses")):
        if result[side]:
            parts.append(html.Div(f"{title} under {found.name(chosen)}", className="st-caption st-extremehead"))
            parts.append(html.Table(html.Tbody([extreme(found, one) for one in result[side]]), className="st-extremes"))
    parts.append(html.P(sentence(result), className="st-caption"))
    return parts


def sentence(result: Mapping[str, Any]) -> str:
    """What the three counts count."""
    mean, median = (_apart(result[name]) for name in ("mean_difference", "median_difference"))
    said = [f"Of {words.count(result['jobs'], 'job')} that ended under both, "]
    if result["mean_difference"] == result["median_difference"] == 0:
        said.append("the mean and the median job end at the same time.")
    else:
        said.append(f"the mean job ends {mean}, the median job {median}.")
    if result["left_out"]:
        said.append(f" {words.count(result['left_out'], 'job')} did not end under both.")
    return "".join(said)


def _apart(seconds: float) -> str:
    """How much sooner or later a job ends."""
    if seconds == 0:
        return "at the same time"
    return f"{words.duration(abs(seconds))} {'sooner' if seconds < 0 else 'later'}"


def bar(found: Compared, other: RunView, *, is_chosen: bool) -> html.Button:
    """One run against the baseline; a click makes it the one whose jobs are listed."""
    result = found.outcome(other)
    counts = {side: int(result[side]) if result else 0 for side, _ in SIDES}
    total = max(1, sum(counts.values()))
    pieces = [
        html.Span(
            className="st-barpiece",
            style={"width": f"{100 * counts[side] / total:.3f}%", "background": f"var(--st-{colour})"},
        )
        for side, colour in SIDES
    ]
    said = [html.Span(f"{counts[side]:,} {side}", className=f"st-count-{side}") for side, _ in SIDES]
    return tags.button(
        "st-winner",
        html.Span(found.name(other), className="st-barname"),
        html.Span(pieces, className="st-threebar"),
        html.Span(said, className="st-threecounts"),
        **attributes(
            {
                "data-of": other.run.id,
                "aria-pressed": "true" if is_chosen else "false",
                "aria-label": f"{found.name(other)}: " + ", ".join(f"{counts[side]:,} {side}" for side, _ in SIDES),
            }
        ),
    )


def extreme(found: Compared, job: Mapping[str, Any]) -> html.Tr:
    """A job that gained or lost; a click selects it in all schedules."""
    difference = job["difference"]
    sign = "+" if difference > 0 else ""
    stretches = " to ".join(words.number(job[side]["stretch"]) for side in ("baseline", "run"))
    one = look_up_family(found.of.asked["kind"]).held
    size = f"{job['processors']:,} proc." if one == "processor" else words.count(job["processors"], one)
    return tags.tr(
        "",
        html.Td(
            html.Button(f"job {job['job_id']}", className="st-link", **attributes({"data-job": str(job["job_id"])}))
        ),
        html.Td(size, className="st-ink2"),
        html.Td(f"{sign}{words.duration(difference)}", className="st-value"),
        title=f"bounded slowdown {stretches}",
    )


def how_much(found: Compared) -> html.Section:
    """By how much jobs are done sooner or later."""
    base, other = found.baseline, found.of
    title = f"{found.name(other)} against {found.name(base)}"
    result = found.outcome(other)
    if not result or not result["jobs"]:
        return tags.section("", section_title(title), html.P("No job has ended under both yet.", className="st-ink3"))

    def make() -> dict[str, Any]:
        shown = differences.differences(found.pair(other).difference(), compare_jobs.SAME)
        return {"figure": plain(differences.figure(shown)), "rows": differences.rows(shown)}

    known = found.kept([base, other], "how-much", make)
    label = f"Jobs by how much sooner or later they end under {found.name(other)} than under {found.name(base)}"
    note = f"finish delay of each job; {result['same']:,} unchanged"
    return tags.section(
        "",
        section_title(title, note, define="turnaround"),
        chart("compare-how-much", known["figure"], label, 264),
        as_table(["Finish delay", "Sooner", "Later"], known["rows"]),
    )


def machine(found: Compared) -> html.Section:
    """Utilization and demand of all runs over one axis."""
    chosen = line_styles(found)

    def make() -> dict[str, Any]:
        used = [usage.Used(found.name(one), chosen[one.run.id], series(one)) for one in found.runs]
        lanes = max(int(one.asked["lanes"]) for one in found.runs)
        return plain(usage.figure(used, lanes, found.runs[0].clock, look_up_family(found.of.asked["kind"]).lane))

    figure = found.kept(list(found.runs), f"machine-{'-'.join(found.names.values())}", make)
    return tags.section(
        "",
        section_title("Utilization and demand", f"means over {usage.POINTS} equal spans", define="demand"),
        chart("compare-machine", figure, "Useful CPU and demand of each run over time", 300),
    )


def series(one: RunView) -> Table:
    """Useful CPU and demand of a run: exact once it is finished, by its rectangles so far before."""
    if one.is_finished:
        return useful(one.run)
    if not rows(one.jobs):
        return {"time": np.zeros(0), "useful": np.zeros(0), "demand": np.zeros(0)}
    live = one.context.store.runs.live(one.run.digest)
    segments = live.read("segments")
    jobs = {**one.jobs, "cpu_need": one.jobs["usage"]} if "usage" in one.jobs else one.jobs
    known = series_of(jobs, segments if rows(segments) else empty(SEGMENTS), exclusive=one.is_exclusive)
    until = float(segments["end"].max()) if rows(segments) else -np.inf  # what comes after is not simulated yet
    shown = {"time": "time", "useful": "utilization", "demand": "demand"}
    return {name: known[column][known["time"] <= until] for name, column in shown.items()}
