"""Migration and consolidation in two tiers (Liu et al. 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shadowtime.dashboard.figures.drawing import Drawing, Line, Panel, Table, columns, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.measy_sketches import ILLUSTRATIONS
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.measy_cells import ALGORITHMS, BUDGET, COSTS, JOBS, LOADS, PROCESSORS, SEEDS

WORKLOADS = ("Feitelson-like", "Jann-like")
METRICS = {"Mean response": "response", "Mean bounded slowdown": "bounded slowdown"}
STATED = {"response": 23.1, "bounded slowdown": 69.3}
"""Improvement of MEASY over EASY that the paper states as an average [%]."""
CALLED = {"REASY, step 1 continues": "REASY, listing"}
"""Short names for the ends of lines."""
WARM = "Means of a sweep are over all jobs; the figure leaves the first tenth out."
SPREAD = "Whiskers: 95 % intervals over seeds."
POINT = (
    "shadowtime simulate feitelson:jobs=20000,processors=320 --convert load:rho=0.8 --convert two_tier -a measy "
    "--seed 1"
)


def drawings(studies: Studies) -> list[Drawing]:
    """Return the improvements, which the claims are about, then the figures of the paper in its order."""
    tables, scale = studies[0]["figures"], scale_of(studies)
    seeds = max((one["seeds"] for one in studies[0]["counterparts"]), key=len, default=SEEDS)
    workloads = [f"{model}:jobs={jobs},processors={PROCESSORS}" for model, jobs in JOBS[scale].items()]
    by_load = toml("MEASY: improvement against offered load", workloads, seeds, ALGORITHMS, loads=LOADS,
                   convert=["two_tier"])  # fmt: skip
    blind = [("easy", {}), *((name, {"usage_known": False}) for name in ("keasy", "measy"))]
    unknown = toml("MEASY: no usage information", workloads, seeds, variants=blind, loads=LOADS,
                   convert=["two_tier"])  # fmt: skip
    full = toml("MEASY: all usages at 100 %", workloads, seeds, ("easy", "keasy", "measy"), loads=LOADS,
                convert=["two_tier:usage=full"])  # fmt: skip
    by_cost = toml("MEASY: the cost of a migration", workloads, seeds, loads=LOADS, convert=["two_tier"],
                   variants=[("measy", {"migration_cost": list(COSTS)}), ("keasy", {}), ("easy", {})])  # fmt: skip
    named = "Figures {} and {} of the paper. " + SPREAD
    made = [
        (improvement(tables), by_load),
        (metrics(tables, "", "Response and slowdown by load", "results", named.format(6, 7)), by_load),
        (moves(tables), by_load),
        (metrics(tables, ", no usage information", "Without usage information", "no-usages", named.format(9, 10)),
         unknown),
        (metrics(tables, ", all usages at 100 %", "All usages at 100 %", "full-usages", named.format(11, 12)), full),
        (costs(tables), by_cost),
    ]  # fmt: skip
    first, *others = [replace(drawing, sweep=sweep, sweep_note=WARM) for drawing, sweep in made]
    return [first, sizes(tables), *others]


def _lines(table: Table, names: Sequence[str] = ()) -> list[Line]:
    named = list(names or table["columns"])
    return columns(table, named, [CALLED.get(name, name) for name in named])


def sizes(tables: Sequence[Table]) -> Drawing:
    """Return the shares of jobs by size."""
    table = titled(tables, "Table 1")
    beside = dict(titled(tables, "The workloads beside the paper's")["rows"])
    size, runtime, serial = (beside[name] for name in beside)
    return Drawing(
        "Jobs by size", [Panel("", points(table), _lines(table))], "percent of the jobs, means over seeds",
        f"Table 1 of the paper, whose rows are lost. What the text still says, ours (paper): mean size {size[0]:.1f} "
        f"({size[1]:g}) and {size[2]:.1f} ({size[3]:g}) processors; mean runtime {runtime[0]:,.0f} ({runtime[1]:,.1f}) "
        f"and {runtime[2]:,.0f} ({runtime[3]:,.1f}) s; serial jobs {serial[0]:.1f} % (below {serial[1]:g} %) and "
        f"{serial[2]:.1f} % ({serial[3]:g} %), Feitelson first.",
        "processors", command="shadowtime generate jann:jobs=10000,processors=320 --seed 1", slug="sizes",
    )  # fmt: skip


def improvement(tables: Sequence[Table]) -> Drawing:
    """Return the improvements over EASY at each load, with the paper's average."""
    names = ("MEASY", "KEASY", "REASY", "REASY, step 1 continues")
    panels = []
    for word, stated in STATED.items():
        for workload in WORKLOADS:
            table = titled(tables, f"Improvement over EASY in {word}, {workload}")
            panels.append(Panel(f"{workload}, {word}", points(table), _lines(table, names), [stated], scale=word))
    return Drawing(
        "Improvement over EASY", panels, "percent of EASY's mean; first tenth dropped",
        f"Grey: the average over both workloads that the paper states for MEASY; it does not say over which loads. "
        f"{SPREAD} REASY, listing: step 1 goes on after a job that waits for its own processors, as algorithm 1 is "
        "printed.",
        "offered load", is_signed=True, is_alike=False, command=POINT, slug="improvement",
    )  # fmt: skip


def metrics(tables: Sequence[Table], setting: str, title: str, slug: str, said: str) -> Drawing:
    """Return response and slowdown by load, both workloads."""
    panels = []
    for what, word in METRICS.items():
        for workload in WORKLOADS:
            (table,) = [table for table in tables if table["title"] == f"{what}{setting}, {workload}"]
            names = [name for name in ("MEASY", "KEASY", "REASY", "EASY") if name in table["columns"]]
            unit = f"{word} [s]" if what == "Mean response" else word
            panels.append(Panel(f"{workload}, {unit}", points(table), _lines(table, names), scale=what))
    note = "means over jobs and seeds, on a logarithmic scale"
    return Drawing(title, panels, note, said, "offered load", is_log=True, is_alike=False, command=POINT, slug=slug)


def costs(tables: Sequence[Table]) -> Drawing:
    """Return the improvement of MEASY over KEASY at each load, a line for each cost of a migration."""
    panels = []
    for word in STATED:
        for workload in WORKLOADS:
            table = titled(tables, f"MEASY over KEASY in {word}, {workload}")
            panels.append(Panel(f"{workload}, {word}", points(table), _lines(table), scale=word))
    return Drawing(
        "MEASY against KEASY by the cost of a migration", panels, "percent of KEASY's mean; below 0 KEASY is better",
        "Figures 13 and 14 of the paper: MEASY is better up to 900 s on Feitelson and 480 s on Jann, and a little "
        f"worse from 1,500 s and 900 s on. {SPREAD}",
        "offered load", is_signed=True, is_alike=False, command=f"{POINT} -p migration_cost=480", slug="migration-cost",
    )  # fmt: skip


def moves(tables: Sequence[Table]) -> Drawing:
    """Return how often MEASY migrates: for each thousand jobs, and in a run."""
    titles = {"for 1,000 jobs": "Migrations of MEASY for 1,000 jobs", "in a run": "Migrations of MEASY in a run"}
    found = {word: titled(tables, title) for word, title in titles.items()}
    panels = [Panel(word, points(table), _lines(table)) for word, table in found.items()]
    return Drawing(
        "Migrations of MEASY", panels, "means over seeds",
        "Figure 8 of the paper shows the average number. A run has twice as many jobs on Feitelson, as in the paper, "
        f"so raw counts do not compare the workloads. {SPREAD}",
        "offered load", is_alike=False, command=POINT, slug="migrations",
    )  # fmt: skip


BIBTEX = """@article{liu2012migration,
  author  = {Liu, X. and Chen, B. and Qiu, X. and Cai, Y. and Huang, K.},
  title   = {Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud},
  journal = {Mathematical Problems in Engineering},
  volume  = {2012},
  pages   = {695757},
  year    = {2012},
  doi     = {10.1155/2012/695757}
}
"""
PAGE = PaperPage(
    name="measy",
    title="Migration and consolidation in two tiers",
    paper=("Liu et al.", "Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud",
           "Math. Problems in Engineering 2012, 695757"),
    sentence="Jobs that wait run meanwhile on what the foreground leaves idle; MEASY moves them up with their "
    "progress.",
    drawings=drawings,
    runs={
        scale: f"2 workloads × {len(SEEDS)}{f' to {most}' if most > len(SEEDS) else ''} seeds × (5 loads × 13 runs, 11 "
        "variants at load 0.8)"
        for scale, most in BUDGET.items()
    },
    platform="320 processors, 2 tiers",
    unknown=(
        "The original workload programs are not public. The first model is a reconstruction of Feitelson 1996, the "
        "second a re-fit of Jann 1997 to the archive's CTC-SP2 log.",
        "The normal law of φ is lost in every public text. We use mean 0.43 and deviation 0.14, remembered values.",
        "The loads of the paper's averages, and all points of its curves, are in lost figures; ours are 0.5 to 0.9.",
        "How a process's usage varies inside a job, when the loss applies and which processor wins a tie: our defaults "
        "are those that reproduce the paper's worked example.",
        "What a scheduler assumes that knows no usages: a serial job uses all of its processor, others 70 %.",
        "Algorithm 1 as printed goes on after a job that REASY cannot deploy; by default ours stops there. Both are "
        "columns.",
        "Figure 8 shows “the average number of migration”, the text speaks of “the number”: we judge the number for "
        "each job, since the workloads differ in their number of jobs, and show the raw counts beside it.",
    ),
    differences=(
        "The paper states its gains over both workloads together; so do we, beside each of them. On the Feitelson-like "
        "workload ours are smaller: our reconstruction has long chains of repeated runs of one size, and fewer serial "
        "jobs that fit beside others. On the Jann-like one they are larger.",
        "REASY loses to EASY at most loads, as claimed, but where the queue is long enough other jobs go round the one "
        "that waits for its own processors.",
        "On Jann-like jobs a migration may cost more than the paper says before KEASY is as good: each migration there "
        "saves a kill, and with it hours of work.",
    ),
    full_seconds=2000.0,
    algorithms="measy",
    bibtex=BIBTEX,
    illustrations=ILLUSTRATIONS,
)  # fmt: skip
