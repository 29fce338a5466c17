"""What the journals of a sweep say: read once, then only what was added since.

A journal has lines that say that a run begins, that its worker was lost over it or stopped it, and what came of it.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

from shadowtime.workers.store import Store
from shadowtime.workers.store.journal import read
from shadowtime.workers.store.sweeps import Sweep
from shadowtime.workers.sweeps.outcomes import Outcomes, makes_sense
from shadowtime.workers.sweeps.spec import SweepSpec

KEPT = 8
"""Sweeps that a process holds in memory."""


class Journals:
    """The outcomes of one sweep, as far as they are written."""

    def __init__(self, sweep: Sweep):
        self.spec: SweepSpec = sweep.spec
        self.outcomes = Outcomes(self.spec)
        self.batch = sweep.status.batch
        self.round = sweep.status.round
        self.lost: Counter[tuple[int, int]] = Counter()
        """How often a worker was lost over a run, by round and number."""
        self.begun: dict[int, tuple[int, int]] = {}
        """Round and number of the run that was begun last in a batch, where it has no answer."""
        self._offsets: dict[int, int] = {}
        self._ended: set[int] = set()
        self.lock = threading.Lock()
        self.version = 0
        """Grows whenever something was added."""

    @property
    def batches(self) -> int:
        """Pieces of work that the sweep is made of."""
        return -(-len(self.spec) // self.batch)

    def numbers(self, batch: int) -> range:
        """The runs of a batch."""
        return range(batch * self.batch, min(len(self.spec), (batch + 1) * self.batch))

    def refresh(self, sweep: Sweep) -> Journals:
        """Read what was added since; `sweep` says which round it is."""
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
        """As `refresh`, of one batch alone."""
        with self.lock:
            self.round = sweep.status.round
            self._read(sweep, batch)
            self.outcomes.try_again(self.round)
        return self

    def todo(self, batch: int) -> list[int]:
        """Numbers of the runs of a batch that have no answer yet."""
        return self.outcomes.pending(self.numbers(batch))

    def open(self) -> list[int]:
        """Batches with something to do, in order."""
        found = [batch for batch in range(self.batches) if batch not in self._ended and self.todo(batch)]
        self._ended = set(range(self.batches)) - set(found)
        return found

    def _read(self, sweep: Sweep, batch: int) -> None:
        offset = self._offsets.get(batch, 0)
        lines, self._offsets[batch] = read(sweep.journal(batch), offset)
        for line in lines:
            if makes_sense(line, len(self.spec)):
                self._hear(batch, line)
        self.version += bool(lines)

    def _hear(self, batch: int, line: Mapping[str, Any]) -> None:
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
    """The journals of the latest sweeps that were asked for, in one process."""

    def __init__(self, store: Store):
        self._store = store
        self._kept: OrderedDict[str, Journals] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, sweep: Sweep) -> Journals:
        """What is written of a sweep now."""
        with self._lock:
            key = f"{sweep.digest} {sweep.status.accepted}"  # deleted and asked again, it is another one
            journals = self._kept.get(key)
            if journals is None:
                journals = self._kept[key] = Journals(sweep)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return journals.refresh(sweep)
