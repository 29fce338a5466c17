"""Which runs are old enough to go. What goes is forgotten like any run that a person deletes: its question stays.

A sweep keeps the figures of its runs in its journals, so that its points stand without them. As long as it is not
through its runs stay: what it has said to be there is there until it has ended.
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
    """A run that may go."""

    run: FileRun
    ended: datetime
    size: int
    """Bytes of its folder."""


def old_runs(store: FileStore, before: datetime, *, keep_linked: bool = False) -> Iterator[Old]:
    """Runs that ended before an instant, without those of sweeps that are not through, and with `keep_linked` without
    those that a short link shows."""
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
    """Delete one; False where somebody deleted it, or asked for it again, meanwhile."""
    try:
        store.runs.delete(old.run.digest)
    except (NotFound, Conflict):
        return False
    return True


def _of_unfinished_sweeps(store: FileStore) -> set[str]:
    """Ids of the runs that sweeps which run or are paused have so far."""
    return {
        line["run"]
        for sweep in store.sweeps.list()
        if sweep.status.is_unfinished
        for path in (sweep.path / BATCHES).glob("*.jsonl")
        for line in journal.read(path)[0]
        if line.get("run")
    }


def _ended(run: FileRun) -> datetime:
    """When a run ended; of one whose status cannot be read, when its folder last changed."""
    said = run.status.ended or run.status.accepted
    if said:
        return datetime.fromisoformat(said)
    return datetime.fromtimestamp(Path(run.path).stat().st_mtime, UTC)
