"""Schedules worked out by hand, as the tables that the engine would give."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from shadowtime.engine.tables import EVENTS, FINISHED, JOBS, SEGMENTS, SERIES, Table, empty
from shadowtime.engine.workload.job import Workload, job_table


def columns(schema, **given) -> Table:
    table = empty(schema, len(next(iter(given.values()))))
    for name, values in given.items():
        table[name] = np.asarray(values, schema.get(name, np.dtype("f8")))
    return table


def events(kind=(), job=(), time=(), tier=(), value=()) -> Table:
    table = columns(EVENTS, kind=np.array(kind, "u1"), job=job, time=time)
    table["tier"][: len(tier)] = tier
    table["value"][: len(value)] = value
    return table


def finished(workload: Workload, start, end) -> Table:
    """The jobs table of a schedule in which every job ended."""
    jobs = dict(workload.jobs)
    jobs |= {"start": np.asarray(start, float), "end": np.asarray(end, float)}
    return jobs | {"state": np.full(len(jobs["release"]), FINISHED, JOBS["state"])}


def schedule(workload: Workload, lanes: int, jobs: Table, **tables) -> SimpleNamespace:
    whole = {
        "segments": empty(SEGMENTS),
        "events": empty(EVENTS),
        "series": empty(SERIES),
        "counters": {},
        "kind": workload.kind,
        **tables,
    }
    return SimpleNamespace(jobs=jobs, lanes=lanes, **whole)


FOUR = Workload("rigid", "four.swf", job_table(
    release=np.array([0.0, 1.0, 2.0, 3.0]),
    runtime=np.array([100.0, 10.0, 1000.0, 50.0]),
    processors=np.array([6, 10, 4, 4]),
))  # fmt: skip
"""The four-job example of the contract, for ten processors."""


def four_under_easy() -> SimpleNamespace:
    """What EASY makes of it.

    10 |    444        2
     7 |    444        2
     6 | 1111111111111 2
     4 | 1111111111111 2 33333333333 ...
     0 +-----------------------------------
       0   3   53    100 110           1110
    """
    series = columns(
        SERIES,
        time=[0, 1, 2, 3, 53, 100, 110, 1110],
        utilization=[6, 6, 6, 10, 6, 10, 4, 0],
        demand=[6, 16, 20, 24, 20, 14, 4, 0],
    )
    segments = columns(
        SEGMENTS, job=[0, 3, 1, 2], first=[0, 6, 0, 0], last=[5, 9, 9, 3],
        start=[0, 3, 100, 110], end=[100, 53, 110, 1110], share=[1, 1, 1, 1],
    )  # fmt: skip
    jobs = finished(FOUR, [0, 100, 110, 3], [100, 110, 1110, 53])
    return schedule(FOUR, 10, jobs, series=series, segments=segments)
