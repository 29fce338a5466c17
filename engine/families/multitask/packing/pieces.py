"""A plan: which task runs where, from when to when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CLOSE = 1e-9
"""Times closer than this share of them are one instant: sums of fractions round."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """One row a piece: `task` runs on `machine` over [start, end) [s]."""

    task: np.ndarray
    machine: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def __len__(self) -> int:
        return len(self.task)

    def take(self, rows: np.ndarray) -> Pieces:
        """Some of the rows."""
        return Pieces(self.task[rows], self.machine[rows], self.start[rows], self.end[rows])

    def moved(self, tasks: np.ndarray, by: float) -> Pieces:
        """The same, later by so many seconds, with tasks named by `tasks[task]`."""
        return Pieces(tasks[self.task], self.machine, self.start + by, self.end + by)

    def completion(self, tasks: int) -> np.ndarray:
        """Last end of each task; 0 for one without pieces."""
        ends = np.zeros(tasks)
        np.maximum.at(ends, self.task, self.end)
        return ends


def of(*columns: np.ndarray) -> Pieces:
    """Pieces of these columns, cast."""
    task, machine, start, end = columns
    return Pieces(np.asarray(task, "i8"), np.asarray(machine, "i8"), np.asarray(start, "f8"), np.asarray(end, "f8"))


def joined(many: list[Pieces]) -> Pieces:
    """All rows, in order."""
    if not many:
        return of(*[np.zeros(0)] * 4)
    return of(*(np.concatenate([getattr(p, name) for p in many]) for name in ("task", "machine", "start", "end")))


def tidy(pieces: Pieces, releases: np.ndarray) -> Pieces:
    """The same plan with times that are equal but for rounding made equal, pieces that touch joined, empty ones gone.

    releases: instants that keep their exact value. Gives rows by task, then start.
    """
    ticks = np.concatenate([pieces.start, pieces.end])
    instants = _snapped(ticks, releases)
    start, end = instants[: len(pieces)], instants[len(pieces) :]
    order = np.lexsort((start, pieces.task))
    order = order[end[order] > start[order]]
    task, machine, start, end = pieces.task[order], pieces.machine[order], start[order], end[order]
    fresh = np.ones(len(order), bool)
    fresh[1:] = (task[1:] != task[:-1]) | (machine[1:] != machine[:-1]) | (start[1:] != end[:-1])
    begins = np.flatnonzero(fresh)
    last = np.append(begins[1:], len(order)) - 1
    return Pieces(task[begins], machine[begins], start[begins], end[last] if len(order) else end)


def _snapped(values: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """Each value replaced by the first of those that follow each other closely, by an anchor where one is there."""
    both = np.concatenate([values, np.unique(anchors)])
    is_anchor = np.arange(len(both)) >= len(values)
    order = np.argsort(both, kind="stable")
    ordered = both[order]
    fresh = np.ones(len(both), bool)
    fresh[1:] = np.diff(ordered) > CLOSE * np.maximum(1.0, np.abs(ordered[1:]))
    group = np.cumsum(fresh) - 1
    first = ordered[fresh]
    anchored = is_anchor[order]
    first[group[anchored]] = ordered[anchored]
    snapped = np.empty(len(both))
    snapped[order] = first[group]
    return snapped[: len(values)]
