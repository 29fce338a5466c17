"""What a viewer reads before it draws: where a finished run begins and ends, its sizes, hints of its family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.dashboard.viewer import tiles
from shadowtime.engine.families.family import Family
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import Table, rows


def extent(jobs: Table, segments: Table, events: Table) -> dict[str, Any]:
    """Return first and last instant [s] (`t0` < `t1`), tiers and counts of rows."""
    # The ends of tens of millions of rectangles are looked through where they lie, without a copy.
    times = [jobs["release"], segments["start"][:1], segments["end"]]
    t0 = min((float(np.fmin.reduce(column)) for column in times if len(column)), default=0.0)
    t1 = max((float(np.fmax.reduce(column)) for column in times if len(column)), default=t0)
    return {
        "t0": t0,
        "t1": max(t1, t0 + 1.0),
        "frontier": None,
        "tiers": 2 if segments["tier"].any() else 1,
        "counts": {"jobs": rows(jobs), "segments": rows(segments), "events": rows(events)},
    }


def overcommitted(summary: Mapping[str, Any] | None) -> int:
    """Return the number of lanes beyond the machine, which the log of a recorded schedule used; 0 for all others."""
    return int((summary or {}).get("counters", {}).get("overcommitted", 0))


def described(algorithm: str, kind: str, lanes: int, beyond: int = 0) -> dict[str, Any]:
    """Return what is known of a run from its question: algorithm, kind of jobs, machine, format of its tables.

    beyond: lanes beyond the machine.
    """
    family = find_family(kind)
    return {
        "algorithm": algorithm,
        "kind": kind,
        "lanes": lanes + beyond,
        "capacity": lanes,
        "lane": family.lane,
        "family": hints(family),
        "format": tiles.FORMAT,
    }


def with_users(view: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return what is known of a run with the names of users by number, where its log has names."""
    return {**view, "users": list(names)} if names else view


def hints(family: Family) -> dict[str, Any]:
    """Return what the viewer shows of runs of this family beside rectangles."""
    return {
        "size": family.size if family.shares_lanes else family.lane,
        "shared": family.shares_lanes,
        "planned": family.is_planned,
        "curves": family.has_curves,
        "yields": family.has_yields,
        "site": family.has_site,
    }
