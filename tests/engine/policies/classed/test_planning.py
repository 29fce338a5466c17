"""The planner against its slow twin, and what PJS promises of each planning call."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.families.classed.policies.planning import RULES, plan
from tests.reference import site_planner as twin


@st.composite
def questions(draw):
    """Rows, times on machines and clusters, members, clocks; whole times, so that ties are common."""
    machines, kinds = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    n = draw(st.integers(1, 9))
    time = st.sampled_from([1.0, 2.0, 3.0, 5.0, 8.0, 13.0, np.inf])
    times = np.array(
        draw(st.lists(st.lists(time, min_size=machines, max_size=machines), min_size=kinds, max_size=kinds))
    )
    clusters = draw(st.lists(st.sets(st.integers(0, machines - 1), min_size=1), max_size=3))
    width = len(clusters)
    shared = draw(st.lists(st.lists(time, min_size=width, max_size=width), min_size=kinds, max_size=kinds))
    together = np.array(shared).reshape(kinds, width) * 0.75
    rows = np.array(draw(st.lists(st.integers(0, kinds - 1), min_size=n, max_size=n)))
    free = np.array(draw(st.lists(st.sampled_from([0.0, 0.0, 4.0, 7.0, np.inf]), min_size=machines, max_size=machines)))
    return rows, times, together, [sorted(c) for c in clusters], free


def members_of(clusters):
    first = np.concatenate([[0], np.cumsum([len(c) for c in clusters])]).astype("i8")
    return first, np.array([m for c in clusters for m in c], dtype="i8")


def slots_of(made):
    """{job: (kind, resource, start, end)} of a plan."""
    found = {}
    for job in range(len(made.start)):
        if made.cluster[job] >= 0:
            found[job] = ("cluster", int(made.cluster[job]), float(made.start[job]), float(made.end[job]))
        elif made.machine[job] >= 0:
            found[job] = ("machine", int(made.machine[job]), float(made.start[job]), float(made.end[job]))
    return found


@given(questions())
def test_slots_are_those_of_the_slow_twin(question):
    rows, times, together, clusters, free = question
    members, jobs = members_of(clusters), list(range(len(rows)))
    per_job, per_cluster = times[rows].tolist(), together[rows].tolist()

    for rule, largest in (("min-min", False), ("min-max", True)):
        assert (
            slots_of(plan(rule, rows, times, together, members, free)) == twin.greedy(jobs, per_job, free, largest)[0]
        )
    slots, after = twin.sjs(jobs, per_job, free)
    made = plan("sjs", rows, times, together, members, free)
    assert slots_of(made) == slots and made.free.tolist() == after
    slots, after, calls = twin.pjs(jobs, per_job, per_cluster, clusters, free)
    made = plan("pjs", rows, times, together, members, free)
    assert slots_of(made) == slots and made.sjs_calls == calls and made.free.tolist() == after
    assert made.total == pytest.approx(twin.total(slots))


@given(questions(), st.integers(1, 6))
def test_pjs_is_never_worse_than_sjs_and_patience_never_hurts(question, patience):
    rows, times, together, clusters, free = question
    members = members_of(clusters)
    sequential, paper, patient = (
        plan("sjs", rows, times, together, members, free),
        plan("pjs", rows, times, together, members, free),
        plan("pjs", rows, times, together, members, free, patience=patience),
    )

    for better, worse in ((paper, sequential), (patient, paper)):
        placed = [int(np.isfinite(p.end).sum()) for p in (better, worse)]
        assert placed[0] > placed[1] or (placed[0] == placed[1] and better.total <= worse.total * (1 + 1e-9))
    # One call first, one for each job that went to a cluster, one for each refusal in a row at the end.
    accepted = int((paper.cluster >= 0).sum())
    assert accepted + 1 <= paper.sjs_calls <= accepted + 2


@given(questions(), st.sampled_from(sorted(RULES)))
def test_no_machine_is_promised_twice(question, rule):
    rows, times, together, clusters, free = question
    made = plan(rule, rows, times, together, members_of(clusters), free)

    for machine in range(len(free)):
        mine = sorted(
            (start, end) for kind, r, start, end in slots_of(made).values()
            if (kind == "machine" and r == machine) or (kind == "cluster" and machine in clusters[r])
        )  # fmt: skip
        assert all(two[0] >= one[1] for one, two in pairwise(mine))
        assert not mine or mine[0][0] >= free[machine]


def test_the_literal_reading_queues_a_class_on_its_fastest_machine():
    times = np.array([[3.0, 4.0]])
    literal = plan("sjs", np.zeros(4, int), times, np.zeros((1, 0)), members_of([]), np.zeros(2), best="execution")

    assert literal.machine.tolist() == [0, 0, 0, 0] and literal.total == 3 + 6 + 9 + 12


def test_olb_looks_at_clocks_only():
    times = np.array([[9.0, 1.0], [1.0, 9.0]])
    made = plan("olb", np.array([0, 1, 0]), times, np.zeros((2, 0)), members_of([]), np.zeros(2))

    assert made.machine.tolist() == [0, 1, 0] and made.end.tolist() == [9.0, 9.0, 18.0]
