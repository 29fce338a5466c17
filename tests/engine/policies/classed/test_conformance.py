"""The five algorithms on classed workloads pass the conformance class, with and without priorities."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.families.classed.site.site import make_site
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.registry import algorithms
from shadowtime.engine.tables import FINISHED, REJECTED
from tests.engine.conformance import EachConforms
from tests.engine.policies.classed.sites import random_classed

CLASSED = [slug for slug, algorithm in algorithms().items() if "classed" in algorithm.kinds]


@pytest.mark.parametrize("algorithm", CLASSED, scope="class")
class TestClassed(EachConforms):
    make_workload = staticmethod(random_classed)

    def test_jobs_wider_than_the_machine_are_rejected_and_the_rest_run(self, workload):
        states = simulate(workload, self.algorithm).jobs["state"]

        # Class 6 has no times at all; a class with times on clusters only is nothing for a sequential scheduler.
        site, width = workload.site, len(workload.site.machines)
        usable = site.experience.mean if self.algorithm == "pjs" else site.experience.mean[:, :width]
        can = np.isfinite(usable).any(axis=1)[workload.jobs["job_class"]]
        assert (states[~can] == REJECTED).all() and not can.all()
        assert (states[can] == FINISHED).all()

    def lonely(self):
        site = make_site(np.full((1, 3), 10.0), np.zeros((1, 0)), [])
        return classed(site, np.zeros(1, int), release=np.array([5.0]))


def test_every_algorithm_of_the_family_is_there():
    assert CLASSED == ["olb", "min-min", "min-max", "sjs", "pjs"]
