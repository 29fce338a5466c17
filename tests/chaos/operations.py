"""What a store is asked to do, and what must hold of it when that was cut short anywhere."""

from __future__ import annotations

import io
from contextlib import suppress

from shadowtime.workers.errors import Conflict, NotFound, QueueAway
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import TABLES
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.batch import Piece, run_piece
from shadowtime.workers.sweeps.progress import ProgressCache
from tests.chaos.steps import Operation
from tests.conftest import FOUR_SWF
from tests.workers.samples import FOUR_DIGEST, spec, summary, tables
from tests.workers.sweeps.samples import asked, expire

SEEDS = range(3)


class NoQueue:
    """Redis is away."""

    def __getattr__(self, name: str):
        raise QueueAway


def upload(store: RecordStore) -> None:
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")


def uploaded(store: RecordStore, is_done: bool) -> None:
    known = [entry.digest for entry in store.workloads.list().rows]
    assert known in ([], [FOUR_DIGEST]) and (known or not is_done)
    if known:
        assert len(store.workloads.load(FOUR_DIGEST)) == 4


def ask(store: RecordStore) -> None:
    for seed in SEEDS:
        store.runs.accept(spec(seed), jobs=4)


def whole(store: RecordStore, is_done: bool) -> None:
    """Each run that is there is whole, and all are there when it was said so."""
    runs = {run.digest: run for run in store.runs.list().rows}
    assert runs.keys() <= {spec(seed).digest for seed in SEEDS}
    assert len(runs) == len(SEEDS) or not is_done
    for seed in SEEDS:
        run = runs.get(spec(seed).digest)
        if run is None or not run.status.is_finished:
            continue
        assert run.summary == summary(spec(seed), seed=seed)
        for name in TABLES:
            assert all((run.table(name)[key] == value).all() for key, value in tables(4, value=seed)[name].items())


def execute(store: RecordStore) -> None:
    """As a worker does it, whatever an earlier one has left."""
    for seed in SEEDS:
        digest = spec(seed).digest
        status = store.runs.get(digest).status
        if status.status == "running":
            store.runs.requeue(digest, status.attempt, "its worker was killed")
        begun = store.runs.begin(digest)
        if begun is None:
            continue
        live = store.runs.write_live(digest)
        live.append("segments", tables(2, value=seed)["segments"])
        store.runs.report(digest, begun.attempt, {"fraction": 0.5})
        store.runs.finish(digest, begun.attempt, tables(4, value=seed), summary(spec(seed), seed=seed))


def executed(store: RecordStore, is_done: bool) -> None:
    whole(store, True)
    states = [store.runs.get(spec(seed).digest).status.status for seed in SEEDS]
    assert set(states) <= {"queued", "running", "finished"}
    assert not is_done or set(states) == {"finished"}


def ask_and_execute(store: RecordStore) -> None:
    ask(store)
    execute(store)


def delete(store: RecordStore) -> None:
    for seed in SEEDS:
        with suppress(NotFound):
            store.runs.delete(spec(seed).digest)


def deleted(store: RecordStore, is_done: bool) -> None:
    whole(store, False)
    there = {run.digest for run in store.runs.list().rows}
    assert not (is_done and there)
    for seed in SEEDS:
        if spec(seed).digest not in there:
            assert store.runs.question(spec(seed).digest) == spec(seed), "what was asked is known"


def cancel(store: RecordStore) -> None:
    for seed in SEEDS:
        with suppress(Conflict):
            store.runs.cancel(spec(seed).digest)


def cancelled(store: RecordStore, is_done: bool) -> None:
    states = [store.runs.get(spec(seed).digest).status.status for seed in SEEDS]
    assert set(states) <= ({"cancelled"} if is_done else {"cancelled", "queued"})


def keep(store: RecordStore) -> None:
    store.runs.keep([(spec(seed), tables(4, value=seed), summary(spec(seed), seed=seed)) for seed in SEEDS])


def forget_workload(store: RecordStore) -> None:
    with suppress(NotFound):
        store.workloads.delete(FOUR_DIGEST)


def forgotten(store: RecordStore, is_done: bool) -> None:
    uploaded(store, False)
    assert not (is_done and store.workloads.list().rows)


def accept_sweep(store: RecordStore) -> None:
    submission.accept(store, NoQueue(), asked(store, seeds=[1], loads=[0.5]))


def sweep_accepted(store: RecordStore, is_done: bool) -> None:
    sweeps = store.sweeps.list()
    assert len(sweeps) <= 1 and (sweeps or not is_done)
    for sweep in sweeps:
        assert len(sweep.spec) == 2 and sweep.status.status == "running"


def run_sweep(store: RecordStore) -> None:
    """All batches, by a worker that comes when the leases of lost ones have expired."""
    expire(store.database)
    (sweep,) = store.sweeps.list()
    if ProgressCache(store).get(sweep).outcomes.counts()["failed"]:
        submission.retry(store, NoQueue(), sweep.digest)
        (sweep,) = store.sweeps.list()
    for batch in range(-(-len(sweep.spec) // sweep.status.batch)):
        run_piece(Piece(sweep.digest, batch), Settings(store=store.path), store)


def sweep_run(store: RecordStore, is_done: bool) -> None:
    (sweep,) = store.sweeps.list()
    counts = ProgressCache(store).get(sweep).outcomes.counts()
    runs = store.runs.list().rows
    assert all(run.status.is_finished and run.summary and len(run.table("jobs")["job_id"]) == 20 for run in runs)
    assert counts["finished"] <= len(runs) <= 2
    assert not (is_done and counts["failed"])
    assert not is_done or (counts["finished"], len(runs)) == (2, 2)


def nothing(store: RecordStore) -> None:
    pass


OPERATIONS = (
    Operation("a file is uploaded", nothing, upload, uploaded, stride=3),
    Operation("a workload is forgotten", upload, forget_workload, forgotten),
    Operation("runs are accepted", nothing, ask, whole, stride=3),
    Operation("runs are executed", ask, execute, executed, stride=29),
    Operation("runs are cancelled", ask, cancel, cancelled, stride=2),
    Operation("runs are deleted", ask_and_execute, delete, deleted, stride=3),
    Operation("runs of a sweep are kept", nothing, keep, whole, stride=11),
    Operation("a sweep is accepted", nothing, accept_sweep, sweep_accepted),
    Operation("a sweep is run", accept_sweep, run_sweep, sweep_run, stride=9),
)
