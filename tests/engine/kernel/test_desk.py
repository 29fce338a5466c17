"""The desk of a policy written in Python: its example, its order of jobs, and what it hides."""

from __future__ import annotations

import inspect
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Workload, desk, generate, simulate
from shadowtime.engine.errors import PolicyError
from shadowtime.engine.runner.order import JobOrder
from shadowtime.engine.workload.job import job_table
from tests.engine.conformance import random_rigid
from tests.engine.invariants import check_schedule
from tests.engine.kernel.throwaway import RoundRobin


def documented() -> type:
    """Return the class that the module's docstring shows, made from that very text."""
    _, _, after = inspect.getdoc(desk).partition("class Fcfs:")
    code = "class Fcfs:" + after.partition("\n\nIt may have")[0]
    names: dict[str, type] = {}
    exec(textwrap.dedent("    " + code), names)
    return names["Fcfs"]


def alike(n, processors):
    jobs = job_table(np.zeros(n), np.full(n, 10.0), np.ones(n))
    return Workload("rigid", "alike", jobs, machine={"processors": processors})


def test_the_documented_policy_starts_at_once_all_that_fit():
    schedule = simulate(alike(6, 6), documented()())

    assert schedule.jobs["start"].tolist() == [0.0] * 6


@pytest.mark.parametrize("seed", range(4))
def test_the_documented_policy_is_fcfs(seed):
    log = random_rigid(seed)
    own, built_in = simulate(log, documented()()), simulate(log, "fcfs", {"event_order": "instant"})

    assert np.array_equal(own.jobs["start"], built_in.jobs["start"], equal_nan=True)


class PausesAll:
    """Pauses every running job while it walks over them, once, at second 5."""

    def decide(self, desk):
        if desk.alarm:
            for job in desk.running:
                desk.pause(job)
        elif desk.now == 0.0:
            desk.wake(5.0)
        for job in desk.waiting:
            desk.place(job, desk.free_lanes()[:1])


def test_running_jobs_may_be_paused_while_they_are_walked():
    schedule = simulate(alike(6, 6), PausesAll())

    assert schedule.counters["preemptions"] == 6
    assert schedule.jobs["end"].tolist() == [10.0] * 6


@pytest.mark.parametrize("add", ["append", "insert"])  # as `running` and `waiting` grow
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=300))
def test_an_order_is_the_list_that_it_stands_for(add, acts):
    order, twin = JobOrder(), []
    for removes, job in acts:
        if removes and twin:
            gone = twin.pop(job % len(twin))
            order._remove(gone)
        elif job not in twin and add == "append":
            twin.append(job)
            order._append(job)
        elif job not in twin:
            twin = sorted([*twin, job])
            order._insert(job)
        assert list(order) == twin and order == twin
        assert len(order) == len(twin)
        assert (job in order) == (job in twin)
        assert order[:2] == twin[:2] and order[-1:] == twin[-1:]
        if twin:
            assert order[0] == twin[0]


@given(st.data())
def test_a_walk_gives_each_job_that_is_still_there_once(data):
    # 200 jobs and more changes than spare rows: the order is written anew during the walk.
    order, seen = JobOrder(range(200)), []
    for job in order:
        seen.append(job)
        for gone in data.draw(st.lists(st.sampled_from(range(200)), max_size=4)) if len(seen) % 10 == 1 else range(0):
            if gone in order:
                order._remove(gone)
                if gone % 2:
                    order._append(gone)
        if job % 3 and job in order:
            order._remove(job)

    assert len(seen) == len(set(seen))
    assert set(order) <= set(range(200))


class Reads:
    """Calls `act` with the desk at the first instant, then runs one after the other."""

    def __init__(self, act=lambda desk: None, clairvoyant=False):
        self.act, self.clairvoyant, self.prepared, self.read = act, clairvoyant, None, None

    def prepare(self, workload):
        self.prepared = workload

    def decide(self, desk):
        if self.read is None:
            self.read = self.act(desk)
        if not desk.running and desk.waiting:
            desk.place(desk.waiting[0], desk.free_lanes()[: desk.size(desk.waiting[0])])


@pytest.mark.parametrize("name", ["runtime", "deviate", "work", "time"])
def test_a_policy_that_is_not_clairvoyant_reads_no_true_time(name):
    with pytest.raises(PolicyError, match="not clairvoyant"):
        simulate(random_rigid(1), Reads(lambda desk: desk.column(name, 0)))


@pytest.mark.parametrize("generator", ["moldable", "multitask", "classed"])
def test_parts_and_prepare_hide_true_times_from_who_is_not_clairvoyant(generator):
    workload = generate(generator, {"jobs": 4}, 1)
    hidden = Reads(lambda desk: dict(desk.workload_parts))
    shown = Reads(lambda desk: dict(desk.workload_parts), clairvoyant=True)
    for policy in (hidden, shown):
        try:
            simulate(workload, policy)
        except PolicyError:
            assert generator == "classed"  # its machines are not alike: placing anywhere is refused

    assert "time" not in hidden.read
    assert not {"runtime", "deviate", "work"} & set(hidden.prepared.jobs) and "time" not in hidden.prepared.parts
    assert set(shown.prepared.jobs) == set(workload.jobs) and set(shown.prepared.parts) == set(workload.parts)
    assert set(shown.read) == set(workload.parts)


def test_columns_of_tasks_are_those_of_their_jobs():
    workload = generate("multitask", {"jobs": 6, "machines": 2}, 1)
    owner = np.repeat(np.arange(6), np.diff(workload.parts["first"]))
    assert len(owner) > 6

    policy = Reads(lambda desk: [(desk.job_of(task), desk.column("weight", task)) for task in range(len(owner))])
    simulate(workload, policy)

    assert policy.read == [(job, workload.jobs["weight"][job]) for job in owner]


@pytest.mark.parametrize("seed", range(2))
def test_slices_of_any_length_give_the_same_schedule_under_a_class(seed):
    from shadowtime.engine import Simulation

    whole, sliced = simulate(random_rigid(seed), RoundRobin()), Simulation(random_rigid(seed), RoundRobin())
    pieces = list(sliced.slices(budget=3))

    assert len(pieces) > 5
    check_schedule(whole)
    for column, values in sliced.schedule().segments.items():
        assert np.array_equal(values, whole.segments[column])


@pytest.mark.parametrize("clairvoyant", [False, True])
def test_no_policy_changes_the_workload_that_other_runs_share(clairvoyant):
    workload = generate("multitask", {"jobs": 4, "machines": 2}, 1)
    before = workload.jobs["weight"].copy(), workload.parts["size"].copy(), dict(workload.machine)

    def changes(desk):
        with pytest.raises(ValueError, match="read-only"):
            desk.workload_parts["size"][:] = 0
        desk.workload_parts.clear()
        return True

    policy = Reads(changes, clairvoyant)
    simulate(workload, policy)
    with pytest.raises(ValueError, match="read-only"):
        policy.prepared.jobs["weight"] /= 2.0
    policy.prepared.machine.update(nodes=9)
    policy.prepared.jobs["release"] = None

    assert np.array_equal(workload.jobs["weight"], before[0]) and np.array_equal(workload.parts["size"], before[1])
    assert dict(workload.machine) == before[2] and workload.jobs["release"] is not None


def test_no_policy_changes_the_site_that_other_runs_share():
    workload = generate("classed", {"jobs": 4}, 1)
    before = workload.site.experience.mean.copy(), workload.site.available.copy()

    def changes(desk):
        for array in (policy.prepared.site.available, policy.prepared.site.experience.mean):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
        policy.prepared.site.members[1][:] = 0

    policy = Reads(changes)
    simulate(workload, policy)

    assert np.array_equal(workload.site.experience.mean, before[0], equal_nan=True)
    assert np.array_equal(workload.site.available, before[1]) and workload.site.members[1].any()


def test_a_policy_that_prepares_columns_sees_views_and_no_copies():
    workload = random_rigid(1)
    policy = Reads()
    simulate(workload, policy)

    assert np.shares_memory(policy.prepared.jobs["weight"], workload.jobs["weight"])
