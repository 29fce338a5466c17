"""Log who did what, when, and from which address: rows of the database, or lines of a file that are only ever added.

Secrets are never logged: no token, no cookie, no query, and of the code of a link or a notice only the beginning.
"""

from __future__ import annotations

import getpass
import heapq
import json
import logging
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from shadowtime.workers.records import audit
from shadowtime.workers.records.database import Database
from shadowtime.workers.utc import utc_now

log = logging.getLogger(__name__)

NAME = "audit.jsonl"
"""File in the folder of a store to which older versions wrote."""
UNREADABLE = (ValueError, KeyError, TypeError, RecursionError)
_CODE = re.compile(r"^(/s/|/api/links/|/api/notices/)([^/]{4})[^/]+")


class Audit:
    """The audit log of one installation; several processes may add to it at once."""

    def __init__(self, place: Database | Path):
        self.place = place

    def write(self, **fields: Any) -> None:
        """Add an entry. One that cannot be written is reported in the log: the action itself has been done."""
        try:
            if isinstance(self.place, Database):
                audit.add(self.place, _text(fields))
            else:
                _append(self.place, _text({"time": utc_now(), **fields}))
        except Exception as error:  # whatever it is, the answer to the request must not become another one
            place = "in the database" if isinstance(self.place, Database) else self.place
            log.error("the audit log %s was not written to: %s", place, error)


def lines(database: Database, files: Sequence[Path], since: str = "") -> Iterator[str]:
    """Yield the entries of the database and of files from a time on, oldest first, as JSON.

    A row or line that is no entry is named in the log and left out.
    """
    sources = [*(_of_file(path, since) for path in files), _of_database(database, since)]
    for _, line in heapq.merge(*sources, key=lambda entry: entry[0]):
        yield line


def account() -> str:
    """Return the name of the user of this process, or `uid 12345` where the system knows no name, as in a container
    that runs with any user id."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"


def without_codes(path: str) -> str:
    """Return a path that may be logged: the code of a link or a notice is cut, since it opens it."""
    return _CODE.sub(r"\1\2…", path)


def _text(fields: dict[str, Any]) -> str:
    """Return JSON that UTF-8 can express: letters that are none of Unicode stand as escapes."""
    return json.dumps(fields, ensure_ascii=False).encode(errors="backslashreplace").decode()


def _append(path: Path, line: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, line.encode() + b"\n")  # one call: lines of several processes never mix
    finally:
        os.close(file)


def _of_database(database: Database, since: str) -> Iterator[tuple[str, str]]:
    """Yield time and text of the entries of a database."""
    for time, fields in audit.since(database, since):
        try:
            yield time, _text({"time": time, **json.loads(fields or "")})
        except UNREADABLE:
            log.warning("the row of %s is no entry of an audit log", time)


def _of_file(path: Path, since: str) -> Iterator[tuple[str, str]]:
    """Yield time and text of the entries of a file, which may be missing."""
    try:
        file = open(path, encoding="utf-8", errors="replace", newline="\n")  # noqa: SIM115
    except FileNotFoundError:
        return
    with file:
        for number, line in enumerate(file, start=1):
            try:
                time = json.loads(line)["time"]
            except UNREADABLE:
                log.warning("%s line %d is no entry of an audit log", path, number)
                continue
            if str(time) >= since:
                yield str(time), line.rstrip("\n")
