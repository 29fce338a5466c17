"""How much a reader takes from a stranger."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 1e12
"""Largest time [s] of a workload; beyond some 30,000 years a double no longer resolves milliseconds."""

WIDEST = 2**31 - 1
"""Most processors of a job, and of a machine: lanes are 32-bit numbers."""

PROCESSES = 50_000_000
"""Most processes of all jobs together that are drawn: 0.8 GB of usages and phi."""

LARGEST_ID = 2**53
"""Largest number of a job or user that a double holds exactly."""


@dataclass(frozen=True)
class Limits:
    """What a reader refuses to go beyond, so that no file can fill the memory or hold a worker."""

    unpacked: int = 2_000_000_000
    """Bytes of a file, after decompression."""
    line: int = 100_000
    """Characters of a line."""
    lines: int = 5_000_000
    """Lines of a log."""
    json: int = 32_000_000
    """Bytes of a JSON instance; parsed, they may take twenty times as much memory."""


def bytes_in_words(n: int) -> str:
    """2000000000 as "2 GB"."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if n >= size:
            return f"{n / size:g} {unit}"
    return f"{n} bytes"
