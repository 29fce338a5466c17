"""How much may wait, and how much a run may need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shadowtime.workers import admission
from shadowtime.workers.admission import LATEST, Limits
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.store import open_store
from tests.workers.lab import ROOT
from tests.workers.samples import spec, summary, tables


@pytest.fixture
def store(tmp_path):
    """Anna has two runs of 10 jobs that wait, one of them urgent; Ben one of 100; one of hers has ended."""
    kept = open_store(tmp_path)
    kept.runs.accept(spec(1), jobs=10, client="anna")
    kept.runs.accept(spec(2), jobs=10, client="anna", priority="high")
    kept.runs.accept(spec(3), jobs=100, client="ben")
    kept.runs.accept(spec(4), jobs=1000, client="anna")
    status = kept.runs.begin(spec(4).digest)
    kept.runs.finish(spec(4).digest, status.attempt, tables(), summary(spec(4)))
    return kept


def test_what_waits_is_counted_by_client_and_together(store):
    assert store.runs.load("anna") == (2, 20, 1, 3, 120)
    assert store.runs.load("carl") == (0, 0, 0, 3, 120)


@pytest.mark.parametrize(
    ("limits", "client", "jobs", "priority", "words"),
    [
        (Limits(runs=2), "anna", 1, "default", "2 of your runs may be queued or running at a time; some must end"),
        (Limits(runs=2), "ben", 1, "default", ""),
        (Limits(runs_of_all=3), "carl", 1, "default", "3 runs may be queued or running on this site"),
        (Limits(runs_of_all=4), "carl", 1, "default", ""),
        (Limits(jobs=25), "anna", 6, "default", "25 jobs of your runs may be queued or running"),
        (Limits(jobs=25), "anna", 5, "default", ""),
        (
            Limits(jobs=25),
            "carl",
            26,
            "default",
            "jobs of your runs may be queued or running at a time, and this request",
        ),
        (Limits(jobs_of_all=125), "carl", 6, "default", "125 jobs may be queued or running on this site"),
        (Limits(urgent=1), "anna", 1, "high", "1 of your urgent runs may be queued or running"),
        (Limits(urgent=1), "anna", 1, "default", ""),
        (Limits(), "anna", 10**9, "high", ""),
    ],
)
def test_a_limit_is_named_when_it_is_reached(store, limits, client, jobs, priority, words):
    if not words:
        admission.check(store, limits, client, jobs, priority)
        return
    with pytest.raises(TooMuch, match=words) as refusal:
        admission.check(store, limits, client, jobs, priority)
    assert 1 <= refusal.value.retry_after <= LATEST


def test_who_is_refused_is_told_to_come_back_when_runs_have_ended(store, monkeypatch):
    monkeypatch.setattr(type(store.runs), "usual_seconds", lambda self: 12.3)

    with pytest.raises(TooMuch) as refusal:
        admission.check(store, Limits(runs=1), "anna", 1, "default")
    assert refusal.value.retry_after == 13


GREEDY = """
import mmap, sys
import numpy as np
from shadowtime.workers.processes import RESERVED, limit_memory
limit_memory(300_000_000)
taken = []
try:
    {act}
except (MemoryError, OSError) as error:
    sys.exit(7)
"""


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ("taken.append(np.ones(10_000_000))", 0),
        ("taken.append(np.ones(60_000_000))", 7),
        ("taken.append(mmap.mmap(-1, RESERVED + 400_000_000))", 7),
    ],
)
def test_a_process_that_is_held_gets_no_more_memory(act, code):
    ended = subprocess.run([sys.executable, "-c", GREEDY.format(act=act)], cwd=ROOT, check=False)

    assert ended.returncode == code
