"""A sweep on the workers: accepted as one file, answered in batches, and nothing lost or done twice."""

from __future__ import annotations

import hashlib
import io

import pytest

from shadowtime.engine.errors import QuestionError
from shadowtime.workers.errors import Conflict, NotFound, QueueAway, TooMuch
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.kinds import kind_of
from shadowtime.workers.records import schema
from shadowtime.workers.records.sweeps import CANCELLED, FINISHED, PAUSED, RUNNING, Quota
from shadowtime.workers.settings import Settings
from shadowtime.workers.sweeps import batch, submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import AHEAD, LOST_AFTER, Feed
from shadowtime.workers.sweeps.progress import ProgressCache, SweepProgress
from tests.conftest import FOUR_SWF
from tests.workers.sweeps.samples import accepted, alter, asked, expire, lines_of


class Clock:
    """Time that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def work(store, queue, settings, most: int = 1000) -> int:
    """What a worker does, without one: takes pieces while there are any; gives how many it took."""
    feed = Feed(store, queue)
    for taken in range(most):
        waiting = queue.waiting()
        if not waiting:
            return taken
        queue.remove(waiting[0])
        run_piece(Piece.parse(waiting[0]), settings, store)
        feed.left(waiting[0])
    return most


def test_a_piece_has_an_id_that_says_all():
    piece = Piece("a" * 64, 7)

    assert Piece.parse(piece.id) == piece and kind_of(piece.id).task == "shadowtime.workers.tasks.piece_task"
    for text in (
        "sweep-x-1",
        f"sweep-{'a' * 64}-x",
        f"{'a' * 64}-1",
        "sweep-",
        f"sweep-{'a' * 64}",
        f"sweep-{'/' * 64}-1",
    ):
        with pytest.raises(NotFound):
            Piece.parse(text)


def test_a_sweep_is_accepted_as_one_file_and_found_again(store, queue):
    sweep, is_new = submission.accept(store, queue, asked(store, name="one"))
    again, is_newer = submission.accept(store, queue, asked(store, name="other"))

    assert (is_new, is_newer) == (True, False)
    assert again.digest == sweep.digest and again.status.name == "one"
    assert sweep.spec.json == asked(store).spec.json
    assert store.runs.digests() == [], "runs appear when workers come to them"
    assert queue.waiting()[0] == Piece(sweep.digest, 0).id


def test_all_runs_are_answered_as_simulate_would(store, queue, settings):
    sweep = accepted(store, queue)
    work(store, queue, settings)
    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
    run = store.runs.get(str(outcomes.run[5]))
    alone = execute(run.spec, load_workload(run.spec, store))

    assert store.sweeps.get(sweep.id).status.status == FINISHED
    assert outcomes.counts() == {"pending": 0, "finished": 12, "failed": 0}
    assert run.status.is_finished and run.summary["metrics"] == alone.summary["metrics"]
    assert (run.table("segments")["start"] == alone.schedule.segments["start"]).all()
    assert sum(store.runs.counts().values()) == 12
    assert sorted(line["index"] for line in lines_of(store, sweep)) == list(range(12))


def test_what_was_answered_before_is_found_and_not_run(store, queue, settings, monkeypatch):
    work_of_one = accepted(store, queue, seeds=[1])
    work(store, queue, settings)
    ran = []
    execute_one = batch.Bench.execute
    monkeypatch.setattr(batch.Bench, "execute", lambda self, *a: ran.append(1) or execute_one(self, *a))
    sweep = accepted(store, queue, seeds=[1, 2])
    work(store, queue, settings)

    assert work_of_one.digest != sweep.digest and len(ran) == 6
    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts()["finished"] == 12


def test_another_floor_of_stretch_is_measured_without_touching_the_kept_run(store, queue, settings):
    tables = accepted(store, queue, seeds=[1])
    work(store, queue, settings)
    sweep = accepted(store, queue, seeds=[1], tau=100_000.0)
    work(store, queue, settings)
    plain, floored = (SweepProgress(store, one).refresh(one).outcomes for one in (tables, sweep))

    assert (plain.run == floored.run).all(), "tau is no part of a run's question"
    assert (floored.metrics["mean_bounded_stretch"] < plain.metrics["mean_bounded_stretch"]).all()
    assert (floored.metrics["mean_flow"] == plain.metrics["mean_flow"]).all()
    assert store.runs.get(str(plain.run[0])).summary["tau"] == 10.0


def test_a_paused_sweep_stays_paused_until_it_is_resumed(store, queue, settings):
    sweep = accepted(store, queue)
    submission.pause(store, queue, sweep.id)
    waiting = queue.waiting()
    Feed(store, queue).scan()
    run_piece(Piece(sweep.digest, 0), settings, store)

    assert waiting == queue.waiting() == []
    assert not lines_of(store, sweep)
    with pytest.raises(Conflict, match="is paused: it cannot be paused"):
        submission.pause(store, queue, sweep.id)
    with pytest.raises(Conflict, match="cancel it first"):
        store.sweeps.delete(sweep.id)
    assert submission.resume(store, queue, sweep.id).status.status == RUNNING
    work(store, queue, settings)
    assert store.sweeps.get(sweep.id).status.status == FINISHED


def test_a_cancelled_sweep_keeps_what_is_there_and_goes_on_when_asked_again(store, queue, settings):
    sweep = accepted(store, queue)
    work(store, queue, settings, most=3)
    before = lines_of(store, sweep)
    submission.cancel(store, queue, sweep.id)
    state = store.sweeps.get(sweep.id).status.status
    _, is_new = submission.accept(store, queue, asked(store))
    work(store, queue, settings)

    assert 0 < len(before) < 12 and state == CANCELLED and is_new
    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts()["finished"] == 12
    assert lines_of(store, sweep)[: len(before)] == before, "none twice"
    with pytest.raises(Conflict):
        submission.cancel(store, queue, sweep.id)


def test_failures_say_why_and_are_tried_again(store, queue, settings, monkeypatch):
    execute_one = batch.Bench.execute

    def broken(self, question, *rest):
        if question.spec.algorithm == "fcfs":
            raise QuestionError("the disk of this worker is full")
        return execute_one(self, question, *rest)

    monkeypatch.setattr(batch.Bench, "execute", broken)
    sweep = accepted(store, queue)
    work(store, queue, settings)
    before = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes
    failed = store.runs.get(str(before.run[1])).status
    monkeypatch.undo()
    submission.retry(store, queue, sweep.id)
    work(store, queue, settings)
    after = ProgressCache(store).get(store.sweeps.get(sweep.id)).outcomes

    assert before.counts() == {"pending": 0, "finished": 6, "failed": 6}
    assert set(before.errors.values()) == {"the disk of this worker is full"}
    assert (failed.status, failed.error) == ("failed", "the disk of this worker is full")
    assert after.counts() == {"pending": 0, "finished": 12, "failed": 0} and not after.errors
    assert store.runs.get(str(before.run[1])).status.is_finished
    with pytest.raises(Conflict, match="nothing to repeat"):
        submission.retry(store, queue, sweep.id)


def test_a_run_that_ends_its_worker_each_time_fails_and_the_others_do_not(store, queue, settings, monkeypatch):
    class Killed(BaseException):
        """As if the process had gone: nothing after it happens."""

    execute_one = batch.Bench.execute

    def deadly(self, question, *rest):
        if (question.spec.seed, question.spec.algorithm, question.workload.conversions[0]["parameters"]["rho"]) == (
            1, "easy", 0.7,
        ):  # fmt: skip
            raise Killed
        return execute_one(self, question, *rest)

    monkeypatch.setattr(batch.Bench, "execute", deadly)
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 12)
    sweep = accepted(store, queue)
    for _ in range(3):
        with pytest.raises(Killed):
            run_piece(Piece(sweep.digest, 0), settings, store)
        assert run_piece(Piece(sweep.digest, 0), settings, store) == "taken", "until the lease has expired"
        expire(store.database)
    assert run_piece(Piece(sweep.digest, 0), settings, store) == "through"
    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes

    assert outcomes.counts() == {"pending": 0, "finished": 11, "failed": 1}
    assert next(iter(outcomes.errors.values())).startswith("given up after 3 attempts")


def test_a_run_that_somebody_asked_for_alone_is_told_its_end(store, queue, settings):
    """It waits in the queue when the sweep comes to it."""
    from shadowtime.workers import submit

    sweep = accepted(store, queue, seeds=[1], loads=[0.5], algorithms=["easy"])
    entry, _ = store.workloads.generate("uniform", {"jobs": 20}, 1)
    spec, _ = submit.accept(
        store, queue, {"workload": entry.id, "algorithm": "easy", "conversions": ["load:0.5"], "seed": 1}
    )
    run_piece(Piece(sweep.digest, 0), settings, store)

    assert store.runs.get(spec.digest).status.status == "finished"
    assert SweepProgress(store, sweep).refresh(sweep).outcomes.run[0] == spec.id


def test_only_a_few_batches_wait_and_the_next_ones_follow(store, queue, settings, monkeypatch):
    monkeypatch.setattr(submission, "batch_size", lambda store, spec: 1)
    sweep = accepted(store, queue, seeds=list(range(20)))

    assert len(queue.waiting()) == AHEAD < len(sweep.spec)
    assert work(store, queue, settings) == 120
    assert store.sweeps.get(sweep.id).status.status == FINISHED


def test_a_batch_whose_worker_is_lost_is_queued_again_and_one_just_taken_is_not(store, queue):
    clock = Clock()
    feed = Feed(store, queue, clock)
    sweep = accepted(store, queue)
    taken = queue.waiting()[0]
    queue.connection.lpop(queue.queues["low"].key)
    soon = feed.scan()
    clock.now += LOST_AFTER
    later = feed.scan()

    assert (soon, later) == ([], [taken])
    assert sorted(queue.waiting()) == sorted(Piece(sweep.digest, n).id for n in range(len(queue.waiting())))
    assert feed.scan() == []


def test_an_emptied_queue_is_filled_again(store, queue):
    accepted(store, queue)
    before = queue.waiting()
    queue.connection.flushall()

    assert Feed(store, queue).scan() == before == queue.waiting()


def test_without_redis_a_sweep_is_accepted_all_the_same(store, queue):
    queue.connection.connection_pool.connection_kwargs["server"].connected = False
    sweep, is_new = submission.accept(store, queue, asked(store))
    with pytest.raises(QueueAway):
        Feed(store, queue).scan()
    queue.connection.connection_pool.connection_kwargs["server"].connected = True

    assert is_new and Feed(store, queue).scan()
    assert submission.pause(store, queue, sweep.id).status.status == PAUSED


def test_one_client_has_so_many_at_a_time(store, queue):
    mine, yours = Quota("me", 1), Quota("you", 1, 1)
    submission.accept(store, queue, asked(store), mine)

    assert submission.accept(store, queue, asked(store), mine)[1] is False, "known ones cost nothing"
    with pytest.raises(TooMuch, match="1 of your sweeps"):
        submission.accept(store, queue, asked(store, seeds=[3]), mine)
    with pytest.raises(TooMuch, match="1 sweeps are unfinished, the limit of this site"):
        submission.accept(store, queue, asked(store, seeds=[3]), yours)
    assert submission.accept(store, queue, asked(store, seeds=[3]), Quota("you", 1, 2))[1]


def test_a_sweep_that_resumes_or_is_repeated_counts_for_who_does_so(store, queue):
    mine = Quota("me", 1)
    cancelled, _ = submission.accept(store, queue, asked(store), mine)
    submission.cancel(store, queue, cancelled.id)
    paused, _ = submission.accept(store, queue, asked(store, seeds=[3]), mine)
    submission.pause(store, queue, paused.id)

    for begin in (
        lambda: submission.resume(store, queue, cancelled.id, mine),
        lambda: submission.accept(store, queue, asked(store), mine),
        lambda: submission.resume(store, queue, cancelled.id, Quota("you", 1, 1)),
    ):
        with pytest.raises(TooMuch):
            begin()
        assert store.sweeps.get(cancelled.id).status.status == CANCELLED
    assert submission.resume(store, queue, paused.id, mine).status.status == RUNNING, "it counted before"
    resumed = submission.resume(store, queue, cancelled.id, Quota("you", 1))
    assert (resumed.status.status, resumed.status.client) == (RUNNING, "you")


def test_a_finished_sweep_that_is_repeated_counts(store, queue, tmp_path):
    ended = accepted(store, queue)
    work(store, queue, Settings(store=tmp_path))
    alter(store.database, schema.outcomes, schema.outcomes.c.run == 0, line="{}")
    submission.accept(store, queue, asked(store, seeds=[3]), Quota("me", 1))

    with pytest.raises(TooMuch, match="1 of your sweeps"):
        submission.retry(store, queue, ended.id, Quota("me", 1))
    assert submission.retry(store, queue, ended.id, Quota("me", 2)).status.status == RUNNING


def test_a_run_that_draws_too_much_has_its_figures(store, queue, tmp_path):
    sweep = accepted(store, queue)
    work(store, queue, Settings(store=tmp_path, max_segments=3))
    outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
    limited = store.runs.get(str(outcomes.run[0]))

    assert outcomes.counts() == {"pending": 0, "finished": 12, "failed": 0}
    assert len(limited.table("segments")["job"]) == 0 < limited.summary["metrics"]["makespan"]
    assert limited.summary["report"][-1].startswith("Rectangles are not kept: they are more than 3, the limit here.")


def test_a_sweep_of_another_engine_says_so(store, queue, settings, monkeypatch):
    sweep = accepted(store, queue)
    monkeypatch.setattr(batch, "engine_version", lambda: "9.9.9")
    run_piece(Piece(sweep.digest, 0), settings, store)

    assert "but this worker has 9.9.9: submit it again" in SweepProgress(store, sweep).refresh(sweep).outcomes.errors[0]


def test_batches_are_about_a_second_and_can_be_shared(store):
    assert submission.batch_size(store, asked(store).spec) == 1
    assert submission.batch_size(store, asked(store, seeds=list(range(1000))).spec) == submission.LONGEST_BATCH
    large = asked(store, workloads=["uniform:jobs=1000000"], seeds=list(range(100))).spec
    assert submission.batch_size(store, large) == 1
    assert submission.seconds(store, large) > 100


def test_a_file_whose_name_begins_its_own_id_is_swept_by_its_id(store, queue):
    name = hashlib.sha256(FOUR_SWF.encode()).hexdigest()[0]
    entry, _ = store.workloads.add(io.BytesIO(FOUR_SWF.encode()), name)
    sweep = accepted(store, queue, workloads=[entry.id], loads=[0.5])
    assert sweep.spec.workloads == [{"digest": entry.digest, "case": None}]


def test_sweeps_are_listed_and_deleted(store, queue, settings):
    first = accepted(store, queue, name="first")
    accepted(store, queue, name="second", seeds=[5])
    submission.cancel(store, queue, first.id)

    assert [sweep.status.name for sweep in store.sweeps.list()] == ["second", "first"]
    assert [sweep.status.name for sweep in store.sweeps.list("first uniform")] == ["first"]
    store.sweeps.delete(first.id)
    for reference in (first.id, first.digest, "x", "../runs", ""):
        with pytest.raises(NotFound):
            store.sweeps.get(reference)
