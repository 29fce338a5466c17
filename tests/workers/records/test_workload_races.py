"""A file is deleted while runs and sweeps of its jobs are accepted: one of the two is refused; on both databases."""

from __future__ import annotations

import io
import threading
import time

import pytest

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.records.sweeps import SweepStatus
from shadowtime.workers.records.workload_facts import digest_of
from tests.conftest import FOUR_SWF
from tests.workers.samples import FOUR_DIGEST, spec
from tests.workers.sweeps.samples import asked

PATIENCE = 20.0


@pytest.fixture
def store(url, tmp_path):
    """A store with one file."""
    found = RecordStore(tmp_path, url)
    found.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    yield found
    found.database.close()


def accept(store):
    return store.runs.accept_all([(spec(), 4)], needs_jobs=True)


def test_a_run_of_a_file_that_was_deleted_meanwhile_is_refused(store):
    store.workloads.delete(FOUR_DIGEST)

    with pytest.raises(NotFound, match=f"no workload '{FOUR_DIGEST[:16]}' is known here"):
        accept(store)
    assert store.runs.digests() == []


def test_a_sweep_of_a_file_that_was_deleted_meanwhile_is_refused(store):
    sweep = asked(store, workloads=[FOUR_DIGEST[:16]]).spec
    assert [digest_of(one) for one in sweep.workloads] == [FOUR_DIGEST]
    store.workloads.delete(FOUR_DIGEST)

    with pytest.raises(NotFound):
        store.sweeps.accept(sweep, SweepStatus())
    assert list(store.sweeps.digests()) == []


def test_jobs_that_are_drawn_need_no_file(store):
    drawn = spec(workload={"generator": "uniform", "parameters": {"jobs": 4}, "seed": 1})

    assert store.runs.accept_all([(drawn, 4)], needs_jobs=True) == [True]


def test_a_deletion_waits_for_who_accepts_a_run_at_the_moment(store):
    ended = []

    def check(load, runs, jobs):
        deletion.start()
        time.sleep(0.3)
        assert not ended

    def delete():
        try:
            store.workloads.delete(FOUR_DIGEST)
        except Conflict as error:
            ended.append(str(error))

    deletion = threading.Thread(target=delete)
    assert store.runs.accept_all([(spec(), 4)], needs_jobs=True, check=check, client="anna") == [True]
    deletion.join(PATIENCE)

    assert ended == [f"workload {FOUR_DIGEST[:16]} cannot be deleted: 1 run uses it"]
    assert store.workloads.get(FOUR_DIGEST).jobs == 4


def test_who_accepts_a_run_waits_for_a_deletion_at_the_moment(store, monkeypatch):
    refused = []

    def ask():
        try:
            accept(store)
        except NotFound as error:
            refused.append(str(error))

    request = threading.Thread(target=ask)

    def uses(digest):
        request.start()
        time.sleep(0.3)
        assert not refused
        return ""

    monkeypatch.setattr(store.workloads, "_uses", uses)
    store.workloads.delete(FOUR_DIGEST)
    request.join(PATIENCE)

    assert refused == [f"no workload '{FOUR_DIGEST[:16]}' is known here"]
    assert store.runs.digests() == []
