"""Compiled code: what is missing on this machine, forecasts that count it, and small runs that need none."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import time
from datetime import datetime
from importlib import import_module
from pathlib import Path

import pytest

from shadowtime.engine.kernel import code
from shadowtime.engine.registry import algorithms, find
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.samples import samples
from shadowtime.workers import compiling, estimates, small, submit, tasks
from shadowtime.workers.compiling import COMMON, Start
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """An empty cache of compiled code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def keep(cache: Path, module: str, function: str) -> None:
    """Leave what numba leaves of a function that was compiled."""
    path = code.ENGINE.joinpath(*module.split("."))
    place = cache / f"{path.parent.name}_{hashlib.sha1(str(path.parent).encode()).hexdigest()}"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{path.name}.{function}-7.py311.nbi").write_bytes(b"index")


def test_a_cold_machine_compiles_the_common_family_first(cold):
    assert [part.name for part in compiling.missing()] == ["FCFS", "EASY", "large tables", "reading logs"]
    assert compiling.start() == Start(0, 4, sum(part.seconds for part in COMMON))
    keep(cold, "bounds.cut_repair", "outline")

    assert compiling.start() == Start(1, 4, sum(part.seconds for part in COMMON[1:]))


def test_numba_keeps_code_where_it_is_looked_for():
    from shadowtime.workers import warm

    warm.load("fcfs")
    warm.load("easy")

    assert all(map(code.is_kept, find("easy").runner.code({})))
    assert not {"FCFS", "EASY"} & {part.name for part in compiling.missing()}


def test_forecasts_count_what_an_algorithm_compiles_first(cold, tmp_path):
    store = open_store(tmp_path / "store")
    first = estimates.expected_seconds(store, "conservative", 1000)
    keep(cold, "kernel.loop", "advance")
    later = estimates.expected_seconds(store, "conservative", 1000)
    keep(cold, "families.rigid.policies.backfilling.conservative", "run_conservative")
    compiled = estimates.expected_seconds(store, "conservative", 1000)

    assert (first, later) == (compiled + 26.0, compiled + 10.0)
    assert compiled < 1.0
    assert estimates.expected_seconds(store, "slack", 1000) == compiled + 10.0, "code of its own"
    assert estimates.expected_seconds(store, "slack", small.JOBS) < 1.0, "a small run needs none"


def test_every_algorithm_names_its_code(cold):
    for slug, entry in algorithms(variants=True).items():
        assert entry.runner.code(entry.defaults), slug
        assert compiling.seconds(slug, 1000) > 0.0


def test_every_sample_is_small_under_what_needs_no_planner():
    for sample in samples().values():
        workload = sample.read()
        assert [slug for slug in ("fcfs", "easy", "measy", "pjs", "olb") if small.is_small(workload, slug)]
    assert not small.is_small(generate("lublin", {"jobs": 33}, 1), "easy")
    assert not small.is_small(samples()["four"].read(), "easy", {"processors": 4096})


def test_a_worker_starts_without_compiled_code():
    """It forks small runs that never import numba; its own import takes half as long."""
    asked = "import sys, shadowtime.workers.worker; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)

    assert found.stdout == "False\n"


def test_one_process_compiles_at_a_time(cold):
    asked = (
        "import fcntl, sys; from shadowtime.engine.kernel import code\n"
        "try: fcntl.flock((code.folder() / 'turn').open('w'), fcntl.LOCK_EX | fcntl.LOCK_NB); print('free')\n"
        "except OSError: print('taken')"
    )

    def look() -> str:
        done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, env=os.environ, capture_output=True, text=True)
        return done.stdout.strip()

    with code.turn():
        assert look() == "taken"
    assert look() == "free"


@pytest.fixture
def store(tmp_path, monkeypatch):
    settings = Settings(store=tmp_path / "store", redis_url="redis://127.0.0.1:7299/0")
    kept = open_store(settings.store)
    monkeypatch.setattr(tasks, "environment", lambda: (settings, kept))
    return kept


def test_a_small_run_of_an_uncompiled_algorithm_compiles_nothing(store, cold):
    """A worker that has loaded compiled code executes it in another process."""
    sample = samples()["figure1"]
    entry, _ = store.workloads.add(io.BytesIO(sample.content()), sample.file)
    spec, jobs = submit.question(store, {"workload": f"{entry.id}#{entry.cases[0]}", "algorithm": "measy"})
    store.runs.accept(spec, jobs=jobs)

    import_module(small.KERNEL)
    assert tasks.run_task(spec.digest) == "finished"
    assert not list(cold.rglob("*.nbi"))


def test_a_run_says_that_it_compiles_and_the_next_forecast_leaves_it_out(store, monkeypatch):
    said = []
    monkeypatch.setattr(compiling, "seconds", lambda *asked: 6.0)
    monkeypatch.setattr(tasks.Publisher, "publish", lambda self, digest, status, **more: said.append(status.progress))
    monkeypatch.setattr(tasks, "Simulation", lambda *asked, **more: time.sleep(0.7))
    entry, _ = store.workloads.generate("uniform", {"jobs": 100}, 3)
    spec, jobs = submit.question(store, {"workload": entry.id, "algorithm": "easy"})
    store.runs.accept(spec, jobs=jobs)

    assert tasks.run_task(spec.digest) == "finished"
    run = store.runs.get(spec.digest)
    took = (datetime.fromisoformat(run.status.ended) - datetime.fromisoformat(run.status.started)).total_seconds()
    assert [progress.get("compiling") for progress in said][:2] == [None, 6.0] and "compiling" not in said[-1]
    assert run.summary["timing"]["compile_s"] >= 0.7
    assert store.runs.usual_seconds() == pytest.approx(took - run.summary["timing"]["compile_s"], abs=1e-3)
