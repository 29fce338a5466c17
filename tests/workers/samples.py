"""Sample data of the workers' tests: a spec, the tables and summary of a run, a queue in memory."""

from __future__ import annotations

from pathlib import Path

import fakeredis
import numpy as np

from shadowtime.engine.tables import EVENTS, FINISHED, JOBS, SEGMENTS, SERIES, Table, empty
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import seal

FOUR_DIGEST = "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad"
PARAMETERS = {"event_order": "instant", "extra": "all", "overrun": "run"}


NAMES = Names("0123456789ab")
"""Names in Redis of a store of a test."""


def fake_queue() -> RunQueue:
    """Return an empty queue on a Redis of its own in this process."""
    return RunQueue(fakeredis.FakeRedis(server=fakeredis.FakeServer()), NAMES)


def spec(seed: int = 0, algorithm: str = "easy", **changes) -> RunSpec:
    """A question; another `seed` is another one."""
    values = {
        "workload": {"digest": FOUR_DIGEST, "case": None},
        "conversions": (),
        "platform": {"processors": 10},
        "estimates": "requested",
        "algorithm": algorithm,
        "parameters": PARAMETERS,
        "seed": seed,
        "engine_version": "0.1.0",
    }
    return RunSpec(**{**values, **changes})


def tables(n: int = 4, jobs: int = 4, value: float = 1.0) -> dict[str, Table]:
    """Tables with `n` segments whose columns all say `value` (mod 200), so that a mixture of two runs is seen."""
    made = {
        "jobs": empty(JOBS, jobs),
        "segments": empty(SEGMENTS, n),
        "events": empty(EVENTS, n),
        "series": empty(SERIES, n),
    }
    for name in ("segments", "events", "series"):
        for column in made[name].values():
            column[:] = value % 200
    made["jobs"]["job_id"] = np.arange(1, jobs + 1)
    made["jobs"]["state"][:] = FINISHED
    return made


def summary(run: RunSpec, **metrics: float) -> dict:
    return {"run": run.id, "algorithm": run.algorithm, "metrics": {"makespan": 1110.0, **metrics}, "bounds": {}}


def rewrite(path: Path, **changes: object) -> None:
    """Change values of a sealed file, as another process of ours does."""
    path.write_bytes(seal.sealed({**seal.opened(path.read_bytes()), **changes}))
