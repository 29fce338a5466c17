"""Jobs that sit on given nodes, for tests of single steps."""

from __future__ import annotations

import numpy as np

from shadowtime.engine import Workload
from shadowtime.engine.families.fractional.policies.state import make
from shadowtime.engine.registry import find
from shadowtime.engine.workload.job import job_table


def mapped(jobs, nodes):
    """The memory of a run in which these jobs run on these nodes, and the nodes end to end."""
    tasks = np.array([len(job["nodes"]) for job in jobs])
    need = np.array([float(job["cpu_need"]) for job in jobs])
    table = job_table(np.zeros(len(jobs)), np.ones(len(jobs)), tasks, cpu_need=need, memory=np.full(len(jobs), 0.1))
    memory = memory_of(Workload("fractional", "mapped", table, machine={"nodes": nodes}), "greedy*/opt=avg")
    first = np.concatenate([[0], np.cumsum(tasks)])
    memory.m[0]["rows"] = len(jobs)
    for r in range(len(jobs)):
        row = memory.row[r]
        row["need"], row["first"], row["tasks"] = need[r], first[r], tasks[r]
        row["grow"], row["high"] = 1.0, 1.0
    return memory, np.array([node - 1 for job in jobs for node in job["nodes"]])


def memory_of(workload, slug):
    entry = find(slug)
    return make(workload, {**entry.runner.options, **entry.parameters_for(workload)}, workload.machine["nodes"])
