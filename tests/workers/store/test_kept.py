"""What an older version stored is there for today's: listed, read to the last bit, and nothing is wrong with it."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.workers import tasks
from shadowtime.workers.errors import NotFound
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps.points import points
from shadowtime.workers.sweeps.progress import ProgressCache
from tests.workers.store import kept


@pytest.fixture(params=kept.ARCHIVES, ids=kept.version_of)
def folder(request, tmp_path):
    return kept.unpack(request.param, tmp_path / "store")


@pytest.fixture
def store(folder):
    return open_store(folder)


def listed(store):
    return {run.digest: run.status.status for run in store.runs.list(limit=100).rows}


def as_written(folder):
    return {digest: status["status"] for digest, status in kept.said(folder, "runs", "status.json").items()}


def test_kept_stores_have_runs_in_every_state(folder):
    assert set(as_written(folder).values()) == {"finished", "failed", "cancelled", "queued"}


def test_every_run_and_workload_is_listed(folder, store):
    assert listed(store) == as_written(folder)
    assert {entry.digest for entry in store.workloads.list(limit=100).rows} == kept.said(
        folder, "workloads", "manifest.json"
    ).keys()
    assert dict(store.runs.unfinished()).keys() == {d for d, state in as_written(folder).items() if state == "queued"}


def test_nothing_is_wrong_with_it(store):
    assert [str(fault) for fault in faults(store)] == []


def test_tables_and_figures_are_those_that_were_written(folder, store):
    summaries = kept.said(folder, "runs", "summary.json")
    tables = 0
    for digest, summary in summaries.items():
        run = store.runs.get(digest)
        assert run.spec.digest == digest
        assert run.summary.items() <= summary.items()
        assert run.summary["metrics"]
        for manifest in kept.place(folder, "runs").glob(f"{digest}/*/manifest.json"):
            table = run.table(manifest.parent.name)
            for column in manifest.parent.glob("*.npy"):
                written = np.load(column)
                assert np.array_equal(table[column.stem], written, equal_nan=written.dtype.kind == "f")
            tables += 1

    assert tables >= 4 * len(summaries) >= 20


def test_workloads_are_read_again_by_todays_reader(store):
    for entry in store.workloads.list(limit=100).rows:
        workload = store.workloads.load(entry.id)
        assert (workload.kind, len(workload)) == (entry.kind, entry.jobs)


def test_a_deleted_run_has_kept_its_question(folder, store):
    questions = list(kept.place(folder, "deleted").glob("*.json"))

    assert questions
    for path in questions:
        with pytest.raises(NotFound):
            store.runs.get(path.stem)
        assert store.runs.question(path.stem).digest == path.stem


def test_links_lead_where_they_led(folder, store):
    written = kept.links(folder)

    assert {link.code: (link.target, link.title) for link in store.links.all()} == {
        code: (link["target"], link["title"]) for code, link in written.items()
    }
    for code, link in written.items():
        assert [run.spec for run in store.links.read(code).runs] == [run["spec"] for run in link["runs"]]


def test_sweeps_keep_their_figures(folder, store):
    for digest, status in kept.said(folder, "sweeps", "status.json").items():
        sweep = store.sweeps.get(digest)
        assert sweep.status.status == status["status"] == "finished"
        outcomes = ProgressCache(store).get(sweep).outcomes
        assert outcomes.counts() == status["counts"]
        assert sum(point["n"] for point in points(outcomes, sweep.status.workloads)) == status["counts"]["finished"]


def test_a_run_that_still_waited_fails_in_a_sentence_that_names_both_engines(folder, store, monkeypatch):
    monkeypatch.setattr(tasks, "environment", lambda: (Settings(store=folder), store))
    [(digest, _)] = store.runs.unfinished()

    assert tasks.run_task(digest) == "failed"
    run = store.runs.get(digest)
    assert run.status.error.startswith(f"queued for engine {run.spec.engine_version}, but this worker has ")
