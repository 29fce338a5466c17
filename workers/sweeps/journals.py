"""Read the journals of a sweep: once, then only the lines added since.

A journal has lines for the start of a run, for a lost or stopped worker, and for the outcome.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from typing import Any

from shadowtime.workers.recent import Recent
from shadowtime.workers.store.journal import read
from shadowtime.workers.store.sweeps import Sweep
from shadowtime.workers.sweeps.outcomes import Outcomes, makes_sense
from shadowtime.workers.sweeps.spec import SweepSpec

KEPT = 8
"""Sweeps that a process holds in memory."""


class Journals:
    """The recorded outcomes of one sweep."""

    def __init__(self, sweep: Sweep):
        self.spec: SweepSpec = sweep.spec
        self.outcomes = Outcomes(self.spec)
        self.batch = sweep.status.batch
        self.round = sweep.status.round
        self.lost: Counter[tuple[int, int]] = Counter()
        """Number of workers lost in a run, by round and number."""
        self.begun: dict[int, tuple[int, int]] = {}
        """Round and number of the last run started in a batch, if it has no outcome."""
        self._offsets: dict[int, int] = {}
        self._ended: set[int] = set()
        self.lock = threading.Lock()
        self.version = 0
        """Increased whenever a line was added."""

    @property
    def batches(self) -> int:
        """Number of batches of the sweep."""
        return -(-len(self.spec) // self.batch)

    def numbers(self, batch: int) -> range:
        """The runs of a batch."""
        return range(batch * self.batch, min(len(self.spec), (batch + 1) * self.batch))

    def refresh(self, sweep: Sweep) -> Journals:
        """Read the lines added since; `sweep` says which round it is."""
        with self.lock:
            if sweep.status.round != self.round:
                self.round = sweep.status.round
                self._ended.clear()
                self.version += 1
            for batch in range(self.batches):
                if batch not in self._ended:
                    self._read(sweep, batch)
            self.outcomes.try_again(self.round)
        return self

    def refresh_batch(self, sweep: Sweep, batch: int) -> Journals:
        """As `refresh`, for one batch alone."""
        with self.lock:
            self.round = sweep.status.round
            self._read(sweep, batch)
            self.outcomes.try_again(self.round)
        return self

    def todo(self, batch: int) -> list[int]:
        """Return the numbers of the runs of a batch that have no outcome yet."""
        return self.outcomes.pending(self.numbers(batch))

    def open(self) -> list[int]:
        """Return the batches with open runs, in order."""
        found = [batch for batch in range(self.batches) if batch not in self._ended and self.todo(batch)]
        self._ended = set(range(self.batches)) - set(found)
        return found

    def _read(self, sweep: Sweep, batch: int) -> None:
        offset = self._offsets.get(batch, 0)
        lines, self._offsets[batch] = read(sweep.journal(batch), offset)
        for line in lines:
            if makes_sense(line, len(self.spec)):
                self._apply_line(batch, line)
        self.version += bool(lines)

    def _apply_line(self, batch: int, line: Mapping[str, Any]) -> None:
        if "begin" in line:
            self.begun[batch] = line["round"], line["begin"]
        elif "lost" in line:
            self.lost[line["round"], line["lost"]] += 1
            self.begun.pop(batch, None)
        elif "stopped" in line:
            self.begun.pop(batch, None)
        else:
            self.outcomes.put(line)
            if self.begun.get(batch, (0, -1))[1] == line["index"]:
                del self.begun[batch]


class Shelf:
    """Cache the journals of the sweeps used last in one process."""

    def __init__(self) -> None:
        self._kept: Recent[Journals] = Recent(KEPT)

    def get(self, sweep: Sweep) -> Journals:
        """Return the up-to-date journals of a sweep."""
        key = f"{sweep.digest} {sweep.status.accepted}"  # a new sweep after a deletion differs
        return self._kept.get(key, lambda: Journals(sweep)).refresh(sweep)
