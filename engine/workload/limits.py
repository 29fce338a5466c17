"""Limits on workloads from files and generators."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 1e12
"""Largest time of a workload [s], some 30,000 years; beyond it a double does not resolve milliseconds."""

WIDEST = 2**31 - 1
"""Largest number of processors of a job or machine: lanes are 32-bit numbers."""

MOST_CORES = 1_000_000
"""Largest number of cores of a cluster that a configuration may name: as many lanes as a platform may have."""

PROCESSES = 50_000_000
"""Largest number of drawn processes of all jobs together: 0.8 GB of usages and phi."""

LARGEST_ID = 2**53
"""Largest job or user number, which a double holds exactly."""


@dataclass(frozen=True)
class Limits:
    """Limits of a reader, so that no file can exhaust the memory or block a worker."""

    unpacked: int = 16_000_000_000
    """Bytes of a file after decompression."""
    line: int = 100_000
    """Characters of a line."""
    lines: int = 5_000_000
    """Lines of SWF without a job, blank lines of other logs, and all lines of task events, each of which is an object
    while it is read. Jobs of logs have no such limit: columns take some 200 bytes a job."""
    json: int = 32_000_000
    """Bytes of a JSON instance; parsed, they may take twenty times as much memory."""
    bundle: int = 2_000_000_000
    """Bytes of an archive of a log and the files of its site, which is read into memory."""


def bytes_in_words(n: int) -> str:
    """Return a number of bytes with a unit: 2000000000 as "2 GB"."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if n >= size:
            return f"{n / size:g} {unit}"
    return f"{n} bytes"
