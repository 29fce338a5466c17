"""Open a store: a database of records, blobs, and a directory of this machine.

records.sqlite      all records, unless SHADOWTIME_DATABASE names another database
blobs/<digest>      source files and tables, unless SHADOWTIME_BLOBS names a bucket
blob-cache/         copies of blobs of a bucket
parses/             parsed jobs of workloads
live/ spool/ tmp/   tables of running runs, what these cannot hold in memory, files that are being written
reserve probe       room for deletions on a full disk, and what tells whether there is any
laboratory          the identity of the laboratory whose blobs lie here, where its records lie elsewhere
older-*             what a version before 0.2 kept in files, after it was taken over

Of these only the records and the blobs matter: the rest may be deleted while no process uses the store.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from functools import cached_property, partial
from pathlib import Path

from shadowtime.engine.workload.words import count
from shadowtime.workers import older_files
from shadowtime.workers.errors import NoStore
from shadowtime.workers.records import key, older
from shadowtime.workers.records.asked import Asked
from shadowtime.workers.records.bounds import Bounds
from shadowtime.workers.records.database import Database, url_in
from shadowtime.workers.records.links import Links
from shadowtime.workers.records.notices import Notices
from shadowtime.workers.records.open_blobs import CAP, open_blobs
from shadowtime.workers.records.papers import Papers
from shadowtime.workers.records.reruns import Reruns
from shadowtime.workers.records.runs import Runs
from shadowtime.workers.records.sessions import Sessions
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.records.sweeps import Sweeps
from shadowtime.workers.records.tokens import Tokens
from shadowtime.workers.records.workloads import Workloads
from shadowtime.workers.store import disk, reserve
from shadowtime.workers.store.live import live_place

log = logging.getLogger(__name__)

FOLDERS = ("tmp", "live", "spool")
ABANDONED = 86400.0
"""Seconds after which a temporary file counts as left by a crash: longer than clocks are ever adjusted by."""


class RecordStore:
    """The records and blobs of one laboratory, seen from one machine."""

    def __init__(
        self, path: Path | str, database: str = "", blobs: str = "", blob_cache: int = CAP, redis_url: str = ""
    ):
        """Open a store in the directory `path`; the other arguments are as in `Settings`.

        What an older version kept there in files is taken over first; other processes wait for that.

        Raises
        ------
        NoStore
            When its folder cannot be made.
        CannotTakeOver
            When it cannot be taken over, saying why.
        """
        self.path = Path(path).expanduser()
        with older.refused(self.path):
            self._open(database, blobs, blob_cache, redis_url)
            if older_files.are_there(self.path):
                with disk.locked(self.path):
                    if older_files.are_there(self.path):  # no other process has taken it over meanwhile
                        older.take_over(self.path, self.database, self.shelf, self.workloads.labels)
        reserve.keep(self.path)

    def _open(self, database: str, blobs: str, blob_cache: int, redis_url: str) -> None:
        for name in FOLDERS:
            try:
                (self.path / name).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise NoStore(self.path, error) from error
        with_room = partial(reserve.with_room, self.path)
        self.database = Database(database or url_in(self.path))
        self.shelf = Shelf(self.database, open_blobs(blobs, self.path, blob_cache))
        self.bounds = Bounds(self.database)
        self.workloads = Workloads(self.database, self.shelf, self.path, self._uses, with_room)
        live = live_place(self.path / "live", blobs, redis_url, lambda: self.identity)
        self.runs = Runs(self.database, self.shelf, self.path, self.workloads.labels, self.bounds, with_room, live)
        self.links = Links(self.database, with_room, self.require_room)
        self.reruns = Reruns(self.database)
        self.papers = Papers(self.database)
        self.notices = Notices(self.database)
        self.sweeps = Sweeps(self.database, with_room)
        self.asked = Asked(self.database)
        self.tokens = Tokens(self.database)
        self.sessions = Sessions(self.database, self.key)

    @cached_property
    def identity(self) -> str:
        """Identity of the store in Redis: computed from the key, which it does not give away."""
        return hashlib.sha256(b"identity\0" + self.key()).hexdigest()[:12]

    def key(self) -> bytes:
        """Return the key for the salts of private runs, created when first needed."""
        return key.key(self.database).encode()

    def check(self) -> bool:
        """Return whether the directory can be written to now, by writing a little, and database and blobs answer."""
        is_there = all(os.access(self.path / name, os.W_OK | os.X_OK) for name in FOLDERS)
        return is_there and reserve.can_write(self.path) and self.database.is_there() and self.shelf.blobs.is_there()

    def require_room(self) -> None:
        """Raise OSError where the disk is full, over quota or read-only."""
        reserve.require_room(self.path)

    def _uses(self, workload: str) -> str:
        """Say what needs a workload: its runs, and the sweeps that are not finished."""
        needed = {"run": self.runs.using(workload), "unfinished experiment": self.sweeps.using(workload)}
        users = " and ".join(count(n, one) for one, n in needed.items() if n)
        return f"{users} {'uses' if sum(needed.values()) == 1 else 'use'}" if users else ""

    def tidy(self) -> None:
        """Remove what crashed processes left, and blobs that nothing uses, unless the records are empty."""
        for name in ("", *FOLDERS):
            disk.sweep(self.path / name, time.time() - ABANDONED)
        self.workloads.sweep()
        self.runs.sweep()
        if n := self.shelf.without_records():
            log.error("%d blobs but no records in %s: no blob is deleted", n, self.path)
        else:
            self.shelf.collect()  # last, since a bucket may be away
