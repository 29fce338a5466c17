"""Every exception of the engine.

    EngineError
    ├── QuestionError (ValueError)       the request is invalid: exit code 2, HTTP status 4xx
    │   ├── InvalidWorkload              a file or generated workload is invalid
    │   ├── InvalidParameter             a parameter is unknown or out of its range
    │   ├── InvalidPlatform              the machine is impossible or does not fit the workload
    │   ├── UnknownName (LookupError)    no such algorithm, generator, conversion, case ...
    │   └── UnsupportedWorkload          an algorithm does not take this kind of workload
    ├── PluginError (ValueError)         a plug-in cannot be loaded: exit code 1
    └── SimulationError (RuntimeError)   the run failed: exit code 1
        ├── PolicyError                  a policy broke a rule of the kernel
        └── Stalled                      jobs wait for ever: nothing runs or is to come

A message states what is wrong, the value, the rule and, if they are few, the choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def one_line(text: str) -> str:
    """Return `text` with each character that cannot be printed replaced by a question mark.

    Names and contents of files are not trusted: line ends and escapes must not reach a log or a terminal.
    """
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in text)


class EngineError(Exception):
    """Base of all errors that the engine raises on purpose; the message is always one printable line."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class QuestionError(EngineError, ValueError):
    """The request is invalid; nothing was run."""


class InvalidWorkload(QuestionError):
    """A workload cannot be read or generated."""


class InvalidParameter(QuestionError):
    """A parameter does not exist or has a value outside its range."""


class InvalidPlatform(QuestionError):
    """A machine is impossible or does not fit the workload."""


class UnsupportedWorkload(QuestionError):
    """An algorithm or conversion does not take this kind of workload."""


class UnknownName(QuestionError, LookupError):
    """A name is not in its registry."""

    def __init__(self, what: str, name: str, known: Iterable[str]):
        self.what, self.name, self.known = what, name, tuple(known)
        meant = get_close_matches(str(name).lower(), self.known, 1)
        hint = f"; did you mean {meant[0]}?" if meant else ""
        super().__init__(f"unknown {what} {name!r}; known: {', '.join(self.known) or 'none'}{hint}")


class PluginError(EngineError, ValueError):
    """An installed plug-in cannot be imported, is no family, or brings a name that is taken."""


class SimulationError(EngineError, RuntimeError):
    """A run failed."""


class PolicyError(SimulationError):
    """A policy exceeded capacity or memory, started a job before its release, or acted on a finished job."""


class Stalled(SimulationError):
    """Jobs wait, nothing runs and no alarm is set: the policy would wait forever."""
