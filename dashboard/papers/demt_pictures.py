"""Illustrations of moldable jobs and of DEMT, from real runs of a dozen jobs on eight processors."""

from __future__ import annotations

from functools import cache

import numpy as np

from shadowtime.dashboard.figures.sketch import Block, GraphSketch, ScheduleSketch
from shadowtime.dashboard.papers.page import Illustration
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload

PROCESSORS = 8
JOBS = 12


@cache
def dozen() -> Workload:
    """Return the jobs of the pictures."""
    return generate("moldable", {"family": "mixed", "jobs": JOBS, "processors": PROCESSORS}, 13)


def blocks(schedule: Schedule) -> list[Block]:
    """Return a rectangle for each lane of each job, labelled on its first lane."""
    rows = schedule.segments
    return [
        Block(lane, float(start), float(end), f"{job + 1}" if lane == first else "", int(job))
        for job, first, last, start, end in zip(
            *(rows[name].tolist() for name in ("job", "first", "last", "start", "end")), strict=True
        )
        for lane in range(first, last + 1)
    ]


def lanes(number: int) -> list[str]:
    """Return the names of processors."""
    return [f"{lane + 1}" for lane in range(number)]


def problem() -> ScheduleSketch:
    """Return one job on 1, 2 and 4 processors, beside each other."""
    times, begin, drawn = {1: 8.0, 2: 5.0, 4: 3.5}, 0.0, []
    for colour, (width, time) in enumerate(times.items()):
        drawn += [
            Block(lane, begin, begin + time, f"{width} x {time:g} s" if lane == 0 else "", colour)
            for lane in range(width)
        ]
        begin += time + 1.0
    return ScheduleSketch(lanes(4), drawn, axis="seconds; three choices for one job")


def queues() -> GraphSketch:
    """Return how jobs enter a cluster (Figure 1)."""
    return GraphSketch(
        [(0.0, 0.15, "A", 4), (0.0, 0.5, "B", 4), (0.0, 0.85, "C", 4), (0.25, 0.5, "sub", 1), (0.5, 0.1, "q1", 2),
         (0.5, 0.5, "q2", 2), (0.5, 0.9, "q3", 2), (0.75, 0.5, "plan", 0), (1.0, 0.1, "P1", 6), (1.0, 0.5, "P2", 6),
         (1.0, 0.9, "Pm", 6)],
        [(0, 3, ""), (1, 3, ""), (2, 3, ""), (3, 4, ""), (3, 5, ""), (3, 6, ""), (4, 7, ""), (5, 7, ""), (6, 7, ""),
         (7, 8, ""), (7, 9, ""), (7, 10, "")],
    )  # fmt: skip


def perfect() -> ScheduleSketch:
    """Return perfectly moldable jobs on all processors, by rising area (the example of section 3.1)."""
    area = np.array([2.0, 4.0, 6.0, 8.0, 12.0])
    time = (area[:, None] / np.arange(1, 5)).ravel()
    made = moldable(np.zeros(5), np.arange(6) * 4, time, 4, "")
    return ScheduleSketch(lanes(4), blocks(simulate(made, "gang")))


def shelves() -> ScheduleSketch:
    """Return the two shelves of the dual approximation."""
    schedule = simulate(dozen(), "dual")
    guess = float(schedule.bands["end"].min())
    return ScheduleSketch(lanes(PROCESSORS), blocks(schedule), [(guess, "guess")])


def batches() -> ScheduleSketch:
    """Return the batches as they are."""
    schedule = simulate(dozen(), "demt", {"final": "basic"})
    marks = [(float(start), f"{number}") for start, number in zip(
        schedule.bands["start"], schedule.bands["number"], strict=True)]  # fmt: skip
    return ScheduleSketch(lanes(PROCESSORS), blocks(schedule), marks)


def compacted() -> ScheduleSketch:
    """Return the schedule that DEMT delivers."""
    return ScheduleSketch(lanes(PROCESSORS), blocks(simulate(dozen(), "demt", seed=1)))


def rigid() -> ScheduleSketch:
    """Return five rigid jobs that no two shelves hold."""
    p = np.tile([np.inf, np.inf, 1.0, 1.0], 5)
    made = moldable(np.zeros(5), np.arange(6) * 4, p, 4, "")
    return ScheduleSketch(lanes(4), blocks(simulate(made, "dual")))


ILLUSTRATIONS = (
    Illustration("queues", "Jobs enter through queues", "Users A, B and C submit (sub) to priority queues; a scheduler "
                 "plans the jobs of all queues on the processors P1 to Pm. Drawn from the text.", queues, "Figure 1"),
    Illustration("problem", "A moldable job", "The scheduler chooses the processors of a job once, at its start. More "
                 "processors end it sooner, but take more processor time: 8, 10 and 14 processor-seconds.", problem),
    Illustration("perfect", "Perfect speed-up", "If the work of a job does not depend on its processors, all "
                 "processors for one job after another, smallest area first, is the best for equal weights.", perfect),
    Illustration("shelves", "The estimate of the makespan", "Two shelves: long jobs on the first, short ones on the "
                 "second, which ends at 3/2 of the smallest guess that cannot be disproved. Twelve mixed jobs on eight "
                 "processors, really run.", shelves),
    Illustration("batches", "Batches of doubling length", "Each batch takes the heaviest set of jobs that fits, each "
                 "on the fewest processors that make it short enough; short jobs are stacked. Dotted: where "
                 "batches begin; those without a job are left out. The same jobs.", batches,
                 "Figure 2"),
    Illustration("compacted", "What DEMT delivers", "The best of: every job pulled forward, list scheduling in the "
                 "order of the batches, and that with shuffled batches. The same jobs.", compacted),
    Illustration("rigid", "A minimum number of processors", "Five rigid jobs of three of four processors fit on no two "
                 "shelves: list scheduling on the same allotments stands in, at most twice the guess long.", rigid),
)  # fmt: skip
