"""The nodes on which jobs of a log ran, as rectangles: a lane a node, nodes in the order of their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.tables import RUN, Table
from shadowtime.engine.workload.sites.hosts import hosts, natural

MOST_PAIRS = 20_000_000
"""Jobs times nodes; beyond, no rectangles are made."""


def rectangles(jobs: Table, texts: Sequence[str], processors: int) -> tuple[Table, int] | None:
    """Return what recorded jobs held of each node, and how many nodes there are; None where that is not known.

    A job holds its processors on all its nodes alike; a node has the mean number of processors.

    Parameters
    ----------
    jobs
        Jobs of a log with `nodes`, codes of `texts`, `recorded_start`, `recorded_end` and `processors`.
    """
    if "nodes" not in jobs or "recorded_end" not in jobs:
        return None
    known = (jobs["nodes"] >= 0) & np.isfinite(jobs["recorded_start"]) & np.isfinite(jobs["recorded_end"])
    rows = np.flatnonzero(known)
    used, which = np.unique(jobs["nodes"][rows], return_inverse=True)
    lists = [hosts(texts[code]) for code in used.tolist()]
    lengths = np.array([len(names) for names in lists], dtype="i8")
    many = lengths[which]
    if not len(rows) or not many.sum() or many.sum() > MOST_PAIRS:
        return None
    names = sorted({name for some in lists for name in some}, key=natural)
    place = {name: at for at, name in enumerate(names)}
    flat = np.array([place[name] for some in lists for name in some], dtype="i8")
    first = np.cumsum(lengths) - lengths
    pair = np.repeat(np.arange(len(rows)), many)
    lane = flat[np.arange(len(pair)) - np.repeat(np.cumsum(many) - many - first[which], many)]
    row = rows[pair]
    share = jobs["processors"][row] / many[pair] * len(names) / processors
    made = {"first": lane, "last": lane, "start": jobs["recorded_start"][row], "end": jobs["recorded_end"][row]}
    return {**made, "share": share, "kind": np.full(len(row), RUN, "u1")}, len(names)
