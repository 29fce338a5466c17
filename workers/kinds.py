"""The kinds of work in the queue: a run, a part of a paper, a batch of a sweep, an exact bound.

A piece of work is known by its id, which begins with the word of its kind. Each kind has one handler in a worker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Kind:
    """A kind of work."""

    prefix: str
    """How its ids begin."""
    task: str
    """The function that a worker calls with an id."""


PART = Kind("paper-", "shadowtime.workers.tasks.part_task")
"""`paper-<name>-<scale>-<number>`."""
PIECE = Kind("sweep-", "shadowtime.workers.tasks.piece_task")
"""`sweep-<digest>-<batch>`."""
BOUND = Kind("bound-", "shadowtime.workers.tasks.bound_task")
"""`bound-<digest>`."""
RUN = Kind("", "shadowtime.workers.tasks.run_task")
"""`<digest>`."""
KINDS = (PART, PIECE, BOUND, RUN)
"""A run comes last: its ids have no prefix."""


def kind_of(work: str) -> Kind:
    """Return the kind of a piece of work."""
    return next(kind for kind in KINDS if work.startswith(kind.prefix))


class Handler(Protocol):
    """Keeps one kind of work going, from a worker or from another process that looks after the queue."""

    def check(self, work: str) -> None:
        """Raise NotFound for an id that names no work of this kind."""

    def scan(self) -> list[str]:
        """Queue what waits in the store, but neither in the queue nor at a worker; return its ids."""

    def renew(self, work: str, worker: str) -> None:
        """Extend the lease by which a worker holds a piece of work, where it has one."""

    def left(self, work: str) -> None:
        """Queue what follows after a worker has left a piece of work."""

    def lost(self, work: str, sentence: str = "") -> None:
        """Record that the process of a piece of work ended without an answer; `sentence`: why the worker killed it."""

    def spare(self, work: str) -> bool:
        """Record that a stop request ended the process, which is no fault of the work; return False if it had to
        end."""
