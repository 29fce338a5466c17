"""Packing, placement and synchronisation (Shafiee and Ghaderi 2022)."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.figures.drawing import Drawing, Line, Panel, Table, columns, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.synchpack import (
    JOBS,
    LOADS,
    MACHINES,
    ONLINE,
    PLACED,
    PREEMPTIVE,
    SEEDS,
    SINGLE,
    STAYING,
    WEIGHTS,
)


def drawings(studies: Studies) -> list[Drawing]:
    """Ratios to the linear programs, and delays of jobs that arrive."""
    tables = studies[0]["figures"]
    made = [
        Drawing(
            f"Weighted completion over {program}, {words}", by_machines(titled(tables, f"over {program}")),
            "mean ratio over seeds; 1 is the value of the linear program", said, "weights of jobs", is_log=True,
            command=f"shadowtime simulate {workload} -a {slug} --seed 1", slug=f"over-{program.lower()}",
        )
        for program, words, said, workload, slug in (
            ("LP3", "a task has one machine", "Proved: at most 4 times the program.",
             "multitask:jobs=200,machines=30,weights=random", "synchpack-3"),
            ("LP2", "tasks are placed", "Proved: at most 24 times the program.",
             "multitask:jobs=80,machines=6,weights=random,local=3,remote=3", "synchpack-2"),
        )
    ]  # fmt: skip
    panels = []
    for table in (one for one in tables if one["title"].startswith("Weighted delay on-line")):
        name = table["title"].partition(", ")[2]
        panels.append(Panel(name[:1].upper() + name[1:], points(table), columns(table)))
    delays = Drawing(
        "Weighted delay of jobs that arrive", panels, "seconds per weight, on a logarithmic scale", "Above a load of 1 "
        "work comes faster than it can be done.", "offered load", is_log=True, is_alike=False, slug="online",
        command="shadowtime simulate multitask:jobs=200,machines=10,weights=priority,load=2 -a synchpack-3 --seed 1",
    )  # fmt: skip
    return [
        replace(drawing, sweep=sweep) for drawing, sweep in zip([*made, delays], grids(scale_of(studies)), strict=True)
    ]


def grids(scale: str) -> list[str]:
    """The sweeps behind the drawings, in their order; of jobs that arrive, those with placement."""
    jobs, seeds = JOBS[scale], SEEDS[scale]
    places = "local=3,remote=3"
    single = [f"multitask:jobs={jobs[SINGLE]},machines={m},weights={w}" for m in MACHINES[SINGLE] for w in WEIGHTS]
    placed = [
        f"multitask:jobs={jobs[PLACED]},machines={m},weights={w},{places}"
        for m in MACHINES[PLACED] for w in WEIGHTS[:3]
    ]  # fmt: skip
    online = [
        f"multitask:jobs={jobs[ONLINE] // 2},machines={MACHINES[ONLINE][0]},weights=priority,load={x},{places}"
        for x in LOADS
    ]
    own, staying = list(PREEMPTIVE.values()), list(STAYING.values())
    return [
        toml("SynchPack: one machine a task", single, seeds, variants=own),
        toml("SynchPack: placement", placed, seeds, variants=staying),
        toml("SynchPack: jobs that arrive, with placement", online, seeds, variants=staying),
    ]


def by_machines(table: Table) -> list[Panel]:
    """A panel for each number of machines; rows are called `30 machines, equal`."""
    panels = []
    for machines in dict.fromkeys(point.partition(", ")[0] for point, _ in table["rows"]):
        rows = [(point.partition(", ")[2], values) for point, values in table["rows"] if point.startswith(machines)]
        lines = [Line(line.name, [values[at] for _, values in rows], style=at)
                 for at, line in enumerate(columns(table))]  # fmt: skip
        panels.append(Panel(machines, [weights for weights, _ in rows], lines))
    return panels


PAGE = PaperPage(
    name="synchpack",
    title="Packing, placement and synchronisation",
    authors="Shafiee, Ghaderi",
    work="Scheduling parallel-task jobs subject to packing and placement constraints",
    venue="Operations Research 70(6), 2022",
    sentence="A job of many tasks ends with its last one: SynchPack orders jobs by a linear program, then packs.",
    drawings=drawings,
    runs={
        "quick": "2 seeds × (8 workloads with fixed machines × 6 algorithms, 6 with placement × 7, 8 on-line)",
        "full": "3 seeds × (8 workloads with fixed machines × 6 algorithms, 6 with placement × 7, 8 on-line)",
    },
    platform="6 to 30 machines; jobs of many tasks",
    unknown=(
        "Table 1, the values of Figures 2 and 3, the task cap, the numbers of local and remote machines, the remote "
        "factor and the constant of Tetris are lost, and not guessed: Tetris is shown with three constants.",
        "The paper's trace (Google 2011) is replaced by a generator after its published distributions.",
        "Constants of the on-line intervals are remembered: 5 mean gaps, 50 and 3.",
    ),
    differences=(
        "The advantage over Tetris depends on its lost constant: SynchPack-3 is better than PSRS and than Tetris with "
        "f up to 1 on loaded machines, and Tetris with f = 10, which finishes job after job, equals or beats it.",
        "The remembered percentages of the rivals are shown beside ours, not judged.",
    ),
    notes={
        "SynchPack-3 and SynchPack-2 are best": "Tetris' own constant is lost",
        "How much worse the rivals are, at most": "remembered, uncertain",
    },
    full_seconds=None,
    algorithms="synchpack-3",
    unit="workload",
)  # fmt: skip
