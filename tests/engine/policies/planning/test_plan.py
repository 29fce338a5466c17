"""Plan-based scheduling: by hand, and against the slow twin; whole numbers, so that starts must be equal.

Six waiting jobs are more than are tried in all orders, so annealing is compared too.

By hand: 4 processors; job 1 is expected to run until 10, jobs 2 (10 s), 3 (2 s) and 4 (10 s) come at 1.

        0 1       10 11  13        23
    0-1 |1 1 1 1 1 1| . |3 3|2 2 2 2 2|
    2-3 | . |4 4 4 4 4 4|3 3|2 2 2 2 2|

They wait 0 + 10 + 12 s. In order of submission they would wait 9 + 19 + 21 s; where job 4 may not pass, it starts last.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

import numpy as np
import pytest

from shadowtime.engine import simulate
from tests.engine.policies.backfilling.questions import for_twin, random_jobs, workload_of
from tests.reference.plan_twin import PlanTwin, Xorshift

FOUR = [(0.0, 10.0, 10.0, 2, 0), (1.0, 10.0, 10.0, 4, 0), (1.0, 2.0, 2.0, 4, 0), (1.0, 10.0, 10.0, 2, 0)]


def words(seed):
    """First state of the random numbers: two draws of the run's generator."""
    return np.random.default_rng(seed).integers(1, 2**32, 2).tolist()


def random_parameters(rng):
    """Return a random combination of the parameters of `plan`."""
    return {
        "objective": str(rng.choice(["wait", "slowdown"])),
        "iterations": int(rng.choice([0, 1, 7, 20])),
        "steps": int(rng.choice([1, 3, 6])),
        "cooling": float(rng.choice([0.5, 0.9, 1.0])),
        "prediction": str(rng.choice(["requested", "actual", "user2"])),
        "correction": str(rng.choice(["request", "gradual", "double"])),
        "event_order": str(rng.choice(["instant", "submissions-first"])),
    }


def answers(jobs, processors, parameters, seed):
    """Return the starts of the engine and of the twin."""
    engine = simulate(workload_of(jobs, processors), "plan", parameters, seed=seed).jobs["start"].tolist()
    given = for_twin({**parameters, "backfill": "none"})
    return engine, PlanTwin(jobs, processors, words(seed), **given).run()


@pytest.mark.parametrize("block", range(6))
def test_starts(block):
    for seed in range(20 * block, 20 * block + 20):
        rng = np.random.default_rng(seed)
        processors = int(rng.choice([4, 8, 10]))
        jobs = random_jobs(rng, int(rng.choice([5, 12, 20])), processors)
        parameters = random_parameters(rng)
        engine, twin = answers(jobs, processors, parameters, seed)
        assert engine == twin, f"seed {seed}: {parameters}"


def test_a_plan_by_hand():
    starts = {slug: simulate(workload_of(FOUR, 4), slug).jobs["start"].tolist() for slug in ("plan", "easy")}

    assert starts == {"plan": [0.0, 13.0, 11.0, 1.0], "easy": [0.0, 10.0, 20.0, 22.0]}


def test_what_a_plan_makes_small_decides():
    # The machine is free at 0. Wide job 1 first: waits of 0 + 20 + 20 s; the two narrow ones first: 30 + 0 + 0 s.
    # As slowdowns: 1 + 5 / 3 + 5 / 3 against 2.5 + 1 + 1.
    jobs = [(0.0, 20.0, 20.0, 4, 0), (0.0, 30.0, 30.0, 2, 0), (0.0, 30.0, 30.0, 2, 0)]

    def starts(objective):
        return simulate(workload_of(jobs, 4), "plan", {"objective": objective}).jobs["start"].tolist()

    assert starts("wait") == [30.0, 0.0, 0.0]
    assert starts("slowdown") == [0.0, 20.0, 20.0]


def test_a_seed_decides_the_search_and_nothing_else_does():
    rng = np.random.default_rng(3)
    workload = workload_of(random_jobs(rng, 200, 8), 8)
    ends = [simulate(workload, "plan", seed=seed).jobs["end"].tolist() for seed in (1, 1, 2)]

    assert ends[0] == ends[1] != ends[2]


def test_the_random_numbers_repeat_after_2_to_64_less_1_draws():
    # A step is linear over GF(2): its 64 columns, raised to powers.
    def step(state):
        random = Xorshift(state & (2**32 - 1), state >> 32)
        random.draw()
        return random.x | random.y << 32

    def times(one, two):
        return [reduce(xor, [one[i] for i in range(64) if column >> i & 1]) for column in two]

    def power(columns, n):
        found = unit
        while n:
            found = times(columns, found) if n & 1 else found
            columns, n = times(columns, columns), n >> 1
        return found

    unit = [1 << i for i in range(64)]
    columns, period = [step(column) for column in unit], 2**64 - 1

    assert power(columns, period) == unit
    for prime in (3, 5, 17, 257, 641, 65537, 6700417):
        assert power(columns, period // prime) != unit
