"""A log of Slurm for the tests of waits: 60 jobs of three people and 30 others, on 16 processors of 4 nodes."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import numpy as np

HEAD = "JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|NodeList"
PEOPLE = ("anna", "Åke", "=1+1")
BEGIN = datetime(2025, 3, 3, 9, tzinfo=UTC)
OUTAGE = 14
"""Hour of the log from which nothing starts for four hours."""


def log_of_slurm(n: int = 60, seed: int = 5) -> bytes:
    """Return the text of `sacct -P`; jobs wait at random, and through four hours in which nothing runs."""
    rng = np.random.default_rng(seed)
    lines = [HEAD]
    for number, submit in enumerate(np.sort(rng.integers(0, 30 * 3600, n)).tolist(), start=1):
        start, length = submit + int(rng.integers(0, 7200)), int(rng.integers(900, 9000))
        if start + length > OUTAGE * 3600 > submit:
            start = max(start, (OUTAGE + 4) * 3600)
        if OUTAGE * 3600 <= start < (OUTAGE + 4) * 3600:
            start = (OUTAGE + 4) * 3600
        user = PEOPLE[number % 3] if number % 2 else f"user{number}"
        size, nodes = (4, "n[1-2]") if number % 4 else (8, "n3")
        dates = [f"{BEGIN + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}" for second in (submit, start, start + length)]
        partition = "batch" if number % 5 else "long"
        lines.append("|".join([str(number), user, "physics", partition, *dates, str(length), "180", str(size),
                               "COMPLETED", nodes]))  # fmt: skip
    return "\n".join(lines).encode()


def stream() -> io.BytesIO:
    """Return the log as a file."""
    return io.BytesIO(log_of_slurm())
