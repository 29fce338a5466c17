"""The schedule that a log recorded: its own starts and ends, on its nodes, also where it overcommits its machine."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.errors import InvalidPlatform, InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.metrics.jobs import wait
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.metrics.usage_by import likeness, recorded_wait
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.sites.hosts import hosts, natural
from tests.engine.conformance import random_rigid, with_record
from tests.engine.invariants import check_schedule
from tests.engine.workload.logs import read_file, read_text

LINE = "{} {} {} {} {} -1 -1 {} 900 -1 1 3 4 1 2 1 -1 -1\n"


def log(*jobs: tuple[float, ...]) -> Workload:
    """A log of jobs (submission, wait, runtime, processors)."""
    return read_text("".join(LINE.format(n, *job, job[-1]) for n, job in enumerate(jobs, 1)))


def test_jobs_start_and_end_when_the_log_says():
    schedule = simulate(log((0, 5, 10, 2), (1, 4, 20, 1), (2, 13, 5, 2)), "recorded", platform={"processors": 3})

    check_schedule(schedule)
    assert schedule.jobs["start"].tolist() == [5.0, 5.0, 15.0]
    assert schedule.jobs["end"].tolist() == [15.0, 25.0, 20.0]
    assert (schedule.counters["overcommitted"], schedule.notes) == (0, ())


def test_what_a_machine_cannot_hold_is_on_lanes_beyond_it():
    schedule = simulate(log((0, 0, 10, 2), (0, 1, 10, 2), (0, 11, 10, 3)), "recorded", platform={"processors": 3})
    last = dict(zip(schedule.segments["job"].tolist(), schedule.segments["last"].tolist(), strict=True))

    assert schedule.lanes == 3
    assert schedule.segments["last"].max() == 3
    assert last[2] == 2, "the machine has room for the third job"
    assert schedule.counters["overcommitted"] == schedule.counters["overcommitted_jobs"] == 1
    assert schedule.notes == (
        "The log has 4 processors in use at one time, 1 more than the machine: 1 job ran on overcommitted lanes, "
        "and no bound is stated.",
    )


def test_a_job_wider_than_the_machine_ran_in_the_log():
    schedule = simulate(log((0, 0, 10, 5)), "recorded", platform={"processors": 3})

    assert (schedule.finished, schedule.rejected, schedule.counters["overcommitted"]) == (1, 0, 2)


def test_a_job_without_a_recorded_start_is_rejected_and_counted():
    schedule = simulate(log((0, 3, 10, 1), (0, -1, 10, 1)), "recorded", platform={"processors": 3})

    assert (schedule.finished, schedule.rejected) == (1, 1)
    assert schedule.notes == ("1 job without a recorded start: rejected.",)


def test_a_start_before_the_submission_is_moved_to_it_and_counted():
    jobs = job_table(
        np.array([10.0, 20.0]), np.array([30.0, 5.0]), np.array([1, 1]),
        recorded_start=np.array([8.0, 20.0]), recorded_end=np.array([38.0, 25.0]),
    )  # fmt: skip
    schedule = simulate(Workload("rigid", "early", jobs), "recorded", platform={"processors": 2})

    assert schedule.jobs["start"].tolist() == [10.0, 20.0]
    assert schedule.jobs["end"].tolist() == [38.0, 25.0]
    assert schedule.notes == ("1 job recorded before the submission: shown from the submission on.",)


@pytest.mark.parametrize(
    "recorded",
    [
        {"recorded_start": 15, "recorded_end": 15}, {"recorded_start": 15, "recorded_end": 11},
        {"recorded_start": 3, "recorded_end": 8}, {"recorded_start": 15}, {"recorded_start": None},
    ],
)  # fmt: skip
def test_a_log_without_a_job_that_ended_after_its_start_is_refused(recorded):
    jobs = [{"submit": 0, "runtime": 5, "processors": 1}, {"submit": 10, "runtime": 5, "processors": 1, **recorded}]
    workload = read_text({"kind": "rigid", "jobs": jobs}, name="log.json")

    with pytest.raises(InvalidWorkload, match=r"log\.json has no job whose recorded end is after its start"):
        simulate(workload, "recorded", platform={"processors": 4})


@pytest.mark.parametrize("workload", [generate("uniform", {"jobs": 10}, seed=1), log((0, -1, 10, 1))])
def test_jobs_without_a_record_are_refused(workload):
    with pytest.raises(UnsupportedWorkload, match="Recorded takes logs that say when their jobs started"):
        simulate(workload, "recorded", platform={"processors": 30})


def test_a_log_of_an_unknown_machine_says_how_many_processors_were_in_use():
    with pytest.raises(InvalidPlatform, match=r"machine has: name them; at most 4 were in use at one time"):
        simulate(log((0, 0, 10, 2), (0, 1, 10, 2)), "recorded")


def test_another_load_has_no_record_and_a_week_has_its_own():
    week = 604_800.0
    two = log((10, 5, 10, 2), (week + 10, 7, 20, 1))
    later = simulate(convert(two, "week", {"k": 1}), "recorded", platform={"processors": 3})

    assert (later.jobs["release"].tolist(), later.jobs["start"].tolist()) == ([10.0], [17.0])
    with pytest.raises(UnsupportedWorkload, match="Another load"):
        simulate(convert(two, "load", {"rho": 0.5, "processors": 3}), "recorded", platform={"processors": 3})


@pytest.mark.parametrize("seed", range(20))
def test_the_record_of_a_simulation_is_that_simulation(seed):
    workload = random_rigid(seed)
    before = simulate(workload, "fcfs")
    after = simulate(with_record(workload), "recorded")

    for name in ("start", "end", "state"):
        assert np.array_equal(before.jobs[name], after.jobs[name], equal_nan=name != "state")
    assert after.counters["overcommitted"] == 0


@pytest.mark.parametrize(("name", "jobs"), [("plain.psv.gz", 230), ("sacct_all.psv", 54), ("sacct_duplicates.psv", 56)])
def test_jobs_of_slurm_run_on_their_nodes(name, jobs):
    workload = read_file(f"slurm/{name}")
    schedule = simulate(workload, "recorded", platform={"processors": 128})
    on: dict[int, set[str]] = {}
    for job, first, last in zip(*(schedule.segments[name].tolist() for name in ("job", "first", "last")), strict=True):
        on.setdefault(job, set()).update(f"n{lane // 4 + 1:03}" for lane in range(first, last + 1))

    assert schedule.notes == (f"{jobs} jobs on the nodes of the log.",)
    assert schedule.counters["overcommitted"] == 0
    for row in range(len(workload)):
        assert on[row] == set(hosts(workload.texts["nodes"][workload.jobs["nodes"][row]]))
    assert (schedule.jobs["start"] == workload.jobs["recorded_start"]).all()
    assert (schedule.jobs["end"] == workload.jobs["recorded_end"]).all()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n[001-003,7]", ["n001", "n002", "n003", "n7"]), ("a,b[1-2]-x,c", ["a", "b1-x", "b2-x", "c"]),
        ("r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]), ("n1/0*4+n2/0-3", ["n1", "n2"]),
        ("4*hostA hostB", ["hostA", "hostB"]), ("slot1@node7", ["node7"]), ("", []), ("n[1-999999]", []),
        ("n1+n1", ["n1"]), ("n[8-10", []),
    ],
)  # fmt: skip
def test_names_of_nodes(text, names):
    assert hosts(text) == names


def test_nodes_are_sorted_as_people_do():
    assert sorted(["n10", "n2", "a1", "n"], key=natural) == ["a1", "n", "n2", "n10"]


ARCHIVE = {
    "KTH-SP2-1996-2.1-cln": (15_347.843, 103, 11, 27_992, 6_351.493, 0.2494, 1_843.0),
    "CTC-SP2-1996-3.1-cln": (25_542.936, 592, 491, 77_205, 15_496.998, 0.4255, 6_187.0),
    "HPC2N-2002-2.2-cln": (54_107.725, 243, 1, 202_870, 10_931.004, 0.3720, 2_989.0),
    "SDSC-BLUE-2000-4.2-cln": (31_170.375, 2944, 2774, 232_536, 7_869.318, 0.2487, 1_891.0),
}
"""Recorded mean wait [s], processors in use at most, and jobs on lanes beyond the machine; under EASY, jobs with both
waits, their mean wait [s], the rank correlation with the recorded waits, and the median absolute difference [s]."""


@pytest.fixture(scope="module", params=ARCHIVE)
def archived(request, traces):
    """A log of the archive, and what is known of it."""
    return read_file(traces / f"{request.param}.swf.gz"), ARCHIVE[request.param]


def test_logs_of_the_archive(archived):
    workload, (mean_wait, most, beyond, *_) = archived
    schedule = simulate(workload, "recorded")
    metrics = summarize(schedule, workload, Platform.of(workload))

    assert metrics["mean_wait"] == pytest.approx(mean_wait, abs=0.001)
    assert schedule.counters["overcommitted"] == most - schedule.lanes
    assert schedule.counters["overcommitted_jobs"] == beyond
    assert schedule.segments["last"].max() == most - 1
    kept = np.isfinite(workload.jobs["recorded_start"])
    assert np.array_equal(schedule.jobs["start"][kept], workload.jobs["recorded_start"][kept])


def test_waits_under_easy_are_not_those_that_the_archive_recorded(archived):
    workload, (recorded, _, _, jobs, simulated, correlation, difference) = archived
    schedule = simulate(workload, "easy", estimates="requested")
    alike = likeness(recorded_wait(workload.jobs), wait(schedule.jobs))

    assert (alike.jobs, alike.difference) == (jobs, difference)
    assert (alike.recorded, alike.simulated) == pytest.approx((recorded, simulated), abs=0.001)
    assert alike.correlation == pytest.approx(correlation, abs=0.00005)
