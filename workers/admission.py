"""Limit how much may wait at a time, of one client and of all clients together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from shadowtime.workers.errors import TooMuch
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import VisibleStore

SOONEST, LATEST = 1, 60
"""Seconds after which a refused client may try again."""


class Limits(NamedTuple):
    """Limits on unfinished runs; 0 means no limit."""

    runs: int = 0
    """Of one client."""
    runs_of_all: int = 0
    jobs: int = 0
    """In the runs of one client."""
    jobs_of_all: int = 0
    urgent: int = 0
    """Runs of one client with the priority `high`, which go before the runs of all others."""


def limits_of(settings: Settings) -> Limits:
    """Return the limits of an installation."""
    return Limits(
        settings.max_queued, settings.max_queued_site, settings.max_jobs, settings.max_jobs_site, settings.max_urgent
    )


def check(store: VisibleStore, limits: Limits, client: str, jobs: int, priority: str, runs: int = 1) -> None:
    """Check that a client may queue so many more runs with this number of jobs together.

    Raises
    ------
    TooMuch
        Naming the limit.
    """
    own, own_jobs = store.runs.load(client)
    everybodys, all_jobs = store.runs.load()
    urgent = store.runs.load(client, "high")[0] if priority == "high" else 0
    rules: Sequence[tuple[int, int, int, str]] = (
        (limits.runs, own, runs, "{:,} runs are queued for you, the limit here"),
        (limits.urgent, urgent, runs, "{:,} urgent runs are queued for you, the limit here"),
        (limits.runs_of_all, everybodys, runs, "{:,} runs are queued, the limit of this site"),
        (limits.jobs, own_jobs, jobs, "{:,} jobs are the most that may be queued in your runs"),
        (limits.jobs_of_all, all_jobs, jobs, "{:,} jobs are the most that may be queued on this site"),
    )
    for most, waiting, more, sentence in rules:
        if not 0 < most < waiting + more:
            continue
        if waiting == 0:
            raise TooMuch(f"{sentence.format(most)}, and this request alone has {more:,}", LATEST)
        raise TooMuch(f"{sentence.format(most)}; some must end before more are accepted", _soon(store))


def _soon(store: VisibleStore) -> int:
    """Return about how many seconds a run takes here."""
    seconds = store.runs.usual_seconds()
    return min(LATEST, max(SOONEST, math.ceil(seconds or 0.0)))
