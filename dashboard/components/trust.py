"""How far the means of one long run can be trusted: batch means, beside the figures that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import html

from shadowtime.dashboard.components import results
from shadowtime.dashboard.look import words


def interval(name: str, intervals: Mapping[str, Mapping[str, Any]]) -> str:
    """`95 %: 4 h 02 min to 4 h 31 min`; empty where there is none."""
    known = intervals.get(name)
    if not known:
        return ""
    low, high = results.written(name, max(0.0, known["low"])), results.written(name, known["high"])
    return f"95{words.GAP}%: {low} to {high}"


def explanation(intervals: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    """How the intervals were made, once, and the warning where they are too narrow."""
    classes = ("st-caption", "st-caption st-warn")
    return [html.P(said, className=name) for said, name in zip(sentences(intervals), classes, strict=False)]


def sentences(intervals: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """How the intervals were made, then the warning where they are too narrow; none where there are no intervals."""
    if not intervals:
        return []
    one = next(iter(intervals.values()))
    said = [
        f"95{words.GAP}% intervals from {one['batches']} batches of {words.count(one['jobs_per_batch'], 'job')}, "
        f"without the first {100 * one['warm_up']:.0f}{words.GAP}% of the jobs; the values are over all jobs."
    ]
    related = {name: found["lag_one"] for name, found in intervals.items() if found["warning"]}
    if related:
        worst = max(related.values())
        named = words.joined([results.titled(name).lower() for name in related])
        said.append(f"Too narrow for {named}: neighbouring batches are correlated ({worst:.2f}).")
    return said
