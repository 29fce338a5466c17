"""A clock that jumps by an hour while work goes on: nothing is lost, nothing waits for it, nothing stumbles."""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime, timedelta

import pytest

from shadowtime.workers import utc
from shadowtime.workers.papers import parts
from shadowtime.workers.records.parses import KEPT_PARSES
from shadowtime.workers.records.runs import LEASE
from shadowtime.workers.recover import LOST_AFTER, Recovery
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import disk, open_store
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.store.retention import old_runs
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.version import engine_version
from tests.workers.samples import fake_queue, spec, summary, tables
from tests.workers.sweeps.samples import accepted

HOUR = 3600.0


class Clocks:
    """What this machine and Redis take the time to be, what files are stamped with; and what no jump moves."""

    ahead = 0.0
    passed = 1000.0

    def now(self, zone=UTC) -> datetime:
        return datetime.now(zone) + timedelta(seconds=self.ahead)

    def monotonic(self) -> float:
        return self.passed


@pytest.fixture
def clocks(monkeypatch) -> Clocks:
    made, real, write, replace = Clocks(), time.time, disk.write_new, disk.replace_file

    def stamped(change):
        def changed(path, *args, **kwargs):
            change(path, *args, **kwargs)
            stamp = path.stat().st_mtime_ns + int(made.ahead * 1e9)
            os.utime(path, ns=(stamp, stamp))

        return changed

    monkeypatch.setattr(time, "time", lambda: real() + made.ahead)
    monkeypatch.setattr(utc, "datetime", made)
    monkeypatch.setattr(disk, "write_new", stamped(write))
    monkeypatch.setattr(disk, "replace_file", stamped(replace))
    return made


@pytest.fixture(params=[-HOUR, HOUR], ids=["back", "forward"])
def jump(request, clocks):
    """Moves the clocks, each time it is called."""

    def move() -> None:
        clocks.ahead += request.param

    return move


@pytest.fixture
def store(tmp_path, clocks):
    return open_store(tmp_path / "store")


@pytest.fixture
def queue(clocks):
    return fake_queue()


@pytest.fixture
def recovery(store, queue, clocks) -> Recovery:
    """Watches a store where a worker holds one run."""
    store.runs.accept(spec())
    store.runs.begin(spec().digest, "worker")
    return Recovery(store, queue, clocks.monotonic)


def listed(store, *states):
    return [run.digest for run in store.runs.list(status=states).rows]


def finish(store, seed: int = 0) -> None:
    begun = store.runs.get(spec(seed).digest).status
    assert store.runs.finish(spec(seed).digest, begun.attempt, tables(), summary(spec(seed)))


def test_a_run_goes_its_way_with_a_jump_before_each_step(store, jump):
    jump()
    store.runs.accept(spec())
    jump()
    begun = store.runs.begin(spec().digest)
    running = listed(store, "running")
    jump()
    finish(store)

    assert begun.status == "running" and running == [spec().digest]
    assert listed(store, "finished") == [spec().digest]
    assert store.runs.counts() == {"finished": 1}
    assert store.runs.load("")[3:] == (0, 0) and store.runs.unfinished() == []
    assert (store.runs.usual_seconds() or 1.0) > 0
    assert list(faults(store)) == []


def test_a_run_that_is_asked_again_after_a_jump_is_run(store, queue, clocks, jump):
    store.runs.accept(spec(), jobs=4)
    store.runs.begin(spec().digest)
    store.runs.fail(spec().digest, "no")
    jump()

    assert store.runs.accept(spec(), jobs=4)
    assert [digest for digest, _ in store.runs.unfinished()] == [spec().digest]
    assert store.runs.load("")[3:] == (1, 4)
    recovery = Recovery(store, queue, clocks.monotonic)
    recovery.scan()
    clocks.passed += LOST_AFTER
    assert recovery.scan() == [spec().digest]


@pytest.mark.parametrize("end", ["cancel", "fail", "damage"])
def test_a_run_that_ends_after_a_jump_is_listed_as_ended(store, jump, end):
    store.runs.accept(spec())
    if end == "damage":
        store.runs.begin(spec().digest)
        finish(store)
        store.shelf.blobs.remove(store.runs.get(spec().digest).tables["jobs"])
    jump()
    runs = store.runs
    {"cancel": runs.cancel, "fail": lambda digest: runs.fail(digest, "no"), "damage": runs.verify}[end](spec().digest)

    assert store.runs.counts() == {"cancelled" if end == "cancel" else "failed": 1}
    assert store.runs.load("")[3:] == (0, 0)


def test_runs_of_a_sweep_are_listed_whatever_the_time(store, jump):
    store.runs.keep([(spec(1), tables(), summary(spec(1)))])
    jump()
    store.runs.accept(spec(2))
    store.runs.keep([(spec(2), tables(), summary(spec(2)))])

    assert store.runs.counts() == {"finished": 2}


def test_pages_of_a_list_hold_every_run_once(store, jump):
    for seed in range(6):
        store.runs.accept(spec(seed))
        if seed % 2:
            jump()
    seen, after = [], None
    while True:
        page = store.runs.list(limit=2, after=after)
        seen += [run.digest for run in page.rows]
        if (after := page.next) is None:
            break

    assert sorted(seen) == sorted(spec(seed).digest for seed in range(6))


def test_the_run_of_a_lost_worker_does_not_wait_for_the_clock(store, recovery, clocks, jump):
    recovery.scan()
    jump()
    clocks.passed += LEASE

    assert recovery.scan() == [spec().digest]
    assert store.runs.get(spec().digest).status.attempt == 2
    assert [digest for digest, _ in store.runs.unfinished()] == [spec().digest]


def test_a_worker_that_lives_keeps_its_run_over_a_jump(store, recovery, clocks, jump):
    recovery.scan()
    jump()
    clocks.passed += LEASE - 2.0
    assert store.runs.renew(spec().digest, "worker")
    recovery.scan()
    clocks.passed += LEASE - 1.0

    assert recovery.scan() == []
    assert store.runs.get(spec().digest).status.attempt == 1


def test_pruning_takes_nothing_that_has_just_ended(store, clocks, jump):
    for seed in (1, 2):
        store.runs.accept(spec(seed))
        store.runs.begin(spec(seed).digest)
        finish(store, seed)
        jump()

    assert not list(old_runs(store, clocks.now() - timedelta(days=1)))
    assert len(list(old_runs(store, clocks.now() + timedelta(days=1)))) == 2


def test_what_is_being_written_is_not_swept_up_as_abandoned(store, clocks):
    with disk.new_directory(store.path / "tmp" / "run") as draft:
        disk.write_new(draft / "file", b"")
        clocks.ahead += 1.5 * HOUR
        store.tidy()

        assert (draft / "file").exists()


def test_workloads_are_listed_and_read_after_a_jump(store, jump):
    first, _ = store.workloads.generate("uniform", {"jobs": 5}, 1)
    jump()
    second, _ = store.workloads.generate("uniform", {"jobs": 5}, 2)
    store.tidy()

    assert {entry.id for entry in store.workloads.list().rows} == {first.id, second.id}
    assert len(store.workloads.load(first.id)) == len(store.workloads.load(second.id)) == 5


def test_a_parse_is_kept_beside_those_with_later_dates(store):
    entry, _ = store.workloads.generate("uniform", {"jobs": 5}, 1)
    parses = store.path / "parses" / entry.digest
    shutil.rmtree(parses / engine_version())
    for engine in ("0.0.1", "0.0.2"):
        (parses / engine).mkdir()
        os.utime(parses / engine, (time.time() + HOUR, time.time() + HOUR))
    store.workloads.load(entry.id)

    assert (parses / engine_version()).is_dir()
    assert len(list(parses.iterdir())) == KEPT_PARSES


def test_a_study_that_was_begun_in_the_future_took_what_its_parts_took(clocks):
    now, hour = clocks.now(), timedelta(seconds=HOUR)

    assert parts._between((now + hour).isoformat(), now.isoformat(), 12.0) == 12.0
    assert parts._between(None, now.isoformat(), 12.0) == 12.0
    assert parts._between((now - hour).isoformat(), now.isoformat(), 12.0) == HOUR


def test_sweeps_come_to_their_end_whatever_the_time(store, queue, clocks, jump):
    sweeps = []
    for seed in (1, 2):
        sweeps.append(accepted(store, queue, seeds=[seed], loads=[0.5]))
        jump()
    feed = Feed(store, queue, clocks.monotonic)
    for _ in range(50):
        feed.scan()
        for piece in queue.waiting():
            queue.remove(piece)
            jump()
            run_piece(Piece.parse(piece), Settings(store=store.path), store)
            feed.left(piece)

    assert {sweep.digest for sweep in store.sweeps.list()} == {sweep.digest for sweep in sweeps}
    assert [sweep.status.status for sweep in store.sweeps.list()] == ["finished", "finished"]
    assert store.sweeps.running() == [] and store.runs.counts() == {"finished": 4}
