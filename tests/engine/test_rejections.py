"""Every rejected job says its true reason, in all families."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine import simulate, tables
from shadowtime.engine.families.classed.site.site import make_site
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.output.notes import Notes, rejection_note
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.reading import read


def reasons(schedule):
    """The sentences of the rejections, by job id; written one by one and all at once alike."""
    notes = Notes(schedule.jobs, schedule.segments)
    written, events = list(notes.all(schedule.events)), schedule.events
    rejected = np.flatnonzero(events["kind"] == tables.REJECT).tolist()
    assert [notes.of(row, events) for row in rejected] == [written[row] for row in rejected]
    return {int(schedule.jobs["job_id"][events["job"][row]]): written[row] for row in rejected}


def rigid(*sizes, processors=8):
    jobs = job_table(np.zeros(len(sizes)), np.full(len(sizes), 10.0), np.array(sizes))
    return Workload("rigid", "", jobs, machine={"processors": processors})


def fractional(nodes, **job):
    jobs = [{"id": 1, "release": 0, "tasks": 1, "cpu_need": 1, "memory": 0.5, "runtime": 5, **job}]
    return read(BytesIO(json.dumps({"kind": "simulation", "cases": [
        {"name": "whole", "instance": {"nodes": nodes, "jobs": jobs}}]}).encode()), "file.json")  # fmt: skip


def multitask(*sizes):
    document = {
        "schema": "golden-synchpack-1", "kind": "single_machine_preemptive", "capacities": [4],
        "jobs": [{}, {}], "tasks": [
            {"job": 0, "a": 1, "p": {"0": 1}}, *({"job": 1, "a": size, "p": {"0": 1}} for size in sizes)],
    }  # fmt: skip
    return read(BytesIO(json.dumps(document).encode()), "file.json")


class Strict:
    """Turns the second job away."""

    def decide(self, desk):
        for job in list(desk.waiting):
            if job == 1:
                desk.reject(job)
            else:
                desk.place(job, desk.free_lanes()[: desk.size(job)])


@pytest.mark.parametrize(
    ("workload", "algorithm", "said"),
    [
        (rigid(1, 1200), "easy", {2: "asks for 1,200 processors, more than the machine has"}),
        (rigid(1, 1), Strict(), {2: "turned away by the policy"}),
        (rigid(1, 1, 9), Strict(), {
            2: "turned away by the policy", 3: "asks for 9 processors, more than the machine has"}),
        (fractional(2, tasks=5), "easy", {1: "needs 5 nodes to itself, more than the machine has"}),
        (fractional(2, tasks=5, cpu_need=0.5), "easy", {1: "needs 3 nodes to itself, more than the machine has"}),
        (fractional(2, tasks=5), "greedy*", {1: "has 5 tasks, more than the memory of the machine holds"}),
        (multitask(5), "tetris", {1: "its task fits on none of its machines"}),
        (multitask(5, 1, 2), "tetris", {1: "1 of its 3 tasks fits on none of its machines"}),
        (multitask(5, 1, 9), "tetris", {1: "2 of its 3 tasks fit on none of their machines"}),
    ],
)  # fmt: skip
def test_a_rejection_says_why(workload, algorithm, said):
    assert reasons(simulate(workload, algorithm)) == said


@pytest.mark.parametrize("algorithm", ["olb", "pjs"])
def test_a_class_that_no_machine_runs_is_the_reason(algorithm):
    site = make_site(np.array([[4.0, 5.0], [np.nan, np.nan]]), np.zeros((2, 0)), [])

    assert reasons(simulate(classed(site, np.array([0, 1])), algorithm)) == {
        2: "no machine open to it can run its class"
    }


def test_a_rejection_of_an_older_version_names_no_reason():
    assert rejection_note(-1, np.nan, 3) == "the reason was not recorded"


@pytest.mark.parametrize("algorithm", ["synchpack-1", "synchpack-2", "synchpack-3"])
def test_a_plan_may_have_no_job(algorithm):
    document = {
        "schema": "golden-synchpack-1", "kind": "single_machine_preemptive", "capacities": [1],
        "jobs": [{}], "tasks": [{"job": 0, "a": 2, "p": {"0": 1}}],
    }  # fmt: skip
    schedule = simulate(read(BytesIO(json.dumps(document).encode()), "file.json"), algorithm)

    assert reasons(schedule) == {0: "its task fits on none of its machines"}


class Regretful:
    """Starts its only job, kills it at 5 and turns it away at 6."""

    def decide(self, desk):
        if desk.now == 0.0:
            desk.place(0, [0])
            desk.wake(5.0)
        elif desk.now == 5.0:
            desk.kill(0)
            desk.wake(6.0)
        else:
            desk.reject(0)


def test_a_job_that_ran_before_it_was_turned_away_counts_until_then():
    series = simulate(rigid(1), Regretful(), platform={"processors": 2}).series

    assert series["time"].tolist() == [0, 5, 6]
    assert [series[name].tolist() for name in ("demand", "running", "queued")] == [[1, 1, 0], [1, 0, 0], [0, 1, 0]]


def test_a_schedule_says_how_many_jobs_its_machine_cannot_run():
    assert simulate(rigid(4, 9, 10), "easy").notes[-1] == (
        "2 jobs cannot run on this machine and were rejected: metrics are over the others."
    )
    assert simulate(rigid(4, 8), "easy").notes == ()
