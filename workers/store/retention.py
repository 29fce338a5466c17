"""Delete old runs. As with any deleted run, the question stays.

A sweep stores the figures of its runs in its journals, so that its points do not need the runs. The runs of an
unfinished sweep are not deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.store import journal
from shadowtime.workers.store.listing import digests
from shadowtime.workers.store.run import FileRun
from shadowtime.workers.store.sweeps import BATCHES

if TYPE_CHECKING:
    from shadowtime.workers.store.files import FileStore


@dataclass(frozen=True)
class Old:
    """A run that may be deleted."""

    run: FileRun
    ended: datetime
    size: int
    """Bytes of its folder."""


def old_runs(store: FileStore, before: datetime, *, keep_linked: bool = False) -> Iterator[Old]:
    """Yield runs that ended before an instant, without those of unfinished sweeps, and with `keep_linked` without those
    that a short link shows."""
    kept = {run.digest for link in store.links.all() for run in link.runs} if keep_linked else set()
    swept = _of_unfinished_sweeps(store)
    for digest in sorted(digests(store.runs.root) - kept):
        if digest[:16] in swept:
            continue
        with suppress(NotFound, FileNotFoundError):  # deleted meanwhile
            run = store.runs.get(digest)
            if run.status.is_unfinished:
                continue
            ended = _ended(run)
            if ended < before:
                yield Old(run, ended, sum(file.stat().st_size for file in run.path.rglob("*") if file.is_file()))


def forget(store: FileStore, old: Old) -> bool:
    """Delete a run; return False if it was deleted or submitted again meanwhile."""
    try:
        store.runs.delete(old.run.digest)
    except (NotFound, Conflict):
        return False
    return True


def _of_unfinished_sweeps(store: FileStore) -> set[str]:
    """Return the ids of the runs of running and paused sweeps."""
    return {
        line["run"]
        for sweep in store.sweeps.list()
        if sweep.status.is_unfinished
        for path in (sweep.path / BATCHES).glob("*.jsonl")
        for line in journal.read(path)[0]
        if line.get("run")
    }


def _ended(run: FileRun) -> datetime:
    """Return when a run ended; without a readable status, when its folder last changed."""
    said = run.status.ended or run.status.accepted
    if said:
        return datetime.fromisoformat(said)
    return datetime.fromtimestamp(Path(run.path).stat().st_mtime, UTC)
