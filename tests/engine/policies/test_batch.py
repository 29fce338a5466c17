"""FCFS and EASY: by hand, against the slow twin, and the promise of the reservation.

The four-job example (10 processors, exact estimates):

    0                53      100   110                    1110
    0-5 |1 1 1 1 1 1 1 1 1 1 1|2 2 2|3 3 3 3 (0-3) 3 3 3 3|
    6-9 | . |4 4 4 4 4| . . . |2 2 2|
        0   3
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Workload, simulate
from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, UnknownName
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.tables import BACKFILL, RESERVE
from shadowtime.engine.workload.job import job_table
from tests.reference.batch_twin import Twin

FOUR = [(0.0, 100.0, 100.0, 6), (1.0, 10.0, 10.0, 10), (2.0, 1000.0, 1000.0, 4), (3.0, 50.0, 50.0, 4)]


def workload_of(jobs, processors=10):
    release, runtime, estimate, size = (np.array(column) for column in zip(*jobs, strict=True))
    table = job_table(release, runtime, size, requested=estimate)
    return Workload("rigid", "by hand", table, machine={"processors": processors}, has_estimates=True)


def starts(jobs, slug, processors=10, **parameters):
    return simulate(workload_of(jobs, processors), slug, parameters).jobs["start"].tolist()


def test_easy_on_four_jobs():
    schedule = simulate(workload_of(FOUR), "easy")

    assert schedule.jobs["start"].tolist() == [0.0, 100.0, 110.0, 3.0]
    lanes = list(zip(schedule.segments["first"], schedule.segments["last"], strict=True))
    assert lanes == [(0, 5), (6, 9), (0, 9), (0, 3)]


def test_fcfs_on_four_jobs_lets_nobody_pass():
    assert starts(FOUR, "fcfs") == [0.0, 100.0, 110.0, 110.0]


def test_backfill_is_allowed_to_end_at_the_shadow_time_itself():
    assert starts([(0, 10, 10, 6), (1, 5, 5, 10), (2, 8, 8, 4)], "easy") == [0.0, 10.0, 2.0]


def test_backfill_beside_the_head_uses_extra_processors():
    # Job 2 (8 of 10) waits until 10; 2 processors are left over then, so job 3 may run past the shadow time.
    assert starts([(0, 10, 10, 6), (1, 5, 5, 8), (2, 100, 100, 2)], "easy") == [0.0, 10.0, 2.0]


def test_extra_counts_all_ends_at_the_shadow_time_or_only_the_first():
    # Jobs 1 and 2 (5 and 2 of 8) end together at 10; the head wants 6, so job 1 completes the sum: `first` sees
    # no extra processor, `all` two. Only with one may the long job 4 start at 2.
    jobs = [(0, 10, 10, 5), (0, 10, 10, 2), (1, 5, 5, 6), (2, 50, 50, 1), (3, 50, 50, 1)]

    assert starts(jobs, "easy", 8, extra="all") == [0.0, 0.0, 10.0, 2.0, 10.0]
    assert starts(jobs, "easy", 8, extra="first") == [0.0, 0.0, 10.0, 10.0, 10.0]


def test_a_job_past_its_request_no_longer_counts_as_occupying():
    # Job 1 asked for 10 but runs 30. At 12 the head's shadow time is now; job 3 fits into no extra processor
    # and would end after it, so it may not pass; nothing starts before processors are free in fact.
    jobs = [(0, 30, 10, 6), (1, 5, 5, 10), (12, 4, 4, 4)]

    assert starts(jobs, "easy") == [0.0, 30.0, 35.0]


def test_overrun_kill_ends_a_job_at_its_request():
    schedule = simulate(workload_of([(0, 30, 10, 6), (1, 5, 5, 10)]), "easy", {"overrun": "kill"})

    assert schedule.jobs["end"].tolist() == [10.0, 15.0]
    assert schedule.jobs["runtime"].tolist() == [10.0, 5.0]


def test_first_fit_is_contiguous_where_possible_else_lowest_first():
    # 1 on 0-1, 2 on 2-3, 3 on 4-5; when 1 and 3 end, a job of 2 takes 0-1, and one of 3 takes 4, 5 and 6.
    jobs = [(0, 5, 5, 2), (0, 50, 50, 2), (0, 5, 5, 2), (6, 5, 5, 2), (6, 5, 5, 3), (7, 5, 5, 1)]
    schedule = simulate(workload_of(jobs, 8), "fcfs")
    held = {
        (int(j), int(a), int(b))
        for j, a, b in zip(schedule.segments["job"], schedule.segments["first"], schedule.segments["last"], strict=True)
    }

    assert {(3, 0, 1), (4, 4, 6), (5, 7, 7)} <= held


def test_scattered_processors_are_taken_when_no_range_is_long_enough():
    jobs = [(0, 5, 5, 2), (0, 50, 50, 2), (0, 5, 5, 2), (0, 50, 50, 2), (6, 5, 5, 3)]
    schedule = simulate(workload_of(jobs, 8), "fcfs")
    mine = schedule.segments["job"] == 4

    assert list(zip(schedule.segments["first"][mine], schedule.segments["last"][mine], strict=True)) == [(0, 1), (4, 4)]


def test_reservation_and_backfill_say_why():
    schedule = simulate(workload_of(FOUR), "easy")
    notes = Notes(schedule.jobs, schedule.segments)
    said = [
        (int(schedule.jobs["job_id"][job]), note)
        for job, kind, note in zip(
            schedule.events["job"], schedule.events["kind"], notes.all(schedule.events), strict=True
        )
        if kind in (BACKFILL, RESERVE)
    ]

    assert (4, "backfilled: ends 47 s before the shadow time of job 2") in said
    assert (2, "promised to start at 100 s at the latest, its shadow time") in said


busy_jobs = st.lists(
    st.tuples(
        st.integers(0, 12).map(float),
        st.integers(1, 12).map(float),
        st.integers(1, 16).map(float),
        st.integers(1, 6),
    ),
    min_size=1,
    max_size=24,
).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))


@settings(max_examples=250, deadline=None)
@given(jobs=busy_jobs, backfill=st.booleans(), order=st.sampled_from(["instant", "submissions-first"]))
def test_every_start_equals_the_slow_twin(jobs, backfill, order):
    twin = Twin(jobs, 6, backfill=backfill, event_order=order).run()
    fast = simulate(workload_of(jobs, 6), "easy" if backfill else "fcfs", {"event_order": order})

    assert fast.jobs["start"].tolist() == [twin[row] for row in range(len(jobs))]


@settings(max_examples=100, deadline=None)
@given(jobs=busy_jobs)
def test_extra_first_equals_the_slow_twin(jobs):
    twin = Twin(jobs, 6, backfill=True, extra="first").run()
    fast = simulate(workload_of(jobs, 6), "easy", {"extra": "first"})

    assert fast.jobs["start"].tolist() == [twin[row] for row in range(len(jobs))]


@settings(max_examples=100, deadline=None)
@given(jobs=busy_jobs)
def test_easy_never_starts_the_head_after_its_reservation_when_estimates_hold(jobs):
    jobs = [(release, runtime, max(runtime, estimate), size) for release, runtime, estimate, size in jobs]
    schedule = simulate(workload_of(jobs, 6), "easy")
    events, start = schedule.events, schedule.jobs["start"]
    reserved = events["kind"] == RESERVE

    assert (start[events["job"][reserved]] <= events["value"][reserved]).all()


@pytest.mark.parametrize("slug", ["fcfs", "easy"])
@pytest.mark.parametrize("order", ["instant", "submissions-first"])
def test_a_real_log_equals_the_slow_twin(slug, order, kth_head):
    jobs = list(
        zip(
            kth_head.jobs["release"].tolist(),
            kth_head.jobs["runtime"].tolist(),
            kth_head.jobs["requested"].tolist(),
            kth_head.jobs["processors"].tolist(),
            strict=True,
        )
    )
    # No job of KTH outruns its request, so the profile alone (no facts) must give the same schedule.
    for facts in (True, False):
        twin = Twin(jobs, 100, backfill=slug == "easy", event_order=order, facts=facts or order == "instant").run()
        fast = simulate(kth_head, slug, {"event_order": order})
        assert fast.jobs["start"].tolist() == [twin[row] for row in range(len(jobs))]


@pytest.fixture(scope="module")
def kth_head(traces):
    from shadowtime.engine.tables import take
    from shadowtime.engine.workload.reading import read

    with (traces / "KTH-SP2-1996-2.1-cln.swf.gz").open("rb") as stream:
        whole = read(stream, "KTH")
    return whole.with_(jobs=take(whole.jobs, slice(0, 1500)))


def test_wrong_questions_get_one_sentence():
    four = workload_of(FOUR)

    with pytest.raises(UnknownName, match=r"unknown algorithm 'eazy'; known: .*easy, easy\+\+.*; did you mean easy\?$"):
        simulate(four, "eazy")
    with pytest.raises(
        InvalidParameter, match="unknown parameter 'extras' of easy; known: event_order, extra, overrun"
    ):
        simulate(four, "easy", {"extras": "all"})
    with pytest.raises(InvalidParameter, match="easy: extra = 'some', but it must be one of all, first"):
        simulate(four, "easy", {"extra": "some"})
    with pytest.raises(InvalidPlatform, match="processors = 0, but 1 is the least"):
        simulate(four, "easy", platform={"processors": 0})
    with pytest.raises(InvalidParameter, match="estimates = 'guess', but it must be one of requested, actual"):
        simulate(four, "easy", estimates="guess")
