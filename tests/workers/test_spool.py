"""Runs whose rectangles and events go to disk while they are simulated."""

from __future__ import annotations

import shutil
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine import tables
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import EVENTS, SEGMENTS, rows
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.execute import execute
from shadowtime.workers.forecast import Forecast
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool, row_bytes
from shadowtime.workers.store import open_store
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES

ALL = (*TABLES, *EXTRA_TABLES)
DFRS = "greedypm*/per/opt=min/minvt=600"


def uniform(kind=None, jobs=150):
    workload = generate("uniform", {"jobs": jobs, "processors": 16, "load": 0.9}, 1)
    return convert(workload, kind, None, 1) if kind else workload


QUESTIONS = {
    "rigid": (lambda: uniform(), "easy"),
    "two_tier": (lambda: uniform("two_tier"), "measy"),
    "one_tier": (lambda: uniform("two_tier"), "easy"),
    "fractional": (lambda: generate("fractional", {"jobs": 60}, 1), DFRS),
    "whole_nodes": (lambda: generate("fractional", {"jobs": 60}, 1), "easy"),
    "moldable": (lambda: generate("moldable", {"jobs": 40}, 1), "demt"),
    "multitask": (lambda: generate("multitask", {"jobs": 30}, 1), "synchpack-3"),
    "preempted_tasks": (lambda: generate("multitask", {"jobs": 30}, 1), "tetris-p"),
    "classed": (lambda: generate("classed", {"jobs": 40}, 1), "pjs"),
}


@pytest.fixture
def spool(tmp_path):
    with FileSpool(tmp_path / "spool", rows=13) as spool:
        yield spool


@pytest.fixture
def full(monkeypatch):
    """A disk on which nothing is free."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))


def assert_same_bits(schedule, other, names=ALL):
    for name in names:
        table, expected = getattr(schedule, name), getattr(other, name)
        assert list(table) == list(expected), name
        for column, values in expected.items():
            assert table[column].dtype == values.dtype, (name, column)
            assert table[column].tobytes() == values.tobytes(), (name, column)


@pytest.mark.parametrize("family", QUESTIONS)
def test_a_spilled_run_has_the_same_tables_metrics_and_bounds(family, spool, monkeypatch):
    make, algorithm = QUESTIONS[family]
    workload = make()
    spec = RunSpec.of(workload, algorithm)
    held = execute(spec, workload)
    monkeypatch.setattr(tables, "PART", 7)

    spilled = execute(spec, workload, spool=spool)

    assert spool.written > (row_bytes(SEGMENTS) * rows(held.schedule.segments)) > 0
    assert_same_bits(spilled.schedule, held.schedule)
    for name in ("metrics", "bounds", "bound_names", "intervals", "counters", "report"):
        assert spilled.summary[name] == held.summary[name], name


def test_a_run_that_can_be_held_writes_nothing(tmp_path):
    workload = uniform()
    spool = FileSpool(tmp_path / "spool")

    execute(RunSpec.of(workload, "easy"), workload, spool=spool)

    assert not spool.folder.exists() and spool.written == 0


def test_a_spilled_run_is_stored_whole_and_its_spool_removed(tmp_path):
    workload = uniform()
    spec = RunSpec.of(workload, "easy")
    expected = execute(spec, workload).schedule
    store = open_store(tmp_path)
    store.runs.accept(spec, jobs=len(workload))
    attempt = store.runs.begin(spec.digest).attempt

    with store.runs.spool(spec.digest) as spool:
        spool.rows = 13
        outcome = execute(spec, workload, spool=spool)
        column = spool.folder / "segments" / "start.npy"
        assert column.exists()
        assert store.runs.finish(spec.digest, attempt, vars_of(outcome.schedule), outcome.summary)

    run = store.runs.get(spec.digest)
    assert_same_bits(SimpleNamespace(**{name: run.table(name) for name in TABLES}), expected, TABLES)
    assert not column.exists()
    assert store.runs.verify(spec.digest).is_finished


def test_an_attempt_that_was_lost_leaves_the_spool_of_the_next_alone(tmp_path):
    workload = uniform()
    spec = RunSpec.of(workload, "easy")
    store = open_store(tmp_path)
    with store.runs.spool(spec.digest) as second:
        second.rows = 13
        with store.runs.spool(spec.digest) as first:
            first.rows = 13
            execute(spec, workload, spool=first)
        assert not first.folder.exists()
        execute(spec, workload, spool=second)
        assert (second.folder / "segments" / "start.npy").exists()


def test_part_of_a_spooled_column_is_stored_as_that_part(tmp_path):
    workload = uniform()
    spec = RunSpec.of(workload, "easy")
    store = open_store(tmp_path)
    with FileSpool(tmp_path / "spool", rows=13) as spool:
        outcome = execute(spec, workload, spool=spool)
        found = vars_of(outcome.schedule)
        found["segments"] = tables.take(found["segments"], slice(5, 9))
        store.runs.keep([(spec, found, outcome.summary)])

    kept = store.runs.get(spec.digest).table("segments")
    assert kept["start"].tolist() == outcome.schedule.segments["start"][5:9].tolist()


@pytest.mark.parametrize("end", ["finish", "fail", "requeue"])
def test_what_a_run_spilled_is_removed_however_it_ends(end, tmp_path):
    workload = uniform()
    spec = RunSpec.of(workload, "easy")
    store = open_store(tmp_path)
    store.runs.accept(spec, jobs=len(workload))
    attempt = store.runs.begin(spec.digest).attempt
    spool = store.runs.spool(spec.digest)  # its process dies before it removes anything
    spool.rows = 13
    outcome = execute(spec, workload, spool=spool)
    assert spool.folder.is_dir()

    match end:
        case "finish":
            store.runs.finish(spec.digest, attempt, vars_of(outcome.schedule), outcome.summary)
        case "fail":
            store.runs.fail(spec.digest, "lost", attempt)
        case "requeue":
            store.runs.requeue(spec.digest, attempt, "lost")

    assert not spool.folder.exists()


def test_tables_and_metrics_need_memory_that_does_not_grow_with_the_run(tmp_path, monkeypatch):
    workload = generate("fractional", {"jobs": 1000}, 1)
    monkeypatch.setattr(tables, "PART", 2_000)

    def peak(spool):
        run = Simulation(workload, DFRS, sink=spool)
        for _ in run.slices():
            pass
        tracemalloc.start()
        schedule = run.schedule()
        summarize(schedule, workload, run.platform)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak, schedule

    in_memory, schedule = peak(None)
    with FileSpool(tmp_path / "spool", rows=2_000) as spool:
        on_disk, _ = peak(spool)

    written = rows(schedule.segments) * row_bytes(SEGMENTS) + rows(schedule.events) * row_bytes(EVENTS)
    assert in_memory > written
    assert on_disk < written / 2


@pytest.mark.parametrize("family", QUESTIONS)
@pytest.mark.parametrize("most", [0, 10])
def test_without_room_or_above_the_limit_only_the_rectangles_are_lost(family, most, spool, monkeypatch, request):
    if not most:
        request.getfixturevalue("full")
    make, algorithm = QUESTIONS[family]
    workload = make()
    spec = RunSpec.of(workload, algorithm)
    held = execute(spec, workload)
    monkeypatch.setattr(tables, "PART", 50)
    began = Simulation.slices
    monkeypatch.setattr(Simulation, "slices", lambda run, budget=20, seconds=None: began(run, budget, seconds))

    found = execute(spec, workload, spool=spool, most_segments=most)

    assert rows(found.schedule.segments) == 0 < rows(held.schedule.segments)
    assert list(found.schedule.segments) == list(held.schedule.segments)
    assert_same_bits(found.schedule, held.schedule, ("jobs", "events", "rates", "bands"))
    for name, column in held.schedule.series.items():
        np.testing.assert_allclose(found.schedule.series[name], column, atol=1e-8, err_msg=name)
    assert found.summary["metrics"] == pytest.approx(held.summary["metrics"], rel=1e-9)
    assert found.summary["bounds"] == held.summary["bounds"]
    assert [*held.summary["report"], found.schedule.dropped] == found.summary["report"]
    why = "they are more than 10, the limit here." if most else "were forecast when"
    assert found.schedule.dropped.startswith("Rectangles are not kept: ") and why in found.schedule.dropped
    assert not list(spool.folder.glob("segments*"))


def piece_of(segments, events, done, jobs=100):
    return SimpleNamespace(
        segments=tables.empty(SEGMENTS, segments), events=tables.empty(EVENTS, events), jobs_done=done, jobs=jobs
    )


def test_the_forecast_says_how_many_and_what_the_limit_is(tmp_path, monkeypatch):
    spool = FileSpool(tmp_path / "spool", rows=10)
    spool.written = 1
    free = 1_000_000
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    forecast = Forecast(spool)

    assert forecast.hear(piece_of(10_000, 0, 5)) == "", "380 kB written, as much again to merge"
    assert forecast.hear(piece_of(0, 0, 9)) == "", "too early to say what comes"
    said = forecast.hear(piece_of(0, 0, 25))

    assert said.startswith("Rectangles are not kept: 40,000 were forecast when 25% of the jobs had ended, which need ")
    assert forecast.needed(spool, 4.0) == 10_000 * 38 * (2 * 4 - 1) + 10 * (38 + 26)
    assert Forecast(spool, is_live=True).needed(spool) == forecast.needed(spool) - 10_000 * 38
    assert forecast.hear(piece_of(0, 0, 30)) == "", "it is said once"


def test_nothing_is_forecast_before_anything_is_spilled(tmp_path, full):
    assert Forecast(FileSpool(tmp_path / "spool")).hear(piece_of(10_000, 0, 50)) == ""


def vars_of(schedule: Schedule):
    return {name: getattr(schedule, name) for name in ALL}
