"""The parts of a workload that a policy may see."""

from __future__ import annotations

from copy import deepcopy

from shadowtime.engine.tables import read_only
from shadowtime.engine.workload.job import Workload

TRUE_TIMES = ("runtime", "time", "work", "deviate", "recorded_start", "recorded_end", "outcome", "nodes")
"""Columns of jobs and parts that reveal true runtimes: times, least areas, deviations from expected times, and what
happened to the jobs of a log."""


def known(workload: Workload) -> Workload:
    """Return the workload without its true runtimes; policies read estimates from the kernel's units.

    A policy allocates its memory before the run, so it still sees the rows of jobs that are released later. The
    conformance tests check that no decision depends on them.
    """
    jobs = {name: column for name, column in workload.jobs.items() if name not in TRUE_TIMES}
    parts = {name: column for name, column in workload.parts.items() if name not in TRUE_TIMES}
    return workload.with_(jobs=jobs, parts=parts)


def shown(workload: Workload, *, clairvoyant: bool) -> Workload:
    """Return what a policy in Python sees of the workload that all runs share: read-only views, a copy of `machine`
    and one of `site` with read-only arrays.

    Without true runtimes unless the policy is clairvoyant.
    """
    seen = workload if clairvoyant else known(workload)
    jobs, parts = ({name: read_only(column) for name, column in table.items()} for table in (seen.jobs, seen.parts))
    site = seen.site
    if site is not None:
        arrays = site.available, *vars(site.experience).values()
        site = deepcopy(site, {id(array): read_only(array) for array in arrays})
    return seen.with_(jobs=jobs, parts=parts, machine=deepcopy(dict(seen.machine)), site=site)


def everything(workload: Workload) -> Workload:
    """Return the workload itself, for a clairvoyant policy."""
    return workload
