"""Every registered algorithm that takes multitask workloads: feasible, repeatable, in slices, on-line and off."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Simulation, simulate
from shadowtime.engine.registry import algorithms
from shadowtime.engine.tables import REJECTED
from shadowtime.engine.workload.generators.generate import generate
from tests.engine.packed import check_packed

PACKED = [slug for slug, algorithm in algorithms().items() if "multitask" in algorithm.kinds]
STAYS = {"synchpack-2", "tetris", "jsq-mw"}
"""Algorithms that never take a task off."""


def workload_for(slug: str, seed: int, load: float = 0.0):
    places = {} if algorithms()[slug].one_machine else {"local": 2, "remote": 1}
    return generate("multitask", {"jobs": 12, "machines": 4, "mean_tasks": 4.0, "load": load, **places}, seed)


@pytest.mark.parametrize("slug", PACKED)
class TestPacked:
    @pytest.mark.parametrize("load", [0.0, 0.9])
    @pytest.mark.parametrize("seed", range(3))
    def test_capacity_machines_and_work(self, slug, seed, load):
        workload = workload_for(slug, seed, load)
        schedule = simulate(workload, slug)

        check_packed(schedule, workload, preemptive=slug not in STAYS, migratory=algorithms()[slug].migrates)

    def test_a_job_that_fits_nowhere_is_rejected_and_the_rest_run(self, slug):
        workload = workload_for(slug, 5)
        size = workload.parts["size"].copy()
        size[workload.parts["first"][3]] = 1.5
        workload = workload.with_(parts={**workload.parts, "size": size})
        schedule = simulate(workload, slug)

        assert np.flatnonzero(schedule.jobs["state"] == REJECTED).tolist() == [3]
        check_packed(schedule, workload)

    @pytest.mark.parametrize("watched", [False, True])
    def test_the_same_question_twice_and_in_slices(self, slug, watched):
        workload = workload_for(slug, 6, 0.9)
        one, two = simulate(workload, slug, seed=3), Simulation(workload, slug, seed=3)
        pieces = list(two.slices(budget=7, seconds=1e-9 if watched else None))

        assert pieces[-1].jobs_done == len(workload) and len(pieces) > 1 + 2 * (not watched)
        assert sum(len(piece.segments["task"]) for piece in pieces) == len(one.segments["task"])
        for name in ("jobs", "segments", "events", "series"):
            for column, values in getattr(one, name).items():
                assert np.array_equal(values, getattr(two.schedule(), name)[column], equal_nan=values.dtype.kind == "f")

    def test_shifting_time_shifts_the_schedule(self, slug):
        workload = workload_for(slug, 7, 0.9)
        later = workload.with_(jobs={**workload.jobs, "release": workload.jobs["release"] + 1024.0})

        assert np.allclose(simulate(workload, slug).jobs["end"] + 1024.0, simulate(later, slug).jobs["end"], rtol=1e-9)
