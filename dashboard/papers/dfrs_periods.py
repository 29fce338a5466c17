"""Drawings of the period of fractional scheduling: figures 3 and 4, and the bandwidth of appendix B."""

from __future__ import annotations

from typing import Any

from shadowtime.dashboard.figures.drawing import Drawing, Panel, columns, points
from shadowtime.workers.papers.dfrs.answers import COLUMN, theirs_of

POINT = "shadowtime simulate fractional:jobs=1000 -a 'greedypm*/per/opt=min/minvt=600' --seed 1"
"""Command of a run of the recommended algorithm."""


def idle_by_period(tables: Any) -> Drawing | None:
    """Figure 3: underutilization by period on each set of workloads."""
    if not tables:
        return None
    panels = [
        Panel(group_of(table), points(table), columns(table),
              [theirs_of("table4", "EASY", COLUMN[group_of(table)])], "paper, EASY")
        for table in tables
    ]  # fmt: skip
    return Drawing(
        "Figure 3: underutilization by period", panels,
        "normalized, mean over workloads of GreedyPM*/per/opt=min/minvt=600; 95 % intervals over weeks or seeds",
        "Grey: EASY in the paper's table 4. There synthetic jobs fall below EASY's level above 900 s, and the log "
        "never: it has a plateau at 0.118. At 600 s the paper has 0.344, 0.497 and 0.608.", "period [s]",
        is_alike=False, command=f"{POINT} -p period=3600", slug="figure3",
    )  # fmt: skip


def stretch_by_period(tables: Any) -> Drawing | None:
    """Figure 4: degradation by period on the sets of workloads."""
    return _of_best(
        tables, "Figure 4: degradation from the bound by period", "figure4",
        "mean over workloads, on a logarithmic scale; 95 % intervals over weeks or seeds",
        "The paper: from 600 to 12,000 s it grows by less than 2 on the log, 1.5 as drawn and 3 scaled.", is_log=True,
    )  # fmt: skip


def bandwidth(tables: Any) -> Drawing | None:
    """Appendix B: the bandwidth of moves by period, at high load."""
    return _of_best(
        tables, "Bandwidth by period, loads from 0.7 on", "bandwidth",
        "GB/s, mean over workloads; 95 % intervals over seeds",
        "The paper: 0.80 GB/s at 600 s, a quarter of it and under 0.2 GB/s at an hour.",
    )  # fmt: skip


def _of_best(tables: Any, title: str, slug: str, note: str, said: str, *, is_log: bool = False) -> Drawing | None:
    """Return the drawing of the one table of GreedyPM*/per/opt=min/minvt=600 by period; None without a table."""
    if not tables:
        return None
    (table,) = tables
    panels = [Panel("GreedyPM*/per/opt=min/minvt=600", points(table), columns(table))]
    command = f"{POINT} -p period=3600"
    return Drawing(title, panels, note, said, "period [s]", is_log=is_log, command=command, slug=slug)


def group_of(table: Any) -> str:
    """Return the set of workloads that a table is about, from its title."""
    return str(table["title"].rpartition(": ")[2])
