"""The same jobs in two runs, and how each fared: against a loop over the jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.dashboard.components import compare_jobs, compare_tables
from shadowtime.engine.tables import FINISHED, JOBS, empty, take


def jobs(ids, release, start, end, runtime=10.0):
    table = empty(JOBS, len(ids))
    table["job_id"][:], table["release"][:], table["start"][:], table["end"][:] = ids, release, start, end
    table["runtime"][:] = runtime
    table["processors"][:] = 1
    table["state"][:] = FINISHED
    return table


BASE = jobs([1, 2, 3, 4], [0, 0, 5, 6], [0, 10, 20, 30], [10, 20, 30, np.nan])
OTHER = jobs([1, 2, 3, 4], [0, 0, 5, 6], [0, 20, 10, 30], [10, 30, 20, 40])


def test_winners_and_losers_are_counted_and_named():
    found = compare_jobs.outcome(compare_jobs.paired(BASE, OTHER, 10.0))

    assert (found["jobs"], found["sooner"], found["same"], found["later"], found["left_out"]) == (3, 1, 1, 1, 1)
    assert [one["job_id"] for one in found["gained"]] == [3] and found["gained"][0]["difference"] == -10
    assert [one["job_id"] for one in found["lost"]] == [2]
    assert found["lost"][0]["baseline"] == {"start": 10.0, "end": 20.0, "stretch": 2.0}
    assert found["lost"][0]["run"] == {"start": 20.0, "end": 30.0, "stretch": 3.0}
    assert (found["mean_difference"], found["median_difference"]) == (0.0, 0.0)
    assert (found["stretched_less"], found["stretched_more"]) == (1, 1)


def test_before_any_job_has_ended_nothing_is_compared():
    nothing = {**BASE, "end": np.full(4, np.nan)}
    found = compare_jobs.outcome(compare_jobs.paired(nothing, OTHER, 10.0))

    assert (found["jobs"], found["left_out"], found["mean_difference"]) == (0, 4, None)
    assert found["gained"] == found["lost"] == []


def test_jobs_are_the_same_when_all_that_was_asked_is():
    shuffled = take(OTHER, np.array([1, 0, 2, 3]))
    longer = {**OTHER, "runtime": OTHER["runtime"] + 1}

    assert compare_jobs.are_same(BASE, OTHER)
    assert not compare_jobs.are_same(BASE, shuffled)
    assert not compare_jobs.are_same(BASE, take(OTHER, slice(0, 3)))
    assert compare_jobs.shared(BASE, shuffled) == (4, 4)
    assert compare_jobs.shared(BASE, longer) == (0, 4)


def test_jobs_are_aligned_by_id():
    later = jobs([9, 3, 2], [100, 105, 100], [100, 105, 130], [110, 115, 140])
    pair = compare_jobs.paired(BASE, later, 10.0, align=True)

    assert pair.base["job_id"].tolist() == pair.other["job_id"].tolist() == [2, 3]
    assert pair.difference().tolist() == [40 - 20, 10 - 25]


@given(st.lists(st.integers(-5, 5), max_size=40), st.integers(1, 8))
def test_the_extremes_are_those_of_a_sort(values, most):
    found = compare_jobs.extreme(np.array(values, float), most)

    assert found.tolist() == sorted(range(len(values)), key=lambda at: (values[at], at))[:most]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=20), st.lists(st.integers(0, 6), max_size=20))
def test_alignment_is_that_of_a_loop(first, second):
    one = jobs([i for i, _ in first], [r for _, r in first], 0.0, 1.0)
    other = jobs(second, 0.0, 0.0, 1.0)
    here, there = compare_jobs.by_id([one, other])

    seen, expected = set(), []
    for row, (job, _) in enumerate(first):
        if job in second and job not in seen:
            seen.add(job)
            expected.append((row, second.index(job)))
    assert list(zip(here.tolist(), there.tolist(), strict=True)) == expected


def test_the_table_tells_both_and_their_difference():
    table = compare_tables.job_rows(compare_jobs.paired(BASE, OTHER, 10.0))
    first, second, third, fourth = table.records()

    assert second["difference"] == 10 and second["start_difference"] == 10 and second["stretch_difference"] == 1
    assert third["difference"] == -10 and first["difference"] == 0
    assert fourth["difference"] is None and fourth["end_baseline"] is None and fourth["end_run"] == 40
    text = "".join(compare_tables.as_csv(compare_jobs.paired(BASE, OTHER, 10.0))).splitlines()
    assert text[0].split(",") == list(compare_tables.NAMES)
    assert len(text) == 5 and text[4].startswith("4,,")


def test_many_jobs_are_compared_at_once():
    n = 200_000
    rng = np.random.default_rng(1)
    release = np.sort(rng.uniform(0, 1e8, n))
    start = release + rng.exponential(3600, n)
    base = jobs(np.arange(n), release, start, start + 100.0)
    other = jobs(np.arange(n), release, release, release + 100.0)
    found = compare_jobs.outcome(compare_jobs.paired(base, other, 10.0))

    assert found["sooner"] == n and len(found["gained"]) == compare_jobs.LISTED
    assert found["mean_difference"] == pytest.approx(float((release - start).mean()))


def test_as_many_ended_jobs_need_not_be_the_same():
    ends = [np.array([1.0, np.nan]), np.array([np.nan, 1.0]), np.array([2.0, np.nan])]
    one, other, later = ({"end": end} for end in ends)
    assert compare_jobs.ended_alike([one, later]) and not compare_jobs.ended_alike([one, other])
