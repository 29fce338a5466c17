"""The life of a tiny run in a store of its own, so that the forks of a worker find its statements compiled.

SQLAlchemy compiles a statement once in a process. A fork executes one run, so that each compiled nine statements again,
three of them while it held the database against all other writers.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

from shadowtime.workers import submit
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import Store


def rehearse(store: Store) -> None:
    """Accept, begin, execute and finish a run of four jobs as the records of `store` would on SQLite."""
    if not store.database.is_sqlite:
        return  # its statements are another dialect's, and no writer waits for another
    with TemporaryDirectory(prefix="shadowtime-") as folder:
        scratch = RecordStore(folder)
        try:
            scratch.database.compile_for(store.database)
            _live(scratch)
        finally:
            scratch.database.close()


def _live(store: RecordStore) -> None:
    workload, _ = store.workloads.generate("uniform", {"jobs": 4}, 1)
    spec, jobs = submit.question(store, {"workload": workload.digest, "algorithm": "easy"})
    store.runs.accept_all([(spec, jobs)])
    store.runs.get(spec.digest)
    status = store.runs.begin(spec.digest, "rehearsal")
    assert status is not None, "nothing else begins it"
    with store.runs.spool(spec.digest) as spool:
        outcome = execute(spec, load_workload(spec, store), lambda piece: None, spool=spool)
        store.runs.finish(spec.digest, status.attempt, outcome.tables(), outcome.summary)
    store.runs.get(spec.digest)
