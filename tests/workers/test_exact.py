"""The exact bound of a run of very many jobs: asked for as it finishes, proven by a worker, never forgotten."""

from __future__ import annotations

import pytest

from shadowtime.engine.bounds import cut, fluid
from shadowtime.workers import exact, tasks
from shadowtime.workers.errors import NotFound
from shadowtime.workers.kinds import BOUND
from tests.workers.samples import fake_queue
from tests.workers.test_tasks import ask, redis, store  # noqa: F401 (fixtures)


@pytest.fixture
def many(monkeypatch):
    """Every run has too many jobs, and what windows prove is poor."""
    monkeypatch.setattr(fluid, "EXACT", 10)
    monkeypatch.setattr(fluid, "cut_window", lambda work, scale, start, piles: 1.0001 * start)


def ran(kept, jobs=400):
    """A finished run whose exact bound is asked for."""
    digest = ask(kept, jobs)
    tasks.run_task(digest)
    return digest


def test_a_run_of_few_jobs_has_its_exact_bound_at_once(store):  # noqa: F811
    digest = ran(store)
    assert "exact_bound" not in store.runs.get(digest).summary
    assert store.bounds.get(digest) is None


def test_a_bound_is_asked_for_and_takes_its_place_in_the_summary(store, many):  # noqa: F811
    digest = ran(store)
    before = store.runs.get(digest).summary
    assert before["exact_bound"] == {"status": "queued"}
    assert before["bound_names"]["max_bounded_stretch"] == "cut_window"

    assert tasks.bound_task(BOUND.prefix + digest) == "finished"

    after = store.runs.get(digest).summary
    assert after["exact_bound"] == {"status": "finished"}
    assert after["bound_names"]["max_bounded_stretch"] == "cut"
    assert after["bounds"]["max_bounded_stretch"] >= before["bounds"]["max_bounded_stretch"]
    ratio = after["metrics"]["max_bounded_stretch"] / after["bounds"]["max_bounded_stretch"]
    assert after["metrics"]["degradation_from_bound"] == ratio >= 1.0
    assert store.bounds.requested() == []
    assert tasks.bound_task(BOUND.prefix + digest) == "unknown"


def test_a_run_better_than_the_bound_is_said_loudly(store, many, monkeypatch, caplog):  # noqa: F811
    digest = ran(store)
    most = store.runs.get(digest).summary["metrics"]["max_bounded_stretch"]
    monkeypatch.setattr(cut, "cut", lambda work, scale, start: most * (1.0 + 2e-6))
    assert tasks.bound_task(BOUND.prefix + digest) == "failed"
    refusal = store.runs.get(digest).summary["exact_bound"]
    assert "is below its proven lower bound" in refusal["error"] and "the run or the bound is wrong" in refusal["error"]
    assert "the exact bound of run" in caplog.text


def test_rounding_is_no_reason_to_fail(store, many, monkeypatch):  # noqa: F811
    digest = ran(store)
    most = store.runs.get(digest).summary["metrics"]["max_bounded_stretch"]
    monkeypatch.setattr(cut, "cut", lambda work, scale, start: most * (1.0 + 5e-7))
    assert tasks.bound_task(BOUND.prefix + digest) == "finished"


def test_what_was_asked_is_queued_until_it_is_answered(store, many):  # noqa: F811
    queue = fake_queue()
    digest = ran(store)
    now = [0.0]
    look = exact.Proofs(store, queue, clock=lambda: now[0])
    assert look.scan() == [BOUND.prefix + digest]
    assert look.scan() == [] and queue.waiting() == [BOUND.prefix + digest]

    queue.remove(BOUND.prefix + digest)  # taken by a worker that was killed, or Redis was emptied
    assert look.scan() == [BOUND.prefix + digest]

    for lost in (1, 2):
        look.lost(BOUND.prefix + digest)
        assert store.bounds.get(digest).lost == lost
    look.lost(BOUND.prefix + digest)
    assert store.runs.get(digest).summary["exact_bound"] == {"status": "failed", "error": exact.LOST}
    queue.remove(BOUND.prefix + digest)
    assert look.scan() == []


def test_of_a_run_that_was_deleted_nothing_is_proven(store, many):  # noqa: F811
    digest = ran(store)
    store.runs.delete(digest)
    queue = fake_queue()
    assert exact.Proofs(store, queue).scan() == []
    assert store.bounds.get(digest) is None


@pytest.mark.parametrize("identity", ["bound-", "bound-../x", "bound-" + "g" * 64, "0" * 64])
def test_other_names_are_refused(identity):
    with pytest.raises(NotFound):
        exact.parse(identity)


def test_a_proof_that_fails_inside_fails_once_and_for_all(store, many, monkeypatch, caplog):  # noqa: F811
    digest = ran(store)

    def fail(*_):
        raise KeyError("cut")

    monkeypatch.setattr(exact, "prove", fail)
    assert tasks.bound_task(BOUND.prefix + digest) == "failed"
    assert store.runs.get(digest).summary["exact_bound"]["error"] == "'cut'"
    assert store.bounds.requested() == [] and "Traceback" in caplog.text
