"""The stretches of time in which plans of packed tasks are made: intervals of the program, and of planning on-line."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.families.multitask.packing.instance import instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import needed_ends
from shadowtime.engine.tables import ARRIVALS, INTERVAL, rows

PLACES = {"jobs": 6, "machines": 3, "local": 2, "mean_tasks": 4.0}


@pytest.mark.parametrize(("slug", "epsilon"), [("synchpack-1", 0.5), ("synchpack-2", 1.0)])
def test_bands_are_the_intervals_of_the_program(slug, epsilon):
    workload = generate("multitask", PLACES, 1)
    bands = simulate(workload, slug).bands
    ends = needed_ends(instance_of(workload)[0], epsilon)

    assert bands["end"].tolist() == ends.tolist()
    assert bands["start"].tolist() == [0.0, *ends[:-1].tolist()]
    assert (bands["kind"] == INTERVAL).all() and bands["number"].tolist() == list(range(len(ends)))


@pytest.mark.parametrize("slug", ["synchpack-1", "synchpack-2"])
def test_over_time_each_stretch_of_planning_has_its_own(slug):
    bands = simulate(generate("multitask", {**PLACES, "load": 0.8}, 1), slug).bands
    outer, inner = (np.flatnonzero(bands["kind"] == kind) for kind in (ARRIVALS, INTERVAL))

    assert len(outer) > 1 and bands["number"][outer].tolist() == list(range(len(outer)))
    assert (bands["start"][outer][1:] >= bands["end"][outer][:-1]).all()
    assert (bands["level"][outer] == 0).all() and (bands["level"][inner] == 1).all()
    within = np.searchsorted(bands["start"][outer], bands["start"][inner], side="right") - 1
    assert (bands["end"][inner] <= np.append(bands["start"][outer][1:], np.inf)[within]).all()


@pytest.mark.parametrize("slug", ["synchpack-3", "psrs", "tetris"])
def test_without_a_program_of_intervals_there_are_none(slug):
    assert rows(simulate(generate("multitask", {"jobs": 12, "machines": 3}, 1), slug).bands) == 0
