"""Delete old runs. As with any deleted run, the question stays.

A sweep stores the figures of its runs in its outcomes, so that its points do not need the runs. The runs of an
unfinished sweep are not deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.records.run import RecordRun
from shadowtime.workers.utc import utc_text

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore


EVER = "1970-01-01T00:00:00Z"
"""When a run ended whose record is damaged."""


@dataclass(frozen=True)
class Old:
    """A run that may be deleted."""

    run: RecordRun
    ended: datetime
    size: int
    """Bytes of its tables."""


def old_runs(store: RecordStore, before: datetime, *, keep_linked: bool = False) -> Iterator[Old]:
    """Yield runs that ended before an instant, without those of unfinished sweeps, and with `keep_linked` without those
    that a short link shows."""
    kept = {run.digest for link in store.links.all() for run in link.runs} if keep_linked else set()
    swept = _of_unfinished_sweeps(store)
    for digest, size in store.runs.ended_before(utc_text(before)):
        if digest in kept or digest[:16] in swept:
            continue
        with suppress(NotFound):  # deleted meanwhile
            run = store.runs.get(digest)
            yield Old(run, datetime.fromisoformat(run.status.ended or run.status.accepted or EVER), size)


def forget(store: RecordStore, old: Old) -> bool:
    """Delete a run; return False if it was deleted or submitted again meanwhile."""
    try:
        store.runs.delete(old.run.digest)
    except (NotFound, Conflict):
        return False
    return True


def _of_unfinished_sweeps(store: RecordStore) -> set[str]:
    """Return the ids of the runs of running and paused sweeps."""
    return {
        line["run"]
        for sweep in store.sweeps.list()
        if sweep.status.is_unfinished
        for line in store.sweeps.outcomes.after(sweep.digest)[0]
        if line.get("run")
    }
