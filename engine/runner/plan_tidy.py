"""Make times of a plan equal that differ only by rounding errors."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.runner.plan import Plan

CLOSE = 1e-9
"""Times that differ by less than this share of their value are one instant: sums of fractions are rounded."""


def tidy(plan: Plan, releases: np.ndarray) -> Plan:
    """Return the plan, one lane a piece, with close times made equal, adjoining pieces joined and empty ones removed.

    Parameters
    ----------
    releases
        Instants that keep their exact value [s].

    Returns
    -------
    Plan
        Pieces by unit, then start.
    """
    instants = _snapped(np.concatenate([plan.start, plan.end]), releases)
    start, end = instants[: len(plan)], instants[len(plan) :]
    order = np.lexsort((start, plan.unit))
    order = order[end[order] > start[order]]
    unit, lane, start, end = plan.unit[order], plan.lanes[order], start[order], end[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (unit[1:] != unit[:-1]) | (lane[1:] != lane[:-1]) | (start[1:] != end[:-1])
    begins = np.flatnonzero(fresh)
    last = np.append(begins[1:], len(order)) - 1
    return Plan.of_tasks(unit[begins], lane[begins], start[begins], end[last] if len(order) else end)


def _snapped(values: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """Return values, each replaced by the first of its group of close values, or by an anchor in that group."""
    both = np.concatenate([values, np.unique(anchors)])
    is_anchor = np.arange(len(both)) >= len(values)
    order = np.argsort(both, kind="stable")
    ordered = both[order]
    fresh = np.ones(len(both), bool)
    fresh[1:] = np.diff(ordered) > CLOSE * np.maximum(1.0, np.abs(ordered[1:]))
    group = np.cumsum(fresh) - 1
    first = ordered[fresh]
    anchored = is_anchor[order]
    first[group[anchored]] = ordered[anchored]
    snapped = np.empty(len(both))
    snapped[order] = first[group]
    return snapped[: len(values)]
