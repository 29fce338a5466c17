"""Random jobs and random combinations of the batch family, and both answers: the engine's and the slow twin's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shadowtime.engine import Workload, simulate
from shadowtime.engine.families.rigid.orders import ORDERS
from shadowtime.engine.workload.job import job_table
from tests.reference.backfill_twin import Twin

BACKFILLS = ("none", "easy", "easy:depth=2", "easy:depth=4", "conservative", "slack:factor=0.5", "lookahead:window=6")
PREDICTIONS = ("requested", "actual", "user2", "mean:3", "percentile:60", "user-size:75")
CORRECTIONS = ("request", "gradual", "double")


def random_jobs(rng: np.random.Generator, n: int, processors: int) -> list[tuple]:
    """Return (release, runtime, request, processors, user) of n jobs, in whole seconds, with many ties."""
    release = np.sort(rng.integers(0, int(n * rng.choice([2, 6, 20])), n))
    runtime = rng.choice([1, 2, 5, 10, 20, 50, 100, 400], n)
    over = rng.choice([1, 1, 1.5, 3, 10], n)
    request = np.maximum(1, np.floor(runtime * over + rng.choice([0, 0, 7], n)))
    if rng.random() < 0.3:
        request = np.maximum(1, np.floor(request * rng.choice([1, 1, 0.5], n)))  # some exceed their request
    size = np.minimum(processors, rng.choice([1, 1, 2, 3, 4, 5, 8, processors], n))
    user = rng.integers(-1 if rng.random() < 0.3 else 0, 3, n)
    return [
        (float(a), float(b), float(c), int(d), int(e))
        for a, b, c, d, e in zip(release, runtime, request, size, user, strict=True)
    ]


def draws(block: int) -> Iterator[tuple[int, np.random.Generator, list[tuple], int]]:
    """Yield 50 times a seed, its generator, random jobs and their number of processors."""
    for seed in range(50 * block, 50 * block + 50):
        rng = np.random.default_rng(seed)
        processors = int(rng.choice([4, 8, 10, 16]))
        yield seed, rng, random_jobs(rng, int(rng.choice([5, 12, 25, 40])), processors), processors


def workload_of(jobs: list[tuple], processors: int) -> Workload:
    """Return the rigid workload of these jobs."""
    release, runtime, request, size, user = (np.array(column) for column in zip(*jobs, strict=True))
    table = job_table(release, runtime, size, requested=request, user=user)
    return Workload("rigid", "random", table, machine={"processors": processors}, has_estimates=True)


def random_parameters(rng: np.random.Generator) -> dict[str, str | float]:
    """Return one combination of the whole family."""
    backfill = str(rng.choice(BACKFILLS))
    guarded = backfill.startswith("easy") and rng.random() < 0.3
    return {
        "order": str(rng.choice(list(ORDERS))),
        "backfill": backfill,
        "backfill_order": str(rng.choice(["queue", "sjbf", *ORDERS])),
        "prediction": str(rng.choice(PREDICTIONS)),
        "correction": str(rng.choice(CORRECTIONS)),
        "reserve_after": float(rng.choice([5.0, 40.0])) if guarded else 0.0,
        "event_order": str(rng.choice(["instant", "submissions-first"])),
    }


def answers(jobs: list[tuple], processors: int, parameters: dict) -> tuple[list, list]:
    """Return the starts of the engine and of the twin."""
    engine = simulate(workload_of(jobs, processors), "batch", parameters).jobs["start"].tolist()
    return engine, Twin(jobs, processors, **for_twin(parameters)).run()


def for_twin(parameters: dict) -> dict:
    """Return the arguments of the twin for parameters of `batch`."""
    given = dict(parameters)
    word, _, argument = given.pop("backfill").partition(":")
    method, _, number = given.pop("prediction").partition(":")
    value = argument.partition("=")[2]
    name = {"easy": "depth", "slack": "slack", "lookahead": "window"}.get(word)
    extra = {name: float(value) if word == "slack" else int(value)} if value else {}
    return {**given, "backfill": word, "prediction": method, "argument": float(number or 0), **extra}
