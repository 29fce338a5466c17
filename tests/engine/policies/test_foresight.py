"""Every registered algorithm: what is not yet known at an instant changes nothing before it.

Without foresight nothing of true times enters before a job ends; with true times (clairvoyant), still nothing of jobs
before they are released. Algorithms that are off-line by their registered property are exempt.
"""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import generate
from shadowtime.engine.registry import algorithms
from shadowtime.engine.runner.makers import Compiled, load
from shadowtime.engine.workload.conversions.convert import convert
from tests.engine.conformance import random_rigid
from tests.engine.foresight import check_foresight, deviating
from tests.engine.policies.classed.sites import random_classed
from tests.engine.policies.fractional.test_conformance import random_fractional


def multitask(seed: int, slug: str):
    places = {} if algorithms()[slug].one_machine else {"local": 2, "remote": 1, "remote_factor": 3}
    return generate("multitask", {"jobs": 14, "machines": 4, "mean_tasks": 4, "load": 1.2, **places}, seed)


WORKLOADS = {
    "rigid": lambda seed, slug: random_rigid(seed),
    "fractional": lambda seed, slug: random_fractional(seed),
    "two_tier": lambda seed, slug: convert(random_rigid(seed), "two_tier", None, seed),
    "moldable": lambda seed, slug: convert(random_rigid(seed, 20), "moldable", None, seed),
    "multitask": multitask,
    "classed": lambda seed, slug: deviating(random_classed(seed), seed),
}
DECIDING = {slug: entry for slug, entry in algorithms(variants=True).items() if entry.online and not entry.needs_record}
"""Algorithms that decide; others repeat what a log recorded."""
ALL = [(slug, kind) for slug, entry in DECIDING.items() for kind in entry.kinds]


@pytest.mark.parametrize(("slug", "kind"), ALL)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_not_yet_known_changes_nothing(slug, kind, seed):
    entry = algorithms(variants=True)[slug]
    check_foresight(WORKLOADS[kind](seed, slug), lambda: slug, clairvoyant=entry.clairvoyant, seed=seed)


class Cheat:
    """Starts what fits, in order of a key that no policy may know."""

    def decide(self, desk):
        for job in sorted(desk.waiting, key=lambda job: self.key(desk, job)):
            free = desk.free_lanes()
            if desk.size(job) <= len(free):
                desk.place(job, free[: desk.size(job)])


class SeesTrueTimes(Cheat):
    """The shortest true time first."""

    def key(self, desk, job):
        return float(desk._s.u[job]["runtime"])


class SeesFutureReleases(Cheat):
    """The wide or the narrow ones first, by the next release."""

    def key(self, desk, job):
        coming = np.asarray(desk._s.u["release"])[int(desk._s.k[0]["next_release"]) :]
        return desk.size(job) * np.cos(50.0 * coming[0] if len(coming) else 0.0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("cheat", [SeesTrueTimes, SeesFutureReleases])
def test_a_policy_that_sees_the_future_is_caught(cheat, seed):
    with pytest.raises(AssertionError, match="at "):
        check_foresight(random_rigid(seed), cheat, clairvoyant=False)


def test_a_policy_that_is_told_true_times_may_use_them_but_not_those_of_jobs_to_come():
    check_foresight(random_rigid(0), SeesTrueTimes, clairvoyant=True)
    with pytest.raises(AssertionError, match="at "):
        check_foresight(random_rigid(0), SeesFutureReleases, clairvoyant=True)


@pytest.mark.parametrize("slug", [slug for slug, entry in algorithms().items() if not entry.online])
def test_an_algorithm_is_registered_as_offline_for_a_reason(slug):
    with pytest.raises(AssertionError, match="at "):
        check_foresight(multitask(1, slug), lambda: slug, clairvoyant=True)


@pytest.mark.parametrize("slug", [slug for slug, entry in algorithms().items() if isinstance(entry.runner, Compiled)])
def test_a_memory_is_made_of_what_may_be_known(slug):
    entry = algorithms()[slug]
    workload = WORKLOADS[entry.kinds[0]](0, slug)
    seen = load(entry.runner.view)(workload)
    true_times = {"runtime", "volume", "time"} & (seen.jobs.keys() | seen.parts.keys())

    assert bool(true_times) == entry.clairvoyant
    assert len(seen) == len(workload)
