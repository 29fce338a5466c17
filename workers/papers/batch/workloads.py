"""The workloads of the study: weeks and sequences of archive logs, whole logs, and generated jobs."""

from __future__ import annotations

import gzip
import os
from functools import lru_cache
from pathlib import Path

import numpy as np

from shadowtime.engine.statistics.blocks import weeks
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload, job_table, select
from shadowtime.engine.workload.reading import read

LOGS = {
    "KTH": "KTH-SP2-1996-2.1-cln.swf.gz",
    "CTC": "CTC-SP2-1996-3.1-cln.swf.gz",
    "HPC2N": "HPC2N-2002-2.2-cln.swf.gz",
    "SDSC-BLUE": "SDSC-BLUE-2000-4.2-cln.swf.gz",
}
LUBLIN = "Lublin"
"""Name of the generated jobs, for which no log is needed."""
PROCESSORS, LOAD = 256, 0.9
DRAWN, DRAWN_SEQUENCE = 1000, 3000
"""Generated jobs in place of a week, and of a sequence of SC 2017."""
SEQUENCES = 10
SEQUENCE = 15 * 86_400.0
"""Seconds of a sequence of SC 2017."""
SUBMIT, RUNTIME, ALLOCATED, REQUESTED, USER = 1, 3, 4, 8, 11
"""Columns of a log, from 0, for the reading of the simulator of 2007."""


def has_log(name: str) -> bool:
    """Return whether SHADOWTIME_TRACES names a folder that holds it."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    return folder is not None and (Path(folder) / LOGS[name]).is_file()


def available() -> list[str]:
    """Return the workloads that can be run: the logs that are here, and the generated jobs."""
    return [*filter(has_log, LOGS), LUBLIN]


@lru_cache(maxsize=len(LOGS))
def log(name: str) -> Workload:
    """Return a whole log, whose jobs end at their requested time at the latest."""
    with (Path(os.environ["SHADOWTIME_TRACES"]) / LOGS[name]).open("rb") as stream:
        whole = read(stream, name)
    runtime = np.fmin(whole.jobs["runtime"], whole.jobs["requested"])
    return whole.with_(jobs={**whole.jobs, "runtime": runtime})


@lru_cache(maxsize=1)
def log_of_2007(name: str) -> Workload:
    """Return a whole log as the simulator of 2007 was given it.

    All records with their allocated processors. A job runs up to its request, and for 1 s at least, also where its
    request is unknown (six records of CTC). It is estimated at the longer of request and run time in the log, and at
    1 s if that run time is 0.
    """
    with gzip.open(Path(os.environ["SHADOWTIME_TRACES"]) / LOGS[name], "rt") as stream:
        columns = np.loadtxt(stream, comments=";", usecols=(SUBMIT, RUNTIME, ALLOCATED, REQUESTED, USER))
    submit, logged, processors, requested, user = columns.T
    runtime = np.maximum(np.minimum(logged, requested), 1.0)
    estimate = np.where(logged > 0, np.maximum(requested, logged), 1.0)
    table = job_table(submit, runtime, processors, requested=estimate, user=user)
    return Workload("rigid", name, table, machine=log(name).machine, has_estimates=True)


def week_numbers(name: str) -> list[int]:
    """Return the weeks of a log in which jobs are submitted."""
    return [int(week) for week in np.unique(weeks(log(name).jobs["release"]))]


def week(name: str, number: int) -> Workload:
    """Return the jobs of one week of a log, or those drawn with the seed `number`."""
    return drawn(DRAWN, number) if name == LUBLIN else convert(log(name), "week", {"k": number})


def sequence(name: str, number: int) -> Workload:
    """Return one of ten sequences of 15 days, evenly spaced over a log and disjoint; or drawn with its number."""
    if name == LUBLIN:
        return drawn(DRAWN_SEQUENCE, number + 1)
    whole = log(name)
    since = whole.jobs["release"] - whole.jobs["release"][0]
    count = int(since[-1] // SEQUENCE)
    begin = SEQUENCE * round(number * (count - 1) / (SEQUENCES - 1))
    jobs, parts = select(whole.jobs, whole.parts, np.flatnonzero((since >= begin) & (since < begin + SEQUENCE)))
    jobs["release"] = jobs["release"] - jobs["release"][0]
    return whole.with_(jobs=jobs, parts=parts)


def drawn(jobs: int, seed: int, load: float = LOAD) -> Workload:
    """Return jobs of Lublin and Feitelson with requested times after Tsafrir et al."""
    workload = generate("lublin", {"jobs": jobs, "processors": PROCESSORS, "load": load}, seed)
    return convert(workload, "estimates", {}, seed)
