"""A placement of an instant is final only at its end; and times far from second 0 give the same schedules."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Workload, simulate
from shadowtime.engine.metrics import moves
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.tables import MIGRATE, PAUSE, RESUME, START
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import job_table

GB = 1024.0**3


def workload(nodes, *jobs):
    """Jobs as (release, tasks, cpu, memory, runtime)."""
    release, tasks, need, memory, runtime = (np.array(column) for column in zip(*jobs, strict=True))
    table = job_table(
        release.astype(float), runtime.astype(float), tasks, cpu_need=need.astype(float), memory=memory.astype(float)
    )
    return Workload("fractional", "one instant", table, machine={"nodes": nodes, "node_memory": 8.0})


def metrics(jobs, slug, **parameters):
    return summarize(simulate(jobs, slug, parameters), jobs, Platform.of(jobs))


def test_a_job_placed_and_repacked_in_one_instant_starts_once_and_pays_nothing():
    """Greedy places the job at 600 s, where a period falls: MCB8 packs it in another way before it has run."""
    job = workload(3, (600.0, 5, 0.18, 0.2, 5.0))

    found = metrics(job, "greedyp*/per/opt=min")

    assert found["max_bounded_stretch"] == 1.0
    assert found["migrations"] == 0 and found["bandwidth"] == 0.0
    assert job.jobs["release"][0] == simulate(job, "greedyp*/per/opt=min").jobs["start"][0]


def test_a_job_placed_and_paused_in_one_instant_has_not_started():
    """The second job takes the place of the first, which waits for it and then starts without a penalty."""
    jobs = workload(1, (0.0, 1, 1.0, 0.6, 10.0), (0.0, 1, 1.0, 0.6, 10.0))

    schedule = simulate(jobs, "greedyp*/opt=min")

    assert schedule.jobs["start"].tolist() == [10.0, 0.0] and schedule.jobs["end"].tolist() == [20.0, 10.0]
    assert schedule.counters["preemptions"] == 0
    assert metrics(jobs, "greedyp*/opt=min")["mean_wait"] == 5.0


def test_a_running_job_that_is_back_on_its_nodes_at_the_end_of_an_instant_continues():
    """At 600 s GreedyP pauses job 1 on node 1 for job 2; MCB8 then packs job 2 on node 0, and 0 and 1 on node 1."""
    jobs = workload(2, (1.0, 1, 0.1, 0.3, 799.0), (1.0, 1, 0.1, 0.3, 799.0), (600.0, 1, 0.1, 0.8, 10.0))

    schedule = simulate(jobs, "greedyp*/per/opt=min")

    assert schedule.jobs["end"].tolist() == [1100.0, 800.0, 610.0]
    assert schedule.counters["preemptions"] == 0 and schedule.counters["migrations"] == 1


@pytest.mark.parametrize("slug", ["greedypm*/per/opt=min", "mcb8*/per/opt=min", "/stretch-per/opt=max"])
def test_counts_and_bandwidth_take_one_move_of_a_job_in_an_instant(slug):
    """All arrivals fall on periods, so that several rules apply in each instant."""
    drawn = generate("fractional", {"jobs": 60, "nodes": 8, "load": 2.0}, 3)
    release = np.floor(drawn.jobs["release"] / 600.0) * 600.0
    jobs = drawn.with_(jobs={**drawn.jobs, "release": release})
    schedule = simulate(jobs, slug)
    events = schedule.events
    moved = np.isin(events["kind"], (START, PAUSE, RESUME, MIGRATE))

    pairs = np.stack([events["time"][moved], events["job"][moved].astype(float)])
    assert np.unique(pairs, axis=1).shape[1] == pairs.shape[1]

    carried = moves.preempted_memory(schedule.jobs, events) + moves.migrated_memory(schedule.jobs)
    found = summarize(schedule, jobs, Platform.of(jobs))
    assert found["preemptions"] == np.count_nonzero(events["kind"] == PAUSE)
    assert found["migrations"] == np.count_nonzero(events["kind"] == MIGRATE)
    assert found["bandwidth"] == pytest.approx(carried * jobs.machine["node_memory"] * GB / found["makespan"])


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_step_of_a_tenth_of_a_second_at_1_7e9_seconds_changes_no_schedule(seed):
    """Releases there are multiples of 0.24 us: ends may differ by so much times the shared yields, not by a penalty."""
    drawn = generate("fractional", {"jobs": 120, "nodes": 16, "load": 0.9}, seed)
    near = simulate(drawn, "mcb8*/opt=min")
    for shift in (1.7e9, 1.7e9 + 0.1):
        there = drawn.with_(jobs={**drawn.jobs, "release": drawn.jobs["release"] + shift})
        far = simulate(there, "mcb8*/opt=min")
        assert far.jobs["end"] - shift == pytest.approx(near.jobs["end"], abs=0.01)
        assert far.counters["migrations"] == near.counters["migrations"]
