"""The figure of a sweep that is chosen: lines, a map, boxes or distributions, each readable as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dash import html

from shadowtime.dashboard.components import results, tags
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.run_panels import definition
from shadowtime.dashboard.components.sweep_tables import exported, ranking
from shadowtime.dashboard.components.sweep_view import LOAD, MOST_LINES, RATIO, WORKLOAD, Choice, SweepView
from shadowtime.dashboard.figures import sweep as draw
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import find_metric

SHOWS = (
    ("lines", "Lines"), ("heat", "Map"), ("boxes", "Boxes"), ("distributions", "Distributions"),
    ("ranking", "Ranking"),
)  # fmt: skip
MOST_PANELS = 12
NOTHING = "The figure is drawn here as soon as the first runs have ended."
DRAWN_NOW = "The figure is being drawn."
"""Shown in place of the first figure: before a run has ended, and from then on until the figure is there."""


class Writer:
    """A value of a figure in words; `unit` is that of its axis."""

    def __init__(self, metric: str, scale: str):
        self.metric = metric
        self.is_ratio = scale == RATIO
        self.unit = "" if self.is_ratio else find_metric(metric).unit

    def __call__(self, value: float) -> str:
        return words.ratio(value) if self.is_ratio else results.written(self.metric, value) or "0"


def figure(view: SweepView, choice: Choice, show: str) -> list[Any]:
    """The chosen figure, and the same as a table."""
    if not view.counts["finished"]:
        return [html.P(NOTHING, className="st-nothing")]
    if show == "ranking":
        return ranking(view, choice)
    made = {"heat": _heat, "boxes": _spread, "distributions": _spread}.get(show)
    return made(view, choice, show) if made else _lines(view, choice)


def _lines(view: SweepView, choice: Choice) -> list[Any]:
    text = Writer(choice.metric, choice.scale)
    panels = view.panels(choice)
    values = np.concatenate([np.concatenate([s.mean, s.low, s.high]) for panel in panels for s in panel.series])
    known = values[np.isfinite(values)]
    if not len(known):
        return [_unknown(choice)]
    log = draw.is_log(known)
    span = float(known.min()), float(known.max())
    figures = []
    for at, panel in enumerate(panels):
        label = f"{results.titled(choice.metric)} against {axis_word(choice.axis)}: {panel.title}; as a table below"
        caption = [html.Figcaption(panel.title, className="st-paneltitle")] if panel.title else []
        made = draw.lines(panel, text, log, span, choice.axis == WORKLOAD)
        figures.append(tags.figure("st-panel", *caption, chart(f"sweep-{at}", made, label, draw.HEIGHT)))
    head = [axis_word(choice.axis), *dict.fromkeys(one.name for panel in panels for one in panel.series)]
    rows = [
        [f"{panel.title} {tick}".strip(), *(_cell(one, at, text) for one in panel.series)]
        for panel in panels
        for at, tick in enumerate(panel.ticks)
    ]
    columns = {"--st-columns": min(len(panels), 2)}
    word = "whiskers" if choice.axis == WORKLOAD else "bands"
    blocks = sorted({int(n) for panel in panels for one in panel.series for n in one.n if n > 0})
    many = f"{blocks[0]} to {words.count(blocks[-1], 'block')}" if len(blocks) > 1 else words.count(blocks[0], "block")
    note = f"{word}: 95 % confidence of the mean over {many}" if blocks[-1] > 1 else "one block a point: no interval"
    said = f"{axis_word(choice.axis).capitalize()} across; {note}" + ("; logarithmic" if log else "")
    return [
        html.Div(figures, className="st-panels st-sweeppanels", style=columns, **exported(choice, "lines", f"{said}.")),
        tags.p(
            "st-caption",
            said,
            ". A click on a point lists its runs. ",
            definition(choice.metric, f"Definition of {results.titled(choice.metric).lower()}"),
        ),
        as_table(head, rows),
    ]


def _cell(series: Any, at: int, text: Callable[[float], str]) -> str:
    if not np.isfinite(series.mean[at]):
        return ""
    if not np.isfinite(series.low[at]):
        return text(float(series.mean[at]))
    return f"{text(float(series.mean[at]))} ({text(float(series.low[at]))} to {text(float(series.high[at]))})"


def _spread(view: SweepView, choice: Choice, show: str) -> list[Any]:
    """Boxes or distributions over the instances of each workload."""
    values, text = view.values(choice.metric, choice.scale), Writer(choice.metric, choice.scale)
    if not np.isfinite(values).any():
        return [_unknown(choice)]
    names = [view.variant_names[n] for n in choice.variants]
    figures = []
    for workload, title in list(enumerate(view.workload_names))[:MOST_PANELS]:
        columns = [values[:, workload, :, n].ravel() for n in choice.variants]
        places = [view.point(workload, 0, n) for n in choice.variants]
        made = (draw.boxes if show == "boxes" else draw.distributions)(names, columns, text, places)
        height = 48 + draw.ROW * max(3, len(names)) if show == "boxes" else draw.HEIGHT
        label = f"{results.titled(choice.metric)} over all instances of {title}, a row an algorithm"
        figures.append(
            html.Figure(
                [html.Figcaption(title, className="st-paneltitle"), chart(f"sweep-{workload}", made, label, height)],
                className="st-panel",
            )
        )  # fmt: skip
    loads = f", {words.count(len(view.spec.loads), 'load')}" if len(view.spec.loads) > 1 else ""
    said = (
        f"Every instance ({words.count(len(view.spec.seeds), 'seed')}{loads}) is one value; "
        f"the loads of a seed are one block, {words.count(view.block_count, 'block')} in all."
    )
    return [
        html.Div(
            figures,
            className="st-panels st-sweeppanels",
            style={"--st-columns": min(len(figures), 2)},
            **exported(choice, show, said),
        ),
        html.P(said, className="st-caption"),
    ]


def _heat(view: SweepView, choice: Choice, _: str) -> list[Any]:
    """Algorithms down, loads (or workloads) across."""
    values = view.values(choice.metric, choice.scale)
    with np.errstate(all="ignore"):
        counts = np.isfinite(values).sum(axis=0)
        means = np.where(counts > 0, np.nansum(values, axis=0) / np.maximum(counts, 1), np.nan)
    if not np.isfinite(means).any():
        return [_unknown(choice)]
    names, text = [view.variant_names[n] for n in choice.variants], Writer(choice.metric, choice.scale)
    higher = find_metric(choice.metric).better == "higher"
    by_load = len(view.spec.loads) > 1
    maps = []
    if by_load:
        for workload, title in list(enumerate(view.workload_names))[:MOST_PANELS]:
            cells = means[workload][:, list(choice.variants)].T
            marks = np.array([[view.point(workload, x, n) for x in range(cells.shape[1])] for n in choice.variants])
            maps.append((title, [f"load {load:g}" for load in view.spec.loads], cells, marks))
    else:
        cells = means[:, 0, list(choice.variants)].T
        marks = np.array([[view.point(x, 0, n) for x in range(cells.shape[1])] for n in choice.variants])
        maps.append(("", list(view.workload_names), cells, marks))
    figures = []
    for at, (title, columns, cells, marks) in enumerate(maps):
        height = 40 + 30 * len(names)
        made = draw.heat(names, columns, cells, marks, text, higher)
        label = f"{results.titled(choice.metric)}, mean of the samples: algorithms down, {title or 'workloads'} across"
        caption = [html.Figcaption(title, className="st-paneltitle")] if title else []
        figures.append(tags.figure("st-panel", *caption, chart(f"sweep-{at}", made, label, height)))
    said = "Means over samples. ● marks the best of each column; darker cells are further from it."
    return [
        html.Div(
            figures, className="st-panels st-sweeppanels", style={"--st-columns": 1}, **exported(choice, "map", said)
        ),
        html.P(said, className="st-caption"),
    ]


def axis_word(axis: str) -> str:
    """What people call what is swept."""
    return {LOAD: "offered load", WORKLOAD: "workload"}.get(axis, axis.replace("_", " "))


def shown_note(view: SweepView, choice: Choice) -> str:
    """How many of the variants a figure shows, where not all."""
    many, shown = len(view.spec.variants), len(choice.variants)
    return "" if shown == many else f"{shown} of {many} shown, at most {MOST_LINES} unless you choose"


def _unknown(choice: Choice) -> html.P:
    what = (
        f"{results.titled(choice.metric)} has no proven bound here"
        if choice.scale == RATIO
        else "No run has this metric"
    )
    return html.P(f"{what}: choose another one.", className="st-nothing")
