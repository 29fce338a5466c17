"""An SWF reader that is slow and obvious: one job after the other, nothing but Python's own float."""

from __future__ import annotations

import math

LARGEST = {0: 2**53, 1: 1e12, 3: 1e12, 4: 2**31 - 1, 7: 2**31 - 1, 8: 1e12, 10: math.inf, 11: 2**53}
WHOLE = (0, 4, 7, 11)


def read(text: bytes) -> list[tuple]:
    """(job, submit, runtime, size, requested or None, user) of each job kept, by submission, ties as they stand.

    Raises ValueError for what is no log, or a log without a job.
    """
    found = []
    for line in text.split(b"\n"):
        if line.lstrip().startswith(b";"):
            continue
        words = line.split()
        if not words:
            continue
        if len(words) != 18:
            raise ValueError("columns")
        field = {i: number(words[i]) if i != 10 else status(words[i]) for i in LARGEST}
        for i, value in field.items():
            if not abs(value) <= LARGEST[i] or (i in WHOLE and value != math.floor(value)):
                raise ValueError(f"field {i + 1}")
        found.append(field)
    whole = {field[0] for field in found if field[10] in (0, 1, 5) and field[3] > 0 and max(field[7], field[4]) > 0}
    jobs = []
    for field in found:
        if field[10] in (2, 3, 4) and field[0] in whole:
            continue
        size = field[7] if field[7] > 0 else field[4]
        requested = field[8] if field[8] > 0 else None
        if size > 0 and field[3] > 0 and field[1] >= 0:
            jobs.append((int(field[0]), field[1], field[3], int(size), requested, int(field[11])))
    if not jobs:
        raise ValueError("no job")
    return sorted(jobs, key=lambda job: job[1])


def status(word: bytes) -> float:
    """A number; -1 for a word that is none."""
    try:
        return number(word)
    except ValueError:
        return -1.0


def number(word: bytes) -> float:
    """A plain decimal number."""
    if b"_" in word:
        raise ValueError("an underscore")
    return float(word.decode("ascii"))
