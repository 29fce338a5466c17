"""What browsers keep is what they would get again: each address before and after a run ends and its bound is proven."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest

from shadowtime.dashboard.api import reports
from shadowtime.engine.bounds import fluid
from shadowtime.workers import exact
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.kinds import BOUND

QUERIES = {
    "export": ["format=json", "format=csv&table=jobs", "format=spec", "format=command", "format=perfetto"],
    "jobs": ["", "format=1", "format=2", "format=3"],
    "segments": ["", "format=1", "format=2", "format=3"],
    "instant": ["at=3"],
    "point": ["at=3"],
    "life": ["job=1"],
    "priority": ["job=1"],
    "allotments": ["job=1"],
}
"""Of routes that need one, by the last word of their path."""
STREAMS = ("/api/live",)


class Noon(datetime):
    """A report names the minute in which it was made: the same one throughout."""

    @classmethod
    def now(cls, tz: Any = None) -> Noon:
        return cls(2026, 11, 30, 12, tzinfo=tz)


@pytest.fixture
def many(monkeypatch):
    """Every run has too many jobs for its exact bound, and what windows prove is poor."""
    monkeypatch.setattr(fluid, "EXACT", 10)
    monkeypatch.setattr(fluid, "cut_window", lambda work, scale, start, piles: 1.0001 * start)


def addresses(site, run: str, other: str) -> list[str]:
    """Each address that is about a run, or about two, or about none."""
    found = []
    for rule in site.server.url_map.iter_rules():
        if "GET" not in rule.methods or not rule.rule.startswith("/api/") or rule.rule in STREAMS:
            continue
        path = rule.rule.replace("<run_id>", run)
        if re.search("<[^>]*>", path):
            continue
        last = path.rpartition("/")[2]
        queries = QUERIES.get(last, [""]) if run in path else ["", f"runs={run}", f"runs={run},{other}", f"ids={run}"]
        found += [f"{path}?{query}" if query else path for query in queries]
    return found


def is_kept(answer: Any) -> bool:
    """A browser takes it from its cache without asking."""
    control = answer.cache_control
    return not control.no_store and not control.no_cache and bool(control.immutable or control.max_age)


def test_nothing_is_kept_that_changes_and_what_is_the_same_is_not_sent_again(site, many, monkeypatch):
    monkeypatch.setattr(reports, "datetime", Noon)
    other = site.finished_run(seed=77)
    workload = site.client.post("/api/workloads", json={"generator": "uniform", "parameters": {"jobs": 400}}).json["id"]
    run = site.ask(workload=workload).json["id"]
    digest = site.store.runs.get(run).digest
    kept: dict[str, tuple[str, bytes]] = {}
    tags: dict[str, tuple[str, bytes]] = {}
    seen: dict[str, set[bytes]] = {}

    def look(state: str) -> None:
        for address in addresses(site, run, other):
            answer = site.client.get(address)
            if answer.status_code != 200:
                continue
            seen.setdefault(address, set()).add(answer.data)
            before = kept.get(address)
            assert before is None or before[1] == answer.data, (address, "kept while", before[0], "now", state)
            if is_kept(answer):
                kept[address] = state, answer.data
            if answer.cache_control.no_store:
                continue
            assert answer.cache_control, address
            tag = answer.headers["ETag"]
            before = tags.get(address)
            assert before is None or (before[0] == tag) == (before[1] == answer.data), (address, state)
            tags[address] = tag, answer.data
            again = site.client.get(address, headers={"If-None-Match": tag})
            assert (again.status_code, again.data) == (304, b""), address
            assert is_kept(again) == is_kept(answer), address
            head = site.client.head(address)
            head.headers["Date"] = answer.headers["Date"]
            assert (dict(head.headers), head.data) == (dict(answer.headers), b""), address

    look("queued")
    status = site.store.runs.begin(digest)
    look("running")
    spec = site.store.runs.get(digest).spec
    outcome = execute(spec, load_workload(spec, site.store))
    exact.request(site.store, digest, outcome.summary)
    tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    assert site.store.runs.finish(digest, status.attempt, tables, outcome.summary)
    look("its bound is pending")
    assert exact.run_bound(BOUND.prefix + digest, site.store) == "finished"
    look("its bound is proven")
    look("nothing has changed")

    assert len(seen[f"/api/runs/{run}"]) == 4  # it does change
    assert len(seen[f"/api/runs/{run}/summary.json"]) == len(seen[f"/api/runs/{run}/export?format=json"]) == 2
    assert any("format=" in address and f"/{run}/jobs" in address for address in kept)


def test_another_version_of_the_program_is_asked_again(site, finished, monkeypatch):
    addresses = [f"/api/runs/{finished}/{name}" for name in ("jobs.csv", "series", "segments?format=1")]
    tags = [site.client.get(address).headers["ETag"] for address in addresses]
    monkeypatch.setattr("shadowtime.dashboard.api.caching.sources_version", lambda: "another")
    for address, tag in zip(addresses, tags, strict=True):
        assert site.client.get(address, headers={"If-None-Match": tag}).status_code == 200
