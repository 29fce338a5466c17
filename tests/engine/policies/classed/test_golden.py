"""OLB, min-min, min-max, SJS and PJS against every golden case: schedules, totals, calls and preemptions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.tables import KILL
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files


def golden_cases(*kinds):
    """(path, case, algorithm, expected, tolerance) of every file of these kinds."""
    for kind in kinds:
        for path in golden_files(kind):
            content = json.loads(path.read_text())
            for position, case in enumerate(content["cases"]):
                for slug, expected in case["expected"].items():
                    yield pytest.param(path, str(position), slug, expected, content["tolerance"],
                                       id=f"{path.stem}-{case['name']}-{slug}")  # fmt: skip


def workload_of(path, case):
    with path.open("rb") as stream:
        return read(stream, path.name, case)


def run(path, case, slug):
    """The schedule of a golden case; `sjs_literal_execution` is SJS with the other reading of best."""
    workload = workload_of(path, case)
    literal = slug == "sjs_literal_execution"
    return simulate(workload, *(("sjs", {"best": "execution"}) if literal else (slug.replace("_", "-"), {})))


@pytest.mark.parametrize(
    ("path", "case", "slug", "expected", "tolerance"), list(golden_cases("pjs_static", "pjs_priorities"))
)
def test_schedules_totals_and_calls(path, case, slug, expected, tolerance):
    schedule = run(path, case, slug)
    jobs = schedule.jobs

    assert abs((jobs["end"] - jobs["release"]).sum() - expected["total"]) <= tolerance
    assert schedule.counters["sjs_calls"] == expected.get("sjs_calls", schedule.counters["sjs_calls"])
    for row, end in enumerate(expected.get("ends", [])):
        assert abs(jobs["end"][row] - end) <= tolerance
    for slot in expected.get("schedule", []):
        row = slot["job"] - 1
        assert abs(jobs["start"][row] - slot["start"]) <= tolerance
        assert abs(jobs["end"][row] - slot["end"]) <= tolerance
        assert (jobs["cluster"][row] >= 0) == (slot["kind"] == "cluster")
        assert resource(schedule, row) == slot["resource"] - 1


def resource(schedule, row):
    """The cluster of a job, or its machine, which is the lane of its last rectangle."""
    cluster, machine = int(schedule.jobs["cluster"][row]), int(schedule.jobs["machine"][row])
    mine = np.flatnonzero(schedule.segments["job"] == row)
    assert cluster >= 0 or machine == schedule.segments["first"][mine[np.argmax(schedule.segments["end"][mine])]]
    return cluster if cluster >= 0 else machine


@pytest.mark.parametrize(("path", "case", "slug", "expected", "tolerance"), list(golden_cases("pjs_online")))
def test_preemptive_priorities(path, case, slug, expected, tolerance):
    schedule = run(path, case, slug)
    jobs, events = schedule.jobs, schedule.events
    killed = events["kind"] == KILL

    assert np.abs(jobs["end"] - jobs["executed"] - expected["starts"]).max() <= tolerance
    assert np.abs(jobs["end"] - expected["ends"]).max() <= tolerance
    assert abs((jobs["end"] - jobs["release"]).sum() - expected["total"]) <= tolerance
    assert [resource(schedule, row) + 1 for row in range(len(jobs["end"]))] == [
        r["resource"] for r in expected["resource"]
    ]
    assert [(jobs["cluster"][row] >= 0) for row in range(len(jobs["end"]))] == [
        r["kind"] == "cluster" for r in expected["resource"]
    ]
    assert list(zip(events["time"][killed], events["job"][killed] + 1, strict=True)) == [
        (time, job) for time, job in expected["preemptions"]
    ]
    said = summarize(schedule, workload_of(path, case), Platform(processors=schedule.lanes))
    assert said["kills"] == said["preemptions"] == len(expected["preemptions"])


@pytest.mark.parametrize(
    ("path", "expected", "tolerance"),
    [
        pytest.param(path, row, json.loads(path.read_text())["tolerance"], id=f"{path.stem}-{row['jobs']}")
        for path in golden_files("pjs_site")
        for row in json.loads(path.read_text())["expected_by_jobs"]
    ],
)
def test_totals_of_a_site(path, expected, tolerance):
    for slug in ("olb", "sjs", "pjs"):
        schedule = run(path, str(expected["jobs"]), slug)
        assert abs(schedule.jobs["end"].sum() - expected[slug]) <= tolerance
    assert schedule.counters["sjs_calls"] == expected["sjs_calls"]
    assert (schedule.jobs["cluster"] >= 0).sum() == expected["parallel_jobs"]
