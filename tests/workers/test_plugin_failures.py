"""A plug-in whose policy raises, loops or returns nonsense ends its own run, and says where to its owner alone."""

from __future__ import annotations

import importlib
import json
import signal
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from rq.timeouts import UnixSignalDeathPenalty

from shadowtime.dashboard.intake import __main__ as child
from shadowtime.workers import failures, submit, tasks
from shadowtime.workers.queue import TimedOut
from shadowtime.workers.settings import Settings
from tests.dashboard.test_plugin import JOBS, installed  # noqa: F401 (a fixture)
from tests.workers.test_tasks import redis, store  # noqa: F401 (fixtures)

STOPPED = "stopped after {} s in the plug-in licensed_jobs, the limit of a run here (SHADOWTIME_RUN_TIMEOUT)"
RAISED = "the plug-in licensed_jobs raised {}; its traceback is for the owner of the run"


@pytest.fixture
def ask(installed, store):  # noqa: F811
    """`ask(name, source)`: put a function into the plug-in, and return a queued run of its algorithm."""
    plugin = importlib.import_module("licensed_jobs")
    path = str(installed / "licensed_jobs" / "__init__.py")

    def made(target: str, source: str) -> str:
        found: dict[str, Any] = {}
        exec(compile(textwrap.dedent(source), path, "exec"), vars(plugin), found)
        (function,) = found.values()
        setattr(getattr(plugin, target), function.__name__, function)
        file = Path(store.folder if hasattr(store, "folder") else installed) / "three.json"
        file.write_text(json.dumps(JOBS))
        with file.open("rb") as content:
            entry, _ = store.workloads.add(content, "three.json")
        spec, jobs = submit.question(store, {"workload": entry.id, "algorithm": "licence-fcfs"})
        store.runs.accept(spec, jobs=jobs)
        return spec.digest

    yield made
    sys.modules.pop("licensed_jobs", None)


@pytest.mark.parametrize(
    ("raised", "name"),
    [
        ("ValueError('a secret')", "ValueError"),
        ("ConnectionError('a secret')", "ConnectionError"),  # else the attempt would be repeated
        ("SystemExit('a secret')", "SystemExit"),  # else the process would be lost, three times
        ("KeyboardInterrupt('a secret')", "KeyboardInterrupt"),
        ("BaseException('a secret')", "BaseException"),
    ],
)
def test_what_a_policy_raises_ends_its_run_at_once(store, ask, raised, name):  # noqa: F811
    digest = ask("LicenceFcfs", f"def decide(self, desk):\n    raise {raised}\n")
    assert tasks.run_task(digest) == "failed"
    run = store.runs.get(digest)
    assert run.status.error == RAISED.format(name)
    assert "licensed_jobs/__init__.py" in run.traceback and run.traceback.endswith(f"{name}: a secret\n")
    assert "workers/tasks.py" not in run.traceback, "the frames above the plug-in are not its author's"
    assert "secret" not in json.dumps(run.status.public())


def test_a_policy_that_loops_is_ended_and_the_traceback_says_where(store, ask, monkeypatch):  # noqa: F811
    digest = ask("LicenceFcfs", "def decide(self, desk):\n    while True:\n        pass\n")
    with UnixSignalDeathPenalty(2, TimedOut):
        assert tasks.run_task(digest) == "failed"
    run = store.runs.get(digest)
    assert run.status.error == STOPPED.format("3,600")
    assert "in decide" in run.traceback


def test_a_policy_that_loops_is_stopped_near_the_limit(store, ask, monkeypatch, tmp_path):  # noqa: F811
    settings = Settings(store=tmp_path, run_timeout=1.0)
    monkeypatch.setattr(tasks, "environment", lambda: (settings, store))
    monkeypatch.setattr(tasks, "MARGIN", 0.5)
    digest = ask("LicenceFcfs", "def decide(self, desk):\n    while True:\n        pass\n")
    began = time.monotonic()
    with UnixSignalDeathPenalty(31, TimedOut):
        assert tasks.run_task(digest) == "failed"
        took = time.monotonic() - began
        left = signal.getitimer(signal.ITIMER_REAL)[0]

    assert took < 20.0 and 0.0 < left < 31.0 - took + 0.5, "the alarm of the queue is set as before"
    assert store.runs.get(digest).status.error == STOPPED.format("1")


@pytest.mark.parametrize(
    ("target", "source", "words"),
    [
        ("LicenceFcfs", "def decide(self, desk):\n    desk.place(desk.waiting[0], [0, 0, 99])\n", ""),
        (
            "Licensed",
            "def metrics_of(self, *given):\n    return {'licence_time': float('inf')}\n",
            "licence_time in the metrics of the run is inf",
        ),
        (
            "Licensed",
            "def metrics_of(self, *given):\n    return {'licence_time': object()}\n",
            "internal error (TypeError)",
        ),
        ("Licensed", "def metrics_of(self, *given):\n    return 7\n", ""),
    ],
)
def test_nonsense_ends_its_run_with_a_sentence(store, ask, target, source, words):  # noqa: F811
    digest = ask(target, source)
    assert tasks.run_task(digest) == "failed"
    status = store.runs.get(digest).status
    assert words in status.error and "\n" not in status.error
    assert store.runs.list().rows[0].digest == digest
    assert store.runs.get(digest).summary is None


def test_a_run_that_is_asked_again_forgets_its_traceback(store, ask):  # noqa: F811
    digest = ask("LicenceFcfs", "def decide(self, desk):\n    raise ValueError\n")
    tasks.run_task(digest)
    run = store.runs.get(digest)
    assert run.traceback
    store.runs.accept(run.spec, jobs=3)
    assert store.runs.get(digest).traceback == ""


def test_a_plug_in_that_raises_over_a_question_is_named_and_the_child_goes_on(store, ask, capfd):  # noqa: F811
    ask("Licensed", "def cpu_need(self, workload):\n    raise KeyError('a secret')\n")
    need = importlib.import_module("licensed_jobs").FAMILY.cpu_need
    answer = child._answer(lambda desk: need(None), None, {})
    assert answer == {
        "status": 400,
        "error": "The plug-in licensed_jobs raised KeyError over this; the log says where.",
    }
    assert "a secret" in capfd.readouterr().err


def test_a_traceback_has_an_end_and_only_a_plug_ins_own_code_is_its_code():
    def deep(n: int) -> None:
        if n:
            deep(n - 1)
        raise ValueError("x" * 100_000)

    with pytest.raises(ValueError) as raised:
        deep(100)
    assert len(failures.traceback_of(raised.value)) == failures.MOST_LETTERS
    assert failures.plugin_of(raised.value) is None
