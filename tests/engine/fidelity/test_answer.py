"""Whole answers about logs whose policy is known, and what they say where a fit misleads."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.fidelity.answer import assess
from shadowtime.engine.fidelity.evidence import Evidence, evidence
from shadowtime.engine.fidelity.fit import GRIDS, fit
from shadowtime.engine.fidelity.loop import NEVER
from shadowtime.engine.fidelity.model import CLOSED, Values, waits
from shadowtime.engine.fidelity.score import EQUAL, HALVED, NEARER, WORSE
from shadowtime.engine.fidelity.site import as_cluster
from shadowtime.engine.fidelity.split import Part
from shadowtime.engine.metrics.outages import Outage
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.job import Clock, Workload, job_table
from tests.engine.fidelity.made import LANES, jobs, recorded, under


def made_by(values: Values, n: int = 800):
    """Return a log that the quick model with these values recorded."""
    log = jobs(n)
    plain = recorded(log, under(log, "easy"))
    whole = Part(0, 0, n)
    seen = evidence(plain, whole, LANES, CLOSED)
    return recorded(log, log.jobs["release"] + waits(plain, whole, LANES, seen, values))


def test_a_machine_with_fewer_processors_is_found():
    log = jobs(load=0.75)
    answer = assess(recorded(log, under(log, "easy", LANES - 10)), LANES)

    assert answer.verdict == HALVED
    assert answer.fit.steps[0].name == "held_out" and answer.fit.values.held_out == 0.15
    assert answer.model.correlation > 0.9 > answer.easy.correlation


@pytest.mark.parametrize("values", [Values(user_jobs=3), Values(length=2.0), Values(user_share=0.25)])
def test_what_the_model_can_say_is_found(values):
    answer = assess(made_by(values), LANES)

    assert answer.verdict in (HALVED, NEARER)
    assert answer.fit.values == values and answer.model.log_ratio == pytest.approx(0.0, abs=0.2)


def test_another_order_of_the_queue_is_found_better_than_easy():
    log = jobs()
    answer = assess(recorded(log, under(log, "batch:order=sjf")), LANES)

    assert answer.verdict == HALVED and answer.fit.values.length > 0
    assert answer.model.correlation > answer.easy.correlation + 0.1


def test_a_record_of_easy_is_not_fitted():
    log = jobs()
    answer = assess(recorded(log, under(log, "easy")), LANES)

    assert answer.fit.steps == () and answer.fit.values == Values() and answer.verdict == EQUAL
    assert answer.easy.log_ratio == 0.0 and answer.easy.correlation == pytest.approx(1.0)
    assert answer.easy.error == 0.0 and answer.daily.recorded.tolist() == answer.daily.simulated.tolist()


def test_a_site_that_changed_at_the_split_is_answered_with_no():
    log = jobs(load=0.75)
    first, second = under(log, "easy", LANES - 16), under(log, "easy")
    answer = assess(recorded(log, np.where(np.arange(len(log)) < len(log) // 2, first, second)), LANES)

    assert answer.fit.values.held_out > 0 and answer.verdict == WORSE


def test_the_second_half_is_not_looked_at_by_the_fit():
    log = recorded(jobs(), under(jobs(), "batch:order=sjf"))
    half = Part(0, 0, 400)
    changed = {**log.jobs, "recorded_start": log.jobs["recorded_start"] + 1e4 * (np.arange(800) >= 400)}
    found = [
        fit(one, half, LANES, evidence(one, half, LANES, CLOSED)) for one in (log, log.with_(jobs=changed))
    ]  # fmt: skip

    assert found[0] == found[1] and found[0].steps


def test_an_algorithm_is_taken_as_it_is():
    log = recorded(jobs(), under(jobs(), "batch:order=sjf"))
    answer = assess(log, LANES, "sjf")

    assert answer.fit is None and answer.model.correlation > answer.easy.correlation
    assert [one.jobs for one in answer.missed["user"]] and "partition" not in answer.missed


def test_a_fit_is_simulated_as_a_site_under_slurm():
    log = jobs(400, load=0.8)
    answer = assess(recorded(log, under(log, "slurm", LANES - 13)), LANES, "slurm", draws=2, seed=4)

    assert answer.verdict in (HALVED, NEARER) and answer.model.draws == 2 and answer.model.spread > 0
    assert answer.model.jobs == 200 and answer.fit.values.held_out > 0


def test_the_cluster_of_a_fit_has_its_limits_and_names_what_it_lacks():
    log = recorded(jobs(100), under(jobs(100), "easy"))
    seen = evidence(log, Part(0, 0, 50), LANES, CLOSED)
    site, parameters, lacking = as_cluster(log, LANES, seen, Values(held_out=0.25, user_jobs=4, size=60.0, length=1.0))

    assert int(site.cluster.cores.sum()) == 48 == site.machine["processors"]
    assert site.cluster.qos[0].limits.user_jobs == 4 and site.cluster.qos[0].limits.user_cores == np.inf
    assert parameters["weight_job_size"] == 360.0 and parameters["favor_small"]
    assert lacking == ("a head start of short requests",)


@pytest.mark.parametrize("first", [0.0, 600_000.0])
@pytest.mark.parametrize("clock", [None, Clock(1e9)])
def test_down_time_is_where_it_was_whatever_the_log_counts_from(first, clock):
    release = first + np.array([0.0, 110_000.0, 200_000.0])
    table = job_table(release, np.full(3, 10.0), np.ones(3), recorded_start=release, recorded_end=release + 10.0)
    log = Workload("rigid", "log", table, machine={"processors": 4}, clock=clock)
    stop = Outage(first + 100_000.0, first + 150_000.0, 1, 2, 4)
    seen = Evidence([np.full(168, NEVER) for _ in CLOSED], np.zeros(3), [stop])
    site, parameters, _ = as_cluster(log, 4, seen, Values(down_time=True))
    start = simulate(site, "slurm", parameters).jobs["start"]

    assert start - release == pytest.approx([0.0, 40_000.0, 0.0], abs=5.0)


def test_the_first_value_of_each_grid_is_easy():
    assert {name: grid[0] for name, grid in GRIDS.items()} == vars(Values())
    assert Values().as_dict()["user_jobs"] is None and Values().user_share == NEVER
