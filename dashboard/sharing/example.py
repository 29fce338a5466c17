"""The example of the first page: eighteen jobs on sixteen processors, under FCFS and under EASY."""

from __future__ import annotations

NAME = "eighteen-jobs.swf"
ALGORITHMS = ("fcfs", "easy")
PROCESSORS = 16
MINUTE = 60

JOBS = (
    (0, 8, 75, 100), (15, 12, 45, 45), (20, 6, 60, 60), (20, 6, 20, 30), (25, 4, 25, 25), (30, 3, 90, 120),
    (35, 14, 25, 25), (55, 3, 90, 120), (65, 6, 45, 60), (70, 6, 20, 20), (80, 8, 20, 20), (90, 6, 60, 80),
    (110, 14, 25, 25), (110, 8, 45, 60), (115, 4, 15, 15), (150, 10, 25, 35), (170, 3, 75, 115), (175, 4, 60, 60),
)  # fmt: skip
"""Submission [min], processors, runtime and requested time [min] of each job, numbered from 1."""

SCHEDULES = {
    "fcfs": (
        (1, 0, 7, 0, 75), (2, 0, 11, 75, 120), (3, 0, 5, 120, 180), (4, 6, 11, 120, 140), (5, 12, 15, 120, 145),
        (6, 6, 8, 140, 230), (7, 0, 13, 230, 255), (8, 0, 2, 255, 345), (9, 3, 8, 255, 300), (10, 9, 14, 255, 275),
        (11, 3, 10, 300, 320), (12, 3, 8, 320, 380), (13, 0, 13, 380, 405), (14, 0, 7, 405, 450),
        (15, 8, 11, 405, 420), (16, 0, 9, 450, 475), (17, 10, 12, 450, 525), (18, 0, 3, 475, 535),
    ),
    "easy": (
        (1, 0, 7, 0, 75), (3, 8, 13, 20, 80), (5, 0, 3, 75, 100), (2, 4, 15, 80, 125), (6, 0, 2, 100, 190),
        (4, 3, 8, 125, 145), (9, 9, 14, 125, 170), (10, 3, 8, 145, 165), (15, 3, 6, 165, 180), (11, 7, 14, 170, 190),
        (7, 0, 13, 190, 215), (8, 0, 2, 215, 305), (12, 3, 8, 215, 275), (17, 9, 11, 215, 290), (18, 12, 15, 215, 275),
        (14, 3, 8, 275, 320), (14, 12, 13, 275, 320), (13, 0, 13, 320, 345), (16, 0, 9, 345, 370),
    ),
}  # fmt: skip
"""What the engine computes: job, first and last processor, start and end [min] of each rectangle."""
END = 535
"""When the last job ends under FCFS [min]."""


def swf() -> bytes:
    """Return the log as the file that is stored."""
    lines = [f"; MaxProcs: {PROCESSORS}"]
    for number, (submitted, size, runtime, requested) in enumerate(JOBS, start=1):
        said = f"{number} {MINUTE * submitted} -1 {MINUTE * runtime} {size} -1 -1 {size} {MINUTE * requested} -1 1"
        lines.append(said + " -1" * 7)
    return "\n".join([*lines, ""]).encode()
