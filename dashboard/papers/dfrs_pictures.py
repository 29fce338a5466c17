"""Illustrations of fractional scheduling: sharing, the penalty, virtual time, and what underutilization is.

The schedules are those of the engine on the jobs given here: a test computes them again.
"""

from __future__ import annotations

from shadowtime.dashboard.figures.sketch import Block, ScheduleSketch, StepSketch
from shadowtime.dashboard.papers.page import Illustration

SHARING = ((0.0, 2, 1.0, 0.4, 300.0), (30.0, 1, 0.25, 0.2, 30.0))
"""Jobs on two nodes: release [s], tasks, CPU need, memory, runtime [s]. A has two tasks, B has one."""
EASY_SHARING = ((0, 0, 1, 0.0, 300.0, 1.0, 0), (1, 0, 0, 300.0, 330.0, 1.0, 0))
"""Rectangles under EASY: job, first and last node, start, end, share, kind."""
GREEDY_SHARING = (
    (0, 0, 1, 0.0, 30.0, 1.0, 0),
    (0, 0, 1, 30.0, 67.5, 0.8, 0),
    (1, 0, 0, 30.0, 67.5, 0.2, 0),
    (0, 0, 1, 67.5, 307.5, 1.0, 0),
)
"""The same under GreedyPM*."""
PAUSING = ((0.0, 1, 1.0, 0.6, 200.0), (60.0, 1, 1.0, 0.6, 60.0))
"""Two jobs whose memory does not fit on the one node."""
PAUSED = (
    (0, 0, 0, 0.0, 60.0, 1.0, 0),
    (1, 0, 0, 60.0, 120.0, 1.0, 0),
    (0, 0, 0, 120.0, 420.0, 1.0, 1),
    (0, 0, 0, 420.0, 560.0, 1.0, 0),
)
"""Their rectangles under GreedyP*; kind 1 is a stall."""
IDLE_TIMES = (0.0, 60.0, 120.0, 420.0, 560.0)
DEMAND, USEFUL = (1.0, 2.0, 1.0, 1.0), (1.0, 1.0, 0.0, 1.0)
"""CPU that these two jobs request and use, in nodes, from each of IDLE_TIMES on."""


def sharing() -> ScheduleSketch:
    """Return both schedules of SHARING, one above the other."""
    lanes = ("EASY 1", "EASY 2", "DFRS 1", "DFRS 2")
    blocks = [
        Block(2 * below + node, start, end, "AB"[job], job, 0.0 if job else low(share), share if job else 1.0)
        for below, rows in enumerate((EASY_SHARING, GREEDY_SHARING))
        for job, first, last, start, end, share, _ in rows
        for node in range(first, last + 1)
    ]
    return ScheduleSketch(lanes, blocks)


def low(share: float) -> float:
    """Return the lower end of job A, which lies at the top of a node."""
    return 1.0 - share


def pausing() -> ScheduleSketch:
    """Return the schedule of PAUSING, with the stall dashed."""
    blocks = [
        Block(0, start, end, "A, stalled" if kind else "AB"[job], job, hatched=kind == 1)
        for job, _, _, start, end, _, kind in PAUSED
    ]
    return ScheduleSketch(("node",), blocks)


def virtual_time() -> ScheduleSketch:
    """Return the example of section 4.1: 10 s at yield 1, 120 s paused, 30 s at yield 0.5."""
    blocks = [Block(0, 0.0, 10.0, "1", 0), Block(0, 130.0, 160.0, "0.5", 0, 0.0, 0.5)]
    return ScheduleSketch(("yield",), blocks, [(10.0, "paused"), (130.0, "resumed")])


def underutilization() -> StepSketch:
    """Return demand, useful CPU and capacity of PAUSING."""
    capacity = (1.0,) * len(DEMAND)
    return StepSketch(IDLE_TIMES, [("capacity", capacity), ("demand", DEMAND), ("useful CPU", USEFUL)], (2, 0), 2.0)


ILLUSTRATIONS = (
    Illustration(
        "sharing", "Whole nodes against shares of nodes",
        "Job A has two tasks that need a whole CPU for 300 s, job B one task that needs a quarter for 30 s. EASY gives "
        "whole nodes: B waits for 270 s, a stretch of 10. With shares B starts at once, both run at 80 % of full "
        "speed, and A ends 7.5 s later.", sharing,
    ),
    Illustration(
        "pausing", "Memory decides what fits; a pause costs 300 s",
        "The tasks of A and B need 60 % of the node's memory each. GreedyP pauses A, which has had more, for B. When A "
        "resumes it holds its place, but makes no progress for the penalty of 300 s (dashed).", pausing,
    ),
    Illustration(
        "virtual-time", "Virtual time",
        "10 s at a yield of 1, 120 s of pause, and 30 s at a yield of 0.5 give a virtual time "
        "of 25 s. Priority is flow time over the square of virtual time: 160 / 25² = 0.256. No runtime is needed.",
        virtual_time, "Example of section 4.1",
    ),
    Illustration(
        "underutilization", "Underutilization",
        "The two jobs of the picture above: the grey area is what is idle although it could be used, the smaller of "
        "capacity and demand minus the CPU in useful use. Here it is the stall: 300 node seconds, over the work of 260 "
        "node seconds.", underutilization, "Figure 2",
    ),
)  # fmt: skip
