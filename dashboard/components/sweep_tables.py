"""Tables of a sweep: the ranking, two variants against each other, and the runs behind a point."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from dash import dcc, html

from shadowtime.dashboard.components import results, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.sweep_answers import numbers
from shadowtime.dashboard.components.sweep_view import RATIO, Choice, SweepView
from shadowtime.dashboard.figures import sweep as draw
from shadowtime.dashboard.figures.critical_difference import critical_difference, diagram_height
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.statistics.sequential import Decision
from shadowtime.workers.records.sweeps import CANCELLED
from shadowtime.workers.sweeps import extension, pairs, report
from shadowtime.workers.sweeps.outcomes import FAILED
from shadowtime.workers.sweeps.points import points

LISTED = 60
"""Runs of a point that are listed."""
MOST_RANKED = 20
"""Algorithms of a critical-difference diagram; more names do not fit."""
ENOUGH = 0.05
"""Width of the intervals of ratios for which seeds are proposed."""
MOST_SEEDS = 1000
"""Seeds that are proposed at most."""
DECIMAL = re.compile(r"(\d+\.\d+)")
PAIRS = ("ratio", "95 % interval", "blocks", "smaller : larger : equal", "rank-biserial", "signed ranks", "sign test")
"""Columns of a comparison; counts are of blocks, and both p-values are adjusted after Holm over the places."""


def ranking(view: SweepView, choice: Choice) -> list[Any]:
    """All variants by their mean rank, and whether the first one's lead is more than chance."""
    found = pairs.ranking(view.outcomes, view.sweep.status.workloads, choice.metric)
    if not found["blocks"]:
        failed = _failed_whole(view, choice.metric)
        why = (
            f" All runs of {words.joined(failed)} failed; a copy of the experiment without them has one."
            if failed
            else ""
        )
        return [
            html.P(f"There is no ranking: no instance has a value of every algorithm.{why}", className="st-nothing")
        ]
    rows = []
    for one in found["ranking"]:
        against = one["against_first"]
        apart = {None: "", True: "differs", False: "may be chance"}[one["differs_from_first"]]
        cells = [
            f"{one['place']}", view.variant_names[one["variant"]], words.number(one["mean_rank"]),
            results.written(choice.metric, one["mean"]),
            f"{words.ratio(against['ratio'])} ({_between(against)})" if against else "",
            _effect(against) if against else "", _p(one["p_adjusted"]) if against else "", apart,
        ]  # fmt: skip
        rows.append(html.Tr([html.Td(cell, className=_aligned(n)) for n, cell in enumerate(cells)]))
    head = (
        "",
        "Algorithm",
        "Mean rank",
        "Mean",
        "to the first (95 %)",
        "Rank-biserial",
        "p (Holm)",
        "Against the first",
    )
    table = tags.table(
        "st-table st-ranking",
        html.Thead(html.Tr([html.Th(name, scope="col", className=_aligned(n)) for n, name in enumerate(head)])),
        html.Tbody(rows),
    )
    blocks = words.count(found["blocks"], "block")
    said = f"{blocks} of {words.count(found['instances'], 'instance')} where all have a value"
    if found["left_out"]:
        said += f"; {found['left_out']:,} left out"
    if found["friedman"] is not None:
        said += f". Friedman's test of {blocks} that none differs: {_p(found['friedman'], 'p')}"
    note = (
        "A block is a generator with a seed; its loads and parameters are averaged. Ratios are geometric means over "
        f"blocks, with 95 % intervals; p is of Wilcoxon's signed-rank test over {blocks}, adjusted after Holm."
    )
    return [
        *_diagram(view, choice, found),
        html.Div(table, className="st-scroll"),
        html.P(f"{said}. {note}", className="st-caption"),
        *warned(found["warnings"]),
    ]


def _diagram(view: SweepView, choice: Choice, found: Mapping[str, Any]) -> list[Any]:
    """The critical-difference diagram, if Nemenyi's test is defined and the names fit."""
    if found["critical_difference"] is None or len(found["ranking"]) > MOST_RANKED:
        return []
    names = [draw.short(view.variant_names[one["variant"]]) for one in found["ranking"]]
    ranks = [one["mean_rank"] for one in found["ranking"]]
    places = {one["variant"]: n for n, one in enumerate(found["ranking"])}
    groups = [[places[variant] for variant in group] for group in found["groups"]]
    made = critical_difference(names, ranks, groups, found["critical_difference"])
    blocks = words.count(found["blocks"], "block")
    text = (
        f"Mean ranks over {blocks}, the best on the left. Bars join algorithms whose mean ranks differ by at most "
        f"Nemenyi's critical difference, {words.number(found['critical_difference'])} (5 %)."
    )
    label = f"Mean ranks of {len(names)} algorithms with the critical difference"
    return [
        tags.div(
            "st-scroll",
            chart("sweep-ranks", made, label, diagram_height(len(names), len(groups)), "st-ranks"),
            **exported(choice, "ranking", text),
        ),
        html.P(text, className="st-caption"),
    ]


def exported(choice: Choice, show: str, note: str) -> dict[str, Any]:
    """The attributes of a figure that its picture repeats: what is drawn, how, and a part of the file's name."""
    scale = ", at most × optimal" if choice.scale == RATIO and show != "ranking" else ""
    said = f"{results.titled(choice.metric)}{scale}. {note}"
    return attributes({"data-figure-note": said, "data-figure-name": f"{show}-{choice.metric}"})


def _aligned(column: int) -> str:
    """The class of a cell of the ranking: names and verdicts on the left, numbers on the right."""
    return "st-right" if column not in (1, 7) else ""


def paired(view: SweepView, choice: Choice, a: int, b: int) -> list[Any]:
    """Variant `a` against `b` on the same instances."""
    if not view.counts["finished"]:
        return []
    found = pairs.pairs(view.outcomes, view.sweep.status.workloads, choice.metric, a, b)
    places = [("All blocks", found["all"])]
    if len(found["points"]) > 1:
        many = len(view.workload_names) > 1
        for one in found["points"]:
            name = [view.workload_names[one["place"]["workload"]]] if many else []
            name += [f"load {one['load']:g}"] if one["load"] is not None else []
            places.append((", ".join(name), one))
    rows = [
        (name, *(float("nan") if one[key] is None else float(one[key]) for key in ("ratio", "ratio_low", "ratio_high")),
         one["blocks"])
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
            f"{one['blocks']}",
            f"{one['smaller']} : {one['larger']} : {one['equal']}",
            _effect(one),
            _p(one["p_adjusted"]),
            _p(one["sign_p_adjusted"]),
        ]
        for name, one in places
    ]
    winner = {"a": left, "b": right, None: "neither"}[whole["better"]]
    return [
        html.P(
            [html.Strong(f"{left} is {words.ratio(whole['ratio'])} of {right}"),
             f" in {results.titled(choice.metric).lower()} over {words.count(whole['blocks'], 'block')} of "
             f"{words.count(whole['n'], 'instance')}; the signed-rank test of {words.count(whole['blocks'], 'block')} "
             f"prefers {winner} ({_p(whole['p'], 'p')}; sign test {_p(whole['sign_p'], 'p')})."]
            if whole["ratio"] is not None else
            "No instance has a value of both.",
            className="st-lead",
        ),
        chart("sweep-pairs", made, f"{left} over {right}, a row a place", 56 + draw.ROW * len(rows)),
        html.P("Left of ×1: less than the other. Filled: the 95 % interval leaves out ×1.", className="st-caption"),
        as_table(["", *PAIRS], table),
        *warned(whole["warnings"]),
        *enough(view, choice.metric),
    ]  # fmt: skip


def _width(decision: Decision, first: str) -> str:
    """How wide the widest interval of a ratio is, beside how wide it should be."""
    if math.isnan(decision.width):
        return f"An interval of a ratio to {first} needs 2 or more blocks."
    blocks, target = words.count(decision.blocks, "block"), f"{100 * decision.target:g}\u202f%"
    wide = f"The widest 95 % interval of a ratio to {first} spans {words.percent(decision.width)} over {blocks}"
    if decision.width <= decision.target:
        return f"{wide}; {target} is enough" + (
            "." if decision.state == "reached" else ", but so few blocks say little."
        )
    many = "more than a million blocks" if decision.forecast is None else f"about {decision.forecast:,} blocks"
    return f"{wide}; for {target} it would take {many}."


def _failed_whole(view: SweepView, metric: str) -> list[str]:
    """Names of the variants that have no value of a metric because all of their runs failed."""
    known = ~np.isnan(view.values(metric)).all(axis=(0, 1, 2))
    ended = (view.outcomes.grid(view.outcomes.status) == FAILED).all(axis=(0, 1, 2))
    return [name for name, has, failed in zip(view.variant_names, known, ended, strict=True) if failed and not has]


def enough(view: SweepView, metric: str) -> list[Any]:
    """Whether the seeds are enough for intervals of 5 %, and a link that adds those that are missing."""
    if view.sweep.status.is_unfinished:
        return []
    found = extension.precision(view.outcomes, extension.Goal(metric, ENOUGH, MOST_SEEDS))
    first = view.variant_names[0]
    if failed := _failed_whole(view, metric):  # more seeds would fail, too
        why = f"All runs of {words.joined(failed)} failed: how many seeds are enough is known once they have values."
        return [html.P(why, className="st-caption")]
    text = _width(found.decision, first)
    if missing := view.counts["pending"]:
        acts = {"data-sweep-act": "resume", "data-sweep-id": view.sweep.id}
        resume = html.Button("Resume", className="st-link", **attributes(acts))
        is_cancelled = view.sweep.status.status == CANCELLED
        way_on: list[Any] = [" ", resume, " to have them before more seeds."] if is_cancelled else []
        have = "has" if missing == 1 else "have"
        return [tags.p("st-caption", f"{text} {words.count(missing, 'run')} {have} no result yet.", *way_on)]
    if not found.goes_on:
        return [html.P(text, className="st-caption")]
    more = found.next_seeds - found.seeds
    href = f"{urls.EXPERIMENTS}/new?like={view.sweep.id}&seeds={found.next_seeds}"
    link = dcc.Link(f"Add {words.count(more, 'seed')}", href=href, className="st-link")
    return [tags.p("st-caption", text, " ", link, "; the runs that have ended are not repeated.")]


def warned(sentences: Sequence[str]) -> list[Any]:
    """Why not to trust what stands above."""
    said = [words.unbroken(one[:1].upper() + one[1:]) for one in sentences]
    return [tags.p("st-warned", icon("alert-triangle"), f" {one}") for one in said]


def warnings(view: SweepView, metric: str) -> list[Any]:
    """Limits of the statistics of this sweep."""
    found = points(view.outcomes, view.sweep.status.workloads, only=[metric])
    return warned(once([sentence for point in found for sentence in point["warnings"]], view.spec.points))


def once(sentences: Sequence[str], many: int) -> list[str]:
    """Each sentence once, with the number of its points unless it is `many`; sentences that differ in one decimal
    number are one with its range."""
    found: dict[tuple[str, ...], list[str]] = {}
    for sentence in sentences:
        parts = DECIMAL.split(sentence)
        key, number = ((parts[0], parts[2]), parts[1]) if len(parts) == 3 else ((sentence,), "0")
        found.setdefault(key, []).append(number)
    said = []
    for around, values in found.items():
        low, high = min(values, key=float), max(values, key=float)
        some = "" if len(values) == many else f" ({len(values):,} of {many:,} points)"
        said.append((low if low == high else f"{low} to {high}").join(around) + some)
    return said


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
        rows.append(tags.tr("", html.Td(f"seed {one['seed']}"), html.Td(what), html.Td(value, className="st-right")))
    more = f"{len(found) - LISTED:,} more in the table of runs" if len(found) > LISTED else ""
    return [
        html.H2("Runs of this point"),
        html.P(view.point_name(point), className="st-ink2"),
        html.Table(html.Tbody(rows), className="st-table st-table-dense"),
        html.P(more, className="st-caption") if more else None,
    ]


def _between(one: Mapping[str, Any]) -> str:
    return "" if one["ratio_low"] is None else f"{words.ratio(one['ratio_low'])} to {words.ratio(one['ratio_high'])}"


def _effect(one: Mapping[str, Any]) -> str:
    """The rank-biserial correlation with its interval."""
    if one["rank_biserial"] is None:
        return ""
    low, high = one["rank_biserial_low"], one["rank_biserial_high"]
    return words.signed(f"{one['rank_biserial']:+.2f}" + (f" ({low:+.2f} to {high:+.2f})" if low is not None else ""))


def _p(value: float | None, name: str = "") -> str:
    """`p = 0.03`, or the number alone."""
    if value is None:
        return ""
    if value < 0.001:
        return f"{name} < 0.001".strip()
    return f"{name} = {value:.2g}" if name else f"{value:.2g}"
