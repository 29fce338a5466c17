"""Bi-criteria scheduling of moldable jobs (Dutot et al. 2004)."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.figures.drawing import (
    DOTS,
    PLANE,
    Drawing,
    Line,
    Panel,
    Table,
    column,
    columns,
    known,
    points,
    titled,
)
from shadowtime.dashboard.papers.demt_pictures import ILLUSTRATIONS
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.demt import RUNS, SIZES
from shadowtime.workers.papers.demt_cells import ALGORITHMS, PROCESSORS, RIVALS
from shadowtime.workers.papers.demt_cells import FAMILIES as DRAWS
from shadowtime.workers.papers.demt_time import TITLE as TIMES

FAMILIES = ("Weakly parallel", "Highly parallel", "Mixed", "Cirne")
SEEDS = (
    "A sweep has one list of seeds; the study's are 1,000,000 x family + 1,000 n + run: other draws of the same laws."
)
POINT = "shadowtime simulate moldable:family=mixed,jobs=100,processors=200 -a demt --seed 1"
DRAWN = ("DEMT", "DEMT by area", *RIVALS)
"""Of the columns, those in Figures 3 to 6: the paper's, our order by area, and List-WSPT."""
CRITERIA = (("weighted completion over the plain", "Weighted completion"), ("makespan over the dual", "Makespan"))
OUT_OF_SCALE = ("Weakly parallel", "Gang")
"""Not drawn, as in the paper."""
NAMED = {"Cirne": "Cirne's"}
"""Families whose jobs have another name in titles."""
FAR = 2.5
"""A point of the plane beyond this many times the least ratio in either criterion is left out."""
BOUND_OF_PAPER = [2000.0]
"""Milliseconds that the paper's text gives for the largest instances."""


def drawings(studies: Studies) -> list[Drawing]:
    """Return Figures 3 to 7, then both criteria at once, comparisons, shuffles, minimums and jobs that arrive."""
    tables = studies[0]["figures"]
    runs = RUNS[scale_of(studies)]
    workloads = [f"moldable:family={family},jobs={n},processors={PROCESSORS}" for family in DRAWS for n in SIZES]
    sweep = toml("DEMT and its rivals", workloads, range(1, runs + 1), variants=list(ALGORITHMS.values()))
    made = [of_family(tables, family, f"figure-{3 + at}") for at, family in enumerate(FAMILIES)]
    made = [replace(drawing, sweep=sweep, sweep_note=SEEDS) for drawing in made]
    return [
        *made, planning(tables), plane(tables), paired(tables), shuffles(tables), minimums(tables), online(tables),
    ]  # fmt: skip


def of_family(tables: list[Table], family: str, slug: str) -> Drawing:
    """Return both criteria of a family by number of jobs, with the smallest and the largest run."""
    panels = []
    for criterion, title in CRITERIA:
        table, ends = titled(tables, f"{family}: {criterion}"), titled(tables, f"Smallest and largest run: {criterion}")
        rows = [values for point, values in ends["rows"] if point.startswith(f"{family}, ")]
        names = list(ends["columns"])
        lines = []
        for at, name in enumerate(DRAWN):
            if (family, name) != OUT_OF_SCALE:
                low, high = ([row[names.index(f"{name}, {end}")] for row in rows] for end in ("smallest", "largest"))
                lines.append(Line(name, column(table, name).values, low, high, at))
        panels.append(Panel(title, points(table), lines))
    is_narrow = family == OUT_OF_SCALE[0]
    return Drawing(
        f"Figure {slug[-1]}: {NAMED.get(family, family.lower())} jobs", panels,
        f"ratio of sums over the runs of a size{'' if is_narrow else ', on a logarithmic scale'}; 1 is the bound",
        "Whiskers: smallest and largest single run, as in the paper. 95 % intervals of the averages are in the tables. "
        + ("Gang is left out, as in the paper: its ratios reach 100 (see the tables). " if is_narrow else "")
        + "DEMT by area: the order by weight over area inside a batch; List-WSPT is not in the paper.",
        "jobs", is_log=not is_narrow, is_alike=False, command=POINT.replace("mixed", next(
            name for name, title in DRAWS.items() if title == family)), slug=slug,
    )  # fmt: skip


def planning(tables: list[Table]) -> Drawing:
    """Return planning times by number of jobs."""
    table = titled(tables, TIMES)
    return Drawing(
        "Figure 7: planning time", [Panel("All families", points(table), columns(table), BOUND_OF_PAPER)],
        "milliseconds, mean and 95 % interval, on a logarithmic scale",
        "Grey: the 2 s that the paper's text states for its largest instances, on a machine of 2004.",
        "jobs", is_log=True, command=POINT, slug="figure-7",
    )  # fmt: skip


def plane(tables: list[Table]) -> Drawing:
    """Return both criteria of every algorithm, a panel a family; points far from all others are left out."""
    panels, far = [], []
    for family in FAMILIES:
        table = titled(tables, f"{family}: both criteria at once")
        minsum, makespan = (column(table, name) for name in ("weighted completion", "makespan"))
        ups, acrosses = known(minsum.values), known(makespan.values)
        near = [
            up <= FAR * min(ups) and across <= FAR * min(acrosses) for up, across in zip(ups, acrosses, strict=True)
        ]
        names = [name for name, _ in table["rows"]]
        far += [f"{name} ({family.lower()})" for name, is_near in zip(names, near, strict=True) if not is_near]
        kept = [at for at, is_near in enumerate(near) if is_near]
        lines = []
        for title, style, is_mine in (("DEMT", 0, True), ("rivals", 2, False)):
            shown = [names[at].startswith("DEMT") is is_mine for at in kept]
            values = [minsum.values[at] if mine else None for at, mine in zip(kept, shown, strict=True)]
            low, high = ([side[at] for at in kept] for side in (minsum.low, minsum.high))
            lines.append(Line(title, values, low, high, style))
        at_makespan = [makespan.values[at] for at in kept]
        panels.append(Panel(family, [names[at] for at in kept], lines, at_makespan, "makespan over its bound"))
    left = f"Left out, since they are far away: {', '.join(far)}. " if far else ""
    return Drawing(
        "Both criteria at once", panels, "weighted completion over its bound; mean over all sizes, logarithmic axes",
        "Grey: what no other beats in both criteria. DEMT by makespan and by product are the same algorithm; only the "
        f"criterion that selects among its schedules differs. {left}Bars: 95 % intervals of the weighted completion.",
        "makespan over its bound", PLANE, is_log=True, is_alike=False,
        command=POINT.replace("-a demt", "-a demt -p criterion=makespan"), slug="both-criteria",
    )  # fmt: skip


def paired(tables: list[Table]) -> Drawing:
    """Return DEMT over each rival on the same jobs."""
    panels = []
    for criterion in ("weighted completion", "makespan"):
        table = titled(tables, f"DEMT over each rival, {criterion}")
        for at, family in enumerate(FAMILIES):
            _, values = table["rows"][at]
            line = Line("DEMT over the rival", values, table["low"][at], table["high"][at])
            panels.append(Panel(f"{family}, {criterion}", list(table["columns"]), [line], [1.0], "equal"))
    return Drawing(
        "DEMT against each rival", panels, "DEMT over the rival; geometric mean over all sizes, 95 % intervals",
        "Left of the grey mark DEMT is better. A block is one workload a size; p-values after Holm are in a table.",
        "", DOTS, is_log=True, is_alike=False, slug="against-rivals",
    )  # fmt: skip


def shuffles(tables: list[Table]) -> Drawing:
    """Return what ten shuffles of three kinds save."""
    table = titled(tables, "Gain of ten shuffles")
    panels = []
    for family in FAMILIES:
        rows = [(point, values) for point, values in table["rows"] if point.startswith(f"{family}, ")]
        lines = [Line(name, [values[at] for _, values in rows], style=at) for at, name in enumerate(table["columns"])]
        panels.append(Panel(family, [point.rpartition(" ")[2] for point, _ in rows], lines))
    return Drawing(
        "What shuffling saves", panels, "per cent of the weighted completion of list scheduling, best of ten orders",
        "Neighbours: one or two swaps of neighbouring batches. Batches: a random order of all batches. Jobs: a random "
        "order of the jobs inside each batch. The paper says that shuffling leads to small improvements.",
        "jobs", command=POINT.replace("-a demt", "-a demt -p shuffle=batches"), slug="shuffles",
    )  # fmt: skip


def minimums(tables: list[Table]) -> Drawing:
    """Return jobs with a minimum number of processors, by their share."""
    panels = []
    for criterion, title in (("weighted completion", "Weighted completion"), ("makespan", "Makespan")):
        table = titled(tables, f"Share of the jobs with a minimum: {criterion}")
        panels.append(Panel(title, points(table), columns(table)))
    return Drawing(
        "Jobs with a minimum number of processors", panels,
        "over the best proven bound, on a logarithmic scale; 95 % intervals",
        "100 mixed jobs; minimums are log-uniform from 2 to all processors. The more jobs have one, the less the "
        "allotment is a choice, and the nearer all algorithms come to each other.",
        "share of the jobs with a minimum", is_log=True, is_alike=False,
        command=POINT.replace("processors=200", "processors=200,minimum=0.5"), slug="minimums",
    )  # fmt: skip


def online(tables: list[Table]) -> Drawing:
    """Return jobs that arrive, in batches."""
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
        "With two shelves inside, the end is proved to be at most 3 × optimal; a point above that would "
        "stop the study. For DEMT inside nothing is proved.",
        "offered load", is_alike=False,
        command="shadowtime simulate moldable:family=mixed,jobs=200,processors=200,load=1 -a demt --seed 100001",
        slug="online",
    )  # fmt: skip


BIBTEX = """@inproceedings{dutot2004bicriteria,
  author    = {Dutot, Pierre-Fran{\\c c}ois and Eyraud, Lionel and Mouni{\\'e}, Gr{\\'e}gory and Trystram, Denis},
  title     = {Bi-criteria Algorithm for Scheduling Jobs on Cluster Platforms},
  booktitle = {Proceedings of the 16th Annual ACM Symposium on Parallelism in Algorithms and Architectures (SPAA)},
  year      = {2004}
}
"""

PAGE = PaperPage(
    name="demt",
    title="Bi-criteria scheduling of moldable jobs",
    paper=(
        "Dutot, Eyraud, Mounié, Trystram",
        "Bi-criteria algorithm for scheduling jobs on cluster platforms",
        "SPAA 2004",
    ),
    sentence="DEMT packs jobs into batches of doubling length, so that makespan and weighted completion stay low at "
    "once.",
    drawings=drawings,
    runs={
        scale: f"4 families × 6 sizes × {runs} workloads × 15 variants and rivals, 3 shares of minimums × {runs}, "
        f"4 families × 3 loads × {runs} of jobs that arrive, and planning times"
        for scale, runs in RUNS.items()
    },
    platform="200 processors, moldable jobs",
    unknown=(
        "The points of the paper's plots are lost; only the sentences about them survive, and these are judged.",
        "Sizes between 25 and 400 jobs are ours.",
        "By which criterion the best shuffled schedule is kept: claims about ratios are judged for three.",
        "How shuffled orders are drawn: swaps of neighbouring batches, random orders of all batches, and of the jobs "
        "inside a batch are compared.",
        "The bounds of the uniform law (1 to 10), the form of the recurrence of parallelism (as printed it contradicts "
        "the text), the parameters of Downey's function and what is redrawn are restored.",
        "The estimate of the makespan that the batches are built on: the smallest accepted guess of the dual search; "
        "the makespan of its schedule instead moves the averages by less than 3 %.",
    ),
    differences=(
        "With few jobs others lead: DEMT on weakly parallel and mixed jobs, Gang on highly parallel ones. The paper's "
        "sentences do not say from which size on they hold; we require all sizes, and say at which they fail.",
        "Whether DEMT's makespan is almost always below twice the bound depends on what selects among its schedules. "
        "The batches themselves are twice as long as the estimate of the best makespan, by construction; selected by "
        "weighted completion most schedules of weakly parallel and one in seven of mixed jobs stay above 2. By "
        "makespan none of 960 does, for 3 to 12 % of the weighted completion; selected by the product of both, a "
        "third of the weakly parallel ones does, for 2 to 6 %.",
        "The order by weight over area inside a batch saves 3 % of the weighted completion on weakly parallel jobs, "
        "costs 1 % on highly parallel ones, and is alike on the others.",
        "About a quarter to a third of the ratio of the weighted completion is the weakness of the paper's program: "
        "over the best bound DEMT is at 1.3 to 2.1 everywhere.",
        "An independent draft of the same specification agrees within 3 % in DEMT's weighted completion. Nothing was "
        "tuned to either.",
    ),
    notes={
        "Others have smaller weighted completions than DEMT on weakly parallel jobs": "all but the fewest jobs",
        "DEMT is clearly the best on highly parallel jobs": "all but 25 jobs, where Gang is alike",
        "On mixed jobs SAF is better than DEMT": "from 100 jobs on",
    },
    full_seconds=345.0,
    algorithms="demt",
    unit="workload",
    bibtex=BIBTEX,
    illustrations=ILLUSTRATIONS,
)
