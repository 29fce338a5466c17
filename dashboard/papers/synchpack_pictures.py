"""Pictures for the page on SynchPack: a case where tasks of one job have to wait for each other, and the rounding.

Blocks are those of real runs; a test runs these cases again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shadowtime.dashboard.figures.sketch import Block, GraphSketch, ScheduleSketch
from shadowtime.dashboard.papers.page import Illustration

JOBS = "ABC"
Piece = tuple[int, float, float, str, float, float]
"""Machine, start, end, task, and the ends of its share of the machine."""

TOGETHER: dict[str, Any] = {
    "capacities": [1, 1],
    "jobs": [{"w": 1}, {"w": 1}, {"w": 1}],
    "tasks": [
        {"job": 0, "a": 0.6, "p": {"0": 8}},
        {"job": 0, "a": 0.6, "p": {"1": 1}},
        {"job": 0, "a": 0.4, "p": {"1": 2}},
        {"job": 1, "a": 0.7, "p": {"1": 3}},
        {"job": 1, "a": 0.3, "p": {"0": 3}},
        {"job": 2, "a": 0.5, "p": {"0": 4}},
        {"job": 2, "a": 0.4, "p": {"1": 4}},
    ],
}
"""Three jobs, each with tasks on both machines; tasks are numbered within their job."""

ORDERED: tuple[Piece, ...] = (
    (0, 0, 3, "B2", 0.5, 0.8), (0, 0, 4, "C1", 0.0, 0.5), (0, 4, 12, "A1", 0.0, 0.6),
    (1, 0, 3, "B1", 0.0, 0.7), (1, 3, 4, "A2", 0.4, 1.0), (1, 3, 7, "C2", 0.0, 0.4), (1, 4, 6, "A3", 0.4, 0.8),
)  # fmt: skip
"""SynchPack-3."""
APART: tuple[Piece, ...] = (
    (0, 0, 3, "B2", 0.5, 0.8), (0, 0, 4, "C1", 0.0, 0.5), (0, 4, 12, "A1", 0.0, 0.6),
    (1, 0, 1, "A2", 0.4, 1.0), (1, 0, 2, "A3", 0.0, 0.4), (1, 1, 5, "C2", 0.4, 0.8), (1, 5, 8, "B1", 0.0, 0.7),
)  # fmt: skip
"""PSRS."""

SPREAD: dict[str, Any] = {
    "capacities": [1, 1],
    "jobs": [{"w": 2}, {"w": 1}, {"w": 1}],
    "tasks": [
        {"job": 0, "a": 0.5, "p": {"0": 2, "1": 4}},
        {"job": 0, "a": 0.5, "p": {"0": 2, "1": 4}},
        {"job": 1, "a": 0.6, "p": {"0": 3, "1": 3}},
        {"job": 1, "a": 0.4, "p": {"0": 6, "1": 3}},
        {"job": 2, "a": 0.5, "p": {"0": 4, "1": 2}},
        {"job": 2, "a": 0.5, "p": {"0": 4, "1": 8}},
        {"job": 2, "a": 0.4, "p": {"0": 2, "1": 4}},
    ],
}
"""Three jobs whose tasks may run on both machines."""
BARRIER: tuple[Piece, ...] = (
    (0, 0, 2, "A1", 0.0, 0.5), (0, 0, 2, "A2", 0.5, 1.0), (0, 2, 4, "C3", 0.5, 0.9), (0, 2, 6, "C2", 0.0, 0.5),
    (1, 0, 2, "C1", 0.4, 0.9), (1, 2, 5, "B1", 0.4, 1.0), (1, 2, 5, "B2", 0.0, 0.4),
)  # fmt: skip
"""SynchPack-2 before its last step."""
SHIFTED: tuple[Piece, ...] = (
    *(piece for piece in BARRIER if piece[3] != "B2"),
    (1, 0, 3, "B2", 0.0, 0.4),
)  # fmt: skip
"""After the shift to the left."""

FRACTIONS = {"first": (0.5, 0.3, 0.5), "second": (0.4, 0.2, 0.5)}
"""Fractions of tasks A, B and C, by falling volume, in two intervals of one machine."""
EDGES = ((0, 3, 0.5), (1, 3, 0.3), (2, 3, 0.2), (2, 4, 0.3), (0, 5, 0.4), (1, 5, 0.2), (2, 5, 0.4), (2, 6, 0.1))
"""Task, copy and weight: nodes 3 and 4 are the copies of the first interval, 5 and 6 those of the second."""


def schedule(pieces: Sequence[Piece], *marks: tuple[float, str]) -> ScheduleSketch:
    """Return the picture of pieces on two machines, a colour for each job."""
    blocks = [
        Block(machine, start, end, task, JOBS.index(task[0]), low, high)
        for machine, start, end, task, low, high in pieces
    ]
    return ScheduleSketch(("M1", "M2"), blocks, marks, "seconds", lane_height=66.0)


def ordered() -> ScheduleSketch:
    """Return the schedule of SynchPack-3."""
    return schedule(ORDERED, (3, "B ends"), (7, "C ends"))


def apart() -> ScheduleSketch:
    """Return the schedule of PSRS."""
    return schedule(APART, (5, "C ends"), (8, "B ends"))


def barrier() -> ScheduleSketch:
    """Return the schedule of SynchPack-2 with its intervals apart."""
    return schedule(BARRIER, (2, "next interval"))


def shifted() -> ScheduleSketch:
    """Return the schedule of SynchPack-2."""
    return schedule(SHIFTED)


def copies() -> GraphSketch:
    """Return the graph of tasks and copies of intervals."""
    nodes = [(0.0, y, name, at) for at, (name, y) in enumerate(zip(JOBS, (0.12, 0.5, 0.88), strict=True))]
    names = ("1, a", "1, b", "2, a", "2, b")
    nodes += [
        (1.0, y, name, 4 + at // 2) for at, (name, y) in enumerate(zip(names, (0.0, 0.33, 0.67, 1.0), strict=True))
    ]
    return GraphSketch(nodes, [(a, b, f"{weight:g}") for a, b, weight in EDGES], 320.0, directed=False, label_at=0.22)


ILLUSTRATIONS = (
    Illustration(
        "ordered", "SynchPack-3: jobs in the order of a linear program",
        "A job ends with the last of its tasks; tasks on a machine share it by size (height). A's long task on machine "
        "M1 makes it end at 12 s whatever M2 does, so the program orders B, C, A: sum of ends 22 s.", ordered,
    ),
    Illustration(
        "apart", "The same jobs under PSRS: each task for itself",
        "On machine M2 the small tasks of A go first and win nothing, since A waits for M1; B and C wait for "
        "them: sum of ends 25 s.", apart,
    ),
    Illustration(
        "copies", "SynchPack-2 rounds fractions: copies of intervals",
        "One machine, two intervals (1 and 2). Tasks come by falling volume and fill the copies (a, b) of an interval: "
        "a copy is full at weight 1. When C is reached, copy 1a holds 0.8 and copy 2a 0.6, so C has edges to both "
        "copies of both intervals. A matching then gives each task one copy: one machine and one interval.", copies,
        "Figure 1",
    ),
    Illustration(
        "barrier", "SynchPack-2 packs interval after interval",
        "Three jobs whose tasks may run on both machines, after the matching: the next interval starts when all tasks "
        "of the one before have ended on its machine.", barrier,
    ),
    Illustration(
        "shifted", "and shifts tasks to the left",
        "B2 starts as early as it fits beside C1. No task comes later than with the intervals apart, so the factor 24 "
        "still holds.", shifted,
    ),
)  # fmt: skip
