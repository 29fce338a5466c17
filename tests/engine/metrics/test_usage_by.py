"""Waits and usage by group, held against pandas and scipy, which say the same slowly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pandas
import pytest
from scipy import stats

from shadowtime.engine import generate, simulate
from shadowtime.engine.metrics.usage_by import (
    BY,
    WEEKDAYS,
    comparable,
    groupings,
    largest,
    likeness,
    recorded_wait,
    usage,
    waits,
)
from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.local_time import local

STOCKHOLM = ZoneInfo("Europe/Stockholm")
AUTUMN = 1130000000.0
"""Some days before the end of summer time in 2005."""


def log(n=3000, seed=1):
    """Jobs of a log over a month, some with an unknown user or recorded start, and many with equal waits."""
    rng = np.random.default_rng(seed)
    release = np.sort(rng.integers(0, 30 * 86400, n)).astype("f8")
    start = release + rng.choice([0.0, 0.0, 60.0, 3600.0, 50000.0], n) * rng.integers(0, 4, n)
    start[rng.random(n) < 0.02] = np.nan
    return {
        "release": release,
        "runtime": rng.lognormal(6, 2, n),
        "processors": rng.integers(1, 130, n),
        "requested": np.full(n, np.nan),
        "user": rng.zipf(1.7, n) % 400 - 1,
        "partition": rng.integers(-1, 3, n),
        "recorded_start": start,
        "recorded_end": start + 5.0,
    }


@pytest.fixture(scope="module")
def jobs():
    return log()


@pytest.fixture(scope="module")
def found(jobs):
    return groupings(
        jobs, {"partition": ("batch", "long")}, local(jobs["release"], Clock(AUTUMN, zone="Europe/Stockholm"))
    )


def twin(jobs):
    """The groups of each job as plain Python says them."""
    frame = pandas.DataFrame(jobs)
    moments = [datetime.fromtimestamp(AUTUMN, UTC) + timedelta(seconds=s) for s in jobs["release"]]
    dates = [moment.astimezone(STOCKHOLM) for moment in moments]
    frame["partition"] = [{-1: "unknown", 0: "batch", 1: "long", 2: "2"}[code] for code in jobs["partition"]]
    frame["user"] = ["unknown" if user < 0 else str(user) for user in jobs["user"]]
    frame["hour"] = [f"{date.hour:02d}:00" for date in dates]
    frame["weekday"] = [WEEKDAYS[date.weekday()] for date in dates]
    frame["size"] = [size_words(size) for size in jobs["processors"]]
    frame["work"] = frame["processors"] * frame["runtime"]
    frame["wait"] = frame["recorded_start"] - frame["release"]
    return frame


def size_words(size):
    high = 1
    while high < size:
        high *= 2
    return str(high) if high <= 2 else f"{high // 2 + 1}–{high}"


@pytest.mark.parametrize("by", [by for by in BY if by != "account"])
def test_groups_are_those_of_pandas(jobs, found, by):
    wait = recorded_wait(jobs)
    shown, used = waits(found[by], wait, np.isfinite(wait)), usage(found[by], jobs)
    frame = twin(jobs)
    for name, group in frame.groupby(by):
        at = found[by].names.index(name)
        assert used.jobs[at] == len(group)
        assert used.work[at] == pytest.approx(group["work"].sum())
        assert used.share[at] == pytest.approx(group["work"].sum() / frame["work"].sum())
        assert shown.jobs[at] == group["wait"].count()
        of = group["wait"]
        said_of = {"mean": of.mean(), "median": of.median(), "tail": of.quantile(0.9), "longest": of.max()}
        for name_of, said in said_of.items():
            assert getattr(shown, name_of)[at] == pytest.approx(said, nan_ok=True)


def test_what_a_log_does_not_have_is_no_way_to_group(jobs, found):
    assert list(found) == ["user", "partition", "size", "hour", "weekday"]
    assert list(groupings(jobs, {}, None)) == ["user", "partition", "size"]
    assert "user" not in groupings({**jobs, "user": np.full(3000, -1)}, {}, None)


def test_classes_of_sizes_begin_with_the_smallest_job():
    sizes = groupings({"processors": np.array([20, 70, 17])}, {}, None)["size"]
    assert sizes.names == ("17–32", "33–64", "65–128")
    assert sizes.codes.tolist() == [0, 2, 0]


def test_an_empty_group_has_no_wait_and_no_work(jobs, found):
    none = waits(found["hour"], recorded_wait(jobs), np.zeros(3000, bool))

    assert none.jobs.tolist() == [0] * 24 and np.isnan(none.mean).all() and np.isnan(none.longest).all()


def test_the_groups_of_most_work_stand_for_themselves_and_the_others_together(jobs, found):
    used = usage(found["user"], jobs)
    few, of_few, many = largest(found["user"], used, 20)
    wait = recorded_wait(jobs)
    frame = twin(jobs)
    order = frame.groupby("user")["work"].sum().sort_values(ascending=False)
    rest = frame[frame["user"].isin(order.index[20:])]

    assert list(few.names[:20]) == list(order.index[:20])
    assert few.names[20] == f"{len(order) - 20:,} others" and many == len(order) - 20
    assert of_few.jobs[20] == len(rest) and of_few.jobs.sum() == 3000
    assert waits(few, wait, np.isfinite(wait)).tail[20] == pytest.approx(rest["wait"].quantile(0.9))
    assert largest(found["hour"], usage(found["hour"], jobs), 5)[0] is found["hour"]


def test_likeness_is_that_of_scipy_with_equal_waits(jobs):
    recorded = recorded_wait(jobs)
    other = np.where(np.arange(3000) % 7, recorded * 0.3 + 10, np.nan)
    both = comparable((recorded, other))
    alike = likeness(recorded, other)

    assert alike.jobs == both.sum()
    assert alike.correlation == pytest.approx(stats.spearmanr(recorded[both], other[both])[0])
    assert (alike.recorded, alike.simulated) == pytest.approx((recorded[both].mean(), other[both].mean()))
    assert alike.difference == pytest.approx(np.median(np.abs(recorded - other)[both]))
    assert likeness(recorded, np.full(3000, np.nan)) is None
    assert np.isnan(likeness(np.zeros(3), np.arange(3.0)).correlation)


def test_a_log_without_recorded_starts_has_no_recorded_waits(jobs):
    assert recorded_wait({"release": jobs["release"]}) is None
    assert recorded_wait({**jobs, "recorded_start": np.full(3000, np.nan)}) is None


def test_a_start_before_the_submission_is_a_wait_of_0():
    recorded = {"release": np.array([5.0, 5.0, 5.0]), "recorded_start": np.array([3.0, np.nan, 9.0])}
    np.testing.assert_array_equal(recorded_wait(recorded), [0.0, np.nan, 4.0])


@pytest.mark.parametrize(
    ("generator", "algorithm"),
    [("uniform", "easy"), ("multitask", "tetris"), ("moldable", "demt"), ("classed", "pjs"), ("classed", "olb")],
)
def test_the_work_of_all_groups_is_that_of_the_workload(generator, algorithm):
    """What a run gave its jobs does not count: the lanes of moldable jobs and of those of classes."""
    workload = generate(generator, {"jobs": 12}, 3)
    jobs, asked = simulate(workload, algorithm).jobs, workload.jobs
    work = next((asked[name] for name in ("volume", "work") if name in asked), asked["processors"] * asked["runtime"])

    used = usage(groupings(jobs, {}, None)["size"], jobs)

    assert used.work.sum() == pytest.approx(work.sum())
