"""Keep the key of private runs, which also gives the identity of a laboratory: twice, since it cannot be made again."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
from contextlib import suppress

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records import facts
from shadowtime.workers.records.database import Database

log = logging.getLogger(__name__)

NAME, COPY = "key", "key-copy"
KEY = re.compile(r"[0-9a-f]{64}")


class KeyDamaged(EngineError):
    """The key is not what was written."""


def key(database: Database) -> str:
    """Return the key, which is made when it is first needed. A damaged one is written again from its copy.

    Raises
    ------
    KeyDamaged
        When neither is what was written.
    """
    known = facts.known(database, (NAME, COPY))
    found, copy = known.get(NAME), known.get(COPY)
    right = _in_copy(copy)
    if right is not None and found == right:
        return right
    if right is None:
        right = facts.fact(database, NAME, lambda: secrets.token_hex(32)) if found is None else str(found)
        if not KEY.fullmatch(right):
            raise KeyDamaged(
                "the key of the laboratory is damaged: restore the database from a backup, or private runs and the "
                "queue of this laboratory are lost"
            )
    if copy is not None:
        log.warning("the key of the laboratory, or its copy, was not what was written; it is written again")
    with suppress(OSError):  # a read-only disk
        for name, value in ((NAME, right), (COPY, _copy_of(right))):
            if known.get(name) != value:
                facts.record(database, name, value)
    return right


def _copy_of(found: str) -> str:
    return f"{found} {hashlib.sha256(found.encode()).hexdigest()[:16]}"


def _in_copy(copy: str | None) -> str | None:
    """Return the key in its copy; None without a copy, or if that is not what was written."""
    found = str(copy).partition(" ")[0]
    return found if copy == _copy_of(found) else None
