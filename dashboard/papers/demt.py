"""Bi-criteria scheduling of moldable jobs (Dutot et al. 2004)."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.figures.drawing import Drawing, Line, Panel, columns, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.demt import RUNS, SIZES
from shadowtime.workers.papers.demt_cells import ALGORITHMS, PROCESSORS
from shadowtime.workers.papers.demt_cells import FAMILIES as DRAWS

FAMILIES = ("Weakly parallel", "Highly parallel", "Mixed", "Cirne")
SEEDS = (
    "A sweep has one list of seeds; the study's are 1,000,000 x family + 1,000 n + run: other draws of the same laws."
)
POINT = "shadowtime simulate moldable:family=mixed,jobs=100,processors=200 -a demt --seed 1"


def drawings(studies: Studies) -> list[Drawing]:
    """Both criteria by family and number of jobs, and the batches of jobs that arrive over time."""
    tables = studies[0]["figures"]
    made = []
    for title, criterion, said in (
        ("Weighted completion over its bound", "weighted completion over the plain",
         "The paper's bound: the interval program as it stands there. Whiskers: smallest and largest single run."),
        ("Makespan over its bound", "makespan over the dual", "The dual bound. Whiskers as above."),
    ):  # fmt: skip
        panels = []
        for family in FAMILIES:
            table = titled(tables, f"{family}: {criterion}")
            panels.append(Panel(family, points(table), columns(table)))
        note = "ratio of sums over the runs of a size, on a logarithmic scale; 1 is the bound"
        made.append(Drawing(title, panels, note, said, "jobs", is_log=True, command=POINT))
    scale = scale_of(studies)
    workloads = [f"moldable:family={family},jobs={n},processors={PROCESSORS}" for family in DRAWS for n in SIZES]
    variants = list(ALGORITHMS.values())
    sweep = toml("DEMT and its rivals", workloads, range(1, RUNS[scale] + 1), variants=variants)
    made = [replace(drawing, sweep=sweep, sweep_note=SEEDS) for drawing in made]
    return [*made, online(tables)]


def online(tables: list) -> Drawing:
    """Jobs that arrive, in batches."""
    table = titled(tables, "Jobs that arrive over time")
    names = list(table["columns"])
    panels = []
    for what, short in (("makespan at most", "makespan, largest run"), ("weighted completion", "weighted completion")):
        for family in FAMILIES:
            rows = [(point, values) for point, values in table["rows"] if point.startswith(f"{family}, ")]
            lines = [
                Line(inside, [values[names.index(f"{inside}, {what}")] for _, values in rows], style=at)
                for at, inside in enumerate(("Two shelves", "DEMT"))
            ]
            panels.append(
                Panel(f"{family}, {short}", [point.rpartition(" ")[2] for point, _ in rows], lines, scale=what)
            )
    return Drawing(
        "Jobs that arrive over time, in batches", panels, "over the best proven bound; 200 jobs",
        "With two shelves inside, the end is proved to be at most 3 times the best possible; a point above that would "
        "stop the study. For DEMT inside nothing is proved.",
        "offered load", is_alike=False,
        command="shadowtime simulate moldable:family=mixed,jobs=200,processors=200,load=1 -a demt --seed 100001",
        slug="online",
    )  # fmt: skip


PAGE = PaperPage(
    name="demt",
    title="Bi-criteria scheduling of moldable jobs",
    authors="Dutot, Eyraud, Mounié, Trystram",
    work="Bi-criteria algorithm for scheduling jobs on cluster platforms",
    venue="SPAA 2004",
    sentence="DEMT packs jobs into batches of doubling length, so that makespan and weighted completion stay low at "
    "once.",
    drawings=drawings,
    runs={
        "quick": "4 families × 6 sizes × 8 workloads × 8 algorithms, and 4 families × 3 loads × 8 of jobs that arrive",
        "full": "4 families × 6 sizes × 40 workloads × 8 algorithms, and 4 families × 3 loads × 40 of jobs that arrive",
    },
    platform="200 processors, moldable jobs",
    unknown=(
        "The points of the paper's plots are lost; only the sentences about them survive, and these are judged.",
        "Sizes between 25 and 400 jobs are ours.",
        "The bounds of the uniform law (1 to 10), the form of the recurrence of parallelism (as printed it contradicts "
        "the text), the parameters of Downey's function and what is redrawn are restored.",
        "The estimate of the makespan that the batches are built on: the smallest accepted guess of the dual search; "
        "the makespan of its schedule instead moves the averages by less than 3 %.",
    ),
    differences=(
        "With 25 jobs DEMT leads on weakly parallel jobs, and Gang is about as good on highly parallel ones; the "
        "paper's sentences do not say from which size on they hold.",
        "On weakly parallel and mixed jobs DEMT's makespan exceeds twice the dual bound in many runs: the batches are "
        "twice as long as the estimate of the best makespan, by construction, and what is delivered minimises the "
        "weighted completion (criterion=makespan chooses otherwise).",
        "About a quarter to a third of the ratio of the weighted completion is the weakness of the paper's program: "
        "over the best bound DEMT is at 1.3 to 2.1 everywhere.",
        "An independent draft of the same specification agrees within 3 % in DEMT's weighted completion. Nothing was "
        "tuned to either.",
    ),
    notes={
        "Others are better than DEMT on weakly parallel jobs": "all but the fewest jobs",
        "DEMT is clearly the best on highly parallel jobs": "all but 25 jobs, where Gang is alike",
        "DEMT's makespan is almost always below 2": "batches are twice as long as the best makespan",
    },
    full_seconds=130.0,
    algorithms="demt",
    unit="workload",
)
