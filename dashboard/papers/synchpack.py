"""Packing, placement and synchronisation (Shafiee and Ghaderi 2022)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shadowtime.dashboard.figures.drawing import DOTS, Drawing, Line, Panel, Table, column, columns, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.dashboard.papers.synchpack_pictures import ILLUSTRATIONS
from shadowtime.workers.papers import synchpack_tables as named
from shadowtime.workers.papers.synchpack_cells import PREEMPTIVE, STAYING, WEIGHTS
from shadowtime.workers.papers.synchpack_points import FACTORS, LOADS, SCALES, Scale, cases

SECONDS = "seconds, weighted mean; 95 % interval over seeds"
RATIO = "rival over SynchPack; above 1 the rival is worse; 95 % interval over seeds"
EQUAL = "as SynchPack"
COMMAND = "shadowtime simulate multitask:jobs={jobs},machines={machines},weights={weights}{more} -a {slug} --seed 1"


def drawings(studies: Studies) -> list[Drawing]:
    """Return a drawing for each figure and table of the paper, then those on how the ranking depends on sizes."""
    tables, scale = studies[0]["figures"], SCALES[scale_of(studies)]
    return [*_offline(tables, scale), *_online(tables, scale), *_sizes(tables, scale), _largest(tables)]


def _offline(tables: Sequence[Table], scale: Scale) -> list[Drawing]:
    single = COMMAND.format(
        jobs=scale.main, machines=scale.cluster, weights="priority", more="", slug="synchpack-3 -p order=primal-dual"
    )
    places = f",local=3,remote={scale.remote}"
    staying = COMMAND.format(
        jobs=scale.placed_main, machines=scale.placed_cluster, weights="priority", more=places, slug="synchpack-2"
    )
    near = titled(tables, named.TABLE_1)
    return [
        _one(near, "table-1", "mean ratio; 1 is the value of the program; 95 % interval over seeds",
             "Proved: at most 4 for SynchPack-3 and 24 for SynchPack-2. The paper's values are lost.", "weights",
             command=single),
        _one(titled(tables, named.FIGURE_2A), "figure-2a", SECONDS,
             f"{scale.main:,} jobs on {scale.cluster:,} machines, all there at once.", "weights", command=single,
             sweep=_grid("SynchPack: one machine a task", scale, PREEMPTIVE)),
        _one(titled(tables, named.FIGURE_2B), "figure-2b", SECONDS,
             f"{scale.placed_main:,} jobs on {scale.placed_cluster:,} machines: 3 local and {scale.remote} remote "
             "machines a task, where it takes twice as long.", "weights", command=staying,
             sweep=_grid("SynchPack: placement", scale, STAYING, places)),
        _one(titled(tables, named.FIGURE_2C), "figure-2c", SECONDS, "Priority weights; factors are ours.",
             "remote factor", command=staying,
             sweep=_grid("SynchPack: remote factor", scale, STAYING, places, factors=FACTORS)),
    ]  # fmt: skip


def _online(tables: Sequence[Table], scale: Scale) -> list[Drawing]:
    moving, staying = (titled(tables, title) for title in (named.FIGURE_3A, named.FIGURE_3B))
    above = "Above a load of 1 work comes faster than it can be done."
    single = COMMAND.format(
        jobs=scale.online, machines=scale.cluster, weights="equal", more=",load=2",
        slug="synchpack-3 -p order=primal-dual -p replan=intervals",
    )  # fmt: skip
    return [
        Drawing(moving["title"], _split(moving, WEIGHTS), SECONDS, above, "offered load", is_log=True, command=single,
                sweep=_grid("SynchPack: jobs that arrive", scale, PREEMPTIVE, is_online=True), slug="figure-3a"),
        Drawing(staying["title"], _split(staying, WEIGHTS), SECONDS, above, "offered load", is_log=True, is_alike=False,
                sweep=_grid("SynchPack: jobs that arrive, placement", scale, STAYING,
                            f",local=3,remote={scale.remote}", is_online=True), slug="figure-3b"),
        _one(titled(tables, named.FIGURE_3C), "figure-3c", SECONDS, above, "offered load", command=single),
    ]  # fmt: skip


def _sizes(tables: Sequence[Table], scale: Scale) -> list[Drawing]:
    moving, staying, cluster, waits, steep = (
        titled(tables, title)
        for title in (named.BY_SIZE, named.BY_SIZE_PLACED, named.BY_CLUSTER, named.WAITS, named.STEEP_WEIGHTS)
    )
    machines = [f"{m:,} machines" for m in scale.machines]
    return [
        Drawing(moving["title"], _by_size(moving, scale.cluster, scale.jobs[0]), RATIO,
                "Few jobs on many machines hardly compete, and all orders are alike. Tetris with f = 10 finishes the "
                "job with the least volume left on all machines at once, and chooses again at each completion; the "
                "order of SynchPack-3 is fixed, and matters the more, the more jobs wait for a machine.", "",
                is_alike=False, slug="by-size"),
        Drawing(staying["title"], _by_size(staying, scale.placed_cluster, scale.placed_main), RATIO,
                "LP2 limits the size: 200 jobs are about 2,000 tasks.", "", is_alike=False, slug="by-size-placed"),
        Drawing(cluster["title"], _split(cluster, machines, "", [1.0]), RATIO,
                f"{scale.jobs[0]:,} jobs. Where an interval of five mean gaps is as long as a task (few machines), the "
                "wait for the next boundary costs SynchPack-3 more than its order gains.", "offered load",
                is_alike=False, slug="by-cluster"),
        _one(waits, "waiting", SECONDS, f"{scale.waiting:,} jobs on {scale.cluster:,} machines. A job "
             "waits for the next boundary before any of its tasks starts.", "offered load"),
        _one(steep, "steep", SECONDS, "Weights of ours, not counted in any verdict.", "machines"),
    ]  # fmt: skip


def _by_size(table: Table, cluster: int, jobs: int) -> list[Panel]:
    """Return a panel by jobs on the cluster, and one by machines."""
    return [
        Panel(f"{cluster:,} machines, by jobs", *_picked(table, f"{cluster:,} machines, ", ""), [1.0], EQUAL),
        Panel(f"{jobs:,} jobs, by machines", *_picked(table, "", f", {jobs:,} jobs"), [1.0], EQUAL),
    ]


def _largest(tables: Sequence[Table]) -> Drawing:
    table = titled(tables, named.LARGEST)
    ours, theirs = column(table, "ours"), column(table, "remembered").values
    return Drawing(
        table["title"], [Panel("", [point for point, _ in table["rows"]], [ours], theirs, "remembered")],
        "per cent by which the rival is worse", "The paper's percentages are lost; these are remembered and uncertain, "
        "and the constant f of Tetris is unknown.", "", DOTS, slug="largest",
    )  # fmt: skip


def _one(table: Table, slug: str, note: str, said: str, axis: str, *, command: str = "", sweep: str = "") -> Drawing:
    """Return a table as one panel: its rows along the axis, its columns as lines."""
    at = [point.removeprefix("factor ").removesuffix(" machines") for point in points(table)]
    panel = Panel("", at, [line for line in columns(table) if any(value is not None for value in line.values)])
    return Drawing(table["title"], [panel], note, said, axis, command=command, sweep=sweep, slug=slug)


def _picked(table: Table, head: str, tail: str) -> tuple[list[str], list[Line]]:
    """Return the points and lines of the rows that begin and end so; values that no row has are left out."""
    rows = [at for at, (point, _) in enumerate(table["rows"]) if point.startswith(head) and point.endswith(tail)]
    names = [table["rows"][at][0].removeprefix(head).removesuffix(tail).removeprefix("load ") for at in rows]
    lines = []
    for place, line in enumerate(columns(table)):
        values, low, high = ([ends[at] for at in rows] for ends in (line.values, line.low, line.high))
        if all(value is not None for value in values):
            lines.append(Line(line.name, values, low, high, place))
    return [name.removesuffix(" jobs").removesuffix(" machines") for name in names], lines


def _split(table: Table, heads: Sequence[str], tail: str = "", level: Sequence[float] = ()) -> list[Panel]:
    """Return a panel for the rows that begin with each of some words."""
    return [
        Panel(head[:1].upper() + head[1:], *_picked(table, f"{head}, ", tail), level, EQUAL)
        for head in heads
    ]  # fmt: skip


def _grid(
    name: str, scale: Scale, algorithms: Mapping[str, Any], places: str = "", *, factors: Sequence[float] = (),
    is_online: bool = False,
) -> str:  # fmt: skip
    """Return the sweep behind a drawing."""
    jobs, machines = (scale.placed_main, scale.placed_cluster) if places else (scale.main, scale.cluster)
    if is_online:
        jobs = scale.online_placed if places else scale.online
    more = [f",load={x:g}" for x in LOADS] if is_online else [f",remote_factor={x:g}" for x in factors] or [""]
    weights = ("priority",) if factors else WEIGHTS
    workloads = [f"multitask:jobs={jobs},machines={machines},weights={w}{places}{m}" for w in weights for m in more]
    return toml(name, workloads, scale.seeds, variants=list(algorithms.values()))


PAGE = PaperPage(
    name="synchpack",
    title="Packing, placement and synchronisation",
    paper=("Shafiee, Ghaderi", "Scheduling parallel-task jobs subject to packing and placement constraints",
           "Operations Research 70(6), 2022"),
    sentence="A job of many tasks ends with its last one: SynchPack orders jobs by a linear program, then packs.",
    drawings=drawings,
    runs={scale: f"{len(sizes.seeds)} seeds × {len(cases(sizes))} workloads, each with all its algorithms"
          for scale, sizes in SCALES.items()},
    platform="10 to 1,000 machines; jobs of many tasks",
    unknown=(
        "Table 1, the values of Figures 2 and 3, the task cap, the numbers of jobs, machines, local and remote "
        "machines, and the remote factor are lost. From memory, uncertain: 200 machines, 7,521 jobs.",
        "The constant of Tetris is lost: f = 0.1, 1 and 10 are shown, verdicts take f = 1, which scales both terms "
        "of its score alike as its own paper does.",
        "The paper's trace (Google 2011) is replaced by a generator after its published distributions: the part that "
        "is public here has one multi-task job of the production class that ended.",
        "Its traffic is unknown: loads 0.5 to 4. Constants of the on-line intervals are remembered: 5 mean gaps, 50 "
        "and 3.",
        "Off-line the paper takes the first jobs of its trace; how many is lost. Verdicts take 3,000, and sizes beside "
        "them show what depends on it.",
    ),
    differences=(
        "With one machine a task the ranking depends on how many tasks wait for a machine. With few of them all orders "
        "are alike, and Tetris is ahead by its packing; with some 150 tasks a machine (3,000 jobs on 200) SynchPack-3 "
        "is better than PSRS and than Tetris with f = 1, and the gain over PSRS grows with the jobs.",
        "Tetris with f = 10 finishes job after job and chooses again, on all machines, at each completion, while the "
        "order of SynchPack-3 stays: it is ahead at most sizes and loads. Had the paper such a constant, its claim on "
        "Tetris would not come out here.",
        "On-line at low loads the wait for the next boundary costs SynchPack more than its order gains. An interval is "
        "five mean gaps: the fewer the machines, the longer it is beside a task. Shorter intervals lose less.",
        "With placement, LP2 limits us to some 2,000 tasks, on so few machines that each has as many tasks as in "
        "Figure 2(a). Where remote machines cost nothing (factor 1), Tetris gains, which may choose any at any time.",
        "With weights that fall by 512 times (not the paper's) SynchPack-3 is often behind all others.",
    ),
    full_seconds=2700.0,
    algorithms="synchpack-3",
    illustrations=ILLUSTRATIONS,
    unit="workload",
    bibtex="""@article{shafiee2022synchpack,
  author = {Shafiee, Mehrnoosh and Ghaderi, Javad},
  title = {Scheduling Parallel-Task Jobs Subject to Packing and Placement Constraints},
  journal = {Operations Research},
  volume = {70},
  number = {6},
  year = {2022},
  note = {arXiv:2004.00518}
}
""",
)  # fmt: skip
