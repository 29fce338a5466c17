"""Every exception of the engine.

    EngineError
    ├── QuestionError (ValueError)       the question is wrong: exit code 2, a 4xx
    │   ├── InvalidWorkload              a file or generated workload that cannot be taken
    │   ├── InvalidParameter             a parameter that is unknown, or out of its range
    │   ├── InvalidPlatform              a machine that cannot be
    │   ├── UnknownName (LookupError)    no such algorithm, generator, conversion, case ...
    │   └── UnsupportedWorkload          an algorithm given a kind that it does not take
    └── SimulationError (RuntimeError)   the run failed: exit code 1
        ├── PolicyError                  a policy did what nobody may do
        └── Stalled                      jobs wait, nothing runs, no alarm is set

A message says what was wrong, the value, the rule and, when they are few, the choices.
"""

from __future__ import annotations

from collections.abc import Iterable


def one_line(text: str) -> str:
    """`text` as it may stand in a message, a log or a terminal.

    What a stranger put into it that cannot be printed, line ends and escapes among it, is a question mark.
    """
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in text)


class EngineError(Exception):
    """Base of all that the engine raises on purpose; its message is one line, whatever of a file it shows."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class QuestionError(EngineError, ValueError):
    """The question is wrong; nothing was run."""


class InvalidWorkload(QuestionError):
    """A workload that cannot be read or made."""


class InvalidParameter(QuestionError):
    """A parameter that does not exist or has a value outside its range."""


class InvalidPlatform(QuestionError):
    """A machine that cannot be."""


class UnsupportedWorkload(QuestionError):
    """An algorithm or conversion was given a kind of workload that it does not take."""


class UnknownName(QuestionError, LookupError):
    """A name that is not in its registry."""

    def __init__(self, what: str, name: str, known: Iterable[str]):
        self.what, self.name, self.known = what, name, tuple(known)
        super().__init__(f"unknown {what} {name!r}; known: {', '.join(self.known) or 'none'}")


class SimulationError(EngineError, RuntimeError):
    """A run that could not be carried to its end."""


class PolicyError(SimulationError):
    """A policy broke capacity, memory, a release date, or acted on a job that is done."""


class Stalled(SimulationError):
    """Jobs wait, nothing runs and no alarm is set: the policy would wait for ever."""
