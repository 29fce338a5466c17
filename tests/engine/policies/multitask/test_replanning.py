"""Jobs that arrive over time: SynchPack plans again at boundaries with arrivals, or at all of them."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.multitask.policies.online import after_arrivals, at_every_interval
from shadowtime.engine.families.multitask.workload import assemble
from shadowtime.engine.registry import find
from shadowtime.engine.tables import ARRIVALS
from tests.engine.packed import check_packed

INTERVALS = {"interval": 10.0, "growth": 4.0, "decay": 1.0}


def test_intervals_grow_to_their_length():
    release = np.array([0.0, 35.0])
    lengths = [b - a for a, b in pairwise(islice(at_every_interval(release, INTERVALS), 40))]

    assert lengths[0] == 2.0 and lengths == sorted(lengths) and lengths[-1] == pytest.approx(10.0)


def test_boundaries_without_arrivals_are_planned_only_in_the_papers_way():
    release = np.array([0.0, 35.0])
    planned = list(after_arrivals(release, INTERVALS))
    every = list(islice(at_every_interval(release, INTERVALS), 10))

    assert len(planned) == 2 and planned[0] == 0.0 and planned[1] >= 35.0
    assert planned[1] == min(at for at in every if at >= 35.0) and every.index(planned[1]) > 1


@pytest.mark.parametrize("slug", ["synchpack-1", "synchpack-2", "synchpack-3"])
def test_short_tasks_late_in_a_plan_are_no_rounding(slug):
    """Two of 2 ms, 30 days in; a billionth of that is 3 ms."""
    late = 2_600_000.0
    asked = assemble(
        np.array([0.0, late, late]), np.ones(3), np.ones(3, "i8"), np.ones(3), np.ones(3, "i8"), np.zeros(3, "i8"),
        np.array([1.0, 0.002, 0.002]), np.ones(1),
    )  # fmt: skip
    schedule = simulate(asked, slug)

    check_packed(schedule, asked)
    assert np.ptp(schedule.jobs["end"][1:]) == pytest.approx(0.002, rel=1e-3)


def test_a_tiny_interval_still_advances():
    found = list(islice(at_every_interval(np.array([0.0, 1e-9]), {**INTERVALS, "interval": 0.0}), 3))

    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize("name", ["interval", "decay"])
def test_an_interval_or_decay_that_is_too_small_is_refused(name):
    with pytest.raises(InvalidParameter, match=f"{name} = 1e-09, but it must be 0 or at least 0.001"):
        next(after_arrivals(np.array([0.0, 9.0]), {**INTERVALS, name: 1e-9}))


@pytest.mark.parametrize(("growth", "decay"), [(50.0, 0.01), (50.0, 0.1), (0.0, 3.0), (50.0, 0.0), (1e6, 1.0)])
def test_boundaries_after_a_long_gap_are_those_of_all_intervals(growth, decay):
    release = np.array([0.0, 1e5])
    given = {"interval": 100.0, "growth": growth, "decay": decay}
    expected = next(at for at in at_every_interval(release, given) if at >= 1e5 - 1e-6)

    assert list(after_arrivals(release, given)) == [0.0, pytest.approx(expected, abs=1e-6)]


@pytest.mark.parametrize(("slug", "places"), [("synchpack-1", 2), ("synchpack-2", 2), ("synchpack-3", 1)])
def test_every_interval_is_planned_until_all_work_is_done(slug, places):
    workload = generate("multitask", {"jobs": 14, "machines": 3, "local": places, "load": 2.0, "mean_tasks": 4.0}, 3)
    given = {"interval": 60.0}
    few = simulate(workload, slug, given)
    many = simulate(workload, slug, {**given, "replan": "intervals"})
    periods = [int((run.bands["kind"] == ARRIVALS).sum()) for run in (few, many)]

    check_packed(many, workload, preemptive=slug != "synchpack-2", migratory=slug == "synchpack-1")
    assert many.finished == len(workload) and (many.jobs["start"] >= many.jobs["release"]).all()
    assert periods[1] > periods[0]


def test_the_default_is_left_out_of_a_runs_values():
    entry = find("synchpack-3")

    assert entry.defaults["replan"] == "arrivals"
    assert "replan" not in entry.resolve({"replan": "arrivals"}, "multitask")
    assert entry.resolve({"replan": "intervals"}, "multitask")["replan"] == "intervals"
