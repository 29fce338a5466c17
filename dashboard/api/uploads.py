"""A file on its way in: streamed to disk as it comes, so that its size costs no memory."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from shadowtime.dashboard.access.refusal import NO_ROOM, Refusal
from shadowtime.engine.workload.limits import bytes_in_words
from shadowtime.workers.store import disk, reserve

MOST = 16
"""Files of one upload: a log and the files of its site."""
FIELDS = 100_000
"""Bytes of all that is not the file, and bytes by which multipart/form-data wraps it."""
LEAST_ROOM = 1 << 20
"""Bytes that must be free beside what is sent."""


@dataclass(frozen=True)
class Upload:
    """A file that was sent, there as long as the `with` that received it."""

    path: str
    name: str
    """What the client calls it: never a path."""
    case: str = ""
    """The columns that a table is read by, where the form names them."""
    others: tuple[tuple[str, str], ...] = ()
    """Path and name of each further file: those of a Slurm site come with its log."""
    key: str = ""
    """The key of pseudonyms for users and accounts, where the form has one; it is never stored."""


def check_length(request: Request, limit: int, folder: Path) -> None:
    """Check the length that a body is stated to have, before anything else is done for it.

    Raises Refusal: 413 when it is above `limit`, 507 when the disk of `folder` has less room.
    """
    length = request.content_length or 0
    if length > limit + FIELDS:
        raise _too_long(limit)
    if length + LEAST_ROOM > reserve.room(folder):
        raise Refusal(507, NO_ROOM[errno.ENOSPC])


@contextmanager
def received(request: Request, limit: int, folder: Path) -> Iterator[Upload]:
    """The parts `file` of a multipart body, `limit` bytes together at most, written to `folder` under names that are
    swept.

    Raises Refusal: 413 when they are longer, 400 when there is no such part, more than MOST, or too much beside them.
    """
    files: list[IO[bytes]] = []

    def open_file(
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        if len(files) == MOST:
            raise Refusal(400, f"At most {MOST} files at a time.")
        files.append(tempfile.NamedTemporaryFile(prefix=disk.TEMPORARY, dir=folder))  # noqa: SIM115
        return files[-1]

    request.max_content_length = limit + FIELDS
    parser = FormDataParser(
        open_file,
        max_form_memory_size=FIELDS,
        max_content_length=limit + FIELDS,
        max_form_parts=MOST + 4,
        silent=False,
    )
    try:
        try:
            _, form, sent = parser.parse_from_environ(request.environ)
        except RequestEntityTooLarge:
            if sum(opened.seek(0, 2) for opened in files) > limit:
                raise _too_long(limit) from None
            raise Refusal(400, "The body has more beside the file than a form that sends one.") from None
        except ValueError:
            raise Refusal(400, "The body is not multipart/form-data as a browser sends it.") from None
        parts = sent.getlist("file")
        if not parts or len(parts) != len(files):
            raise Refusal(400, 'The file must be sent as the part "file" of multipart/form-data.')
        for part in parts:
            part.stream.flush()
        if sum(part.stream.seek(0, 2) for part in parts) > limit:
            raise _too_long(limit)
        named = [(opened.name, part.filename or "workload") for opened, part in zip(files, parts, strict=True)]
        yield Upload(*named[0], form.get("case", ""), tuple(named[1:]), form.get("key", ""))
    finally:
        for opened in files:
            opened.close()


def _too_long(limit: int) -> Refusal:
    return Refusal(413, f"The file has more than {bytes_in_words(limit)}, the limit here. Nothing was stored.")
