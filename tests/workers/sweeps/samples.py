"""Small sweeps, and a store that has accepted one."""

from __future__ import annotations

from typing import Any

from shadowtime.workers.store import Store
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.reading import SweepQuestion, read
from shadowtime.workers.sweeps.submission import Stored


def asked(store: Store, **values: Any) -> SweepQuestion:
    """Twelve runs on 20 jobs each: two seeds, three loads, two algorithms."""
    given = {
        "workloads": ["uniform:jobs=20"],
        "seeds": [1, 2],
        "loads": [0.5, 0.7, 0.9],
        "algorithms": ["easy", "fcfs"],
        **values,
    }
    return read(given, "the sweep", Stored(store).find)


def accepted(store: Store, queue: Any, **values: Any) -> Any:
    """The sweep, accepted."""
    return submission.accept(store, queue, asked(store, **values))[0]
