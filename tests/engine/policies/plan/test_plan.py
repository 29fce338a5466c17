"""Plans that the kernel executes: pieces, lanes, pauses and migrations, and the answer to a wrong plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import Workload, simulate
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import PolicyError
from shadowtime.engine.registry import _ALGORITHMS
from shadowtime.engine.runner.plan import Plan, bands_of
from shadowtime.engine.runner.plan_seats import seat_all
from shadowtime.engine.runner.planner import Planner
from shadowtime.engine.tables import BATCH, EVENT_KINDS, REJECTED
from shadowtime.engine.workload.job import job_table
from tests.engine.invariants import check_schedule, rectangles


def plan(*pieces, **others):
    """(unit, start, time, lanes) each."""
    unit, start, time, lanes = zip(*pieces, strict=True)
    first = np.concatenate([[0], np.cumsum([len(held) for held in lanes])])
    flat = np.array([lane for held in lanes for lane in held], np.int64)
    begin, long = np.array(start, float), np.array(time, float)
    work = np.bincount(np.array(unit), weights=long, minlength=2 if len(unit) < 2 else 0)
    return Plan(np.array(unit), begin, begin + long, first, flat, work=work, **others)


@dataclass(frozen=True)
class Given:
    """Makes a runner that executes a given plan."""

    plan: Plan
    exclusive: bool
    keeps_rates: bool = False
    reserves: bool = False

    def __call__(self, question):
        return Planner(question, lambda workload, values, lanes, rng, watch: self.plan, lambda workload, values: None)


@pytest.fixture
def run(monkeypatch):
    """Runs a plan for some jobs of (release, runtime, size) on four processors."""

    def run(made, *jobs, exclusive=True):
        release, runtime, size = (np.array(column, float) for column in zip(*jobs, strict=True))
        entry = Algorithm(slug="planned", family="test", title="Planned", summary="", source="2004", kinds=("rigid",),
                          runner=Given(made, exclusive))  # fmt: skip
        monkeypatch.setitem(_ALGORITHMS, "planned", entry)
        table = job_table(release, runtime, size)
        return simulate(Workload("rigid", "by hand", table, machine={"processors": 4}), "planned")

    return run


def happenings(schedule):
    """Events but submissions, as words."""
    events = schedule.events
    return [
        (float(time), EVENT_KINDS[kind], int(job))
        for time, kind, job in zip(events["time"], events["kind"], events["job"], strict=True)
        if EVENT_KINDS[kind] != "submit"
    ]


def test_jobs_run_where_and_when_the_plan_says(run):
    """0 0 2 2 . .
    0 0 2 2 . .
    1 1 1 . . .      job 2 waits for the lanes of job 0; job 1 holds lane 3 alone."""
    schedule = run(
        plan((0, 0, 2, (0, 1)), (1, 0, 3, (3,)), (2, 2, 2, (0, 1)), bands=bands_of([(0, 2, 0, BATCH, 1)])),
        (0, 2, 2), (0, 3, 1), (0, 2, 2),
    )  # fmt: skip

    check_schedule(schedule)
    assert schedule.jobs["start"].tolist() == [0, 0, 2]
    assert schedule.jobs["end"].tolist() == [2, 3, 4]
    assert [(r["first"], r["last"]) for r in rectangles(schedule)] == [(0, 1), (3, 3), (0, 1)]
    assert schedule.bands["end"].tolist() == [2] and schedule.bands["kind"].tolist() == [BATCH]


def test_a_unit_of_several_pieces_pauses_and_migrates(run):
    schedule = run(plan((0, 0, 2, (0,)), (0, 3, 1, (0,)), (0, 4, 2, (1,))), (0, 5, 1))

    assert happenings(schedule) == [
        (0, "start", 0), (2, "pause", 0), (3, "resume", 0), (4, "migrate", 0), (6, "end", 0),
    ]  # fmt: skip


def test_two_units_may_change_places_in_one_instant(run):
    schedule = run(plan((0, 0, 2, (0,)), (1, 0, 2, (1,)), (0, 2, 1, (1,)), (1, 2, 1, (0,))), (0, 3, 1), (0, 3, 1))

    assert schedule.counters["migrations"] == 2
    assert schedule.jobs["end"].tolist() == [3, 3]


def test_shared_lanes(run):
    made = plan((0, 0, 2, (0,)), (1, 1, 2, (0,)), share=np.array([0.5, 0.25]))
    schedule = run(made, (0, 2, 1), (0, 2, 1), exclusive=False)

    assert sorted(schedule.segments["share"].tolist()) == [0.25, 0.5]
    assert schedule.jobs["end"].tolist() == [2, 3]


def test_a_hair_of_rounding_is_waited_for(run):
    schedule = run(plan((0, 0, 3 + 1e-11, (0,)), (1, 3, 1, (0,))), (0, 3, 1), (0, 1, 1))

    assert schedule.jobs["start"][1] == 3 + 1e-11


@pytest.mark.parametrize(
    ("pieces", "sentence"),
    [
        (((0, 0, 3, (0,)), (1, 2, 1, (0,))), "overfilled node 0"),
        (((0, 0, 3, (0,)), (1, 4, 1, (1,))), "placed job 2 before its release at 5"),
        (((0, 0, 3, (0,)), (1, 5, 1, (4,))), "on node 4, but nodes are 0 to 3"),
        (((0, 0, 3, (0, 0)), (1, 5, 1, (1,))), "twice on node 0"),
    ],
)
def test_a_wrong_plan_fails_in_the_kernel(run, pieces, sentence):
    with pytest.raises(PolicyError, match=sentence):
        run(plan(*pieces), (0, 3, 1), (2 if "overfilled" in sentence else 5, 1, 1))


def test_a_job_without_a_piece_is_rejected(run):
    schedule = run(plan((0, 0, 3, (0,))), (0, 3, 1), (0, 1, 1))

    assert schedule.jobs["state"][1] == REJECTED


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5), st.integers(1, 3)), min_size=1, max_size=12))
def test_seats_are_free_lanes(jobs):
    start, time, size = (np.array(column, float) for column in zip(*jobs, strict=True))
    overlap = [sum(s for t, d, s in jobs if t <= at < t + d) for at, _, _ in jobs]
    order = np.argsort(start, kind="stable")
    if max(overlap) > 6:
        with pytest.raises(PolicyError, match="needs more than 6 lanes"):
            seat_all(order, start, time, size.astype("i8"), 6, 0.01)
        return
    starts, first, lanes = seat_all(order, start, time, size.astype("i8"), 6, 0.01)

    assert (starts == start).all()
    for one in range(len(jobs)):
        mine = lanes[first[one] : first[one + 1]]
        assert len(set(mine)) == size[one]
        for two in range(one):
            if start[one] < start[two] + time[two] and start[two] < start[one] + time[one]:
                assert not set(mine) & set(lanes[first[two] : first[two + 1]])
