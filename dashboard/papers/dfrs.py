"""Dynamic fractional resource scheduling (Casanova et al. 2011): its tables and figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shadowtime.dashboard.figures.drawing import AGAINST, DOTS, Drawing, Line, Panel, Table, columns, points
from shadowtime.dashboard.papers.dfrs_periods import POINT, bandwidth, group_of, idle_by_period, stretch_by_period
from shadowtime.dashboard.papers.dfrs_pictures import ILLUSTRATIONS
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.dfrs import instances
from shadowtime.workers.papers.dfrs.answers import BEST, PERIODS, algorithms_of, name_of
from shadowtime.workers.papers.dfrs.figures import (
    BANDWIDTH,
    COSTS,
    DEGRADATION,
    FIGURE_1,
    FIGURE_3,
    FIGURE_4,
    IDLE,
    LARGEST_COSTS,
    MEAN_COSTS,
    PLOTTED,
)
from shadowtime.workers.papers.dfrs.judging import short

NOTES = {
    "table2": "The middle panel; loads = [...] gives the right one, and a week of the log is a conversion.",
    "table4": "The middle panel.",
    "figure3": "The middle panel; loads = [...] gives the right one.",
}
BIBTEX = """@techreport{casanova2011dfrs,
  author      = {Henri Casanova and Mark Stillwell and Fr{\\'e}d{\\'e}ric Vivien},
  title       = {Dynamic Fractional Resource Scheduling vs. Batch Scheduling},
  institution = {INRIA},
  number      = {RR-7659},
  year        = {2011},
  eprint      = {1106.4985},
  archivePrefix = {arXiv},
}
"""
LOG = "HPC2N-2002-2.2-cln.swf.gz"


def drawings(studies: Studies) -> list[Drawing]:
    """Return what there is of the studies; a table whose log is missing is left out."""
    made = {study["paper"]: study["figures"] for study in studies}
    sweeps = grids(scale_of(studies))
    table2, periods = made.get("dfrs-table2", ()), made.get("dfrs-period", ())
    found = [
        degradation([one for one in table2 if one["title"].startswith(DEGRADATION)]),
        by_load([one for one in table2 if one["title"] == FIGURE_1]),
        costs([one for one in made.get("dfrs-table3", ()) if one["title"] == MEAN_COSTS]),
        costs([one for one in made.get("dfrs-table3", ()) if one["title"] == LARGEST_COSTS], "table3-largest"),
        idle([one for one in made.get("dfrs-table4", ()) if one["title"] == IDLE]),
        variants(made.get("dfrs-table5", ())),
        idle_by_period([one for one in periods if one["title"].startswith(FIGURE_3)]),
        stretch_by_period([one for one in periods if one["title"] == FIGURE_4]),
        bandwidth([one for one in periods if one["title"] == BANDWIDTH]),
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
        "figure1": toml(
            "DFRS, figure 1: by load",
            synthetic,
            scaled,
            [name_of(name) for name in PLOTTED],
            loads=[one for one in instances.SIZES[scale].loads],
        ),
        "figure3": toml("DFRS, figure 3: the period", synthetic, seeds, variants=periods),
    }


def degradation(tables: Any) -> Drawing | None:
    """Table 2: a row of dots for each algorithm."""
    if not tables:
        return None
    return Drawing(
        "Table 2: degradation from the bound", [_beside(table, 0, 3, group_of(table)) for table in tables],
        "largest bounded stretch over its proven bound, mean over workloads, on a logarithmic scale; 95 % intervals "
        "in the CSV",
        "Grey: the paper's table 2.", kind=DOTS, is_log=True, command=POINT, slug="table2",
    )  # fmt: skip


def variants(tables: Any) -> Drawing | None:
    """Table 5: all variants, ours against theirs."""
    if not tables:
        return None
    return Drawing(
        "Table 5: all variants, ours against the paper's", [_beside(table, 0, 3, group_of(table)) for table in tables],
        "mean degradation on the real log, on logarithmic scales; a dot is an algorithm",
        "On the grey line ours is the paper's.", axis="the paper's", kind=AGAINST, is_log=True,
        command=f"shadowtime simulate {LOG} --convert fractional --convert week:k=3 -a 'mcb8*/opt=min'",
        slug="table5",
    )  # fmt: skip


def by_load(tables: Any) -> Drawing | None:
    """Figure 1: the mean degradation by load."""
    if not tables:
        return None
    (table,) = tables
    panels = [
        Panel(title, points(table), columns(table, names, [short(name) for name in names]),
              scale="degradation")
        for title, names in (
            ("Batch, and greedy without a period", [*PLOTTED[:4], BEST]),
            ("Greedy with a period", [*PLOTTED[4:7], BEST]),
            ("MCB8 at submission, or alone", [*PLOTTED[8:], BEST]),
        )
    ]  # fmt: skip
    return Drawing(
        "Figure 1: degradation from the bound by load", panels,
        "mean over scaled synthetic workloads, on a logarithmic scale; 95 % intervals over seeds",
        "Of the paper's figure two values survive, in its text: the best algorithm is a factor of 3 from the bound at "
        "low load and 7.5 at high load.", "offered load", is_log=True, command=POINT, slug="figure1",
    )  # fmt: skip


def costs(tables: Any, slug: str = "table3") -> Drawing | None:
    """Table 3: what moving and pausing costs, on average or at most."""
    if not tables:
        return None
    what = "largest" if "largest" in slug else "mean"
    return Drawing(
        f"Table 3: {what} costs of preemptions and migrations",
        [_beside(table, at, at + 1, name) for table in tables for name in COSTS
         for at in [list(table["columns"]).index(name)]],
        f"{what} over workloads at loads from 0.7 on", "Grey: the paper's table 3.", kind=DOTS, is_alike=False,
        command=POINT, slug=slug,
    )  # fmt: skip


def idle(tables: Any) -> Drawing | None:
    """Table 4: CPU that was needed and not given."""
    if not tables:
        return None
    return Drawing(
        "Table 4: underutilization",
        [_beside(table, at, at + 1, name) for table in tables for at, name in enumerate(table["columns"])
         if name != "theirs"],
        "mean normalized underutilization; 95 % intervals in the CSV", "Grey: the paper's table 4.", kind=DOTS,
        command=POINT, slug="table4",
    )  # fmt: skip


def _beside(table: Table, ours: int, theirs: int, title: str) -> Panel:
    rows = table["rows"]
    low, high = ([row[ours] for row in table.get(end) or ()] for end in ("low", "high"))
    return Panel(
        title, [name for name, _ in rows], [Line("ours", [values[ours] for _, values in rows], low, high)],
        [values[theirs] for _, values in rows],
    )  # fmt: skip


PAGE = PaperPage(
    name="dfrs",
    title="Fractional scheduling against batch scheduling",
    paper=("Casanova, Stillwell, Vivien", "Dynamic Fractional Resource Scheduling vs. Batch Scheduling",
           "INRIA RR-7659, 2011"),
    sentence="Jobs share the CPU of nodes and may be paused and moved; their stretch falls by orders of magnitude.",
    drawings=drawings,
    runs={
        "quick": "table 2: 20 algorithms × (12 weeks, 8 workloads as drawn, 30 scaled); table 5: 118 × 4 weeks; "
        "6 periods × 50",
        "full": "table 2: 20 algorithms × (182 weeks, 100 workloads as drawn, 450 scaled); table 5: 118 × 182 weeks; "
        "6 periods × 732; the whole log twice",
    },
    platform="128 nodes of 8 GB (synthetic), 120 nodes of 2 GB (HPC2N)",
    unknown=(
        "The synthetic workloads are drawn by the published laws; the authors' draws are not public, so the instances "
        "differ.",
        "Memory of a synthetic node: 8 GB, which an example in section 6.3 implies.",
        "An even number of processors with exactly half a node's memory is not covered by the published preparation of "
        "the log: it is taken with the jobs that need half a node a task.",
        "Rules that apply in one instant: a job that is placed and then moved or paused before any time has passed has "
        "not run, so it pays nothing. The paper's wording leaves this open.",
        "Ties of priority go to the earlier job; an empty node starts with the list of CPU-hungry tasks.",
        "Where memory, added up, cannot hold all jobs, the least important are dropped without trying to pack.",
        "Figures 1, 3 and 4 have no digits in the text, but for a few named in it; the graphs of appendix B are lost.",
    ),
    differences=(
        "EASY is nearer to the bound than theirs by a factor of two to three, and theirs is hardly better than FCFS: "
        "with true runtimes very short jobs fill holes, so the paper's EASY must be weaker in a way that it does not "
        "describe. Verdicts that compare with EASY fail for this reason.",
        "GreedyP* and GreedyPM* without a period are better by median, up to high loads. By mean they fall behind, in "
        "few workloads and by far, as in the paper: a small sample misses these workloads and ranks the pair first.",
        "Some rules that follow the paper's words literally are not met by its own tables either: the column of the "
        "paper's values says so.",
        "A few workloads decide the means of stretch: the intervals say so, and medians stand behind each \"no\".",
        "Full scale takes 50 of 100 seeds at nine loads, so that it ends within 30 minutes on two cores.",
        "Nothing was tuned towards the paper.",
    ),
    notes={},
    full_seconds=3000.0,
    algorithms="fractional",
    bibtex=BIBTEX,
    illustrations=ILLUSTRATIONS,
    unit="workload",
    needs=LOG,
)  # fmt: skip
