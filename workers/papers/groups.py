"""Group studies that are shown on one page and run together: one study, or the tables of one paper."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shadowtime.engine.errors import UnknownName
from shadowtime.workers.papers import dfrs
from shadowtime.workers.papers.cells import Run, instead, run_cells
from shadowtime.workers.papers.registry import find_paper, papers
from shadowtime.workers.papers.report import Report
from shadowtime.workers.store.base import utc_now
from shadowtime.workers.version import engine_version


@dataclass(frozen=True)
class Group:
    """Studies of one paper, in their order."""

    name: str
    studies: tuple[str, ...]


TOGETHER = {"dfrs": tuple(dfrs.STUDIES)}
"""Pages that hold several studies."""


def groups() -> dict[str, Group]:
    """Return all groups by name: those of TOGETHER, and each other study alone."""
    inside = {name for names in TOGETHER.values() for name in names}
    alone = {name: (name,) for name in papers() if name not in inside}
    return {name: Group(name, studies) for name, studies in {**alone, **TOGETHER}.items()}


def find_group(name: str) -> Group:
    """Return the group called `name`; a study of a group is also found alone. Else UnknownName with the known names."""
    known = groups()
    if name.lower() in known:
        return known[name.lower()]
    if name.lower() in papers():
        return Group(name.lower(), (name.lower(),))
    raise UnknownName("paper", name[:80], sorted({*known, *papers()}))


def make(
    group: Group, scale: str, tell: Callable[[str], None], run: Run | None = None
) -> tuple[dict[str, Any], list[Report]]:
    """Run all studies of a group; return the object to store, and their reports.

    run
        Executor of their cells; else the cores of this machine.

    Returns
    -------
    {"name", "scale", "engine_version", "made", "seconds", "processor_seconds", "cells", "studies": objects of
    `Report.as_dict`}, which is stored and shipped, and the reports themselves.
    """
    began, used, cells = time.perf_counter(), _used(), 0

    def counted(function: Callable[[Any], Any], asked: Sequence[Any], tell: Callable[[str], None]) -> list[Any]:
        nonlocal cells
        cells += len(asked)
        if run is not None:
            return run(function, asked, tell)
        token = instead.set(None)
        try:
            return run_cells(function, asked, tell)
        finally:
            instead.reset(token)

    token = instead.set(counted)
    try:
        reports = [find_paper(study).study(scale, tell) for study in group.studies]
    finally:
        instead.reset(token)
    result = {
        "name": group.name,
        "scale": scale,
        "engine_version": engine_version(),
        "made": utc_now(),
        "seconds": time.perf_counter() - began,
        "processor_seconds": _used() - used,
        "cells": cells,
        "studies": [report.as_dict() for report in reports],
    }
    return result, reports


def _used() -> float:
    """Return the processor time of this process and its ended children [s]."""
    whom = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(found.ru_utime + found.ru_stime for found in map(resource.getrusage, whom))
