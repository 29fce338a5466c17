"""Write the tables of runs as drafts of blobs, and store them with the records that use them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from shadowtime.engine.output.threads import each
from shadowtime.engine.tables import rows
from shadowtime.workers.records.blobs import Draft
from shadowtime.workers.records.run_rows import Tables
from shadowtime.workers.records.shelf import BlobsCollected, Shelf
from shadowtime.workers.records.tables import write_table
from shadowtime.workers.store import disk

FOLDER = "tmp"
"""Where drafts lie: on the file system of the store."""
T = TypeVar("T")


class Drafts:
    """The drafts of one transaction, in a folder that is removed at the end of the block."""

    def __init__(self, folder: Path, shelf: Shelf):
        self._shelf = shelf
        self._folder = disk.temporary(folder / FOLDER / "x")
        self._tables: list[Tables] = []
        self._drafts: list[Draft] = []

    def __enter__(self) -> Drafts:
        self._folder.mkdir(parents=True)
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def write(self, tables: Tables) -> dict[str, str]:
        """Write the tables of a run; return the blob of each by name."""
        self._tables.append(tables)
        return self._write(tables)

    def stored(self, record: Callable[[], T]) -> T:
        """Store the drafts, then call `record`, whose transaction uses them; once more if a blob was collected in
        between."""
        self._shelf.put(self._drafts)
        try:
            return record()
        except BlobsCollected:
            self._drafts = []
            for tables in self._tables:
                self._write(tables)
            self._shelf.put(self._drafts)
            return record()

    def _write(self, tables: Tables) -> dict[str, str]:
        paths = [self._folder / f"{len(self._drafts) + n}" for n in range(len(tables))]
        most = max(map(rows, tables.values()), default=0)
        drafts = each(lambda one: write_table(*one), zip(paths, tables.values(), strict=True), most)
        self._drafts += drafts
        return {name: draft.digest for name, draft in zip(tables, drafts, strict=True)}
