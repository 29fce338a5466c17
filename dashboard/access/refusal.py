"""Refusals on their way out: which status an error of ours becomes, and the sentence beside it."""

from __future__ import annotations

import errno

from shadowtime.engine.errors import EngineError, QuestionError, one_line
from shadowtime.workers.errors import Conflict, Damaged, NotFound, QueueAway, TooMuch
from shadowtime.workers.records.blobs import BlobsAway
from shadowtime.workers.records.database import DatabaseAway

STATUSES: tuple[tuple[type[EngineError], int], ...] = (
    (Damaged, 409),
    (NotFound, 404),
    (Conflict, 409),
    (TooMuch, 429),
    (QueueAway, 503),
    (BlobsAway, 503),
    (DatabaseAway, 503),
    (QuestionError, 400),
)

NO_ROOM = {
    errno.ENOSPC: "The disk of the store is full: nothing was kept. Deleting still works.",
    errno.EDQUOT: "The quota of the store is used up: nothing was kept. Deleting still works.",
    errno.EROFS: "The disk of the store is read-only: nothing was kept.",
}
"""The sentence for each error of the disk."""


class Refusal(Exception):
    """An answer of HTTP `status` with one sentence."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status, self.sentence = status, one_line(sentence)


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of an error that was raised on purpose; None for an unexpected one."""
    return next((status for kind, status in STATUSES if isinstance(error, kind)), None)


def no_room(error: BaseException) -> Refusal | None:
    """Return the answer where the store has no room or takes nothing; None for any other error."""
    if not isinstance(error, OSError) or error.errno not in NO_ROOM:
        return None
    return Refusal(507, NO_ROOM[error.errno])
