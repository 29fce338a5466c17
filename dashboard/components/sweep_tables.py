"""Tables of a sweep: the ranking, two variants against each other, and the runs behind a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from shadowtime.dashboard import urls, words
from shadowtime.dashboard.components import results
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.sweep_view import Choice, SweepView
from shadowtime.dashboard.figures import sweep as draw
from shadowtime.dashboard.sweeps import numbers
from shadowtime.workers.sweeps import pairs, report
from shadowtime.workers.sweeps.points import points

LISTED = 60
"""Runs of a point that are listed."""
PAIRS = ("ratio", "95 % interval", "smaller : larger : equal", "sign test")


def ranking(view: SweepView, choice: Choice) -> list[Any]:
    """All variants by their mean rank, and whether the first one's lead is more than chance."""
    found = pairs.ranking(view.outcomes, view.sweep.status.workloads, choice.metric)
    rows = []
    for one in found["ranking"]:
        against = one["against_first"]
        apart = {None: "", True: "differs", False: "may be chance"}[one["differs_from_first"]]
        cells = [
            f"{one['place']}", view.variant_names[one["variant"]], words.number(one["mean_rank"]),
            results.written(choice.metric, one["mean"]),
            words.ratio(against["ratio"]) if against else "", _p(one["p_adjusted"]) if against else "", apart,
        ]  # fmt: skip
        rows.append(
            html.Tr([html.Td(cell, className="st-right" if n not in (1, 6) else "") for n, cell in enumerate(cells)])
        )
    head = ("", "Algorithm", "Mean rank", "Mean", "to the first", "p (Holm)", "Against the first")
    table = html.Table(
        [
            html.Thead(html.Tr([html.Th(name, scope="col", className="st-right" if n not in (1, 6) else "")
                                for n, name in enumerate(head)])),
            html.Tbody(rows),
        ],
        className="st-table st-ranking",
    )  # fmt: skip
    said = f"{words.count(found['instances'], 'instance')} where all have a value"
    if found["left_out"]:
        said += f"; {found['left_out']:,} left out"
    if found["friedman"] is not None:
        said += f". Friedman's test that none differs: {_p(found['friedman'], 'p')}"
    note = "Ratios are geometric means over the same instances; p is of the sign test, adjusted after Holm."
    return [
        html.Div(table, className="st-scroll"),
        html.P(f"{said}. {note}", className="st-caption"),
        *warned(found["warnings"]),
    ]


def paired(view: SweepView, choice: Choice, a: int, b: int) -> list[Any]:
    """Variant `a` against `b` on the same instances."""
    if not view.counts["finished"]:
        return []
    found = pairs.pairs(view.outcomes, view.sweep.status.workloads, choice.metric, a, b)
    places = [("All instances", found["all"])]
    if len(found["points"]) > 1:
        many = len(view.workload_names) > 1
        for one in found["points"]:
            name = [view.workload_names[one["place"]["workload"]]] if many else []
            name += [f"load {one['load']:g}"] if one["load"] is not None else []
            places.append((", ".join(name), one))
    rows = [
        (name, *(float("nan") if one[key] is None else float(one[key]) for key in ("ratio", "ratio_low", "ratio_high")),
         one["n"])
        for name, one in places
    ]  # fmt: skip
    left, right = view.variant_names[a], view.variant_names[b]
    made = draw.forest(rows, found["better_is"])
    whole = found["all"]
    table = [
        [
            name,
            words.ratio(one["ratio"]),
            _between(one),
            f"{one['smaller']} : {one['larger']} : {one['equal']}",
            _p(one["p"]),
        ]
        for name, one in places
    ]
    winner = {"a": left, "b": right, None: "neither"}[whole["better"]]
    return [
        html.P(
            [html.Strong(f"{left} is {words.ratio(whole['ratio'])} of {right}"),
             f" in {results.titled(choice.metric).lower()} over {words.count(whole['n'], 'instance')}; the sign test "
             f"prefers {winner} ({_p(whole['p'], 'p')})."] if whole["ratio"] is not None else
            "No instance has a value of both.",
            className="st-lead",
        ),
        chart("sweep-pairs", made, f"{left} over {right}, a row a place", 56 + draw.ROW * len(rows)),
        html.P("Left of ×1: less than the other. Filled: the 95 % interval leaves out ×1.", className="st-caption"),
        as_table(["", *PAIRS], table),
        *warned(whole["warnings"]),
    ]  # fmt: skip


def warned(sentences: Sequence[str]) -> list[Any]:
    """Why not to trust what stands above."""
    return [html.P([icon("alert-triangle"), f" {one}"], className="st-warned") for one in sentences]


def warnings(view: SweepView, metric: str) -> list[Any]:
    """What the statistics of this sweep say against themselves, each sentence once."""
    found: dict[str, int] = {}
    for point in points(view.outcomes, view.sweep.status.workloads, only=[metric]):
        for sentence in point["warnings"]:
            found[sentence] = found.get(sentence, 0) + 1
    many = view.spec.points
    return warned([f"{sentence}{'' if n == many else f' ({n:,} of {many:,} points)'}" for sentence, n in found.items()])


def behind(view: SweepView, point: int) -> list[Any]:
    """The runs of a point, each a link to its page."""
    if not 0 <= point < view.spec.points:
        return []
    workload, load, variant = view.place(point)
    found = [int(n) for n in numbers(view.outcomes, None, workload, load, variant)]
    rows = []
    for one in report.runs(view.outcomes, view.sweep.status.workloads, found[:LISTED]):
        what = (
            html.A(one["run"], href=urls.run(one["run"]), className="st-mono") if one["run"] else html.Span("not begun")
        )
        said = one["error"] or ("" if one["status"] == "finished" else one["status"])
        metric = view.headline
        value = results.written(metric, one["metrics"].get(metric)) if one["metrics"] else said
        rows.append(html.Tr([html.Td(f"seed {one['seed']}"), html.Td(what), html.Td(value, className="st-right")]))
    more = f"{len(found) - LISTED:,} more in the table of runs" if len(found) > LISTED else ""
    return [
        html.H2("Runs of this point"),
        html.P(view.point_name(point), className="st-ink2"),
        html.Table(html.Tbody(rows), className="st-table st-table-dense"),
        html.P(more, className="st-caption") if more else None,
    ]


def _between(one: Mapping[str, Any]) -> str:
    return "" if one["ratio_low"] is None else f"{words.ratio(one['ratio_low'])} to {words.ratio(one['ratio_high'])}"


def _p(value: float | None, name: str = "") -> str:
    """`p = 0.03`, or the number alone."""
    if value is None:
        return ""
    if value < 0.001:
        return f"{name} < 0.001".strip()
    return f"{name} = {value:.2g}" if name else f"{value:.2g}"
