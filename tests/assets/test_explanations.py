"""Every event of every algorithm has a reason, and every job that waits: the viewer's sentences on real schedules."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shadowtime.dashboard.viewer.extent import described, extent
from shadowtime.dashboard.viewer.facts import is_exclusive
from shadowtime.engine import Platform, simulate
from shadowtime.engine.registry import algorithms
from shadowtime.engine.tables import EVENT_KINDS, Table, rows
from tests.identity import adapter
from tests.identity.questions import QUESTIONS, Question

SCRIPT = Path(__file__).with_name("explain.mjs")
node = shutil.which("node")
pytestmark = pytest.mark.skipif(node is None, reason="no node on PATH (Debian: apt-get install nodejs)")

BUSY = {
    "fcfs": "short", "keasy": "tiers-full", "reasy": "tiers-full", "measy": "tiers-full",
    "greedypm*/opt=min": "nodes-golden", "synchpack-1": "tasks-local", "tetris-p": "tasks-releases",
    "demt": "mold-releases", "olb": "site-arrivals",
    "min-max": "site-arrivals", "sjs": "site-arrivals", "pjs": "site-arrivals",
}  # fmt: skip
"""Workloads on which an algorithm shows more of what it does than on the first of its recorded questions."""
EXPECTED = {
    "easy": {"reserve", "backfill"}, "fcfs": {"reject"}, "sjf": {"unreserve"}, "ss-easy": {"pause", "resume"},
    "ousterhout": {"pause", "resume"}, "keasy": {"kill", "swap"}, "reasy": {"swap"}, "measy": {"migrate", "swap"},
    "greedypm*/opt=min": {"pause", "resume", "migrate"}, "mcb8*/per/opt=min/minvt=600": {"migrate"},
    "synchpack-1": {"pause", "resume", "migrate"}, "tetris-p": {"pause", "resume"}, "olb": {"kill"},
}  # fmt: skip
"""Kinds of events that the schedules below must have, beside starts and ends."""

BROKEN = re.compile(r"undefined|NaN|\[object|; ;|^[;,.: ]|[;,: ]$")
"""What no sentence may hold."""


def question(slug: str) -> Question:
    """A small run of the algorithm: of the recorded questions one on a busy workload, else the first."""
    own = [one for one in QUESTIONS.values() if one.algorithm == slug]
    busy = BUSY.get(slug, "nodes-busy")
    return next((one for one in own if one.workload == busy), own[0] if own else Question(slug, busy))


def column(values: Any) -> list[Any]:
    """Values as JSON has them: NaN is null."""
    return [
        None if isinstance(one, float) and math.isnan(one) else "inf" if one == math.inf else one
        for one in values.tolist()
    ]


def table(found: Table) -> dict[str, list[Any]]:
    return {name: column(values) for name, values in found.items()}


@cache
def explained(slug: str) -> dict[str, Any]:
    """What the viewer says of a run of the algorithm."""
    asked = question(slug)
    workload = adapter.load(asked.reference, asked.conversions, asked.seed)
    platform = Platform.of(workload, asked.platform)
    found = simulate(workload, slug, asked.parameters, platform=platform, estimates=asked.estimates, seed=asked.seed)
    view = described(slug, workload.kind, platform.lanes, max(0, found.lanes - platform.lanes))
    view |= {**extent(found.jobs, found.segments, found.events), "exclusive": is_exclusive(slug, workload.kind)}
    bands = [{name: values[row].item() for name, values in found.bands.items()} for row in range(rows(found.bands))]
    tables = {"jobs": found.jobs, "segments": found.segments, "events": found.events}
    given = {"view": view, "bands": bands, **{name: table(one) for name, one in tables.items()}}
    done = subprocess.run([node, SCRIPT], input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("slug", algorithms())
def test_every_event_of_every_algorithm_has_a_reason(slug):
    reasons = explained(slug)["reasons"]
    kinds = {EVENT_KINDS[kind] for kind, _, _ in reasons}

    assert kinds >= {"submit", "start", "end"} | EXPECTED.get(slug, set())
    assert {EVENT_KINDS[kind] for kind, _, reason in reasons if not reason} == {"submit"}
    assert not [reason for _, _, reason in reasons if BROKEN.search(reason)]


@pytest.mark.parametrize("slug", algorithms())
def test_the_steps_of_a_life_are_in_order_of_time_and_give_reasons(slug):
    for life in explained(slug)["lives"]:
        times, reasons = zip(*((time, reason) for time, _, reason in life["steps"]), strict=True)

        assert list(times) == sorted(times)
        assert all(reasons) and not any(map(BROKEN.search, reasons))


@pytest.mark.parametrize("slug", algorithms())
def test_a_job_started_at_once_only_if_it_did_not_wait(slug):
    for life in explained(slug)["lives"]:
        words, start, release = life["words"], life["start"], life["release"]

        assert ("at once" in words) == (start == release)
        assert ("background" in words) == life["behind"]
        assert any(word in words for word in ("paused", "killed", "no task ran")) == life["stood"]


@pytest.mark.parametrize("slug", algorithms())
def test_the_lists_of_an_instant_say_why_jobs_wait_and_stay_in_the_background(slug):
    for instant in explained(slug)["lists"]:
        reasons = [*(reason for _, reason in instant["decided"]), *instant["waiting"], *instant["behind"]]

        assert not any(map(BROKEN.search, reasons))
        assert all(instant["waiting"]) and all(instant["behind"])
        assert all(reason for title, reason in instant["decided"] if title != "submitted")
