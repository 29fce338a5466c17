"""Migration and consolidation in two tiers (Liu et al. 2012)."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.figures.drawing import Drawing, Line, Panel, Table, column, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.measy import ALGORITHMS, COSTS, JOBS, LOADS, PROCESSORS, SEEDS, STUDY_LOAD

WORKLOADS = ("Feitelson-like", "Jann-like")
STATED = {"Mean response": 23.1, "Mean bounded slowdown": 69.3}
"""Improvement of MEASY over EASY that the paper states as an average [%]."""
OURS = ("MEASY", "KEASY", "REASY")
WARM = "Means of a sweep are over all jobs; the figure leaves the first tenth out."
POINT = (
    "shadowtime simulate feitelson:jobs=20000,processors=320 --convert load:rho=0.8 --convert two_tier -a measy "
    "--seed 1"
)


def drawings(studies: Studies) -> list[Drawing]:
    """Improvement by load, response by the cost of a migration, and how many migrations there are."""
    tables = studies[0]["figures"]
    scale = scale_of(studies)
    asked = [f"{model}:jobs={jobs},processors={PROCESSORS}" for model, jobs in JOBS[scale].items()]
    by_load = toml(
        "MEASY: improvement against offered load", asked, SEEDS[scale], ALGORITHMS, loads=LOADS, convert=["two_tier"]
    )
    by_cost = toml(
        "MEASY: the cost of a migration", asked, SEEDS[scale], loads=[STUDY_LOAD], convert=["two_tier"],
        variants=[("measy", {"migration_cost": list(COSTS)}), ("keasy", {}), ("easy", {})],
    )  # fmt: skip
    made = [(improvement(tables), by_load), (costs(tables), by_cost), (moves(tables), by_load)]
    return [replace(drawing, sweep=sweep, sweep_note=WARM) for drawing, sweep in made]


def improvement(tables: list[Table]) -> Drawing:
    """1 - mean / mean of EASY, at each load."""
    panels = []
    for what, short in (("Mean response", "mean response"), ("Mean bounded slowdown", "bounded slowdown")):
        for workload in WORKLOADS:
            table = titled(tables, f"{what}, {workload}")
            easy = column(table, "EASY").values
            lines = []
            for at, name in enumerate(OURS):
                values = column(table, name).values
                gains = [
                    100.0 * (1.0 - ours / base) if ours is not None and base else None
                    for ours, base in zip(values, easy, strict=True)
                ]
                lines.append(Line(name, gains, style=at))
            panels.append(Panel(f"{workload}, {short}", points(table), lines, [STATED[what]], scale=what))
    return Drawing(
        "Improvement over EASY against offered load", panels, "percent of EASY's mean; first tenth dropped",
        "Grey: the average that the paper states for MEASY; it does not say over which loads. The points of its own "
        "curves are lost in every public text.",
        "offered load", is_signed=True, is_alike=False, command=POINT, slug="improvement",
    )  # fmt: skip


def costs(tables: list[Table]) -> Drawing:
    """MEASY's mean response by the cost of a migration, with KEASY and EASY, which never migrate."""
    panels = []
    for workload in WORKLOADS:
        table = titled(tables, f"migration cost, load 0.8, {workload}")
        rows = dict(table["rows"])
        costs = [point for point, _ in table["rows"] if point not in ("KEASY", "EASY")]
        lines = [Line("MEASY", [rows[point][0] for point in costs], style=0)]
        lines += [Line(name, [rows[name][0]] * len(costs), style=at) for at, name in ((1, "KEASY"), (3, "EASY"))]
        panels.append(Panel(workload, [point.removesuffix(" s") for point in costs], lines))
    return Drawing(
        "Mean response by the cost of a migration", panels, "seconds, at load 0.8; KEASY and EASY do not migrate",
        "The paper: MEASY beats KEASY up to 900 s on Feitelson and 480 s on Jann.",
        "cost of a migration [s]", is_alike=False, command=f"{POINT} -p migration_cost=480", slug="migration-cost",
    )  # fmt: skip


def moves(tables: list[Table]) -> Drawing:
    """How often MEASY migrates."""
    found = [titled(tables, f"Migrations of MEASY, {workload}") for workload in WORKLOADS]
    panels = [
        Panel(workload, points(table), [Line("MEASY", column(table, "migrations").values)])
        for workload, table in zip(WORKLOADS, found, strict=True)
    ]
    return Drawing(
        "Migrations of MEASY", panels, "in a run, mean over seeds; twice as many jobs on the left", "",
        "offered load", is_alike=False, command=POINT, slug="migrations",
    )  # fmt: skip


PAGE = PaperPage(
    name="measy",
    title="Migration and consolidation in two tiers",
    authors="Liu et al.",
    work="Scheduling Parallel Jobs Using Migration and Consolidation in the Cloud",
    venue="Math. Problems in Engineering 2012, 695757",
    sentence="Jobs that wait run meanwhile on what the foreground leaves idle; MEASY moves them up with their "
    "progress.",
    drawings=drawings,
    runs={
        "quick": "2 workloads × 2 seeds × (5 loads × 4 algorithms, 6 migration costs, 5 with other usages)",
        "full": "2 workloads × 3 seeds × (5 loads × 4 algorithms, 6 migration costs, 5 with other usages)",
    },
    platform="320 processors, 2 tiers",
    unknown=(
        "The original workload programs are not public. The first model is a reconstruction of Feitelson 1996, the "
        "second a re-fit of Jann 1997 to the archive's CTC-SP2 log.",
        "The normal law of φ is lost in every public text. We use mean 0.43 and deviation 0.14, remembered values; the "
        "pair that the range alone suggests shifts ours by 1 to 6 %.",
        "The loads of the paper's averages are in lost figures; ours are 0.5 to 0.9.",
        "How a process's usage varies inside a job, when the loss applies and which processor wins a tie: our defaults "
        "are those that reproduce the paper's worked example.",
        "What a scheduler assumes that knows no usages: a serial job uses all of its processor, others 70 %.",
    ),
    differences=(
        "On the Feitelson-like workload the gains are smaller than the paper's: our reconstruction has long chains of "
        "repeated runs of one size and fewer serial jobs that fit beside others. An earlier, independent program with "
        "wider runtimes found 18 to 25 % in response and 48 to 70 % in slowdown.",
        "REASY loses to EASY at most loads, as claimed, but on Jann-like jobs it wins where the queue is long: a job "
        "that waits for its own processors blocks the queue, and then there is enough else to go round it.",
        "On Jann-like jobs a migration may cost far more than the paper says before KEASY is as good.",
    ),
    notes={
        "REASY is the worst of the three in response": "it changes places with KEASY at a high load",
        "REASY is worse than EASY in response on Jann": "a long queue goes round the jobs that block it",
        "Without usage information KEASY and MEASY still beat EASY": "KEASY falls behind by a few percent",
        "MEASY beats KEASY in response while a migration costs less than": "less on Feitelson, far more on Jann",
    },
    full_seconds=360.0,
    algorithms="measy",
)
