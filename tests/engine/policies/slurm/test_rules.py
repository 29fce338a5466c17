"""Rules of a site under Slurm where an independent simulator, written from the rules alone, had another answer."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shadowtime.engine import Simulation
from shadowtime.engine.families.rigid.policies.slurm.history import Known, history
from shadowtime.engine.workload.slurm.cluster import Association, Partition
from tests.engine.policies.slurm.test_cases import FAST, cluster, factors, jobs, starts


def test_defer_leaves_the_passes_after_submissions_and_ends():
    """As in the record `relative`: 56 of 100 passes of the main loop had the depth of those."""
    log = jobs([(0, 10, 1), (1, 10, 1), (2, 10, 1)], cluster(nodes=1, cores=1))
    given = {"sched_interval": 60.0, "backfill_loop": False}
    without, with_it = starts(log, **given), starts(log, defer=True, **given)

    assert with_it == without
    assert max(np.diff(without)) < 20


def test_size_relative_to_time_divides_by_the_limit_of_the_job_itself():
    """A partition's MaxTime caps limits in plans: the second job divides by 2 minutes, the third by 4, not by 1."""
    partitions = (Partition("all", np.arange(1), is_default=True), Partition("q", np.arange(1), max_time=60.0))
    site = cluster(nodes=1, cores=1, partitions=partitions)
    log = jobs([(0, 30, 1), (5, 90, 1), (5, 200, 1)], site, partition=["all", "all", "q"])
    found = starts(log, weight_job_size=1000.0, size_relative_to_time=True, backfill_loop=False)

    assert found[1] < found[2]


def test_terms_of_a_priority_are_added_in_the_order_of_the_rule():
    """10/3 + 5/3 - 1 is 4 exactly, and from left to right; 10/3 + (5/3 - 1) is a little less, and its floor is 3."""
    partitions = (
        Partition("all", np.arange(1), is_default=True, job_factor=1),
        Partition("b", np.arange(1), job_factor=3),
    )
    tree = [
        Association("root", usage=30.0),
        *(Association("root", name, 0, 1, use) for name, use in zip("abc", (5.0, 10.0, 15.0), strict=True)),
    ]
    site = cluster(nodes=1, cores=1, partitions=partitions, associations=tuple(tree))
    log = jobs([(0, 300, 1), (5, 60, 1)], site, user=["a", "c"], account=["root"] * 2, nice=[0.0, 1.0])
    given = {**FAST, "weight_fair_share": 10.0, "weight_partition": 5.0, "calc_period": 1e6}
    run = Simulation(log, "slurm", given)
    schedule = run.run()
    known = Known.of(schedule.jobs["start"], schedule.jobs["end"])
    found = history(log, run.parameters, 1, 0, known, 1)

    assert factors(tree) == pytest.approx([1, 2 / 3, 1 / 3])
    assert 10 * Fraction(1, 3) + 5 * Fraction(1, 3) - 1 == 4
    assert found["priority"][0] == 4


def test_a_start_beyond_the_window_is_expected_and_not_reserved():
    log = jobs([(0, 7200, 4), (5, 60, 4)], cluster(nodes=1))
    given = {**FAST, "bf_window": 5.0, "bf_interval": 30.0}
    run = Simulation(log, "slurm", given)
    schedule = run.run()
    found = history(log, run.parameters, 4, 0, Known.of(schedule.jobs["start"], schedule.jobs["end"]), 1)

    assert found["expected"][0] == pytest.approx(schedule.jobs["start"][0] + 7200.0)


def test_before_the_first_usage_a_user_without_shares_has_the_factor_1_too():
    tree = [Association("root"), Association("root", "u", 0, 0), Association("root", "v", 0, 1)]

    assert factors(tree) == [1.0, 1.0]
