"""The example of the first page: what it shows is what the engine computes, also without compiled code."""

from __future__ import annotations

import io

import pytest

from shadowtime.dashboard.components.empty import mean_wait
from shadowtime.dashboard.pages import new
from shadowtime.dashboard.sharing import example
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.reading import read
from shadowtime.workers.interpreted import Interpreter
from shadowtime.workers.settings import Settings, environment_of
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.dashboard.reading import said


@pytest.fixture
def workload():
    return read(io.BytesIO(example.swf()), example.NAME)


@pytest.mark.parametrize("slug", example.ALGORITHMS)
def test_the_picture_is_the_schedule(workload, slug):
    schedule = simulate(workload, slug)
    table = schedule.segments
    shown = [
        (int(job), int(first), int(last), int(start) // example.MINUTE, int(end) // example.MINUTE)
        for job, first, last, start, end in zip(
            schedule.jobs["job_id"][table["job"]],
            *(table[name] for name in ("first", "last", "start", "end")),
            strict=True,
        )
    ]

    assert tuple(shown) == example.SCHEDULES[slug]
    assert mean_wait(slug) == pytest.approx(float((schedule.jobs["start"] - schedule.jobs["release"]).mean()))


def test_runs_without_compiled_code_have_the_same_tables(tmp_path, workload):
    settings = Settings(store=tmp_path / "store", redis_url="redis://127.0.0.1:7299/0")
    store = open_store(settings.store)
    store.workloads.add(io.BytesIO(example.swf()), example.NAME)
    specs = [RunSpec.of(workload, slug) for slug in example.ALGORITHMS]
    for spec in specs:
        store.runs.accept(spec, jobs=len(workload))
    interpreter = Interpreter(environment_of(settings))
    try:
        interpreter.prepare()
        assert interpreter.execute([spec.digest for spec in specs])
    finally:
        interpreter.close()

    for spec, slug in zip(specs, example.ALGORITHMS, strict=True):
        found, compiled = store.runs.get(spec.digest).table("jobs"), simulate(workload, slug).jobs
        for name in ("job_id", "start", "end"):
            assert found[name].tolist() == compiled[name].tolist()


def test_the_first_page_shows_it_until_there_is_a_run(lab, four, finish):
    assert "Run the example" in said(new.layout(lab, "", {}).children)
    finish(four, "easy")
    assert "Run the example" not in said(new.layout(lab, "", {}).children)
