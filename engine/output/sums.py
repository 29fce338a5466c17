"""Sum amounts at the instants at which they begin and end, part by part of a table."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.output.ordering import places
from shadowtime.engine.tables import Table, is_new


class Sums:
    """Step functions as sums of the amounts that begin and end at each instant, on a growing axis.

    Amounts that begin at an instant are added in the order of the rows, and so are those that end there: the sums are
    the same to the last bit for any partition of the rows.
    """

    def __init__(self) -> None:
        self.times = np.zeros(0)
        self._sides: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def reach(self, *instants: np.ndarray) -> None:
        """Add instants to the axis."""
        times = np.unique(np.concatenate([self.times, *instants]))
        if len(times) > len(self.times):
            at = places(times, self.times)
            for name, (begun, ended) in self._sides.items():
                self._sides[name] = (_spread(begun, at, len(times)), _spread(ended, at, len(times)))
        self.times = times

    def find(self, values: np.ndarray) -> np.ndarray:
        """Return the places of `values`, which are on the axis."""
        return places(self.times, values)

    def span(self, segments: Table) -> tuple[np.ndarray, np.ndarray]:
        """Add the starts and ends of rectangles to the axis, and return their places."""
        self.reach(*(segments[side][is_new(segments[side])] for side in ("start", "end")))
        return self.find(segments["start"]), self.find(segments["end"])

    def add(self, name: str, first: np.ndarray, last: np.ndarray, amount: np.ndarray) -> None:
        """Add amounts that hold from the places `first` to `last`."""
        none = np.zeros(0)
        begun, ended = self._sides.get(name, (none, none))
        self._sides[name] = (self._added(begun, first, amount), self._added(ended, last, -amount))

    def total(self, name: str) -> np.ndarray:
        """Return the values at all instants of the step function of that name; 0 if no amount was added."""
        total = np.zeros(len(self.times))
        for side in self._sides.get(name, ()):
            total += side
        return settled(np.cumsum(total))

    def steps(self, *changes: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Return the values at all instants of the step function with these changes: pairs of places and amounts."""
        total = np.zeros(len(self.times))
        for place, amount in changes:
            total += np.bincount(place, weights=amount, minlength=len(self.times))
        return settled(np.cumsum(total))

    def _added(self, sums: np.ndarray, place: np.ndarray, amount: np.ndarray) -> np.ndarray:
        if not len(sums):
            return np.bincount(place, weights=amount, minlength=len(self.times))
        np.add.at(sums, place, amount)
        return sums


def settled(values: np.ndarray) -> np.ndarray:
    """Set rounding residues of sums of fractions to 0; whole numbers stay exact."""
    values[np.abs(values) < 1e-9] = 0.0
    return values


def _spread(sums: np.ndarray, at: np.ndarray, n: int) -> np.ndarray:
    """Return sums moved to the places `at` of an axis of `n` instants."""
    spread = np.zeros(n)
    spread[at] = sums
    return spread
