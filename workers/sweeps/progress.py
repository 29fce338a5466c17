"""Follow the recorded outcomes of a sweep: read once, then only those added since."""

from __future__ import annotations

import threading

import numpy as np

from shadowtime.workers.recent import Recent
from shadowtime.workers.records.sweeps import Sweep
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.sweeps.outcomes import FINISHED, PENDING, STATES, Outcomes, makes_sense
from shadowtime.workers.sweeps.spec import SweepSpec

KEPT = 8
"""Sweeps that a process holds in memory."""


class SweepProgress:
    """The recorded outcomes of one sweep."""

    def __init__(self, store: VisibleStore, sweep: Sweep):
        self.spec: SweepSpec = sweep.spec
        self.outcomes = Outcomes(self.spec)
        self.batch = sweep.status.batch
        self.round = sweep.status.round
        self._store = store
        self._digest = sweep.digest
        self._sequence = 0
        self._lock = threading.Lock()

    def refresh(self, sweep: Sweep) -> SweepProgress:
        """Read the outcomes added since; `sweep` says which round it is."""
        with self._lock:
            self.round = sweep.status.round
            lines, self._sequence = self._store.sweeps.outcomes.after(self._digest, self._sequence)
            for line in lines:
                if makes_sense(line, len(self.spec)):
                    self.outcomes.put(line)
            self.outcomes.try_again(self.round)
        return self

    def open(self) -> list[int]:
        """Return the batches with open runs, in order."""
        pending = np.flatnonzero(self.outcomes.status == PENDING)
        return [int(batch) for batch in np.unique(pending // self.batch)]


class ProgressCache:
    """The progress of the sweeps used last in one process."""

    def __init__(self, store: VisibleStore) -> None:
        self._store = store
        self._kept: Recent[SweepProgress] = Recent(KEPT)

    def get(self, sweep: Sweep) -> SweepProgress:
        """Return the up-to-date progress of a sweep."""
        key = f"{sweep.digest} {sweep.status.accepted}"  # a new sweep after a deletion differs
        return self._kept.get(key, lambda: SweepProgress(self._store, sweep)).refresh(sweep)


def numbers_of(sweep: Sweep, runs: int, batch: int) -> range:
    """Return the numbers of the runs of a batch; `runs` is that of the sweep."""
    return range(batch * sweep.status.batch, min(runs, (batch + 1) * sweep.status.batch))


def open_runs(store: VisibleStore, sweep: Sweep, runs: int, batch: int) -> list[int]:
    """Return the numbers of the runs of a batch that have no outcome yet: none, or a failure of an earlier round."""
    numbers = numbers_of(sweep, runs, batch)
    done = {
        line["index"]
        for line in store.sweeps.outcomes.between(sweep.digest, numbers.start, numbers.stop)
        if makes_sense(line, runs)
        and (line["status"] == STATES[FINISHED] or line.get("round", 1) >= sweep.status.round)
    }
    return [number for number in numbers if number not in done]
