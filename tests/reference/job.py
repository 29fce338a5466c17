"""Rigid jobs of the slow twins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Job:
    row: int
    release: float
    runtime: float
    request: float
    procs: int


@dataclass
class Unbroken(Job):
    """A job that runs from its start to its end without a pause."""

    start: float | None = None
    serial: int = -1

    @property
    def end(self) -> float:
        return self.start + self.runtime

    @property
    def limit(self) -> float:
        return self.start + self.request
