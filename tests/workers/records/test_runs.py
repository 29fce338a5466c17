"""What every store promises of runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.store import Store, open_store
from shadowtime.workers.store.base import MOST_ATTEMPTS, progress_of
from tests.workers.samples import spec, summary, tables


@pytest.fixture
def store(tmp_path, url) -> Store:
    """A store on each kind of database."""
    return open_store(tmp_path, url)


def finish(store: Store, one, value: float = 1.0) -> None:
    status = store.runs.begin(one.digest)
    assert status is not None
    assert store.runs.finish(one.digest, status.attempt, tables(value=value), summary(one))


def test_accepted_run_stands_with_its_question(store):
    created = store.runs.accept(spec(), jobs=4)
    run = store.runs.get(spec().id)

    assert created
    assert run.digest == spec().digest
    assert run.spec == spec()
    assert (run.status.status, run.status.attempt, run.status.error) == ("queued", 1, None)
    assert run.status.progress == {
        "fraction": 0.0, "jobs_done": 0, "jobs": 4, "segments": 0, "seconds_left": None,
    }  # fmt: skip
    assert run.status.accepted.endswith("Z") and run.status.started is None and run.status.ended is None
    assert run.summary is None


def test_the_same_question_is_found(store):
    store.runs.accept(spec())
    again = store.runs.accept(spec())
    finish(store, spec())

    assert not again
    assert not store.runs.accept(spec())
    assert store.runs.get(spec().digest).status.status == "finished"


def test_finished_run_gives_back_its_tables_and_summary(store):
    store.runs.accept(spec())
    finish(store, spec(), value=0.25)
    run = store.runs.get(spec().digest)

    expected = tables(value=0.25)
    assert run.summary == summary(spec())
    assert run.status.progress == {
        "fraction": 1.0, "jobs_done": 4, "jobs": 4, "segments": 4, "seconds_left": 0.0,
    }  # fmt: skip
    for name, table in expected.items():
        found = run.table(name)
        assert list(found) == list(table)
        for column, values in table.items():
            assert found[column].dtype == values.dtype
            assert np.array_equal(found[column], values, equal_nan=True)


def test_run_without_any_segment_can_be_read(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.finish(spec().digest, 1, tables(0), summary(spec()))

    assert len(store.runs.get(spec().id).table("segments")["start"]) == 0


@pytest.mark.parametrize("name", ["spec", "", "../runs", "live"])
def test_other_names_are_no_tables(store, name):
    store.runs.accept(spec())
    finish(store, spec())

    with pytest.raises(NotFound):
        store.runs.get(spec().id).table(name)


def test_tables_of_an_unfinished_run_are_unknown(store):
    store.runs.accept(spec())

    with pytest.raises(NotFound):
        store.runs.get(spec().id).table("jobs")


@pytest.mark.parametrize(
    "reference",
    ["", "easy", "13189C2C62A84589", "13189c2c62a8458", "0" * 16, "0" * 64, "../../etc/passwd", "../" * 21 + "x",
     "a" * 17, "１" * 16, "0" * 15 + "\n"],
)  # fmt: skip
def test_what_is_no_known_id_is_not_found(store, reference):
    store.runs.accept(spec())

    with pytest.raises(NotFound) as refusal:
        store.runs.get(reference)

    assert "no run" in str(refusal.value)


def test_only_one_worker_begins_a_run(store):
    store.runs.accept(spec())
    first, second = store.runs.begin(spec().digest), store.runs.begin(spec().digest)

    assert first is not None and first.status == "running" and first.started is not None
    assert second is None


def test_progress_is_of_the_attempt_that_runs(store):
    store.runs.accept(spec(), jobs=4)
    store.runs.begin(spec().digest)
    heard = store.runs.report(spec().digest, 1, progress_of(4, 2, 7, 0.5))
    strange = store.runs.report(spec().digest, 2, progress_of(4, 4, 9, 0.0))

    assert (heard, strange) == (True, False)
    assert store.runs.get(spec().id).status.progress["fraction"] == 0.5


def test_failed_run_says_why_and_can_be_asked_again(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.fail(spec().digest, "t=311.0: 'easy' placed job 12 on a node that is not free")
    failed = store.runs.get(spec().id).status
    created = store.runs.accept(spec())
    queued = store.runs.get(spec().id).status

    assert (failed.status, failed.error) == ("failed", "t=311.0: 'easy' placed job 12 on a node that is not free")
    assert created
    assert (queued.status, queued.attempt, queued.error, queued.ended) == ("queued", 1, None, None)


def test_ended_run_does_not_fail_any_more(store):
    store.runs.accept(spec())
    finish(store, spec())

    assert not store.runs.fail(spec().digest, "too late")
    assert store.runs.get(spec().id).status.status == "finished"


def test_failure_of_a_lost_attempt_does_not_end_the_next_one(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.requeue(spec().digest, 1, "the worker stopped")
    store.runs.begin(spec().digest)

    assert not store.runs.fail(spec().digest, "the first attempt went wrong", 1)
    assert store.runs.get(spec().id).status.status == "running"
    assert store.runs.fail(spec().digest, "the second did, too", 2)


def test_queued_run_is_cancelled_at_once(store):
    store.runs.accept(spec())
    status = store.runs.cancel(spec().digest)

    assert status.status == "cancelled"
    assert store.runs.begin(spec().digest) is None
    assert store.runs.accept(spec()), "asked again, it is queued again"
    assert store.runs.begin(spec().digest) is not None


def test_running_run_is_cancelled_when_its_worker_hears_of_it(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    unasked = store.runs.cancelled(spec().digest)
    status = store.runs.cancel(spec().digest)
    requested = store.runs.is_cancel_requested(spec().digest)
    done = store.runs.cancelled(spec().digest)

    assert not unasked
    assert (status.status, requested, done) == ("running", True, True)
    assert store.runs.get(spec().id).status.status == "cancelled"
    assert not store.runs.is_cancel_requested(spec().digest)


def test_a_cancelled_run_keeps_what_was_computed_until_it_is_deleted(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    with store.runs.write_live(spec().digest) as live:
        live.append("segments", tables(5)["segments"])
    store.runs.cancel(spec().digest)
    store.runs.cancelled(spec().digest)
    store.runs.sweep()
    kept = store.runs.live(spec().digest).rows("segments")
    store.runs.delete(spec().digest)

    assert (kept, store.runs.live(spec().digest).rows("segments")) == (5, 0)


def test_a_cancelled_run_that_begins_again_draws_anew(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.write_live(spec().digest).append("segments", tables(5)["segments"])
    store.runs.cancel(spec().digest)
    store.runs.cancelled(spec().digest)
    store.runs.accept(spec())
    store.runs.begin(spec().digest)

    assert store.runs.live(spec().digest).rows("segments") == 0


def test_ended_run_cannot_be_cancelled(store):
    store.runs.accept(spec())
    finish(store, spec())

    with pytest.raises(Conflict, match="has finished already"):
        store.runs.cancel(spec().digest)


def test_lost_worker_puts_the_run_back_with_one_attempt_more(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    status = store.runs.requeue(spec().digest, 1, "the worker stopped")

    assert status is not None and (status.status, status.attempt, status.started) == ("queued", 2, None)
    assert store.runs.requeue(spec().digest, 1, "the worker stopped") is None, "only once"


def test_result_of_a_lost_attempt_is_left_aside(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.requeue(spec().digest, 1, "the worker stopped")
    store.runs.begin(spec().digest)
    stale = store.runs.finish(spec().digest, 1, tables(value=1.0), summary(spec()))
    fresh = store.runs.finish(spec().digest, 2, tables(value=2.0), summary(spec()))

    assert (stale, fresh) == (False, True)
    assert set(store.runs.get(spec().id).table("segments")["start"]) == {2.0}


def test_too_many_lost_workers_fail_the_run(store):
    store.runs.accept(spec())
    for attempt in range(1, MOST_ATTEMPTS + 1):
        store.runs.begin(spec().digest)
        status = store.runs.requeue(spec().digest, attempt, "the worker stopped each time")

    assert status is not None and status.status == "failed"
    assert status.error == "given up after 3 attempts: the worker stopped each time"


def test_lost_worker_of_a_run_to_be_cancelled_leaves_it_cancelled(store):
    store.runs.accept(spec())
    store.runs.begin(spec().digest)
    store.runs.cancel(spec().digest)
    status = store.runs.requeue(spec().digest, 1, "the worker stopped")

    assert status is not None and status.status == "cancelled"


def test_unfinished_runs_are_those_queued_and_running_oldest_first(store):
    for seed in range(5):
        store.runs.accept(spec(seed))
    store.runs.begin(spec(1).digest)
    finish(store, spec(2))
    store.runs.cancel(spec(3).digest)

    assert [(digest, status.status) for digest, status in store.runs.unfinished()] == [
        (spec(0).digest, "queued"), (spec(1).digest, "running"), (spec(4).digest, "queued"),
    ]  # fmt: skip


def test_what_goes_on_is_not_deleted(store):
    store.runs.accept(spec())
    with pytest.raises(Conflict):
        store.runs.delete(spec().id)
    store.runs.begin(spec().digest)
    with pytest.raises(Conflict):
        store.runs.delete(spec().id)
    store.runs.finish(spec().digest, 1, tables(), summary(spec()))
    held = store.runs.get(spec().id).table("segments")
    store.runs.delete(spec().id)

    assert held["start"].sum() == 4.0, "its readers may go on"
    with pytest.raises(NotFound):
        store.runs.get(spec().id)
    assert not store.runs.list().rows
    assert store.runs.accept(spec()), "the question can be asked again"


def test_listing_is_newest_first_filtered_and_paged(store):
    for seed in range(7):
        store.runs.accept(spec(seed, "fcfs" if seed % 2 else "easy"))
    finish(store, spec(2))
    seeds = {spec(seed, "fcfs" if seed % 2 else "easy").digest: seed for seed in range(7)}

    def listed(**question):
        page = store.runs.list(**question)
        return [seeds[run.digest] for run in page.rows], page.next

    first, more = listed(limit=3)
    second, more_still = listed(limit=3, after=more)
    last, nothing = listed(limit=3, after=more_still)
    assert (first, second, last, nothing) == ([6, 5, 4], [3, 2, 1], [0], None)
    assert listed(algorithm="FCFS")[0] == [5, 3, 1]
    assert listed(status=["finished"])[0] == [2]
    assert listed(status=["queued"], algorithm="easy", limit=2) == ([6, 4], listed(limit=3)[1])
    assert listed(text=spec(3, "fcfs").id)[0] == [3]
    assert listed(text="EASY 0000")[0] == []
    assert len(listed(workload="7551e48cece1b8a0")[0]) == 7
    assert listed(workload="0" * 16)[0] == []


def test_the_question_of_a_deleted_run_is_kept(store):
    store.runs.accept(spec())
    asked = store.runs.question(spec().id)
    store.runs.cancel(spec().digest)
    store.runs.delete(spec().id)

    assert asked == store.runs.question(spec().id) == store.runs.question(spec().digest) == spec()
    with pytest.raises(NotFound):
        store.runs.get(spec().id)
    for never in ("0" * 16, "../../etc", "*"):
        with pytest.raises(NotFound):
            store.runs.question(never)


def test_a_run_deleted_behind_the_mark_does_not_disturb_paging(store):
    for seed in range(4):
        store.runs.accept(spec(seed))
    page = store.runs.list(limit=2)
    finish(store, spec(2))
    store.runs.delete(spec(2).id)

    assert [run.digest for run in store.runs.list(limit=2, after=page.next).rows] == [spec(1).digest, spec(0).digest]


def test_unfinished_runs_of_a_client_are_counted(store):
    store.runs.accept(spec(0), client="10.0.0.7")
    store.runs.accept(spec(1), client="10.0.0.7")
    store.runs.accept(spec(2), client="10.0.0.8")
    finish(store, spec(1))

    assert store.runs.load("10.0.0.7")[0] == 1


def test_runs_are_counted_by_state(store):
    for seed in range(3):
        store.runs.accept(spec(seed))
    store.runs.accept(spec(3, "fcfs"))
    finish(store, spec(1))

    assert store.runs.counts() == {"queued": 3, "finished": 1}
    assert store.runs.counts("fcfs") == {"queued": 1}
    assert store.runs.counts("nothing of this") == {}


def test_earlier_runs_say_what_a_job_costs(store, monkeypatch):
    monkeypatch.setattr("shadowtime.workers.records.run_lists.FEWEST", 3)
    unknown = store.runs.seconds_per_job("easy")
    store.runs.accept(spec(), jobs=4)
    finish(store, spec())
    known = store.runs.seconds_per_job("easy")

    assert unknown is None
    assert known is None or 0 < known < 1
    assert store.runs.seconds_per_job("fcfs") is None


def test_runs_of_few_jobs_say_nothing_of_what_a_job_costs(store):
    store.runs.accept(spec(), jobs=4)
    finish(store, spec())

    assert store.runs.seconds_per_job("easy") is None


def test_private_runs_say_nothing_of_what_a_job_costs(store, monkeypatch):
    monkeypatch.setattr("shadowtime.workers.records.run_lists.FEWEST", 3)
    private = replace(spec(), salt="a" * 32)
    store.runs.accept(private, jobs=4, owner="user:anna")
    finish(store, private)
    assert (store.runs.seconds_per_job("easy"), store.runs.usual_seconds()) == (None, None)

    store.runs.accept(spec(1), jobs=4)
    finish(store, spec(1))
    assert store.runs.usual_seconds() is not None
