"""List scheduling, pulling forward and the batches of DEMT against their slow twins and golden values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.families.moldable.policies.demt import basic, grid, items_of, knapsack
from shadowtime.engine.families.moldable.policies.lists import graham, pull_forward
from tests.engine.moldable_golden import every_instance, load
from tests.reference import moldable_twin as twin
from tests.strategies import monotonic_times


@st.composite
def allotted(draw):
    """(order, times, sizes, processors) of a few jobs."""
    processors = draw(st.integers(1, 6))
    jobs = draw(st.lists(st.tuples(st.integers(1, 9), st.integers(1, processors)), min_size=1, max_size=12))
    order = draw(st.permutations(range(len(jobs))))
    time, size = zip(*jobs, strict=True)
    return np.array(order), np.array(time, float), np.array(size), processors


@given(allotted())
def test_list_scheduling_as_by_scanning(case):
    assert graham(*case).tolist() == twin.graham(*case)


@given(allotted())
def test_pulling_forward_as_by_trying_every_end(case):
    assert pull_forward(*case).tolist() == twin.pull_forward(*case)


def test_a_list_longer_than_a_block():
    rng = np.random.default_rng(1)
    size, time, order = rng.integers(1, 30, 300), rng.integers(1, 50, 300).astype(float), rng.permutation(300)

    assert graham(order, time, size, 32).tolist() == twin.graham(order, time, size, 32)


@given(monotonic_times(most_jobs=12), st.integers(0, 2**32 - 1))
def test_pulling_forward_delays_nobody(p, seed):
    weight = np.random.default_rng(seed).uniform(1, 10, len(p))
    base = basic(p, weight, float(p.min()))
    order = np.lexsort((np.arange(len(p)), base.start))
    pulled = pull_forward(order, base.time, base.size, p.shape[1])

    assert (pulled <= base.start * (1 + 1e-9)).all()


@given(monotonic_times(most_jobs=12), st.booleans())
def test_batches_hold_every_job_inside_their_interval(p, merge):
    base = basic(p, np.arange(1.0, len(p) + 1), float(p.min()), merge)

    begin = p.min() * 2.0**base.shelf
    assert (base.shelf >= 0).all() and (base.start >= begin * (1 - 1e-12)).all()
    assert (base.start + base.time <= 2 * begin * (1 + 1e-9)).all()
    for batch in set(base.shelf.tolist()):
        mine = np.flatnonzero(base.shelf == batch)
        held = [base.size[mine[(base.start[mine] <= t) & (base.start[mine] + base.time[mine] > t)]].sum()
                for t in base.start[mine]]  # fmt: skip
        assert max(held) <= p.shape[1]


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9)), min_size=1, max_size=9), st.integers(1, 8))
def test_the_heaviest_set(items, capacity):
    size, weight = (np.array(column) for column in zip(*items, strict=True))
    chosen, total = knapsack(size, weight.astype(float), capacity)

    assert total == twin.heaviest(items, capacity) == weight[chosen].sum()
    assert size[chosen].sum() <= capacity


@every_instance
def test_golden_batches(path):
    document, p, _ = load(path)
    batches = document["batches"]
    k, first = grid(batches["C"], float(p.min()))

    assert k == batches["K"] and first == pytest.approx(batches["t0"], rel=1e-6)
    assert np.log2(batches["C"] / p.min()) == pytest.approx(batches["log2_ratio"], rel=1e-6, abs=1e-9)


@every_instance
def test_golden_knapsack(path):
    document, p, _ = load(path)
    expected, n = document["knapsack"], len(p)
    length = grid(document["batches"]["C"], float(p.min()))[1] * 2.0 ** expected["batch_index"]
    assert length == pytest.approx(expected["length"], rel=1e-6)
    weight = np.array(document["w"], float)
    item_of, size, item_weight = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    by_weight = np.lexsort((np.arange(n), -weight))
    count = items_of(p, weight, by_weight, length, np.zeros(n, bool), True, item_of, size, item_weight)

    ours = {(tuple(np.flatnonzero(item_of == i).tolist()), int(size[i])): item_weight[i] for i in range(count)}
    theirs = {(tuple(sorted(item["tasks"])), item["procs"]): item["weight"] for item in expected["items"]}
    assert ours.keys() == theirs.keys() and all(ours[key] == pytest.approx(theirs[key]) for key in ours)
    assert knapsack(size[:count], item_weight[:count], document["m"])[1] == pytest.approx(
        expected["best_weight"], rel=1e-6
    )


def test_a_ratio_that_is_a_power_of_two_is_not_rounded_down():
    assert grid(0.7 * 8, 0.7) == (3, 0.7)
    assert grid(1.0, 1.0) == (0, 1.0)
