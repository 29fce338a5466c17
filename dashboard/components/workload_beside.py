"""Several workloads in one figure: how their sizes, runtimes, areas and times between submissions are spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
import numpy as np
from dash import html

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import naming, tags
from shadowtime.dashboard.components.chart import as_table, chart, plain
from shadowtime.dashboard.components.run_panels import section_title
from shadowtime.dashboard.components.waits_panels import choices
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.figures import cumulative
from shadowtime.dashboard.figures.lines import STYLES, Line
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import profiles
from shadowtime.workers.store import WorkloadEntry

OFFERED = 200
"""Workloads in the list, newest first."""
HEIGHT = 280
DEFINED = {"size": "job_size", "runtime": "runtime", "area": "job_area", "gap": "submission_gap"}
"""Entries of the glossary."""


def section(context: Context, entry: WorkloadEntry, query: Mapping[str, str]) -> html.Section:
    """The panel; what the address names is chosen, the figure comes when the page is open."""
    ids, of = asked(query)
    listed = [one for one in context.store.workloads.list(limit=OFFERED).rows if one.digest != entry.digest]
    chosen = [one for one in ids if any(one == other.id for other in listed)][: profiles.MOST - 1]
    others = dmc.MultiSelect(
        id="beside-workloads",
        label="Other workloads",
        value=chosen,
        data=[{"value": one.id, "label": naming.file_words(one.name)} for one in listed],
        maxValues=profiles.MOST - 1,
        searchable=True,
        placeholder="Add a workload" if listed else "No other workload is stored",
        className="st-beside",
    )
    kinds = [(name, one.title) for name, one in profiles.OF.items()]
    return tags.section(
        "st-block",
        html.Div(head(of), id="beside-head"),
        tags.div("st-inline st-waitscontrols", others, choices("beside-of", of, kinds, "Quantity")),
        html.P(profiles.OF[of].rule, className="st-caption", id="beside-rule"),
        chart("beside", None, "Share of the jobs of each workload at or below a value", HEIGHT),
        html.Div(id="beside-table"),
    )


def asked(query: Mapping[str, str]) -> tuple[list[str], str]:
    """The workloads and the quantity in an address."""
    ids = [text[:16] for text in query.get("beside", "").split(",") if text]
    return list(dict.fromkeys(ids)), query["of"] if query.get("of") in profiles.OF else next(iter(profiles.OF))


def head(of: str) -> html.Div:
    """The title, with the entry of the quantity in the glossary."""
    note = "share of the jobs at or below, log axis"
    return section_title(f"{profiles.OF[of].title} beside other workloads", note, define=DEFINED[of])


def shown(context: Context, ids: Sequence[str], of: str) -> dict[str, Any]:
    """Figure, rule and table of some workloads. NotFound, Refusal: for one that cannot be drawn."""
    known = spread(context, ids, of)
    kind = profiles.OF[of]
    lines = [
        Line(one["name"], style, np.array(one["values"])) for one, style in zip(known, STYLES, strict=False)
    ]  # fmt: skip
    rows = [
        (f"{100 * share:g}{words.GAP}%", *(_written(kind, one["quantiles"], at) for one in known))
        for at, share in enumerate(profiles.SHARES)
    ]
    return {
        "figure": plain(cumulative.figure(lines, kind.scale, 900)),
        "rule": kind.rule,
        "table": as_table(["Jobs", *(one["name"] for one in known)], rows),
    }


def _written(kind: profiles.Quantity, quantiles: Sequence[float], at: int) -> str:
    return kind.scale.text(quantiles[at]) if quantiles else ""


def spread(context: Context, ids: Sequence[str], of: str) -> list[dict[str, Any]]:
    """Return the distribution of a quantity in each workload: `id`, `name` and what `profiles.profile` gives.

    Raises
    ------
    NotFound
        For a workload that is not stored.
    Refusal
        For one of too many jobs.
    """
    entries = [context.store.workloads.get(one) for one in ids]
    names = [naming.file_words(entry.name) for entry in entries]
    return [
        {
            "id": entry.id,
            "name": name if names.count(name) == 1 else f"{name} ({entry.id[:6]})",
            **_profile(context, entry, of),
        }
        for entry, name in zip(entries, names, strict=True)
    ]


def _profile(context: Context, entry: WorkloadEntry, of: str) -> dict[str, Any]:
    if entry.jobs > profiles.MOST_JOBS:
        limit = f"workloads of up to {profiles.MOST_JOBS:,} jobs are drawn"
        raise Refusal(400, f"{entry.name} has {entry.jobs:,} jobs, but {limit}.")
    case = entry.cases[0] if entry.cases else None

    def make() -> dict[str, Any]:
        return profiles.profile(context.store.workloads.load(entry.digest, case), of)

    return cache.remembered(context.cache, entry.id, f"profile:{entry.engine_version}:{of}", make)
