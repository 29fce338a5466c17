"""Illustrations of the MEASY paper: schedules of its small examples, as the algorithms here make them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from shadowtime.dashboard.figures.sketch import Block, ScheduleSketch
from shadowtime.dashboard.papers.page import Illustration
from shadowtime.engine.tables import LOST, STALL
from shadowtime.workers.papers.measy_examples import (
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    FOUR_WAYS,
    Example,
    reservation,
    run,
)

EDGE = 0.45
"""Share of a lane that shows the background slot; the foreground slot is above it."""
KEY = "Upper half of a lane: foreground. Lower half, dashed: background."


def drawn(example: Example, algorithms: Sequence[str], reserved: int | None = None) -> ScheduleSketch:
    """Return the schedules of some algorithms on the same jobs, below each other.

    reserved
        Job whose last reservation under the first algorithm is marked.
    """
    lanes, blocks, marks = [], [], []
    if reserved is not None:
        instant = reservation(run(example, algorithms[0]), reserved)
        marks = [(instant, f"reserved for job {reserved + 1}")]
        lanes = [""]
    for name in algorithms:
        lanes += [""] if lanes and not marks else []
        blocks += _blocks(example, name, len(lanes))
        prefix = f"{name.upper()} " if len(algorithms) > 1 else "P"
        lanes += [f"{prefix}{one + 1}" for one in range(example.processors)]
    return ScheduleSketch(lanes, blocks, marks)


def _blocks(example: Example, algorithm: str, first_lane: int) -> list[Block]:
    """Return the segments of a schedule as blocks, one for each processor."""
    segments = run(example, algorithm).segments
    found = []
    for job, first, last, tier, start, end, kind in zip(
        *(segments[name].tolist() for name in ("job", "first", "last", "tier", "start", "end", "kind")), strict=True
    ):
        low, high = (0.0, EDGE) if tier else (EDGE, 1.0)
        label = f"{job + 1} killed" if kind == LOST else f"{job + 1} moves" if kind == STALL else f"{job + 1}"
        found += [
            Block(first_lane + lane, start, end, label, job, low, high, bool(tier) or kind == STALL)
            for lane in range(first, last + 1)
        ]
    return found


def _one(
    key: str, title: str, caption: str, example: Example, algorithms: Sequence[str], figure: str = "",
    reserved: int | None = None,
) -> Illustration:  # fmt: skip
    return Illustration(key, title, caption, partial(drawn, example, algorithms, reserved), figure)


ILLUSTRATIONS = (
    _one(
        "four-ways", "One job, four ways to the foreground",
        f"{KEY} Job 4 needs two processors. Under EASY it waits until 4. The others let it run meanwhile behind jobs 1 "
        "and 2, on what they leave idle. At 4 two processors are idle, one of which is not its own: KEASY kills and "
        "restarts it, REASY leaves it where it is, MEASY moves it with its progress at a cost of half a second (dashed "
        "in the foreground).",
        FOUR_WAYS, ("easy", "keasy", "reasy", "measy"),
    ),
    _one(
        "figure-1a", "KEASY on twelve jobs",
        f"{KEY} At 5 job 6 is killed behind job 1 and restarts in front of job 8, which then stands still; job 7 is "
        "swapped to the foreground of its own processor. At 11 job 9 is killed and restarts on P1. Job 10 does not end "
        "before 16, so job 11 gets a reservation and job 12 overtakes it.",
        FIGURE_1, ("keasy",), "Figure 1(a)",
    ),
    _one(
        "figure-1b", "REASY on the same twelve jobs",
        f"{KEY} Job 6 stays behind job 1 on P4 at 5, and job 9 stays behind job 2 on P5 at 11, where it gets a "
        "reservation, since it is then first in the queue.",
        FIGURE_1, ("reasy",), "Figure 1(b)",
    ),
    _one(
        "figure-1-measy", "MEASY on the same twelve jobs",
        f"{KEY} Where KEASY kills jobs 6 and 9, MEASY moves them with their progress, here in half a second "
        "(dashed in the foreground).",
        FIGURE_1, ("measy",),
    ),
    _one(
        "figure-2", "Before EASY though all usages are 100 %: a swap",
        f"{KEY} Job 3 may not start under EASY, for it would delay job 2. In the background it starts on an idle "
        "processor, pauses behind job 2, and is then swapped to the foreground with one second done.",
        FIGURE_2, ("easy", "keasy"), "Figure 2",
    ),
    _one(
        "figure-3", "Before EASY though all usages are 100 %: an idle instant",
        f"{KEY} Job 5 runs in the background of processors that happen to be idle for two seconds, and ends there.",
        FIGURE_3, ("easy", "keasy"), "Figure 3",
    ),
    _one(
        "figure-4", "Before EASY by an estimate that is too long",
        f"{KEY} Job 3 requests 5 seconds and takes 1. EASY must not put it before job 2; in the background it fits.",
        FIGURE_4, ("easy", "keasy"), "Figure 4",
    ),
    _one(
        "figure-5", "REASY's reservation for a job in the background",
        f"{KEY} At 4 job 3 is first in the queue and waits behind job 1: its reservation is at 10, when job 1 ends. P1 "
        "is idle and not its own, so it is extra: job 4 may start there although it ends later.",
        FIGURE_5, ("reasy",), "Figure 5", 2,
    ),
)  # fmt: skip
