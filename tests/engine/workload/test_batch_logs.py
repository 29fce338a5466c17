"""Whole logs under conservative, EASY-SJBF and EASY++, against the figures of an independent simulator of 2007.

Its reading of a log: processors allocated, the longer of run time and request as estimate, then run times cut to the
request and to 1 s at least.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from shadowtime.engine import Workload, simulate
from shadowtime.engine.workload.job import job_table
from shadowtime.workers.papers.batch.anchors import ANCHORS, agree

LOGS = {
    "KTH": ("KTH-SP2-1996-2.1-cln.swf.gz", 100),
    "CTC": ("CTC-SP2-1996-3.1-cln.swf.gz", 338),
    "HPC2N": ("HPC2N-2002-2.2-cln.swf.gz", 240),
}


@pytest.fixture(scope="module")
def log(traces):
    known = {}

    def read(name):
        if name not in known:
            known[name] = as_in_2007(name, traces)
        return known[name]

    return read


def as_in_2007(name, traces):
    file, processors = LOGS[name]
    with gzip.open(traces / file, "rt") as lines:
        field = np.array([line.split() for line in lines if line.strip() and not line.startswith(";")], float).T
    runtime, requested = np.maximum(field[3], 0.0), field[8]
    known = np.where(requested > 0.0, requested, runtime)
    ran = np.maximum(1.0, np.minimum(runtime, known))
    estimate = np.where(runtime > 0.0, np.maximum(known, runtime), 1.0)
    ran = np.where(requested > 0.0, ran, 1.0)
    jobs = job_table(
        field[1], ran, field[4].astype("i8"), requested=np.maximum(estimate, ran), user=field[11].astype("i8")
    )
    return Workload("rigid", name, jobs, machine={"processors": processors}, has_estimates=True)


@pytest.mark.parametrize(("name", "policy"), ANCHORS)
def test_figures(log, name, policy):
    jobs = simulate(log(name), policy, {"event_order": "submissions-first"}).jobs
    wait, ran = jobs["start"] - jobs["release"], jobs["runtime"]
    slowdown = np.maximum(1.0, (wait + ran) / np.maximum(ran, 10.0))

    assert agree((float(wait.mean()), float(slowdown.mean()), float(wait.max())), ANCHORS[name, policy])
