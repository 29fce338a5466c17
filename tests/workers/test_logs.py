"""Lines for machines: one JSON object each, with the run that it is about."""

from __future__ import annotations

import io
import json
import logging

import pytest

from shadowtime.workers import logs
from shadowtime.workers.connection import connect, shown
from shadowtime.workers.errors import EngineError
from shadowtime.workers.settings import Settings
from tests.workers.samples import spec


@pytest.fixture
def lines():
    """`lines()` gives what was said so far, as objects; the root logger is as before afterwards."""
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers[:], root.level
    logs.configure(Settings(log="json"), stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_line_says_when_who_and_about_which_run(lines):
    log = logging.getLogger("workers")
    with logs.about(spec().digest):
        log.warning("it takes %s", 'a "while"\nor two')
        with logs.about("part:pjs:quick"):
            logs.say(log, "ended", status="finished", seconds=1.5)
    log.info("alone")
    first, second, third = lines()

    assert first["message"] == 'it takes a "while"\nor two'
    assert (first["level"], first["logger"], first["run"]) == ("warning", "workers", spec().id)
    assert first["time"].endswith("Z") and first["process"] > 0
    assert (second["run"], second["status"], second["seconds"]) == ("part:pjs:quick", "finished", 1.5)
    assert "run" not in third


def test_a_traceback_stays_in_its_line(lines):
    try:
        raise ValueError("no such thing")
    except ValueError:
        logging.getLogger("workers").exception("it failed inside")
    (line,) = lines()

    assert line["message"] == "it failed inside"
    assert line["error"].startswith("Traceback") and line["error"].endswith("ValueError: no such thing")


def test_text_is_the_message_alone():
    root, stream = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers[:], root.level
    logs.configure(Settings(), stream)
    logging.getLogger("workers").info("warm after %.1f s", 2.0)
    root.handlers[:] = handlers
    root.setLevel(level)

    assert stream.getvalue() == "warm after 2.0 s\n"


def test_a_finished_run_is_a_line(lines, tmp_path, monkeypatch):
    from shadowtime.workers import tasks
    from shadowtime.workers.spec import RunSpec
    from shadowtime.workers.store import open_store

    settings = Settings(store=tmp_path, redis_url="redis://127.0.0.1:7299/0", log="json")
    store = open_store(tmp_path)
    entry, _ = store.workloads.generate("uniform", {"jobs": 20}, 1)
    asked = RunSpec.of(store.workloads.load(entry.id), "fcfs")
    store.runs.accept(asked, jobs=20)
    monkeypatch.setattr(tasks, "environment", lambda: (settings, store))

    assert tasks.run_task(asked.digest) == "finished"
    line = lines()[-1]
    assert (line["run"], line["status"], line["message"]) == (asked.id, "finished", f"run {asked.id} finished")


def test_passwords_of_addresses_are_not_said():
    assert shown("redis://:secret@queue:6379/0") == "redis://queue:6379/0"
    with pytest.raises(EngineError) as refused:
        connect("nonsense://user:secret@queue")
    assert "secret" not in str(refused.value)
