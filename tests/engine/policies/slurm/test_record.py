"""The site under Slurm against a real controller, decision by decision and run freely (docs/explanation/slurm.md)."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Simulation, simulate
from shadowtime.engine.metrics.usage_by import likeness
from tests.engine.invariants import check_schedule
from tests.engine.policies.slurm.record import (
    backfill_seconds,
    by_backfill,
    follower,
    passes,
    seconds_of,
    table,
    workload,
)

DRAWS = 20


def test_every_pass_of_the_main_loop_that_started_jobs_starts_the_same_jobs_on_the_same_nodes():
    fixed, either, others = passes("main", seconds_of(~by_backfill()))

    assert (either, others) == (47, [])
    assert fixed >= 43


def test_every_backfill_pass_starts_the_same_jobs_on_the_same_nodes():
    seconds = backfill_seconds()
    fixed, either, others = passes("backfill", seconds)

    assert (either, others) == (len(seconds), [])
    assert len(seconds) == 330
    assert fixed >= 320


def test_priorities_are_those_of_sprio():
    follow, log = follower(), workload()
    row_of = {job: row for row, job in enumerate(log.jobs["job_id"].tolist())}
    rows = table("sprio_all.psv.gz")
    same, seen, factors = 0, 0, np.zeros(4)
    for time in sorted({float(row["time"]) for row in rows}):
        follow.until(time - log.clock.unix_start, side="right")
        for row in (row for row in rows if float(row["time"]) == time):
            job = follow.site.memory.job[row_of[int(row["jobid"])]]
            if job.state == 2:
                seen += 1
                same += int(job.priority) == int(row["priority"])
                real = [float(row[f"{name}_n"]) for name in ("age", "fairshare", "jobsize")]
                factors[:3] += np.abs(np.array([job.age, job.fair, job.size_factor]) - real) < 1e-6
    assert seen == 2884
    assert same >= 2880  # the others were submitted a second or two before a recomputation
    assert (factors[:3] >= 2880).all()


def test_usage_is_that_of_sshare():
    follow, log = follower(), workload()
    tree = follow.site.cluster.associations
    place = {(one.account, one.user): at for at, one in enumerate(tree)}
    rows = [row for row in table("sshare_all.psv.gz") if row["User"].strip()]
    close, seen, errors = 0, 0, []
    for time in sorted({float(row["time"]) for row in rows}):
        follow.until(time - log.clock.unix_start, side="right")
        for row in (row for row in rows if float(row["time"]) == time):
            mine = float(follow.site.memory.group["usage"][place[row["Account"].strip(), row["User"].strip()]])
            real = float(row["RawUsage"])
            seen += 1
            close += abs(np.floor(mine) - real) <= 1
            errors.append(abs(mine - real) / real if real > 10 else 0.0)
    assert seen > 1000
    assert close / seen > 0.85
    assert np.mean(errors) < 0.003


@pytest.fixture(scope="module")
def draws():
    """Waits of free runs over draws of the phases of the controller's loops, and the recorded waits."""
    log = workload()
    waits = []
    for seed in range(DRAWS):
        schedule = simulate(log, "slurm", seed=seed)
        waits.append(schedule.jobs["start"] - log.jobs["release"])
    return np.array(waits), log.jobs["recorded_start"] - log.jobs["release"]


def test_free_runs_come_near_to_the_recorded_waits(draws):
    waits, recorded = draws

    assert np.mean(waits) == pytest.approx(recorded.mean(), rel=0.15)
    assert np.mean([likeness(one, recorded).correlation for one in waits]) >= 0.84
    assert np.mean([np.median(np.abs(one - recorded)) for one in waits]) <= 45


def test_the_median_of_the_draws_comes_nearer(draws):
    waits, recorded = draws
    middle = np.median(waits, axis=0)

    assert likeness(middle, recorded).correlation >= 0.92
    assert np.median(np.abs(middle - recorded)) <= 25


def test_easy_is_farther_from_the_record(draws):
    waits, recorded = draws
    log = workload()
    easy = simulate(log, "easy").jobs["start"] - log.jobs["release"]

    assert likeness(easy, recorded).correlation < 0.6 < np.mean([likeness(one, recorded).correlation for one in waits])
    assert np.median(np.abs(easy - recorded)) > 2 * np.mean([np.median(np.abs(one - recorded)) for one in waits])


def test_a_free_run_is_a_schedule_and_counts_its_passes():
    run = Simulation(workload(), "slurm", seed=4)
    schedule = run.run()

    check_schedule(schedule)
    assert schedule.counters["main_starts"] + schedule.counters["backfill_starts"] == len(workload())
    assert run.parameters["bf_interval"] == 5.0 and run.parameters["weight_fair_share"] == 2000.0
