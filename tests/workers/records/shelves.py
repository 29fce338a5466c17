"""Store, use and forget blobs as the store does with those of runs, and see what is left."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path

from sqlalchemy import delete, select

from shadowtime.workers.records.blobs import Draft, draft_of
from shadowtime.workers.records.database import Database
from shadowtime.workers.records.schema import blobs, uses
from shadowtime.workers.records.shelf import BlobsCollected, Shelf, release, use

CONTENTS = [bytes([number]) * 10 for number in range(4)]
NUMBERS = count()


def empty(database: Database) -> None:
    with database.write() as connection:
        connection.execute(delete(uses))
        connection.execute(delete(blobs))


def used(database) -> list[str]:
    with database.read() as connection:
        return sorted(set(connection.execute(select(uses.c.blob).where(uses.c.kind == "run")).scalars()))


def known(database) -> list[str]:
    with database.read() as connection:
        return sorted(connection.execute(select(blobs.c.digest)).scalars())


def drafts_of(folder: Path, contents: list[bytes]) -> list[Draft]:
    paths = [folder / f"draft-{next(NUMBERS)}" for _ in contents]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [draft_of(path) for path in paths]


def write_and_use(shelf: Shelf, folder: Path, user: str, contents: list[bytes], most: int = 2) -> int:
    """Store blobs as a run does; return at which attempt they are used, or 0."""
    for attempt in range(1, most + 1):
        drafts = drafts_of(folder, contents)
        shelf.put(drafts)
        with suppress(BlobsCollected):
            with shelf.database.write() as connection:
                use(connection, "run", user, [draft.digest for draft in drafts])
            return attempt
    return 0


def forget(shelf: Shelf, user: str) -> None:
    """Delete a run as the store does."""
    with shelf.database.write() as connection:
        gone = release(connection, "run", user)
        before = shelf.database.now(connection)
    shelf.drop(gone, before)
