"""Two hundred small questions over all six families of workloads, each with a name that never changes.

A question holds all that decides its answer: workload, conversions, algorithm, parameters, platform, estimates, seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.identity.workloads import WORKLOADS

ORDERS = ("instant", "submissions-first")
STEMS = (
    "greedy/per", "greedyp/per", "greedypm/per", "greedy*/per", "greedyp*/per", "greedypm*/per",
    "mcb8*", "mcb8/per", "mcb8*/per", "/per", "/stretch-per",
)  # fmt: skip
"""Fractional algorithms that exist with each of SUFFIXES."""
SUFFIXES = ("", "/minft=300", "/minft=600", "/minvt=600")


@dataclass(frozen=True)
class Question:
    """One run: an algorithm on a workload of `WORKLOADS`."""

    algorithm: str
    workload: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    platform: Mapping[str, int] | None = None
    estimates: str | None = None
    seed: int = 1
    """Of the generator, the conversions and the algorithm's own draws."""

    @property
    def name(self) -> str:
        """Return what tells this question from all others, such as `easy extra=first on uniform, seed 1`."""
        chosen = [self.algorithm, *(f"{name}={value}" for name, value in self.parameters.items())]
        given = [self.workload, *(f"{name}={value}" for name, value in (self.platform or {}).items())]
        if self.estimates:
            given.append(self.estimates)
        return f"{' '.join(chosen)} on {' '.join(given)}, seed {self.seed}"

    @property
    def reference(self) -> str:
        """Return the generator or file of the workload, as the command line takes it."""
        return WORKLOADS[self.workload][0]

    @property
    def conversions(self) -> tuple[str, ...]:
        """Return the conversions of the workload, in order, as the command line takes them."""
        return WORKLOADS[self.workload][1:]


def rigid() -> Iterator[Question]:
    """Yield FCFS and EASY with each of their parameters, platforms and estimates."""
    for order, overrun in product(ORDERS, ("run", "kill")):
        yield Question("fcfs", "short", {"event_order": order, "overrun": overrun})
        for extra in ("all", "first"):
            yield Question("easy", "short", {"event_order": order, "extra": extra, "overrun": overrun})
    for order in ORDERS:
        yield Question("fcfs", "uniform", {"event_order": order})
        for extra in ("all", "first"):
            yield Question("easy", "uniform", {"event_order": order, "extra": extra})
    for algorithm in ("fcfs", "easy"):
        for workload in ("four", "lublin", "feitelson", "jann", "week", "tsafrir"):
            yield Question(algorithm, workload)
    yield Question("easy", "short", estimates="actual")
    yield Question("easy", "short", platform={"processors": 24})
    yield Question("easy", "uniform", platform={"nodes": 5, "cores_per_node": 2})
    yield Question("easy", "uniform", {"extra": "first"}, seed=2)


def backfilling() -> Iterator[Question]:
    """Yield the batch family: every name, and parameters that change what is compiled or learned."""
    names = ("conservative", "easy-sjbf", "easy++", "slack", "lookahead", "sjf", "ljf", "saf", "srf", "lxf", "wfp3",
             "unicef", "f1", "f2", "f3", "f4", "plan", "ss-easy", "ousterhout")  # fmt: skip
    for name in names:
        yield Question(name, "lublin")
    for backfill in ("none", "easy:depth=3", "conservative", "slack:factor=0.5", "lookahead:window=5"):
        for prediction in ("user2", "mean:3", "percentile:75", "user-size:50"):
            given = {"order": "expr:(w/r)**2*n", "backfill": backfill, "prediction": prediction}
            yield Question("batch", "short", {**given, "correction": "gradual", "event_order": "submissions-first"})
    yield Question("batch", "uniform", {"order": "sjf", "reserve_after": 600.0, "correction": "double"})
    yield Question("batch", "tiers-random", {"backfill": "conservative"})


def recording() -> Iterator[Question]:
    """Yield a log as it was recorded, on its own machine and on a larger one."""
    yield Question("recorded", "recorded")
    yield Question("recorded", "recorded", platform={"processors": 200})


def site() -> Iterator[Question]:
    """Yield a site under Slurm, with and without weights."""
    yield Question("slurm", "lublin")
    weights = {"weight_age": 1000.0, "weight_fair_share": 2000.0, "weight_job_size": 500.0, "bf_interval": 60.0}
    yield Question("slurm", "short", {**weights, "placement": "contiguous", "fair_share": "classic"}, seed=3)


def two_tier() -> Iterator[Question]:
    """Yield the two-tier algorithms with their parameters, and both batch algorithms on the same jobs."""
    for algorithm in ("keasy", "reasy", "measy"):
        for workload in ("figure1", "figure1-background", "tiers-random", "tiers-drawn"):
            yield Question(algorithm, workload)
        yield Question(algorithm, "tiers-drawn", {"extra": "all", "loss": "always"}, seed=2)
        yield Question(algorithm, "tiers-full", {"threshold": 0.8, "usage_known": False})
    yield Question("reasy", "tiers-drawn", {"reading": "formula"})
    for cost in (0.0, 5.0, 120.0):
        yield Question("measy", "tiers-drawn", {"migration_cost": cost})
    yield Question("measy", "full-swap")
    yield Question("measy", "tiers-drawn", platform={"processors": 20}, estimates="actual")
    for algorithm, order in product(("fcfs", "easy"), ORDERS):
        yield Question(algorithm, "tiers-drawn", {"event_order": order})
    yield Question("reasy", "tiers-drawn", {"refusal": "continue"})


def fractional() -> Iterator[Question]:
    """Yield each stem with each suffix, turning through criteria, workloads, penalties and periods."""
    workloads = ("nodes", "nodes-busy", "nodes-golden", "nodes-log")
    for (i, stem), (j, suffix) in product(enumerate(STEMS), enumerate(SUFFIXES)):
        first = "max" if stem == "/stretch-per" else "min"
        criterion = (first, "avg")[(i + j) % 2]
        parameters = ({}, {"penalty": 0.0}, {"period": 300.0})[(i + j) % 3]
        known = parameters if "per" in stem or "period" not in parameters else {}
        yield Question(f"{stem}/opt={criterion}{suffix}", workloads[(i // 2 + j) % len(workloads)], known)
    for i, (stem, criterion) in enumerate(product(("greedy*", "greedyp*", "greedypm*"), ("min", "avg"))):
        yield Question(f"{stem}/opt={criterion}", workloads[(i + i // 2) % len(workloads)], {"penalty": 60.0})
    for algorithm, order in product(("fcfs", "easy"), ORDERS):
        yield Question(algorithm, "nodes", {"event_order": order})
    yield Question("easy", "nodes-log", platform={"nodes": 12})
    yield Question("mcb8*/per/opt=min/minvt=600", "nodes-busy", platform={"nodes": 24}, seed=2)


def moldable() -> Iterator[Question]:
    """Yield each moldable algorithm at once and with releases, and DEMT with its parameters."""
    names = ("demt", "dual", "gang", "sequential", "list-shelf", "list-lptf", "list-saf", "list-wspt")
    families = ("mold-weak", "mold-high", "mold-mixed", "mold-cirne", "mold-log", "mold-golden")
    for i, algorithm in enumerate(names):
        yield Question(algorithm, families[i % len(families)])
        yield Question(algorithm, ("mold-releases", "mold-log")[i % 2])
    for criterion in ("makespan", "product"):
        yield Question("demt", "mold-mixed", {"criterion": criterion})
    for final in ("basic", "pull-forward", "compaction", "shuffled"):
        yield Question("demt", "mold-weak", {"final": final})
    yield Question("demt", "mold-cirne", {"final": "shuffled", "shuffles": 3}, seed=2)
    yield Question("demt", "mold-releases", {"merge": False, "local_order": "area", "balance": 0.2})
    yield Question("dual", "mold-high", {"accuracy": 0.1})


def multitask() -> Iterator[Question]:
    """Yield each algorithm of packed tasks with and without releases, on one, local and remote machines."""
    single = ("synchpack-3", "psrs", "tetris-p")
    several = ("synchpack-1", "synchpack-2", "tetris", "jsq-mw")
    for algorithm, workload in product((*several, *single), ("tasks", "tasks-releases")):
        yield Question(algorithm, workload)
    for algorithm, workload in product(several, ("tasks-local", "tasks-remote-releases")):
        yield Question(algorithm, workload)
    for algorithm in ("synchpack-1", "tetris"):
        yield Question(algorithm, "tasks-log")
    for algorithm in single:
        yield Question(algorithm, "tasks-golden-one")
    yield Question("synchpack-1", "tasks-golden-migratory", {"choice": "random", "cap": "machine"})
    yield Question("synchpack-1", "tasks-migration", {"epsilon": 1.0, "charge": "zero", "shift": False})
    yield Question("synchpack-2", "tasks-golden-fixed", {"choice": "random", "draws": 5}, seed=2)
    yield Question("synchpack-2", "tasks-local", {"choice": "levels", "matching": "earliest", "shift": "barrier"})
    yield Question("synchpack-2", "tasks-releases", {"shift": "list", "interval": 100.0})
    for order in ("lp3", "cuts", "primal-dual"):
        yield Question("synchpack-3", "tasks-releases", {"order": order})
    yield Question("synchpack-3", "tasks-releases", {"interval": 200.0, "growth": 10.0, "decay": 1.0})
    yield Question("psrs", "tasks", {"V": 0.5})
    yield Question("tetris", "tasks-remote-releases", {"f": 0.1, "penalty": 0.5})
    yield Question("tetris-p", "tasks-releases", {"f": 5.0})
    yield Question("jsq-mw", "tasks-remote-releases", {"remote_factor": 4.0})


def classed() -> Iterator[Question]:
    """Yield each algorithm of classed jobs, at once and arriving, with priorities, preemption and learned times."""
    names = ("olb", "min-min", "min-max", "sjs", "pjs")
    for i, algorithm in enumerate(names):
        yield Question(algorithm, "site")
        yield Question(algorithm, ("site-noisy", "site-drawn")[i % 2])
        yield Question(algorithm, ("cases-random", "cases-static", "cases-online")[i % 3])
        yield Question(algorithm, "site-arrivals", {"preempt": ("quantum", "never", "overlap")[i % 3], "aging": 40.0})
    yield Question("pjs", "bench", {"patience": 3, "learn": True})
    yield Question("sjs", "site-noisy", {"learn": True, "quantum": 20.0})
    yield Question("pjs", "site-arrivals", {"best": "execution", "threshold": 0.5}, seed=2)
    yield Question("min-min", "site142", {"best": "execution"})
    yield Question("pjs", "cases-online")


FAMILIES = {
    "rigid": rigid,
    "backfilling": backfilling,
    "recording": recording,
    "site": site,
    "two_tier": two_tier,
    "fractional": fractional,
    "moldable": moldable,
    "multitask": multitask,
    "classed": classed,
}

QUESTIONS = {question.name: question for family in FAMILIES.values() for question in family()}

LINKED = [question.name for family in FAMILIES.values() for question in list(family())[::10]]
"""Names of the questions whose specs and ids are recorded too: every tenth of each family."""
