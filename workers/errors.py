"""Errors of the service, in the form of the tree in `engine.errors`.

QuestionError
├── NotFound (LookupError)      no run, workload or link of that id: a 404
│   └── Damaged                 it is there, but not as it was written: a 409
├── Conflict                    not in this state: a 409
└── TooMuch                     a limit is reached: a 429
EngineError
└── QueueAway (ConnectionError) Redis does not answer: a 503
"""

from __future__ import annotations

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


class TooMuch(QuestionError):
    """A limit of this installation is reached; `retry_after` [s] says when to try again."""

    def __init__(self, sentence: str, retry_after: float = 3.0):
        super().__init__(sentence)
        self.retry_after = retry_after


class QueueAway(EngineError, ConnectionError):
    """Redis does not answer."""

    def __init__(self) -> None:
        super().__init__("Redis does not answer; saved runs resume when it is back")
