"""Compile the statements by which a run is recorded, before a worker takes the first one.

SQLAlchemy compiles a statement once in a process. A worker forks for each run, so that without this each fork compiles
nine statements again, three of them while no other process can write to SQLite.
"""

from __future__ import annotations

import logging
from tempfile import TemporaryDirectory

from shadowtime.engine.errors import EngineError
from shadowtime.workers import submit
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import Store

log = logging.getLogger(__name__)


def warm_records(store: Store) -> None:
    """Record a run of four jobs in a temporary store whose compiled statements are those of `store`.

    A temporary store is in SQLite; for another database nothing is done. A failure is logged: runs take longer then.
    """
    if not store.database.is_sqlite:
        return
    try:
        with TemporaryDirectory(prefix="shadowtime-") as folder:
            temporary = RecordStore(folder)
            try:
                temporary.database.share_compiled(store.database)
                record_run(temporary)
            finally:
                temporary.database.close()
    except (EngineError, OSError) as error:
        log.warning("database statements are compiled in each run: %s", error)


def record_run(store: RecordStore) -> None:
    """Accept, begin, execute and finish a run of four jobs."""
    workload, _ = store.workloads.generate("uniform", {"jobs": 4}, 1)
    spec, jobs = submit.question(store, {"workload": workload.digest, "algorithm": "easy"})
    store.runs.accept_all([(spec, jobs)])
    store.runs.get(spec.digest)
    status = store.runs.begin(spec.digest, "warm-up")
    assert status is not None, "no other process has the store"
    with store.runs.spool(spec.digest) as spool:
        outcome = execute(spec, load_workload(spec, store), lambda piece: None, spool=spool)
        store.runs.finish(spec.digest, status.attempt, outcome.tables(), outcome.summary)
    store.runs.get(spec.digest)
