"""A process that is killed at any instant leaves whole runs, or none."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.base import TABLES
from tests.whole import whole_or
from tests.workers.samples import spec, summary, tables

ROOT = Path(__file__).resolve().parents[3]
ROUNDS = whole_or(12, 5)

WRITER = """
import sys
from tests.workers.samples import spec, summary, tables
from shadowtime.workers.records.store import RecordStore

store = RecordStore(sys.argv[1])
first = int(sys.argv[2])
print("ready", flush=True)
for seed in range(first, first + 1000):
    one = spec(seed)
    store.runs.accept(one, jobs=4)
    print(one.digest, flush=True)
    status = store.runs.begin(one.digest)
    store.runs.write_live(one.digest).append("segments", tables(5)["segments"])
    store.runs.finish(one.digest, status.attempt, tables(seed % 50, value=seed), summary(one, seed=seed))
"""


@pytest.mark.integration
def test_killed_writers_leave_whole_runs_or_none(tmp_path):
    draw = random.Random(7)
    accepted = {}
    for number in range(ROUNDS):
        first = 1000 * number
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(first)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(timeout=draw.uniform(0.005, 0.25))
        os.kill(writer.pid, signal.SIGKILL)
        said = writer.communicate()[0].split()
        accepted |= {digest: first + place for place, digest in enumerate(said)}
    store = RecordStore(tmp_path)
    store.tidy()
    runs = {run.digest: run for run in store.runs.list(limit=100_000).rows}

    assert accepted.keys() <= runs.keys(), "what was said to be accepted is there"
    for digest, run in runs.items():
        assert run.spec.digest == digest
        seed = run.spec.seed
        assert run.status.status in ("queued", "running", "finished")
        if run.status.is_finished:
            expected = tables(seed % 50, value=seed)
            assert run.summary == summary(spec(seed), seed=seed)
            for name in TABLES:
                found = run.table(name)
                assert all((found[column] == expected[name][column]).all() for column in expected[name])
    unfinished = dict(store.runs.unfinished())
    assert unfinished.keys() == {digest for digest, run in runs.items() if run.status.is_unfinished}
    assert len(unfinished) <= ROUNDS
    for digest, status in unfinished.items():
        seed = runs[digest].spec.seed
        if status.status == "running":
            store.runs.requeue(digest, status.attempt, "its worker was killed")
        again = store.runs.begin(digest)
        assert again is not None
        assert store.runs.finish(digest, again.attempt, tables(3, value=seed), summary(spec(seed)))
        assert set(store.runs.get(digest).table("series")["time"]) == {seed % 200}
