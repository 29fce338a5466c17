"""What the life of a job advises is true: with the request that it names, the job starts at its submission."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.workload.job import Workload
from tests.assets.test_contracts import ASSETS, HERE, said_in_node

LANES = 16
SEEDS, MOST, ENOUGH = 10, 4, 8
"""Workloads, jobs of each that are tried, and jobs after which no other workload is."""
POLICIES = (
    "easy", "conservative", "easy++", "slack", "lookahead", "wfp3:prediction=mean:2", "lxf:backfill=easy:depth=2",
    "batch:order=sjf,backfill=conservative,prediction=user2,correction=gradual",
    "conservative:event_order=submissions-first",
)  # fmt: skip


def jobs(seed: int) -> Workload:
    """A small workload with more work than the machine has room for, and loose requests."""
    given = {"jobs": 60, "processors": LANES, "load": 1.2, "max_estimate": 4}
    found = generate("uniform", given, seed=seed)
    found.jobs["user"][:] = np.arange(60) % 4
    return found


def columns(table: dict, names: tuple[str, ...]) -> dict[str, list]:
    return {
        name: [None if value != value else value for value in table[name].tolist()] for name in names if name in table
    }


def advice(schedule: Schedule) -> dict[int, float]:
    """The request that is advised, by row of the job; read from the module as the browser runs it."""
    given = {
        "jobs": columns(schedule.jobs, ("job_id", "release", "start", "end", "processors", "runtime", "requested",
                                        "estimate", "predicted")),
        "segments": columns(schedule.segments, ("job", "first", "last", "start", "end")),
        "events": columns(schedule.events, ("time", "kind", "job", "other", "value")),
    }  # fmt: skip
    found = said_in_node(f"""
      import {{ longestBackfill }} from "{ASSETS}/gantt/model/waits.js";
      import {{ chunkOf }} from "{HERE}/made.js";
      const given = {json.dumps(given)};
      const numbers = (table) => Object.fromEntries(Object.entries(table).map(([name, values]) =>
        [name, Float64Array.from(values, (value) => value ?? NaN)]));
      const s = given.segments;
      const names = ["job", "first", "last", "start", "end"];
      const rows = s.job.map((_, i) => Object.fromEntries(names.map((name) => [name, s[name][i]])));
      const n = given.jobs.release.length;
      const run = {{
        jobs: {{ n, ...numbers(given.jobs) }}, events: {{ n: given.events.time.length, ...numbers(given.events) }},
        chunks: [chunkOf(rows)], lanes: {LANES}, tiers: 1, shared: false, view: {{ lane: "processor", family: {{}} }},
      }};
      const said = Array.from({{ length: n }}, (_, row) => longestBackfill(run, row) || 0);
    """)
    return {row: most for row, most in enumerate(found) if most > 0}


@pytest.mark.parametrize("policy", POLICIES)
def test_with_the_advised_request_a_job_starts_at_its_submission(policy):
    tried = 0
    for seed in range(SEEDS):
        advised = advice(simulate(jobs(seed), policy)) if tried < ENOUGH else {}
        for row, most in list(advised.items())[:MOST]:
            asked = jobs(seed)
            for name in ("requested", "estimate", "runtime"):
                if name in asked.jobs:
                    asked.jobs[name][row] = min(asked.jobs[name][row], most)
            schedule = simulate(asked, policy)
            tried += 1

            assert math.isclose(schedule.jobs["start"][row], schedule.jobs["release"][row]), (seed, row, most)

    assert tried
