"""Below the schedule of a run under Slurm: the way to what happened, and the outages of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import html

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.priority_view import PATIENCE
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache

KINDS = {"down": "down", "drain": "drained", "maintenance": "maintenance"}
MOST_DRAWN = 2_000
"""Outages that are drawn and listed."""
NAMED = 4


def site_of(view: RunView) -> dict[str, Any]:
    """Return what the log of a finished run brings: `recorded`, `outages`; neither where the log was deleted."""
    run, context = view.run, view.context
    try:
        return cache.remembered(
            context.cache,
            run.id,
            "slurm-site",
            lambda: context.intake.ask("slurm_site", timeout=PATIENCE, run=run.digest),
        )
    except Refusal:
        return {"recorded": False, "outages": []}


def drawn(outages: list[dict[str, Any]], view: RunView) -> list[dict[str, Any]]:
    """Return outages as the browser draws them: lanes, start, end, and what the pointer is shown."""
    return [
        {**{name: one[name] for name in ("lanes", "start", "end")}, "text": text(one, view)}
        for one in outages[:MOST_DRAWN]
    ]


def text(one: Mapping[str, Any], view: RunView) -> str:
    """Return an outage in words: `n4 drained, Mon 3 Mar 09:20 to 10:20: fan replaced`."""
    nodes = one["nodes"]
    named = ", ".join(nodes[:NAMED]) + (f" and {len(nodes) - NAMED:,} more" if len(nodes) > NAMED else "")
    begin = words.instant(one["start"], view.clock, to=words.fineness(view.span[1] - view.span[0]))
    until = "to the end" if one["end"] is None else f"for {words.duration(one['end'] - one['start'])}"
    return f"{named} {KINDS.get(one['kind'], one['kind'])}, {begin}, {until}" + (
        f": {one['reason']}" if one["reason"] else ""
    )


def content(view: RunView) -> tuple[list[Any], list[dict[str, Any]] | None]:
    """Return what stands below the schedule, and the outages to draw."""
    if not view.is_finished:
        return [], None
    site = site_of(view)
    parts: list[Any] = []
    if site["recorded"] and visitor.owns(view.run):
        button = html.Button(
            "Compare with the recorded schedule",
            className="st-link",
            type="button",
            **attributes({"data-act": "happened"}),
        )
        parts.append(html.Span([button, ": the starts that the log recorded, beside these"]))
    outages = site["outages"]
    if outages:
        said = f"{words.count(len(outages), 'outage')} of the site, hatched in the schedule"
        lines = [html.Li(text(one, view)) for one in outages[:MOST_DRAWN]]
        parts.append(tags.details("st-astable", html.Summary(said), html.Ul(lines, className="st-outages")))
    return parts, drawn(outages, view)
