"""Errors of the service, in the form of the tree in `engine.errors`.

QuestionError
├── NotFound (LookupError)      no run, workload or link of that id: a 404
│   └── Damaged                 it is there, but not as it was written: a 409
├── Conflict                    not in this state: a 409
├── NoStore (OSError)           the folder of the store cannot be made
└── TooMuch                     a limit is reached: a 429
EngineError
└── QueueAway (ConnectionError) Redis does not answer: a 503
"""

from __future__ import annotations

from pathlib import Path

from shadowtime.engine.errors import EngineError, QuestionError


class NotFound(QuestionError, LookupError):
    """There is no such run, workload or link."""

    def __init__(self, what: str, reference: object):
        super().__init__(f"no {what} {str(reference)[:80]!r} is known here")


class Damaged(NotFound):
    """Stored data differs from what was written: it is treated as missing and never shown."""

    def __init__(self, sentence: str):
        QuestionError.__init__(self, sentence)


class Conflict(QuestionError):
    """The request does not fit the current state of its object."""


class NoStore(QuestionError, OSError):
    """The folder of the store cannot be made; `errno` is that of the attempt."""

    def __init__(self, folder: Path, error: OSError):
        reason = (error.strerror or str(error)).lower()
        super().__init__(
            f"the folder of the store, {folder}, cannot be made ({reason}); SHADOWTIME_STORE or --store names another"
        )
        self.errno = error.errno


class TooMuch(QuestionError):
    """A limit of this installation is reached; `retry_after` [s] says when to try again."""

    def __init__(self, sentence: str, retry_after: float = 3.0):
        super().__init__(sentence)
        self.retry_after = retry_after


class QueueAway(EngineError, ConnectionError):
    """Redis does not answer."""

    def __init__(self) -> None:
        super().__init__("Redis does not answer; saved runs resume when it is back")
