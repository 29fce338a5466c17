"""Yields on random mappings: means against HiGHS, water filling against its definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from shadowtime.engine.families.fractional.policies.averaging import average
from shadowtime.engine.families.fractional.policies.filling import fill
from tests.engine.policies.fractional.mappings import mapped

NODES = 5

mappings = st.lists(
    st.tuples(
        st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.75, 1.0]),
        st.lists(st.integers(1, NODES), min_size=1, max_size=6).map(sorted),
    ),
    min_size=1,
    max_size=14,
).map(lambda jobs: [{"cpu_need": need, "nodes": nodes} for need, nodes in jobs])


def usage(jobs):
    """Row i, column j: CPU of job j at full yield on node i."""
    table = np.zeros((NODES, len(jobs)))
    for j, job in enumerate(jobs):
        for node in job["nodes"]:
            table[node - 1, j] += job["cpu_need"]
    return table


def yields(memory, jobs):
    return memory.row["yield_"][: len(jobs)]


@settings(max_examples=300, deadline=None)
@given(jobs=mappings)
def test_the_mean_equals_that_of_a_linear_program(jobs):
    memory, hold = mapped(jobs, NODES)
    use = usage(jobs)
    floor = 1.0 / max(1.0, use.sum(axis=1).max())

    fill(memory, hold)
    assert average(memory, False)

    found = linprog(-np.ones(len(jobs)), A_ub=use, b_ub=np.ones(NODES), bounds=[(floor, 1.0)] * len(jobs))
    assert abs(yields(memory, jobs).sum() + found.fun) < 1e-7
    assert (use @ yields(memory, jobs) <= 1 + 1e-9).all()
    assert (yields(memory, jobs) >= floor - 1e-9).all() and (yields(memory, jobs) <= 1.0).all()


@settings(max_examples=300, deadline=None)
@given(jobs=mappings)
def test_nobody_below_one_could_get_more_but_from_somebody_with_no_more(jobs):
    memory, hold = mapped(jobs, NODES)
    use = usage(jobs)

    fill(memory, hold)

    got = yields(memory, jobs)
    full = use @ got > 1 - 1e-9
    assert (use @ got <= 1 + 1e-9).all()
    for j in range(len(jobs)):
        if got[j] < 1 - 1e-9:
            mine = np.flatnonzero((use[:, j] > 0) & full)
            assert any(got[use[node] > 0].max() <= got[j] + 1e-9 for node in mine)


@settings(max_examples=60, deadline=None)
@given(jobs=mappings, data=st.data())
def test_the_mean_predicted_stretch_is_as_small_as_a_general_solver_finds(jobs, data):
    n = len(jobs)
    flow = np.array(data.draw(st.lists(st.integers(0, 50), min_size=n, max_size=n)), dtype=float)
    virtual_time = np.array([data.draw(st.integers(1, 40)) for _ in jobs], dtype=float)
    flow = np.maximum(flow, virtual_time)
    memory, hold = mapped(jobs, NODES)
    period = 10.0
    for j in range(n):
        row = memory.row[j]
        row["grow"], row["base"] = (flow[j] + period) / period, virtual_time[j] / period
        row["low"], row["high"] = virtual_time[j] / (flow[j] + period), (virtual_time[j] + period) / (flow[j] + period)
    use = usage(jobs)

    def mean(y):
        return ((flow + period) / (virtual_time + y * period)).sum()

    fill(memory, hold)
    assert average(memory, True)
    got, floor = yields(memory, jobs), memory.row["floor"][:n]

    rule = {"type": "ineq", "fun": lambda y: 1.0 - use @ y}
    best = minimize(mean, floor, bounds=[(low, 1.0) for low in floor], constraints=[rule], method="SLSQP")
    assert (use @ got <= 1 + 1e-9).all() and (got >= floor - 1e-9).all() and (got <= 1.0).all()
    assert mean(got) <= mean(np.clip(best.x, floor, 1.0)) * 1.005
