"""What the New-run page shows of a workload before anything ran."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest

from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock, Workload, job_table
from shadowtime.engine.workload.preview import losses_first, preview
from shadowtime.engine.workload.samples import find_sample
from tests.engine.workload.test_instances import FRACTIONAL, instance

FOUR = find_sample("four").read()


def test_facts_of_the_four_jobs():
    shown = preview(FOUR, 8)

    assert shown["facts"] == {
        "jobs": 4, "first_submit": 0.0, "last_submit": 3.0, "span": 3.0, "lanes": 8,
        "offered_load": 4900 / 24, "serial_share": 0.0, "largest_job": 10, "longest_runtime": 1000.0,
        "users": None, "estimates": True, "rejected": 1,
    }  # fmt: skip
    assert shown["report"][-1] == "1 job needs more than 8 processors and will be rejected."
    assert preview(FOUR)["report"] == ["4 records, 4 jobs kept."]


def test_sizes_by_powers_of_two_and_runtimes_by_doubling():
    shown = preview(FOUR)

    assert shown["processors"] == {"labels": ["1", "2", "3-4", "5-8", "9-16"], "counts": [0, 0, 2, 1, 1]}
    assert shown["runtimes"]["edges"][-1] == 1024 and len(shown["runtimes"]["edges"]) == 12
    assert [shown["runtimes"]["counts"][i] for i in (4, 6, 7, 10)] == [1, 1, 1, 1]


@pytest.mark.parametrize(("runtime", "bin"), [(0.2, 0), (0.999, 0), (1, 1), (1.99, 1), (2, 2), (1024, 11), (1025, 11)])
def test_edges_of_the_runtimes(runtime, bin):
    jobs = job_table(np.zeros(1), np.array([runtime]), np.ones(1))
    shown = preview(Workload(kind="rigid", name="w", jobs=jobs))["runtimes"]

    assert shown["counts"] == [0] * bin + [1]
    assert shown["edges"][bin] <= runtime < shown["edges"][bin + 1]


def test_hours_by_the_sites_clock():
    jobs = job_table(np.array([0.0, 1800.0, 86_400.0]), np.ones(3), np.ones(3))
    here = Workload(kind="rigid", name="w", jobs=jobs)
    there = here.with_(clock=Clock(unix_start=86_400.0 * 365, utc_offset=-1800.0))

    assert np.flatnonzero(preview(here)["hours"]["counts"]).tolist() == [0]
    assert [preview(there)["hours"]["counts"][hour] for hour in (23, 0)] == [2, 1]


def test_hours_in_summer_time():
    """11:00 UTC of 1 January and of 1 July 2009 is 12:00 and 13:00 in Stockholm."""
    dates = [datetime(2009, month, 1, 11, tzinfo=UTC).timestamp() for month in (1, 7)]
    jobs = job_table(np.array(dates) - dates[0], np.ones(2), np.ones(2))
    site = Workload(kind="rigid", name="w", jobs=jobs, clock=Clock(dates[0], 3600.0, "Europe/Stockholm"))

    assert np.flatnonzero(preview(site)["hours"]["counts"]).tolist() == [12, 13]


@pytest.mark.parametrize("workload", [FOUR, instance(FRACTIONAL, "a"), generate("lublin", {"jobs": 300})], ids=repr)
def test_plain_json_with_every_job_counted(workload):
    shown = preview(workload)

    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert {sum(shown[name]["counts"]) for name in ("hours", "processors", "runtimes")} == {len(workload)}


def test_tasks_that_may_share_a_node_are_not_rejected_beforehand():
    assert preview(instance(FRACTIONAL, "a"), 1)["facts"]["rejected"] is None


def test_a_report_says_first_what_was_left_out():
    report = ["57 jobs of sacct, 54 kept.", "1 limit UNLIMITED.", "3 jobs were left out.", "Outcomes."]

    assert losses_first(report) == [report[0], report[2], report[1], report[3]]
    assert losses_first([]) == []
