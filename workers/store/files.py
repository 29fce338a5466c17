"""Keep a store in a directory, which several processes and machines may share.

workloads/<digest>/source.<swf|json>.gz manifest.json parsed/<engine version>/<case>/
runs/<digest>/spec.json status.json summary.json jobs/ segments/ events/ series/ live/
deleted/<digest>.json                     the questions of runs that were deleted: a link to one can be run again
sweeps/<digest>/spec.json status.json batches/<number>.jsonl
records.sqlite                            links, re-runs and exact bounds
index.sqlite
key                                       what the salts of private runs are made with
audit.jsonl                               the audit log
reserve probe                             room for deletions on a full disk, and what tells whether there is any
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path

from shadowtime.workers.records import older
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.bounds import Bounds
from shadowtime.workers.records.database import Database, url_in
from shadowtime.workers.records.links import Links
from shadowtime.workers.records.reruns import Reruns
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.store import disk, reserve
from shadowtime.workers.store.index import Index
from shadowtime.workers.store.runs import FileRuns
from shadowtime.workers.store.sweeps import FileSweeps
from shadowtime.workers.store.workloads import FileWorkloads

FOLDERS = ("workloads", "runs", "sweeps")
KEY = "key"
ABANDONED = 86400.0
"""Seconds after which a temporary file counts as left by a crash: longer than clocks are ever adjusted by."""


class FileStore:
    """The folders and the index of one directory."""

    def __init__(self, path: Path | str, database: str = ""):
        """Open a store; `database` is the URL of its database, by default SQLite in the folder."""
        self.path = Path(path).expanduser()
        for name in FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)
        self.index = Index(self.path / "index.sqlite", self._refill)
        self.workloads = FileWorkloads(self.path / "workloads", self.index)
        self.database = Database(database or url_in(self.path))
        self.shelf = Shelf(self.database, FolderBlobs(self.path / "blobs"))
        self.bounds = Bounds(self.database)
        self.runs = FileRuns(self.path / "runs", self.index, self.workloads.label, self.bounds)
        older.take_over(self.path, self.database)
        self.links = Links(self.database, partial(reserve.with_room, self.path))
        self.reruns = Reruns(self.database)
        self.sweeps = FileSweeps(self.path / "sweeps")
        reserve.keep(self.path)

    @cached_property
    def identity(self) -> str:
        """Identity of the store in Redis: computed from the key, which it does not give away."""
        return hashlib.sha256(b"identity\0" + self.key()).hexdigest()[:12]

    def key(self) -> bytes:
        """Return the key, created when first needed, readable for the store's owner alone."""
        path = self.path / KEY
        if not path.exists():
            draft = disk.temporary(path)
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_hex(32).encode())
                file.flush()
                os.fsync(file.fileno())
            try:
                with suppress(FileExistsError):  # another process was first
                    os.link(draft, path)
                draft.unlink()
            except OSError:  # a file system without hard links
                os.replace(draft, path)
            disk.sync_directory(self.path)
        return path.read_bytes()

    def check(self) -> bool:
        """Return whether the directory exists and can be written to."""
        return reserve.can_write(self.path) and all(os.access(self.path / name, os.W_OK | os.X_OK) for name in FOLDERS)

    def reindex(self) -> None:
        """Rebuild the index from the folders, and remove what crashed processes left."""
        with self.index.together():
            self._refill()
        for name in ("", *FOLDERS):
            disk.sweep(self.path / name, time.time() - ABANDONED)

    def _refill(self) -> None:
        self.workloads.refill()
        self.runs.refill()
