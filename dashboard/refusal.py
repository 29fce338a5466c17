"""Refusals on their way out: which status an error of ours becomes, and the sentence beside it."""

from __future__ import annotations

from shadowtime.engine.errors import EngineError, QuestionError, one_line
from shadowtime.workers.errors import Conflict, Damaged, NotFound, QueueAway, TooMuch

STATUSES: tuple[tuple[type[EngineError], int], ...] = (
    (Damaged, 409),
    (NotFound, 404),
    (Conflict, 409),
    (TooMuch, 429),
    (QueueAway, 503),
    (QuestionError, 400),
)


class Refusal(Exception):
    """An answer of HTTP `status` with one sentence."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status, self.sentence = status, one_line(sentence)


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of an error that was raised on purpose; None for an unexpected one."""
    return next((status for kind, status in STATUSES if isinstance(error, kind)), None)
