"""Find, lock and page runs, workloads and sweeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import Page
from shadowtime.workers.store.index import Index, Row

ID = re.compile(r"[0-9a-f]{16}|[0-9a-f]{64}", re.ASCII)

Where = list[tuple[str, Sequence[Any]]]
"""Conditions in SQL with their values."""


def find(root: Path, what: str, reference: str, index: Index | None = None) -> str:
    """Return the digest of a full or short id; any other text is unknown, and never becomes a path.

    Parameters
    ----------
    what
        "run", "workload" or "sweep".
    index
        Where those that it lists are found sooner than by looking through the folders.

    Raises
    ------
    NotFound
        Calling the thing `what`.
    """
    if not isinstance(reference, str) or not ID.fullmatch(reference):
        raise NotFound(what, reference)
    candidates = [reference]
    if len(reference) == 16:
        within = [("digest >= ?", (reference,)), ("digest < ?", (reference + "g",))]
        listed = index.rows(f"{what}s", within) if index else []
        candidates = [row["digest"] for row in listed] or [path.name for path in root.glob(reference + "?" * 48)]
    for digest in candidates:
        if (root / digest).is_dir():
            return digest
    raise NotFound(what, reference)


@contextmanager
def alone(root: Path, what: str, digest: str) -> Iterator[None]:
    """Hold the exclusive lock of one folder. Raises as `find`."""
    with ExitStack() as stack:
        try:
            stack.enter_context(disk.locked(root / digest))
        except FileNotFoundError:
            raise NotFound(what, digest[:16]) from None
        yield


def digests(root: Path) -> set[str]:
    """Return the names of the complete folders."""
    return {path.name for path in root.iterdir() if len(path.name) == 64 and ID.fullmatch(path.name)}


def words_in_label(text: str) -> Where:
    """Return conditions: each word of `text` is part of the label."""
    return [("instr(label, ?) > 0", (word,)) for word in text.lower().split()]


def owned(owners: Sequence[str] | None) -> Where:
    """Return conditions for public runs and the private ones of `owners`; None: all."""
    if owners is None:
        return []
    mine = f" OR owner IN ({', '.join('?' * len(owners))})" if owners else ""
    return [(f"(owner IS NULL{mine})", tuple(owners))]


def page(
    index: Index, table: str, key: str, where: Where, limit: int, after: str | None, read: Callable[[Row], Any]
) -> Page:
    """Up to `limit` things that `read` does not answer with None, newest by `key` first.

    `after` is an earlier page's `next`: the place behind which to go on, which holds when rows come and go.
    """
    found: list[Any] = []
    while True:
        conditions = where
        if after is not None:
            time, _, digest = after.rpartition(" ")
            conditions = [*where, (f"({key}, digest) < (?, ?)", (time, digest))]
        missing = limit - len(found)
        some = index.rows(table, conditions, f"ORDER BY {key} DESC, digest DESC LIMIT {missing + 1}")
        for row in some[:missing]:
            thing = read(row)
            if thing is not None:
                found.append(thing)
            after = f"{row[key]} {row['digest']}"
        if len(some) <= missing:
            return Page(found)
        if len(found) >= limit:
            return Page(found, after)
