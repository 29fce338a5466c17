"""Describe the workers that a cluster starts, whatever starts them there."""

from __future__ import annotations

from dataclasses import dataclass

GIBIBYTES = {"G": 1, "T": 1024}
"""Units of memory, which Slurm counts in powers of two."""


@dataclass(frozen=True)
class WorkerJob:
    """Workers that a cluster starts, with what each of them may use."""

    workers: int
    cpus: int
    memory: str
    """A whole number with G or T, such as 8G; in powers of two."""
    seconds: int | None
    """How long a worker may run; None: as long as the cluster allows."""
    idle_end: int
    """Seconds without work after which a worker ends; 0 = never."""

    @property
    def command(self) -> list[str]:
        """The program that one task or pod runs."""
        return ["shadowtime", "workers", "--count", "1", "--idle-end", str(self.idle_end)]

    @property
    def run_memory(self) -> int:
        """Bytes that a run may allocate: the worker itself needs the other eighth."""
        return int(self.memory[:-1]) * GIBIBYTES[self.memory[-1]] * 2**30 * 7 // 8


THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""A worker executes one run at a time, in one thread."""
