"""Define the status of a run, as stored in `status.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

STATES = ("queued", "running", "finished", "failed", "cancelled")
UNFINISHED = ("queued", "running")
MOST_ATTEMPTS = 3
PRIVATE_KEYS = ("client", "priority", "owner", "spared")
"""Keys that are never shown to other users."""


def progress_of(
    jobs: int = 0,
    jobs_done: int = 0,
    segments: int = 0,
    seconds_left: float | None = None,
    planned: float = 1.0,
) -> dict:
    """Return the progress of a run: shares are of jobs that have ended or were rejected.

    `planned` is there only while a plan is computed before the first instant: its share that is complete.
    """
    fraction = jobs_done / jobs if jobs else 0.0
    return {
        "fraction": fraction,
        "jobs_done": jobs_done,
        "jobs": jobs,
        "segments": segments,
        "seconds_left": seconds_left,
        **({"planned": planned} if planned < 1.0 else {}),
    }


@dataclass(frozen=True)
class Status:
    """What `status.json` says; replaced whole. Times in UTC."""

    status: str
    attempt: int = 1
    """From 1; one more after each lost worker."""
    accepted: str = ""
    started: str | None = None
    ended: str | None = None
    progress: Mapping[str, Any] = field(default_factory=progress_of)
    error: str | None = None
    """Why it failed, in a sentence."""
    damaged: bool = False
    """It had finished, but its files differ from what was written; `error` names them. Counts as failed."""
    priority: str = "default"
    client: str | None = None
    """The client, for limits; never shown."""
    owner: str | None = None
    """The owner of a private run; None: public."""
    spared: int = 0
    """Attempts whose worker was asked to stop: they do not count as failures."""

    @property
    def is_finished(self) -> bool:
        return self.status == "finished"

    @property
    def is_unfinished(self) -> bool:
        """Accepted and still to be run to its end."""
        return self.status in UNFINISHED

    def but(self, **changes: Any) -> Status:
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "progress": {**self.progress}}

    def public(self) -> dict[str, Any]:
        """Return what may be shown to users who may see the run: not who submitted it."""
        return {name: value for name, value in self.as_dict().items() if name not in PRIVATE_KEYS}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Status:
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})
