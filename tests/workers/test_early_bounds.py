"""Bounds that are computed while the jobs are simulated are those of the schedule."""

from __future__ import annotations

import pytest

from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers import early_bounds
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec


@pytest.fixture
def asked(monkeypatch):
    """What bounds were computed for: None for all jobs, else how many of a schedule's had ended."""
    found = []

    def counted(*given, jobs=None, **more):
        found.append(None if jobs is None else int((jobs["end"] == jobs["end"]).sum()))
        return lower_bounds(*given, jobs=jobs, **more)

    monkeypatch.setattr(early_bounds, "FEWEST", 1)
    monkeypatch.setattr(early_bounds, "lower_bounds", counted)
    return found


def summary(workload, slug: str, parameters=None, **options):
    found = execute(RunSpec.of(workload, slug, parameters or {}), workload, **options).summary
    return {name: found[name] for name in ("metrics", "bounds", "bound_names")}


def drawn(*steps: str):
    workload = generate("lublin", {"jobs": 300, "load": 0.9}, 3)
    for step in steps:
        workload = convert(workload, step, {}, 1)
    return workload


@pytest.mark.parametrize(
    ("steps", "slug"), [((), "easy"), (("two_tier",), "measy"), (("fractional",), "greedypm*/per/opt=min/minvt=600")]
)
def test_they_are_those_of_the_schedule_bit_for_bit(asked, steps, slug):
    workload = drawn(*steps)

    assert summary(workload, slug) == summary(workload, slug, bounds=lower_bounds)
    assert asked == [None]


def test_of_jobs_that_do_not_fit_none_is_counted(asked):
    workload = drawn().with_(machine={"processors": 40})

    assert summary(workload, "easy") == summary(workload, "easy", bounds=lower_bounds)
    assert asked == [None]


def test_where_jobs_are_cut_at_their_request_the_bounds_are_those_of_what_ran(asked):
    workload = drawn()
    half = {**workload.jobs, "requested": workload.jobs["runtime"] / 2}
    workload = workload.with_(jobs=half)

    found = summary(workload, "easy", {"overrun": "kill"})

    assert found == summary(workload, "easy", {"overrun": "kill"}, bounds=lower_bounds)
    assert found["bounds"] != summary(workload, "easy")["bounds"]
    assert asked[:2] == [None, 300]


@pytest.mark.parametrize(("fewest", "most"), [(301, 2_000_000), (1, 299)])
def test_few_jobs_and_very_many_wait_for_the_schedule(asked, monkeypatch, fewest, most):
    monkeypatch.setattr(early_bounds, "FEWEST", fewest)
    monkeypatch.setattr(early_bounds, "MOST", most)

    summary(drawn(), "easy")

    assert asked == [300]


def test_an_error_of_the_thread_ends_the_run(monkeypatch):
    def refuse(*_, **__):
        raise InvalidWorkload("no bounds today")

    monkeypatch.setattr(early_bounds, "FEWEST", 1)
    monkeypatch.setattr(early_bounds, "lower_bounds", refuse)

    with pytest.raises(InvalidWorkload, match="no bounds today"):
        summary(drawn(), "easy")
