"""Limit how much may wait at a time, of one client and of all clients together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shadowtime.workers.errors import TooMuch
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import VisibleStore
from shadowtime.workers.store.base import Load, LoadCheck

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

    Others may queue some before these are recorded: `check_of` is for the transaction that records them.

    Raises
    ------
    TooMuch
        Naming the limit.
    """
    _check(store.runs.load(client), limits, jobs, runs, priority, lambda: _soon(store))


def check_of(limits: Limits, priority: str) -> LoadCheck | None:
    """Return the check of a client's runs for `accept_all`; None without any limit."""
    if not any(limits):
        return None

    def check(load: Load, runs: int, jobs: int) -> None:
        before = load._replace(
            runs=load.runs - runs,
            jobs=load.jobs - jobs,
            urgent=load.urgent - (runs if priority == "high" else 0),
            runs_of_all=load.runs_of_all - runs,
            jobs_of_all=load.jobs_of_all - jobs,
        )
        _check(before, limits, jobs, runs, priority, lambda: SOONEST)  # the next try gets a forecast

    return check


def _check(load: Load, limits: Limits, jobs: int, runs: int, priority: str, soon: Callable[[], int]) -> None:
    urgent = runs if priority == "high" else 0
    rules: Sequence[tuple[int, int, int, str]] = (
        (limits.runs, load.runs, runs, "{:,} of your runs may be queued or running at a time"),
        (limits.urgent, load.urgent, urgent, "{:,} of your urgent runs may be queued or running at a time"),
        (limits.runs_of_all, load.runs_of_all, runs, "{:,} runs may be queued or running on this site at a time"),
        (limits.jobs, load.jobs, jobs, "{:,} jobs of your runs may be queued or running at a time"),
        (limits.jobs_of_all, load.jobs_of_all, jobs, "{:,} jobs may be queued or running on this site at a time"),
    )
    for most, waiting, more, sentence in rules:
        if not more or not 0 < most < waiting + more:
            continue
        if waiting == 0:
            raise TooMuch(f"{sentence.format(most)}, and this request alone has {more:,}", LATEST)
        raise TooMuch(f"{sentence.format(most)}; some must end before more are accepted", soon())


def _soon(store: VisibleStore) -> int:
    """Return about how many seconds a run takes here."""
    seconds = store.runs.usual_seconds()
    return min(LATEST, max(SOONEST, math.ceil(seconds or 0.0)))
