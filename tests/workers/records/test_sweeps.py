"""Sweeps, the outcomes of their runs and the leases on their batches, on SQLite and on PostgreSQL."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from shadowtime.workers.errors import Conflict, Damaged, NotFound
from shadowtime.workers.records import batches, outcomes, schema, sweep_check
from shadowtime.workers.records.batches import LeaseLost
from shadowtime.workers.records.database import Database, url_in
from shadowtime.workers.records.sweeps import CANCELLED, FINISHED, PAUSED, RUNNING, Sweeps, SweepStatus
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from shadowtime.workers.sweeps.spec import SweepSpec
from tests.workers.samples import fake_queue
from tests.workers.sweeps.samples import accepted, alter, expire
from tests.workers.sweeps.test_sweeps import work

SPEC = SweepSpec(
    workloads=[{"generator": "uniform", "parameters": {"jobs": 10}, "seed": None}], seeds=list(range(50)),
    conversions=[], loads=[0.5, 0.7], platform={}, estimates=None, tau=None,
    variants=[{"algorithm": "easy", "parameters": {}}], engine_version="1",
)  # fmt: skip
OTHER = replace(SPEC, seeds=[7])
STATUS = SweepStatus(name="Grüße 100 %", workloads=("uniform:jobs=10",), batch=4, runs_total=100, client="me")


@pytest.fixture
def sweeps(database):
    """With one sweep of a hundred runs in batches of four."""
    made = Sweeps(database)
    assert made.accept(SPEC, STATUS)
    return made


def line(run: int, value: float = 2.5) -> dict:
    return {"index": run, "status": "finished", "run": f"{run:016x}", "metrics": {"mean_flow": value}, "bounds": {}}


def read(sweeps, sequence: int = 0):
    return sweeps.outcomes.after(SPEC.digest, sequence)


def take(sweeps, worker: str, batch: int = 0, round: int = 1):
    return sweeps.batches.take(SPEC.digest, batch, worker, round)


def batch_row(sweeps, batch: int = 0):
    with sweeps._database.read() as connection:
        query = select(schema.batches).where(schema.batches.c.batch == batch)
        return dict(connection.execute(query).mappings().one())


# -- sweeps


def test_a_sweep_is_accepted_found_changed_and_deleted(sweeps):
    sweep = sweeps.get(SPEC.id)
    assert sweeps.get(SPEC.digest) == sweep and sweep.spec.json == SPEC.json
    assert sweep.status == replace(STATUS, accepted=sweep.status.accepted, workloads=["uniform:jobs=10"], algorithms=[])
    assert not sweeps.accept(SPEC, STATUS) and sweeps.accept(OTHER, SweepStatus(name="other"))
    assert [one.digest for one in sweeps.list()] == [OTHER.digest, SPEC.digest]
    assert [one.digest for one in sweeps.running()] == [SPEC.digest, OTHER.digest]
    assert sweeps.state(SPEC.digest) == RUNNING
    assert (sweeps.count_unfinished(), sweeps.count_unfinished("me"), sweeps.count_unfinished("you")) == (2, 1, 0)

    assert sweeps.change(SPEC.digest, (RUNNING,), "paused", status=PAUSED).status == PAUSED
    with pytest.raises(Conflict, match=f"sweep {SPEC.id} is paused: it cannot be finished"):
        sweeps.change(SPEC.digest, (RUNNING,), "finished", status=FINISHED)
    with pytest.raises(Conflict, match="cancel it first"):
        sweeps.delete(SPEC.id)
    sweeps.change(SPEC.digest, (PAUSED,), "cancelled", status=CANCELLED)
    assert sweeps.accept(SPEC, STATUS) and sweeps.get(SPEC.id).status.status == RUNNING, "a cancelled one resumes"

    sweeps.change(SPEC.digest, (RUNNING,), "cancelled", status=CANCELLED)
    sweeps.outcomes.record(SPEC.digest, [line(1)])
    take(sweeps, "a")
    sweeps.delete(SPEC.id)
    with sweeps._database.read() as connection:
        for table in (schema.outcomes, schema.batches):
            assert connection.execute(select(table)).all() == []
    for act in (lambda: sweeps.change(SPEC.digest, (RUNNING,), "", status=PAUSED), lambda: sweeps.state(SPEC.digest)):
        with pytest.raises(NotFound):
            act()
    assert sweeps.digests() == [OTHER.digest]


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        ("grüsse", False), ("GRÜSSE", False), ("GRÜßE", True), ("100 %", True), ("1%", False),
        ("uniform running", True), (SPEC.id, True), ("_", False), ("gr\x00üße", True), ("\x00", True), ("'", False),
    ],
)  # fmt: skip
def test_sweeps_are_found_by_their_words(sweeps, words, is_found):
    assert bool(sweeps.list(words)) == is_found


@pytest.mark.parametrize("reference", ["x", "", "../runs", SPEC.id[:-1], SPEC.digest.upper(), "0" * 16, "0" * 64, None])
def test_any_other_text_is_unknown(sweeps, reference):
    with pytest.raises(NotFound):
        sweeps.get(reference)


def test_a_sweep_is_run_to_its_end(url, tmp_path):
    store, queue = open_store(tmp_path, url), fake_queue()
    sweep = accepted(store, queue)
    work(store, queue, Settings(store=tmp_path))

    assert store.sweeps.get(sweep.id).status.counts == {"pending": 0, "finished": 12, "failed": 0}
    assert len(store.sweeps.outcomes.after(sweep.digest)[0]) == 12 and not store.sweeps.batches.held(sweep.digest)


# -- outcomes


def test_outcomes_are_read_once_in_the_order_in_which_they_were_recorded(sweeps):
    sweeps.outcomes.record(SPEC.digest, [line(7), line(3)])
    first, sequence = read(sweeps)
    sweeps.outcomes.record(SPEC.digest, [line(5)])
    sweeps.outcomes.record(SPEC.digest, [])

    assert (first, sequence) == ([line(7), line(3)], 2)
    assert read(sweeps, sequence) == ([line(5)], 3) and read(sweeps, 3) == ([], 3)
    assert sweeps.outcomes.between(SPEC.digest, 3, 6) == [line(3), line(5)]


def test_a_later_outcome_replaces_an_earlier_one_and_the_same_one_does_no_harm(sweeps):
    failed = {"index": 3, "status": "failed", "run": None, "error": "no", "round": 1}
    sweeps.outcomes.record(SPEC.digest, [failed, line(4)])
    for _ in range(2):
        sweeps.outcomes.record(SPEC.digest, [line(3)])

    assert read(sweeps) == ([line(4), line(3)], 4)


def test_a_reader_that_polls_misses_no_outcome_of_writers_at_once(sweeps, monkeypatch):
    """Writers pause between taking their numbers and committing: without their lock, numbers appear late."""
    sweeps.accept(OTHER, SweepStatus())
    put, draw, done = outcomes.put, random.Random(5), threading.Event()

    def slow(*given):
        put(*given)
        time.sleep(draw.random() * 0.01)

    monkeypatch.setattr(outcomes, "put", slow)
    found, errors = [], []

    def write(number: int) -> None:
        try:
            for n in range(8):
                first = (number * 8 + n) * 2
                sweeps.outcomes.record(SPEC.digest, [line(first), line(first + 1)])
                sweeps.outcomes.record(OTHER.digest, [line(0)])
        except Exception as error:
            errors.append(error)

    def poll() -> None:
        sequence = 0
        while not done.is_set():
            lines, sequence = read(sweeps, sequence)
            found.extend(lines)
        found.extend(read(sweeps, sequence)[0])

    reader, writers = threading.Thread(target=poll), [threading.Thread(target=write, args=(n,)) for n in range(6)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()

    assert not errors
    assert Counter(one["index"] for one in found) == Counter(range(96)), "each once"
    assert found == read(sweeps)[0]


# -- damage


@pytest.mark.parametrize("column", ["line", "run", "sequence", "checksum"])
def test_a_damaged_outcome_is_left_out_and_the_others_are_read(sweeps, column):
    sweeps.outcomes.record(SPEC.digest, [line(run) for run in range(4)])
    sequence = read(sweeps)[1]
    values = {"line": '{"index":2,"status":"finished"}', "run": 90, "sequence": 1 << 61, "checksum": ""}
    alter(sweeps._database, schema.outcomes, schema.outcomes.c.run == 2, **{column: values[column]})

    assert read(sweeps)[0] == [line(0), line(1), line(3)]
    assert list(sweep_check.faults(sweeps._database)) == [
        (SPEC.digest, f"the outcome of run {90 if column == 'run' else 2} is not what was written")
    ]
    sweeps.outcomes.record(SPEC.digest, [line(2)])
    assert read(sweeps, sequence)[0] == [line(2)] and len(read(sweeps)[0]) == 4


@pytest.mark.parametrize("value", ["X'7B22FF'", "CAST(X'7B22FF' AS TEXT)", "7", "NULL || 'x'"])
def test_whatever_type_damage_leaves_in_a_column_of_sqlite_the_other_rows_are_read(tmp_path, value):
    sweeps = Sweeps(Database(url_in(tmp_path)))
    sweeps.accept(SPEC, STATUS)
    sweeps.outcomes.record(SPEC.digest, [line(run) for run in range(3)])
    take(sweeps, "a")
    sweeps.accept(OTHER, SweepStatus())
    with sweeps._database.write() as connection:
        for change in (f"outcomes SET line = COALESCE({value}, 0) WHERE run = 1",
                       f"batches SET lost = COALESCE({value}, 0)",
                       f"sweeps SET \"values\" = COALESCE({value}, 0) WHERE digest = '{OTHER.digest}'"):  # fmt: skip
            connection.execute(text(f"UPDATE {change}"))

    assert read(sweeps)[0] == [line(0), line(2)]
    assert [sweep.digest for sweep in sweeps.list()] == [SPEC.digest] and sweeps.damaged() == [OTHER.id]
    assert take(sweeps, "b") is None and sweeps.batches.held(SPEC.digest) == {0}
    assert len(list(sweep_check.faults(sweeps._database))) == 3


@pytest.mark.parametrize(
    "values", [{"status": FINISHED}, {"accepted": ""}, {"label": ""}, {"values": "{}"}, {"spec": OTHER.json}], ids=str
)
def test_a_damaged_sweep_is_named_beside_the_others_and_can_be_deleted(sweeps, values):
    sweeps.accept(OTHER, SweepStatus())
    alter(sweeps._database, schema.sweeps, schema.sweeps.c.digest == SPEC.digest, **values)

    assert sweeps.damaged() == [SPEC.id]
    assert [sweep.digest for sweep in sweeps.list()] == [OTHER.digest]
    for act in (lambda: sweeps.get(SPEC.id), lambda: sweeps.change(SPEC.digest, (RUNNING,), "", status=PAUSED)):
        with pytest.raises(Damaged, match=f"experiment {SPEC.id} is damaged"):
            act()
    with pytest.raises(Damaged):
        sweeps.accept(SPEC, STATUS)
    sweeps.delete(SPEC.id)
    assert sweeps.accept(SPEC, STATUS) and sweeps.damaged() == []


@pytest.mark.parametrize("values", [{"lost": "[[1, 3, 2]]"}, {"lost": "]"}, {"run": 5}, {"round": None}, {"run": -9}])
def test_a_damaged_batch_forgets_its_counts_and_can_be_taken(sweeps, values):
    lease = take(sweeps, "a")
    sweeps.batches.renew(lease, 3)
    alter(sweeps._database, schema.batches, **values)

    assert list(sweep_check.faults(sweeps._database)) == [(SPEC.digest, "the row of batch 0 is not what was written")]
    assert take(sweeps, "b") is None, "it is held all the same"
    sweeps.outcomes.record(SPEC.digest, [line(3)], lease)
    sweeps.batches.renew(lease, 3)
    alter(sweeps._database, schema.batches, **values)
    expire(sweeps._database)
    assert take(sweeps, "b").lost == {(1, None): 1}
    assert not list(sweep_check.faults(sweeps._database))


# -- leases


def test_a_batch_has_one_worker_until_it_is_given_back(sweeps):
    lease = take(sweeps, "a")
    assert take(sweeps, "b") is None and take(sweeps, "a") is None
    assert take(sweeps, "b", batch=1) is not None
    assert sweeps.batches.held(SPEC.digest) == {0, 1}
    sweeps.batches.release(lease)
    assert sweeps.batches.held(SPEC.digest) == {1}

    other = take(sweeps, "b")
    assert other.lost == {}
    sweeps.batches.release(lease)  # too late: it belongs to the other
    assert sweeps.batches.held(SPEC.digest) == {0, 1}


def test_workers_at_once_do_not_take_the_same_batch(sweeps):
    found, start = [], threading.Barrier(8)

    def run(number: int) -> None:
        start.wait()
        found.extend((batch, number) for batch in range(5) if take(sweeps, f"{number}", batch))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(batch for batch, _ in found) == list(range(5))


def test_a_lease_that_is_not_renewed_is_taken_over_and_counted_at_the_run_that_was_begun(sweeps, monkeypatch):
    monkeypatch.setattr(batches, "LEASE", 0.6)
    lease = take(sweeps, "a")
    for _ in range(3):
        time.sleep(0.3)
        sweeps.batches.renew(lease, 2)
        assert take(sweeps, "b") is None
    time.sleep(0.7)
    second = take(sweeps, "b")
    assert second.lost == {(1, 2): 1}
    expire(sweeps._database)
    third = take(sweeps, "c", round=2)
    assert third.lost == {(1, 2): 1, (1, None): 1}, "the second had begun no run on record"


def test_a_worker_that_lost_its_lease_records_nothing(sweeps):
    lease = take(sweeps, "a")
    sweeps.outcomes.record(SPEC.digest, [line(0)], lease)
    expire(sweeps._database)
    sweeps.outcomes.record(SPEC.digest, [line(1)], lease)
    sweeps.batches.renew(lease)  # late, but no one had taken the batch
    assert take(sweeps, "b") is None
    expire(sweeps._database)
    other = take(sweeps, "b")

    for act in (
        lambda: sweeps.outcomes.record(SPEC.digest, [line(2)], lease),
        lambda: sweeps.batches.renew(lease),
        lambda: sweeps.batches.renew(lease, 2),
    ):
        with pytest.raises(LeaseLost):
            act()
    assert read(sweeps)[0] == [line(0), line(1)]
    sweeps.outcomes.record(SPEC.digest, [line(2)], other)
    assert len(read(sweeps)[0]) == 3


def test_no_lease_outlives_its_sweep(sweeps):
    lease = take(sweeps, "a")
    sweeps.change(SPEC.digest, (RUNNING,), "cancelled", status=CANCELLED)
    sweeps.delete(SPEC.id)

    with pytest.raises(LeaseLost):
        sweeps.outcomes.record(SPEC.digest, [line(0)], lease)
    with pytest.raises(LeaseLost):
        sweeps.batches.renew(lease)
    with pytest.raises(NotFound):
        take(sweeps, "b")
    sweeps.batches.release(lease)
    assert sweeps.batches.held(SPEC.digest) == set()


def test_a_lease_written_before_the_clock_was_set_back_does_not_count(sweeps):
    lease = take(sweeps, "a")
    with sweeps._database.read() as connection:
        ahead = sweeps._database.now(connection, timedelta(hours=1))
    alter(sweeps._database, schema.batches, lease=ahead)

    assert sweeps.batches.held(SPEC.digest) == set()
    sweeps.batches.renew(lease)
    assert sweeps.batches.held(SPEC.digest) == {0}, "its worker writes it anew"
    alter(sweeps._database, schema.batches, lease=ahead)
    assert take(sweeps, "b") is not None


def test_a_run_with_an_outcome_is_not_the_one_at_which_a_worker_was_lost(sweeps):
    lease = take(sweeps, "a")
    sweeps.batches.renew(lease, 2)
    sweeps.outcomes.record(SPEC.digest, [line(1), line(2)], lease)
    assert batch_row(sweeps)["run"] is None
    sweeps.batches.renew(lease, 3)
    sweeps.outcomes.record(SPEC.digest, [line(0)], lease)
    assert batch_row(sweeps)["run"] == 3
    expire(sweeps._database)

    assert take(sweeps, "b").lost == {(1, 3): 1}


def test_a_process_that_was_lost_or_stopped_holds_its_batch_no_longer(sweeps):
    sweeps.batches.renew(take(sweeps, "host:1:x:first"), 2)
    sweeps.batches.abandon(SPEC.digest, 0, "host:2:y:")
    assert take(sweeps, "b") is None, "of another worker"
    sweeps.batches.abandon(SPEC.digest, 0, "host:1:x:")
    lease = take(sweeps, "host:1:x:second")
    assert lease.lost == {(1, 2): 1}

    sweeps.batches.renew(lease, 3)
    assert not sweeps.batches.spare(SPEC.digest, 0, "host:2:y:")
    assert sweeps.batches.spare(SPEC.digest, 0, "host:1:x:")
    assert sweeps.batches.spare(SPEC.digest, 0, "host:1:x:") and sweeps.batches.spare(SPEC.digest, 9, "host:1:x:")
    assert take(sweeps, "c").lost == {(1, 2): 1}, "a stop is no loss"
