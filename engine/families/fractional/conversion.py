"""CPU needs and memory for rigid jobs, so that their tasks can share nodes.

`rule=log` is the published preparation of the HPC2N log, nodes of two cores: of each job the larger of used and
requested memory a processor, as a share of a node; at least 0.1, which also stands for no information; at most 1.
An even number of processors with less than half a node's memory each become half as many tasks that need a whole
node's CPU; all others one task a processor that needs half a node's CPU (an even number at exactly one half is not
covered by the paper: it is taken here with the others).

`rule=drawn` is the synthetic workload of nodes of four cores: a task a processor; a job of one task needs 0.25, others
1; memory 0.1 with probability 0.55, else 0.2 to 1.0 in tenths.

H. Casanova, M. Stillwell, F. Vivien, Dynamic Fractional Resource Scheduling vs. Batch Scheduling, RR-7659, 2011, §5.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.words import count, were

KB_PER_GB = 1024.0 * 1024.0
CORES = {"log": 2, "drawn": 1}
"""Processors of the trace that make a node where nothing else is said; drawn sizes count nodes already."""
DRAWN_MEMORY = 8.0
"""Of a node [GB] where tasks are drawn: what an example of the paper implies, section 6.3."""
LOW_MEMORY, SHARE_OF_LOW = 0.1, 0.55


def apply(workload: Workload, values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """The same jobs as tasks with `cpu_need` and `memory`, on as many nodes as the machine's processors make."""
    if values["rule"] == "drawn":
        tasks, need, memory, said = drawn(workload.jobs["processors"], rng)
    else:
        tasks, need, memory, said = of_log(workload, values)
    machine = {name: value for name, value in workload.machine.items() if name != "processors"}
    machine["node_memory"] = DRAWN_MEMORY if values["rule"] == "drawn" else values["node_memory"]
    processors = workload.machine.get("processors")
    if values["nodes"] or processors:
        machine["nodes"] = values["nodes"] or max(1, int(processors or 0) // CORES[values["rule"]])
    jobs = {name: column for name, column in workload.jobs.items() if name != "memory_kb"}
    jobs |= {"processors": tasks.astype(jobs["processors"].dtype), "cpu_need": need, "memory": memory}
    return workload.with_(kind="fractional", jobs=jobs, machine=machine, report=(*workload.report, *said))


def of_log(workload: Workload, values: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Tasks, CPU need and memory of each job by the rule for nodes of two cores, and what was done."""
    n, processors = len(workload), workload.jobs["processors"]
    known = workload.jobs.get("memory_kb", np.full(n, np.nan))
    share = known / (values["node_memory"] * KB_PER_GB)
    memory = np.clip(np.where(np.isnan(share), 0.0, share), values["least_memory"], 1.0)
    halves = (processors % 2 == 0) & (memory < 0.5)
    tasks = np.where(halves, processors // 2, processors)
    need = np.where(halves, 1.0, 0.5)
    unknown, capped = int(np.isnan(share).sum()), int((share > 1.0).sum())
    said = [
        f"{count(int(tasks.sum()), 'task')}: {count(int(halves.sum()), 'job')} with whole nodes, the others with "
        f"half of one a task.",
    ]
    if unknown:
        said.append(f"{count(unknown, 'job')} without memory data: {values['least_memory']:g} of a node.")
    if capped:
        said.append(f"{count(capped, 'job')} with more memory than a node {were(capped)} cut to it.")
    return tasks, need, np.where(halves, 2.0 * memory, memory), tuple(said)


def drawn(tasks: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Tasks, CPU need and memory of each job by the laws of the synthetic workload, and what was done."""
    low = rng.random(len(tasks)) < SHARE_OF_LOW
    memory = np.where(low, LOW_MEMORY, rng.integers(2, 11, len(tasks)) / 10.0)
    need = np.where(tasks == 1, 0.25, 1.0)
    said = f"{count(int(tasks.sum()), 'task')}; memory drawn, {memory.mean():.3f} of a node on average."
    return tasks, need, memory, (said,)


FRACTIONAL = Conversion(
    slug="fractional",
    title="Tasks that share nodes",
    summary="Gives every task a share of a node's CPU and memory, as the study of fractional scheduling does.",
    takes=("rigid",),
    makes="fractional",
    parameters=(
        Choice("rule", "log", "Where CPU needs and memory come from.", ("log", "drawn"),
               {"log": "The log's memory, nodes of two cores", "drawn": "Drawn, nodes of four cores"}),
        Real("node_memory", 2.0, "Memory of a node, which the log's is a share of.", low=0.0, high=1e6, above=True,
             unit="GB"),
        Real("least_memory", 0.1, "Least memory of a processor, as a share of a node; also where nothing is known.",
             low=0.0, high=1.0, above=True),
        Whole("nodes", 0, "Nodes of the machine; 0 takes them from the workload's processors.", low=0, high=1_000_000),
    ),
    apply=apply,
)  # fmt: skip
