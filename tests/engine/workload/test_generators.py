"""The registry of generators, what every generator owes, and the uniform one."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter, UnknownName
from shadowtime.engine.families.family import Family
from shadowtime.engine.registry import families, find_generator, generators, register_family
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import COLUMNS, Workload, job_table
from shadowtime.engine.workload.offered import offered_load


@pytest.mark.parametrize("slug", generators())
class TestEveryGenerator:
    def test_it_says_what_it_is(self, slug):
        generator = find_generator(slug.upper())

        assert generator.slug == slug and generator.title and generator.summary.endswith(".") and generator.source
        assert generator.kind in families()
        assert generator.parameters[0].name == "jobs"
        assert all(p.text.endswith(".") and p.default is not None for p in generator.parameters)

    def test_it_draws_a_workload_of_its_kind(self, slug):
        workload = generate(slug, {"jobs": 40}, seed=3)

        assert workload.kind == find_generator(slug).kind
        assert list(workload.jobs)[: len(COLUMNS)] == list(COLUMNS)
        assert len(workload) == 40 and workload.report[0] == "40 jobs drawn."
        lanes = workload.machine.get("processors", workload.machine.get("nodes"))
        assert lanes >= workload.jobs["processors"].max() or workload.kind == "multitask"  # tasks share a machine
        assert (np.diff(workload.jobs["release"]) >= 0).all()

    def test_its_parameters_are_checked(self, slug):
        for wrong in ({"jobs": 0}, {"jobs": "many"}, {"jobs": 10**9}, {"knots": 4}, {"seed": -1}, {"seed": "x"}):
            with pytest.raises(InvalidParameter, match=slug):
                generate(slug, wrong)


def test_an_unknown_generator():
    with pytest.raises(
        UnknownName,
        match=r"unknown generator .lubin.; known: classed, .*, lublin, .*, uniform",
    ):
        generate("lubin")


def test_two_generators_cannot_share_a_slug():
    class Second(Family):
        name = "second"
        generators = (find_generator("lublin"),)

    with pytest.raises(ValueError, match="there is a generator 'lublin' already"):
        register_family(Second())
    assert "second" not in families()


def test_uniform_jobs_stay_within_their_ranges():
    jobs = generate("uniform", {
        "jobs": 5000, "processors": 32, "min_processors": 2, "max_processors": 8,
        "min_runtime": 100, "max_runtime": 200, "max_estimate": 1.5, "load": 0.5,
    }).jobs  # fmt: skip

    assert sorted(set(jobs["processors"].tolist())) == list(range(2, 9))
    assert jobs["runtime"].min() >= 100 and jobs["runtime"].max() <= 200
    assert (jobs["requested"] >= jobs["runtime"]).all()
    assert (jobs["requested"] <= 1.5 * jobs["runtime"] + 1).all()
    assert offered_load(jobs, 32) == pytest.approx(0.5, rel=1e-3)
    assert jobs["release"][0] == 0


def test_uniform_ranges_must_not_be_empty():
    with pytest.raises(InvalidParameter, match="min_processors = 9 is above max_processors = 8"):
        generate("uniform", {"min_processors": 9, "max_processors": 8})
    with pytest.raises(InvalidParameter, match="min_processors = 9 is above processors = 4"):
        generate("uniform", {"min_processors": 9, "processors": 4})
    with pytest.raises(InvalidParameter, match="min_runtime = 60 is above max_runtime = 5"):
        generate("uniform", {"max_runtime": 5})
    with pytest.raises(InvalidParameter, match="max_processors = 9 is above processors = 4"):
        generate("uniform", {"max_processors": 9, "processors": 4})


def test_a_load_is_reached_from_epoch_seconds():
    table = job_table(1.7e9 + np.array([0.0, 1000.0, 5000.0]), np.full(3, 1000.0), np.full(3, 4))
    log = Workload("rigid", "log", table, machine={"processors": 4})
    gaps = np.diff(convert(log, "load", {"rho": 0.001}).jobs["release"])
    early = log.with_(jobs={**table, "release": table["release"] - 1.7e9})

    assert gaps == pytest.approx(np.diff(convert(early, "load", {"rho": 0.001}).jobs["release"]), rel=1e-12)


def test_a_load_next_to_nothing_is_refused():
    with pytest.raises(InvalidParameter, match="would spread the jobs over more than"):
        generate("uniform", {"load": 1e-12})
