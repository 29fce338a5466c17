"""What was written is read back exactly."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given

from engine.errors import UnsupportedWorkload
from engine.workload import Clock, Workload, find_sample, generate, job_table, read, write_json, write_swf
from tests.engine.workload.test_instances import TWO_TIER, instance
from tests.strategies import rigid_workloads

WRITERS = [(write_swf, "w.swf"), (write_json, "w.json")]


def written(workload: Workload, write, name: str) -> Workload:
    stream = BytesIO()
    write(workload, stream)
    return read(BytesIO(stream.getvalue()), name)


def same_jobs(one: Workload, two: Workload) -> bool:
    return list(one.jobs) == list(two.jobs) and all(
        np.array_equal(one.jobs[name], two.jobs[name], equal_nan=True) for name in one.jobs
    )


@pytest.mark.parametrize(("write", "name"), WRITERS)
@given(workload=rigid_workloads())
def test_round_trip(write, name, workload):
    again = written(workload, write, name)

    assert same_jobs(again, workload)
    assert again.machine == workload.machine
    assert again.has_estimates == workload.has_estimates


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_round_trip_of_fractions_users_and_dates(write, name):
    jobs = job_table(
        release=np.array([0.1, 1e9 + 0.25]),
        runtime=np.array([1 / 3, 1e11]),
        processors=np.array([1, 2**31 - 1]),
        requested=np.array([np.nan, 0.7]),
        user=np.array([-1, 2**40]),
        job_id=np.array([5, 3]),
    )
    workload = Workload(kind="rigid", name="w", jobs=jobs, clock=Clock(843480031.5, -3600.0, "Europe/Stockholm"))

    again = written(workload, write, name)

    assert same_jobs(again, workload)
    assert again.clock == workload.clock and again.machine == {}


@pytest.mark.parametrize(("write", "name"), WRITERS)
def test_a_generated_workload_survives(write, name):
    workload = generate("lublin", {"jobs": 500}, seed=2)

    assert same_jobs(written(workload, write, name), workload)


def test_json_keeps_weights():
    jobs = job_table(np.zeros(2), np.ones(2), np.ones(2), weight=np.array([0.5, 3.0]))

    assert same_jobs(written(w := Workload(kind="rigid", name="w", jobs=jobs), write_json, "w.json"), w)


def test_swf_fields_of_a_job():
    stream = BytesIO()
    write_swf(find_sample("four").read(), stream)

    lines = stream.getvalue().decode().splitlines()
    assert lines[-4] == "1 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1"
    assert "; MaxProcs: 10" in lines


@pytest.mark.parametrize("write", [write_swf, write_json])
def test_other_kinds_are_refused(write):
    with pytest.raises(UnsupportedWorkload, match=r"holds rigid jobs; file\.json#pair is a two_tier workload"):
        write(instance(TWO_TIER), BytesIO())
