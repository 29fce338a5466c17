"""Draw CPU usages for rigid jobs, as the study of MEASY does, so that two jobs can share a processor.

Every process gets its usage of a processor and its phi (the part of the idle CPU of its partner that it can use in the
background), every job the loss that a partner in the background causes. All are drawn here, once, so that all
algorithms see the same jobs. Not in the paper: usages are drawn for each process, a phi outside its range is clipped
to it, and a job has one loss. The mean and deviation of phi's normal law are missing in every public text of the
paper; 0.43 and 0.14 are remembered values, not verified.

X. Liu et al., Scheduling parallel jobs using migration and consolidation in the cloud, Mathematical Problems in
Engineering 2012, article 695757, sections 3.1 and 3.2.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.parameters import Choice, Real, resolve
from shadowtime.engine.workload.conversions import estimates
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.generators.generator import check_order
from shadowtime.engine.workload.job import Parameters, Workload
from shadowtime.engine.workload.limits import PROCESSES
from shadowtime.engine.workload.words import count, were

MU, SIGMA = 0.43, 0.14
"""Mean and deviation of phi's normal law: remembered, not verified."""

RANGES = (("low", "high"), ("min_usage", "max_usage"), ("min_phi", "max_phi"), ("min_loss", "max_loss"))


def apply(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the same jobs with processes; requested times below the runtime are raised to it."""
    for ends in RANGES:
        check_order("two_tier", values, *ends)
    processes = workload.jobs["processors"]
    if processes.sum() > PROCESSES:
        raise InvalidWorkload(
            f"{workload.name} has {processes.sum():,} processes; two_tier draws for at most {PROCESSES:,}."
        )
    parts = draw_processes(processes, values, rng)
    loss = rng.uniform(values["min_loss"], values["max_loss"], len(workload))
    report = (*workload.report, *_sentences(len(parts["usage"]), values))
    made = workload.with_(kind="two_tier", jobs={**workload.jobs, "loss": loss}, parts=parts, report=report)
    return _with_estimates(made, values["estimates"], rng)


def draw_processes(processes: np.ndarray, values: Parameters, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return `first`, `usage` and `phi`: job i has the rows `first[i]:first[i + 1]` of the other two."""
    first = np.concatenate([[0], np.cumsum(processes)]).astype("i8")
    total = int(first[-1])
    usage = rng.random(total)
    usage *= values["max_usage"] - values["min_usage"]
    usage += values["min_usage"]
    phi = rng.standard_normal(total)
    phi *= values["sigma"]
    phi += values["mu"]
    np.clip(phi, values["low"], values["high"], out=phi)
    alone = first[:-1][processes == 1]
    usage[alone] = 1.0
    phi[alone] = rng.uniform(values["min_phi"], values["max_phi"], len(alone))
    if values["usage"] == "full":
        usage[:] = 1.0
    return {"first": first, "usage": usage, "phi": phi}


def _with_estimates(workload: Workload, how: str, rng: np.random.Generator) -> Workload:
    """Return the workload with requested times that are `exact`, drawn after `tsafrir`, or kept where there are any."""
    runtime, requested = workload.jobs["runtime"], workload.jobs["requested"]
    if how == "exact":
        sentence = "Every job requests exactly its runtime."
        raised = runtime
    elif how == "tsafrir" or not workload.has_estimates:
        model = resolve(estimates.ESTIMATES.parameters, {}, "estimates")
        return estimates.apply(workload, model, rng)
    else:
        below = int((requested < runtime).sum())
        if not below:
            return workload
        sentence = f"{count(below, 'requested time')} below the runtime {were(below)} raised to it."
        raised = np.where(requested < runtime, runtime, requested)
    return workload.with_(
        jobs={**workload.jobs, "requested": raised}, has_estimates=True, report=(*workload.report, sentence)
    )


def _sentences(processes: int, values: Parameters) -> tuple[str, str]:
    v = {name: f"{value:g}" for name, value in values.items() if not isinstance(value, str)}
    drawn = f"between {v['min_usage']} and {v['max_usage']}, 1 in jobs of one"
    usage = "1 for all" if values["usage"] == "full" else drawn
    known = (values["mu"], values["sigma"]) == (MU, SIGMA)
    return (
        f"{count(processes, 'process', 'processes')} drawn: usage {usage}; losses between {v['min_loss']} and "
        f"{v['max_loss']}; phi in jobs of one between {v['min_phi']} and {v['max_phi']}.",
        f"Phi in wider jobs is normal, mean {v['mu']}, deviation {v['sigma']}, clipped to {v['low']} and {v['high']}; "
        "the paper's mean and deviation are missing in every public text, these are "
        + ("remembered values, not verified." if known else "given with the question."),
    )


TWO_TIER = Conversion.from_rigid(
    "two_tier",
    title="CPU usages for two tiers",
    summary="Draws each process's CPU usage and the cost of sharing a processor, as the study of MEASY does.",
    parameters=(
        Choice("usage", "drawn", "CPU usage of the processes.",
               {"drawn": "Drawn, 1 in jobs of one process", "full": "1 for all"}),
        Choice("estimates", "keep", "Requested times.",
               {"keep": "The workload's; drawn after Tsafrir where it has none", "tsafrir": "Drawn after Tsafrir",
                "exact": "The runtime"}),
        Real("mu", MU, "Mean of phi in jobs of several processes; remembered, not in public texts.", low=0.0, high=1.0),
        Real("sigma", SIGMA, "Deviation of phi; remembered, not in public texts.", low=0.0, high=10.0),
        Real("low", 0.198, "Least phi in jobs of several processes.", low=0.0, high=1.0),
        Real("high", 0.766, "Largest phi in jobs of several processes.", low=0.0, high=1.0),
        Real("min_usage", 0.40, "Least usage in jobs of several processes.", low=0.0, high=1.0, above=True),
        Real("max_usage", 1.0, "Largest usage in jobs of several processes.", low=0.0, high=1.0, above=True),
        Real("min_phi", 0.80, "Least phi of a job of one process.", low=0.0, high=1.0),
        Real("max_phi", 0.92, "Largest phi of a job of one process.", low=0.0, high=1.0),
        Real("min_loss", 0.005, "Least loss of a job that shares processors.", low=0.0, high=1.0),
        Real("max_loss", 0.04, "Largest loss of a job that shares processors.", low=0.0, high=1.0),
    ),
    apply=apply,
)  # fmt: skip
