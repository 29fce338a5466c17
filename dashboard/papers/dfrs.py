"""Dynamic fractional resource scheduling (Casanova et al. 2011): its tables 2 to 5 and the sweep of the period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shadowtime.dashboard.figures.drawing import AGAINST, DOTS, Drawing, Line, Panel, Table
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.dfrs import instances
from shadowtime.workers.papers.dfrs.answers import BEST, algorithms_of, name_of
from shadowtime.workers.papers.dfrs.tables import PERIODS

POINT = "shadowtime simulate fractional:jobs=1000 -a 'greedypm*/per/opt=min/minvt=600' --seed 1"
NOTES = {
    "table2": "The middle panel; loads = [...] gives the right one, and a week of the log is a conversion.",
    "table4": "The middle panel.",
}
LOG = "HPC2N-2002-2.2-cln.swf.gz"
COSTS = ("preemptions/h", "migrations/h", "GB/s saved", "GB/s carried")


def drawings(studies: Studies) -> list[Drawing]:
    """What there is of the five studies; a table whose log is missing is left out."""
    made = {study["paper"]: study["figures"] for study in studies}
    sweeps = grids(scale_of(studies))
    found = [
        degradation(made.get("dfrs-table2", ())),
        variants(made.get("dfrs-table5", ())),
        costs(made.get("dfrs-table3", ())),
        idle(made.get("dfrs-table4", ())),
        period(made.get("dfrs-period", ())),
    ]
    return [replace(one, sweep=sweeps.get(one.key, ""), sweep_note=NOTES.get(one.key, "")) for one in found if one]


def grids(scale: str) -> dict[str, str]:
    """The sweeps on synthetic jobs behind the drawings; a sweep has no weeks of a log in its grid."""
    seeds = [one.number for one in instances.unscaled(scale)]
    loads = sorted({one.load for one in instances.scaled(scale, 0.7)})
    scaled = sorted({one.number for one in instances.scaled(scale)})
    synthetic = ["fractional:jobs=1000"]
    two, three, four = ([name_of(name) for name in algorithms_of(f"table{n}")] for n in (2, 3, 4))
    periods = [(BEST, {"period": list(PERIODS)}), ("easy", {})]
    return {
        "table2": toml("DFRS, table 2: synthetic jobs as drawn", synthetic, seeds, two),
        "table3": toml("DFRS, table 3: loads from 0.7 on", synthetic, scaled, three, loads=loads),
        "table4": toml("DFRS, table 4: synthetic jobs as drawn", synthetic, seeds, four),
        "period": toml("DFRS: the period", synthetic, seeds, variants=periods),
    }


def degradation(tables: Any) -> Drawing | None:
    """Table 2: a row of dots for each algorithm."""
    if not tables:
        return None
    return Drawing(
        "Table 2: degradation from the bound", [_beside(table, 0, 3, _group(table)) for table in tables],
        "largest bounded stretch over its proven bound, mean over workloads, on a logarithmic scale",
        "Grey: the paper's table 2.", kind=DOTS, is_log=True, command=POINT, slug="table2",
    )  # fmt: skip


def variants(tables: Any) -> Drawing | None:
    """Table 5: all variants, ours against theirs."""
    if not tables:
        return None
    return Drawing(
        "Table 5: all variants, ours against the paper's", [_beside(table, 0, 3, _group(table)) for table in tables],
        "mean degradation on the real log, on logarithmic scales; a dot is an algorithm",
        "On the grey line ours is the paper's.", axis="the paper's", kind=AGAINST, is_log=True,
        command=f"shadowtime simulate {LOG} --convert fractional --convert week:k=3 -a 'mcb8*/opt=min'",
        slug="table5",
    )  # fmt: skip


def costs(tables: Any) -> Drawing | None:
    """Table 3: what moving and pausing costs."""
    if not tables:
        return None
    return Drawing(
        "Table 3: costs of preemptions and migrations",
        [_beside(table, at, at + 1, name) for table in tables for name in COSTS
         for at in [list(table["columns"]).index(name)]],
        "means at loads from 0.7 on", "Grey: the paper's table 3.", kind=DOTS, is_alike=False, command=POINT,
        slug="table3",
    )  # fmt: skip


def idle(tables: Any) -> Drawing | None:
    """Table 4: CPU that was wanted and not given."""
    if not tables:
        return None
    return Drawing(
        "Table 4: underutilization",
        [_beside(table, at, at + 1, name) for table in tables for at, name in enumerate(table["columns"])
         if name != "theirs"],
        "mean normalized underutilization", "Grey: the paper's table 4.", kind=DOTS, command=POINT, slug="table4",
    )  # fmt: skip


def period(tables: Any) -> Drawing | None:
    """The sweep of the period, with EASY as a level."""
    if not tables:
        return None
    (table,) = tables
    rows = [(point, values) for point, values in table["rows"] if point != "EASY"]
    easy = dict(table["rows"])["EASY"]
    columns: Mapping[str, int] = {name: at for at, name in enumerate(table["columns"])}
    panels = []
    for title, name, level in (
        ("Underutilization", "underutilization", True),
        ("Degradation, mean", "degradation, mean", False),
        ("Memory moved, GB/s", "GB/s", False),
    ):
        at = columns[name]
        lines = [Line("GreedyPM*", [values[at] for _, values in rows], style=0)]
        lines += [Line("EASY", [easy[at]] * len(rows), style=1)] if level else []
        panels.append(Panel(title, [point.removesuffix(" s") for point, _ in rows], lines))
    return Drawing(
        "The period of GreedyPM*/per/opt=min/minvt=600", panels, "synthetic jobs as drawn, means over workloads",
        "The paper: longer periods lower underutilization, below EASY's from about an hour on; the stretch rises "
        "slowly.", "period [s]", is_alike=False, command=f"{POINT} -p period=3600", slug="period",
    )  # fmt: skip


def _beside(table: Table, ours: int, theirs: int, title: str) -> Panel:
    rows = table["rows"]
    return Panel(
        title, [name for name, _ in rows], [Line("ours", [values[ours] for _, values in rows])],
        [values[theirs] for _, values in rows],
    )  # fmt: skip


def _group(table: Table) -> str:
    return table["title"].partition(": ")[2]


PAGE = PaperPage(
    name="dfrs",
    title="Fractional scheduling against batch scheduling",
    authors="Casanova, Stillwell, Vivien",
    work="Dynamic Fractional Resource Scheduling vs. Batch Scheduling",
    venue="INRIA RR-7659, 2011",
    sentence="Jobs share the CPU of nodes and may be paused and moved; their stretch falls by orders of magnitude.",
    drawings=drawings,
    runs={
        "quick": "table 2: 20 algorithms × (12 weeks, 8 workloads as drawn, 12 scaled); table 5: 118 × 12 weeks; "
        "6 periods × 8",
        "full": "table 2: 20 algorithms × (182 weeks, 100 workloads as drawn, 900 scaled); table 5: 118 × 182 weeks; "
        "6 periods × 100",
    },
    platform="128 nodes of 8 GB (synthetic), 120 nodes of 2 GB (HPC2N)",
    unknown=(
        "The synthetic workloads are drawn by the published laws; the authors' draws are not public, so the instances "
        "differ.",
        "Memory of a synthetic node: 8 GB, which an example in section 6.3 implies.",
        "An even number of processors with exactly half a node's memory is not covered by the published preparation of "
        "the log: it is taken with the jobs that need half a node a task.",
        "Ties of priority go to the earlier job; an empty node starts with the list of CPU-hungry tasks.",
        "Where memory, added up, cannot hold all jobs, the least important are dropped without trying to pack.",
    ),
    differences=(
        "EASY is two to three times nearer to the bound than theirs, and theirs is hardly better than FCFS: with true "
        "runtimes very short jobs fill holes, so the paper's EASY must be weaker in a way that it does not describe.",
        "GreedyP* and GreedyPM* without a period are better at low and medium load, and on HPC2N the best of all in "
        "our sample of weeks; only at high load do they fall behind those with a period, and then by far.",
        "Costs of preemptions and migrations are some two thirds of the paper's at quick scale: fewer seeds, and fewer "
        "of them overloaded.",
        "Nothing was tuned towards the paper. Nearly all of table 2 comes back within a factor of 1.5.",
    ),
    notes={
        "A period caps the worst case": "GreedyP* has no bad case there",
        "The best algorithm is GreedyPM*/per/opt=min/minvt=600 or its GreedyP twin": "GreedyP* leads on HPC2N",
        "Longer periods lower underutilization steadily": "it levels off at the longest periods",
    },
    full_seconds=None,
    algorithms="fractional",
    unit="workload",
    needs=LOG,
)  # fmt: skip
