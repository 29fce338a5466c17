"""The table of metrics: a row a metric, a column a run, the best of a row marked, the proven bound at its end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import compare_jobs, results, tags, trust
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.compare_view import Compared
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.run_panels import definition
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import find_metric
from shadowtime.dashboard.look.definitions import metrics as registered

COLUMNS = (
    ("ratio", "At most × optimal"),
    ("bound", "Lower bound"),
    ("change", "Against the baseline"),
    ("interval", "95 % intervals"),
    ("all", "All metrics"),
)
"""What may stand beside the values, and what it is called where it is chosen."""
DEFAULT = ("ratio", "bound")
MEANS = ("preemptions", "migrations", "swaps")
"""What a scheduler does to reach something, not what it is judged by: none is best."""
MORE = ("max_wait",)


@dataclass(frozen=True)
class Cell:
    """One run's value of a metric."""

    value: str
    ratio: str = ""
    change: str = ""
    interval: str = ""
    is_best: bool = False


class Line(NamedTuple):
    """A metric and what each run made of it."""

    name: str
    title: str
    text: str
    cells: tuple[Cell, ...]
    bound: str
    is_usual: bool


def lines(found: Compared) -> list[Line]:
    """All metrics that any of the runs has, in the order in which people read them."""
    figures = [one.figures() for one in found.runs]
    values, ended = [metrics for metrics, _ in figures], of_ended(found)
    usual = set(results.SUMMARY) | set(MORE)
    judged = {results.headline(*one, run.asked["kind"]) for one, run in zip(figures, found.runs, strict=True)}
    made = []
    for name, known in registered().items():
        if not any(name in one for one in values):
            continue
        is_usual = name in usual and (name not in results.ONLY_OBJECTIVE or name in judged)
        is_usual &= name not in results.MOVES or any(one.get(name) for one in values)
        made.append(Line(name, known.title, known.text, cells(found, name), bound(name, ended), is_usual))
    return made


def cells(found: Compared, name: str) -> tuple[Cell, ...]:
    """The values of a metric, in the order of the runs."""
    ended = [one.figures()[0].get(name) if one.is_finished else None for one in found.runs]
    winners = best(name, ended) if is_ranked(name, found) else set()
    base = found.baseline.figures()[0].get(name)
    made = []
    for at, one in enumerate(found.runs):
        values, bounds = one.figures()
        value = values.get(name)
        known = one.is_finished or name in results.EXTREMES
        text = one.status.status if name == "makespan" and not one.is_finished and value is not None else None
        made.append(
            Cell(
                text or results.written(name, value),
                words.ratio(results.ratio_of(name, values, bounds)) if known and not text else "",
                "" if one is found.baseline or not one.is_finished else change(value, base),
                trust.interval(name, one.intervals()),
                at in winners,
            )
        )
    return tuple(made)


def is_ranked(name: str, found: Compared) -> bool:
    """Return whether one run can be the best in a metric: not where the runs, or the jobs that ended, differ."""
    return not found.asked.align and (name in compare_jobs.NOT_ENDED or found.ended_alike)


def best(name: str, values: Sequence[float | None], text: Callable[[str, Any], str] = results.written) -> set[int]:
    """Places of the best values, those that read alike as `text` together; none where all do, or where no way is
    better."""
    known = {at: float(value) for at, value in enumerate(values) if value is not None and math.isfinite(value)}
    better = find_metric(name).better
    if better == "neither" or name in MEANS or len(known) < 2:
        return set()
    top = (min if better == "lower" else max)(known.values())
    shown = text(name, next(value for value in values if value == top))
    winners = {at for at, value in known.items() if text(name, values[at]) == shown}
    return winners if len(winners) < len(known) else set()


def change(value: float | None, base: float | None) -> str:
    """`−82 %`: by what share of the baseline's value another one differs."""
    if value is None or not base or not math.isfinite(value) or not math.isfinite(base):
        return ""
    share = value / base - 1.0
    if abs(share) < 5e-5:
        return "same"
    if share >= 9.995:
        return f"×{words.number(value / base)}"
    return ("+" if share > 0 else "") + words.percent(share)


def of_ended(found: Compared) -> list[tuple[Mapping[str, Any], Mapping[str, float]]]:
    """Metrics and bounds of the runs that have ended: those of others are over some of the jobs."""
    return [one.figures() for one in found.runs if one.is_finished]


def bound(name: str, figures: Sequence[tuple[Mapping[str, Any], Mapping[str, float]]]) -> str:
    """`≥ 1 h 59 min`; the least and the largest where the bounds of the runs differ."""
    known = sorted({bounds[name] for _, bounds in figures if bounds.get(name)})
    shown = [results.written(name, one) for one in known]
    if not shown:
        return ""
    return f"≥ {shown[0]}" if shown[0] == shown[-1] else f"≥ {shown[0]} to {shown[-1]}"


def table(found: Compared) -> html.Div:
    """The table; what stands beside the values follows the classes that the picker sets."""
    head = [html.Th("Metric", scope="col")]
    for one in found.runs:
        tag = html.Span(" baseline", className="st-ink3") if one is found.baseline and len(found.runs) > 1 else None
        head.append(tags.th("st-valuehead", found.name(one), tag, scope="col"))
        head += [
            html.Th(html.Span("at most × optimal", className="st-reader"), scope="col", className="st-if-ratio"),
            html.Th("" if one is found.baseline else "against", scope="col", className="st-if-change"),
        ]
    head.append(html.Th("Lower bound", scope="col", className="st-if-bound"))
    return tags.scrolled("st-versus", head, [row(line) for line in lines(found)])


def row(line: Line) -> html.Tr:
    """A metric."""
    parts: list[Any] = [html.Th(definition(line.name, line.title), scope="row")]
    for cell in line.cells:
        mark = [html.Span("●", className="st-best-dot", **attributes({"aria-label": "best: "}))] if cell.is_best else []
        value: list[Any] = [*mark, html.Span(cell.value or "–")]
        if cell.interval:
            value.append(html.Div(cell.interval, className="st-caption st-if-interval"))
        parts += [
            html.Td(value, className="st-value st-best" if cell.is_best else "st-value"),
            html.Td(cell.ratio, className="st-if-ratio"),
            html.Td(cell.change, className="st-if-change"),
        ]
    parts.append(html.Td(line.bound, className="st-if-bound"))
    return html.Tr(parts, title=line.text, className="" if line.is_usual else "st-if-all")


def explanation(found: Compared) -> str:
    """What dot and × mean."""
    said = [] if found.asked.align else ["● marks the best of each row."]
    if any(one.figures()[1] for one in found.runs):
        said.append(results.RATIO_WORDS)
    ended = of_ended(found)
    if any(" to " in bound(name, ended) for name in registered()):
        said.append(
            "Where a row has a range of bounds, each × is against the bound of its own run, "
            "since the runs did different work."
        )
    unfinished = [one for one in found.runs if not one.is_finished]
    running = [found.name(one) for one in unfinished if one.status.status == "running"]
    if running:
        said.append(
            f"{words.joined(running)}: still running; values are over the jobs that have ended and are not ranked."
        )
    cancelled = [found.name(one) for one in unfinished if one.is_partial]
    if cancelled:
        said.append(
            f"{words.joined(cancelled)}: cancelled; values are over the jobs that had ended and are not ranked."
        )
    empty = [one for one in unfinished if one.status.status != "running" and not one.is_partial]
    others = [found.standing(one) for one in empty]
    if others:
        said.append(f"{words.joined(others)}: no values.")
    if not found.asked.align and not found.ended_alike:
        said.append("Not the same jobs ended in all runs, so that only the numbers of those that did not are ranked.")
    if found.asked.align:
        said.append("Each value is over all jobs of its run, aligned or not, so none is marked as the best.")
    return " ".join(said)


def picker(chosen: Sequence[str]) -> dmc.Popover:
    """Which columns stand in the table."""
    boxes = dmc.CheckboxGroup(
        [dmc.Checkbox(label=title, value=name, size="xs") for name, title in COLUMNS],
        id="compare-columns",
        value=list(chosen),
        className="st-columnlist",
    )
    button = tags.button("st-link", icon("columns-2"), "Columns", id="compare-columns-button")
    return dmc.Popover([dmc.PopoverTarget(button), dmc.PopoverDropdown(boxes)], position="bottom-end", shadow="md")


def chosen_columns(text: str | None) -> list[str]:
    """The columns that an address names."""
    known = [name for name, _ in COLUMNS]
    return list(DEFAULT) if text is None else [name for name in text.split(",") if name in known]
