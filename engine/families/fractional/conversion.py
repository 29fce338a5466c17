"""Derive or draw CPU needs and memory for rigid jobs, so that their tasks can share nodes.

`rule=log` is the published preparation of the HPC2N log, nodes of two cores. Memory of a job: the larger of used and
requested memory per processor, as a share of a node; at least 0.1, which also replaces unknown memory; at most 1. A job
on an even number of processors with less than half a node's memory each becomes half as many tasks that need the CPU of
a whole node; any other job becomes one task per processor that needs half of it. (The paper does not cover an even
number at exactly one half; here such a job counts among the others.)

`rule=drawn` is the synthetic workload of nodes of four cores: one task per processor; the task of a job of one task
needs 0.25 of the CPU, others 1; memory 0.1 with probability 0.55, else 0.2 to 1.0 in tenths.

H. Casanova, M. Stillwell, F. Vivien, Dynamic Fractional Resource Scheduling vs. Batch Scheduling, RR-7659, 2011, §5.3.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.job import Parameters, Workload, stated_lanes
from shadowtime.engine.workload.words import count, were

KB_PER_GB = 1024.0 * 1024.0
CORES = {"log": 2, "drawn": 1}
"""Processors of the trace per node, if `nodes` is not given; drawn sizes already count nodes."""
DRAWN_MEMORY = 8.0
"""Memory of a node for `rule=drawn` [GB], implied by an example of the paper, section 6.3."""
LOW_MEMORY, SHARE_OF_LOW = 0.1, 0.55


def apply(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the same jobs as tasks with `cpu_need` and `memory`, and the machine's processors as nodes."""
    if values["rule"] == "drawn":
        tasks, need, memory, sentences = drawn(workload.jobs["processors"], rng)
    else:
        tasks, need, memory, sentences = of_log(workload, values)
    machine = {name: value for name, value in workload.machine.items() if name not in ("processors", "cores_per_node")}
    machine["node_memory"] = DRAWN_MEMORY if values["rule"] == "drawn" else values["node_memory"]
    if values["nodes"] or (processors := stated_lanes(workload)):
        machine["nodes"] = values["nodes"] or max(1, processors // CORES[values["rule"]])
    jobs = {name: column for name, column in workload.jobs.items() if name != "memory_kb"}
    jobs |= {"processors": tasks.astype(jobs["processors"].dtype), "cpu_need": need, "memory": memory}
    return workload.with_(kind="fractional", jobs=jobs, machine=machine, report=(*workload.report, *sentences))


def of_log(workload: Workload, values: Parameters) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return tasks, CPU need and memory of each job by the rule for nodes of two cores, and the report."""
    n, processors = len(workload), workload.jobs["processors"]
    known = workload.jobs.get("memory_kb", np.full(n, np.nan))
    share = known / (values["node_memory"] * KB_PER_GB)
    memory = np.clip(np.where(np.isnan(share), 0.0, share), values["least_memory"], 1.0)
    halves = (processors % 2 == 0) & (memory < 0.5)
    tasks = np.where(halves, processors // 2, processors)
    need = np.where(halves, 1.0, 0.5)
    unknown, capped = int(np.isnan(share).sum()), int((share > 1.0).sum())
    sentences = [
        f"{count(int(tasks.sum()), 'task')}: {count(int(halves.sum()), 'job')} with whole nodes, the others with "
        f"half a node per task.",
    ]
    if unknown:
        sentences.append(f"{count(unknown, 'job')} without memory data: {values['least_memory']:g} of a node.")
    if capped:
        sentences.append(f"{count(capped, 'job')} with more memory than a node {were(capped)} cut to it.")
    return tasks, need, np.where(halves, 2.0 * memory, memory), tuple(sentences)


def drawn(tasks: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return tasks, CPU need and memory of each job by the laws of the synthetic workload, and the report."""
    low = rng.random(len(tasks)) < SHARE_OF_LOW
    memory = np.where(low, LOW_MEMORY, rng.integers(2, 11, len(tasks)) / 10.0)
    need = np.where(tasks == 1, 0.25, 1.0)
    sentence = f"{count(int(tasks.sum()), 'task')}; memory drawn, {memory.mean():.3f} of a node on average."
    return tasks, need, memory, (sentence,)


FRACTIONAL = Conversion.from_rigid(
    "fractional",
    title="Tasks that share nodes",
    summary="Gives every task a share of a node's CPU and memory, as the study of fractional scheduling does.",
    parameters=(
        Choice("rule", "log", "Where CPU needs and memory come from.",
               {"log": "The log's memory, nodes of two cores", "drawn": "Drawn, nodes of four cores"}),
        Real("node_memory", 2.0, "Memory of a node, the divisor of the log's memory.", low=0.0, high=1e6, above=True,
             unit="GB"),
        Real("least_memory", 0.1, "Least memory per processor, as a share of a node; also replaces unknown memory.",
             low=0.0, high=1.0, above=True),
        Whole("nodes", 0, "Nodes of the machine; 0 takes them from the workload's processors.", low=0, high=1_000_000),
    ),
    apply=apply,
)  # fmt: skip
