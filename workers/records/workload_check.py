"""Check the rows, sources and parses of all workloads, and report what differs from what was written."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from shadowtime.workers.records.blobs import BlobsAway
from shadowtime.workers.records.workload_facts import entry_of
from shadowtime.workers.records.workload_sources import ALTERED, digest_of_content, why_of
from shadowtime.workers.records.workloads import Workloads, row_in

BROKEN = (OSError, EOFError, zlib.error)
"""Errors from unpacking a source."""


def faults(workloads: Workloads) -> Iterator[tuple[str, str]]:
    """Yield digest and sentence of each fault, as they are found. Nothing is changed."""
    for digest in workloads.digests():
        for sentence in _faults(workloads, digest):
            if _is_there(workloads, digest):  # else deleted meanwhile
                yield digest, sentence


def _faults(workloads: Workloads, digest: str) -> Iterator[str]:
    used = workloads.used(digest)
    with workloads.database.read() as connection:
        row = row_in(connection, digest)
    if row is None:
        return
    if entry_of(row) is None:
        yield "its row is not what was written; it is made again from its source"
        yield from _of_source(workloads, digest, next(iter(used), row["source"]))
    else:
        yield from _of_source(workloads, digest, row["source"])
        if row["source"] not in used:
            yield "its source is not known to be used, so that it may be deleted; send it again"
    yield from workloads.parses.faults(digest)


def _of_source(workloads: Workloads, digest: str, blob: str) -> Iterator[str]:
    try:
        found = digest_of_content(workloads.shelf.blobs.open(blob))
    except ALTERED as error:
        yield f"its source is damaged ({why_of(error)}); send it again"
    except BlobsAway:
        raise
    except BROKEN as error:
        yield f"its source cannot be unpacked ({error}); send it again"
    else:
        if found != digest:
            yield "its source is not what was sent: its SHA-256 is not the digest of the workload"


def _is_there(workloads: Workloads, digest: str) -> bool:
    with workloads.database.read() as connection:
        return row_in(connection, digest) is not None
