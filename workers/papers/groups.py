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
from shadowtime.workers.papers.report import FORMAT, Report
from shadowtime.workers.papers.samples import samples
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
    group: Group, scale: str, progress: Callable[[str], None], run: Run | None = None
) -> tuple[dict[str, Any], list[Report]]:
    """Run all studies of a group; return the object to store, and their reports.

    run
        Executor of their cells; else the cores of this machine.

    Returns
    -------
    {"format", "name", "scale", "engine_version", "made", "seconds", "processor_seconds", "cells", "samples",
    "studies": objects of `Report.as_dict`}, which is stored and shipped, and the reports themselves. "samples" are
    cells with their answers (`samples`): a test computes them again.
    """
    began, used, cells = time.perf_counter(), _used(), 0
    answered: list[tuple[Callable[[Any], Any], Any, Any]] = []

    def counted(function: Callable[[Any], Any], given: Sequence[Any], report: Callable[[str], None]) -> list[Any]:
        nonlocal cells
        cells += len(given)
        token = instead.set(None)
        try:
            answers = (run or run_cells)(function, given, report)
        finally:
            instead.reset(token)
        answered.extend(zip([function] * len(given), given, answers, strict=True))
        return answers

    token = instead.set(counted)
    try:
        reports = [find_paper(study).study(scale, progress) for study in group.studies]
    finally:
        instead.reset(token)
    result = {
        "format": FORMAT,
        "name": group.name,
        "scale": scale,
        "engine_version": engine_version(),
        "made": utc_now(),
        "seconds": time.perf_counter() - began,
        "processor_seconds": _used() - used,
        "cells": cells,
        "samples": samples(answered),
        "studies": [report.as_dict() for report in reports],
    }
    return result, reports


def _used() -> float:
    """Return the processor time of this process and its ended children [s]."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
