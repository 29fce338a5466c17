"""Every compiled path agrees with its plain run: the same source under NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
import numpy as np
from shadowtime.engine import generate, simulate
from shadowtime.engine.registry import algorithms
from shadowtime.engine.workload.samples import samples
from tests.engine.conformance import random_rigid, with_record
from tests.engine.kernel import throwaway
from shadowtime.workers.small import JOBS, is_small
from shadowtime.engine.kernel.cache import PLAIN
from shadowtime.engine.runner.makers import Planned
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec

runs = {}
policies = [(slug, slug, {}) for slug, a in algorithms().items() if "rigid" in a.kinds]
policies += [("easy one by one", "easy", {"event_order": "submissions-first"})]
policies += [("two tiers", throwaway.TwoTiers(), {}), ("shares", throwaway.EqualShares(), {}),
             ("moves", throwaway.Wanderer(), {}), ("quanta", throwaway.RoundRobin(), {})]
questions = [(name, with_record(random_rigid(3)), policy, parameters) for name, policy, parameters in policies]
planned = generate("moldable", {"jobs": 30, "processors": 12, "family": "mixed", "load": 2.0}, 1)
questions += [(slug, planned, slug, {}) for slug, a in algorithms().items() if "moldable" in a.kinds]
tasks = generate("multitask", {"jobs": 6, "machines": 3, "load": 1.0}, 2)
questions += [(slug, tasks, slug, {}) for slug in ("synchpack-1", "synchpack-3")]
small = generate("lublin", {"jobs": JOBS, "processors": 100, "load": 1.2}, 1)
summaries = {}
for slug, a in algorithms().items():
    if "rigid" in a.kinds and not isinstance(a.runner, Planned):
        summary = execute(RunSpec.of(small, slug), small).summary
        summaries[slug] = {name: value for name, value in summary.items() if name != "timing"}
for sample in samples().values():
    workload = sample.read()
    for slug in algorithms():
        if workload.kind in algorithms()[slug].kinds and is_small(workload, slug):
            if not algorithms()[slug].needs_record:
                summary = execute(RunSpec.of(workload, slug), workload).summary
                summaries[sample.slug, slug] = {name: value for name, value in summary.items() if name != "timing"}
for name, workload, policy, parameters in questions:
    schedule = simulate(workload, policy, parameters)
    runs[name] = {t: {c: np.nan_to_num(v, nan=-1).tolist() for c, v in getattr(schedule, t).items()}
                  for t in ("jobs", "segments", "events", "series")}
print(json.dumps({"plain": PLAIN, "runs": runs, "summaries": repr(summaries)}))
"""


def outcome(**environment: str) -> dict:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def both():
    return outcome(NUMBA_DISABLE_JIT="0"), outcome(NUMBA_DISABLE_JIT="1")


def test_plain_and_compiled_give_the_same_tables(both):
    compiled, plain = both

    assert not compiled["plain"] and plain["plain"]
    assert compiled["runs"] == plain["runs"]
    assert compiled["summaries"] == plain["summaries"]
