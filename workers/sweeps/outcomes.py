"""Store the outcome of each run of a sweep, as columns over the run numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shadowtime.engine.metrics.registry import metrics
from shadowtime.workers.sweeps.bench import Question
from shadowtime.workers.sweeps.spec import SweepSpec

PENDING, FINISHED, FAILED = 0, 1, 2
LATEST = 200
"""Number of runs that predict the time left."""
STATES = ("pending", "finished", "failed")
INTERVALS = ("low", "high", "lag_one", "warning")
"""What is kept of the batch means of a run that is the only sample of its point."""


class Outcomes:
    """Status, figures and bounds of the runs of one sweep; grows as runs end."""

    def __init__(self, spec: SweepSpec):
        n = len(spec)
        self.spec = spec
        self.status = np.zeros(n, "i1")
        self.run = np.full(n, "", "U16")
        self.metrics: dict[str, np.ndarray] = {}
        self.bounds: dict[str, np.ndarray] = {}
        self.errors: dict[int, str] = {}
        self.rounds: dict[int, int] = {}
        """Round in which a run failed."""
        self.seconds: deque[float] = deque(maxlen=LATEST)
        """Durations of the latest runs, storing included."""
        self.parameters: dict[int, Mapping[str, Any]] = {}
        self.intervals: dict[int, Mapping[str, Any]] = {}

    def put(self, line: Mapping[str, Any]) -> None:
        """Record the line of a run; recording it twice changes nothing, since a run always gives the same values."""
        index = line["index"]
        self.status[index] = STATES.index(line["status"])
        self.run[index] = line["run"] or ""
        self.errors.pop(index, None)
        self.rounds.pop(index, None)
        if line["status"] == STATES[FAILED]:
            self.errors[index] = line["error"]
            self.rounds[index] = line.get("round", 1)
        if "took" in line:
            self.seconds.append(line["took"])
        if line.get("parameters") is not None:
            self.parameters[index] = line["parameters"]
        if line.get("intervals"):
            self.intervals[index] = line["intervals"]
        for columns, values in ((self.metrics, line.get("metrics", {})), (self.bounds, line.get("bounds", {}))):
            for name, value in values.items():
                if name not in columns:
                    columns[name] = np.full(len(self.status), np.nan)
                columns[name][index] = value

    def try_again(self, current: int) -> None:
        """Discard failures of rounds before the `current` one."""
        for index in [index for index, of in self.rounds.items() if of < current]:
            self.status[index] = PENDING
            del self.rounds[index], self.errors[index]

    def pending(self, indices: range) -> list[int]:
        """Return the numbers among `indices` that have no outcome yet."""
        return [
            int(index) for index in indices.start + np.flatnonzero(self.status[indices.start : indices.stop] == PENDING)
        ]

    @property
    def names(self) -> list[str]:
        """Return the metrics that some run has, in display order."""
        return [name for name in metrics() if name in self.metrics]

    def counts(self) -> dict[str, int]:
        """Return how many runs are pending, finished, failed."""
        return {name: int((self.status == code).sum()) for code, name in enumerate(STATES)}

    def grid(self, column: np.ndarray) -> np.ndarray:
        """Return a column as an array by seed, workload, load, variant."""
        return column.reshape(self.spec.shape)

    def of(self, index: int) -> dict[str, Any]:
        """Return one run, as `sweep --json` lists it, without names of workloads and loads."""
        return {
            "run": str(self.run[index]) or None,
            "status": STATES[self.status[index]],
            "error": self.errors.get(index),
            "parameters": self.parameters_of(index),
            "metrics": {
                name: float(self.metrics[name][index]) for name in self.names if not np.isnan(self.metrics[name][index])
            },
            "bounds": {
                name: float(column[index]) for name, column in list(self.bounds.items()) if not np.isnan(column[index])
            },
        }

    def parameters_of(self, index: int) -> Mapping[str, Any]:
        """Return all parameters of a run, as its spec has them; before it ran, those of the sweep's file."""
        known = self.parameters.get(index)
        return self.spec.variants[self.spec.cell(index).variant]["parameters"] if known is None else known

    def failed(self) -> Iterator[int]:
        """Yield the numbers of the failed runs."""
        yield from (int(index) for index in np.flatnonzero(self.status == FAILED))


def makes_sense(line: Mapping[str, Any], runs: int) -> bool:
    """Return whether a recorded line is valid for a sweep of `runs` runs. An invalid line is ignored, and its run is
    repeated."""
    if type(line.get("index")) is not int or not 0 <= line["index"] < runs:
        return False
    kinds = (("run", str | None), ("error", str), ("round", int), ("took", int | float), ("parameters", dict | None),
             ("intervals", dict), ("metrics", dict), ("bounds", dict))  # fmt: skip
    if not all(isinstance(line[key], kind) for key, kind in kinds if key in line):
        return False
    numbers = [*line.get("metrics", {}).values(), *line.get("bounds", {}).values()]
    return (
        line.get("status") in STATES[FINISHED:]
        and "run" in line
        and (line["status"] == STATES[FINISHED] or "error" in line)
        and all(isinstance(value, float | None) or (isinstance(value, int) and abs(value) < 2**63) for value in numbers)
    )


def finished(index: int, question: Question, summary: Mapping[str, Any], keep_intervals: bool) -> dict[str, Any]:
    """Return the line of a finished run.

    keep_intervals: it is the only sample of its point.
    """
    line = {
        "index": index,
        "status": STATES[FINISHED],
        "run": question.spec.id,
        "parameters": dict(question.spec.parameters),
        "metrics": summary["metrics"],
        "bounds": summary["bounds"],
    }
    if keep_intervals and summary.get("intervals"):
        line["intervals"] = {
            name: {key: found[key] for key in INTERVALS} for name, found in summary["intervals"].items()
        }
    return line


def failed(index: int, run: str | None, sentence: str) -> dict[str, Any]:
    """Return the line of a failed run; without an id if even its question could not be built."""
    return {"index": index, "status": STATES[FAILED], "run": run, "error": sentence}
