"""A directory that is copied while it is written to opens as a store in which nothing accepted before is missing."""

from __future__ import annotations

import shutil
import threading

from shadowtime.workers.store import Store, open_store
from shadowtime.workers.store.files import FileStore
from shadowtime.workers.store.integrity import faults
from tests.workers.samples import spec, summary, tables

BEFORE, AFTER = 10, 40
"""Runs that end before, and while, the copy is made."""


def run_to_its_end(store: Store, seed: int) -> None:
    one = spec(seed)
    store.runs.accept(one)
    begun = store.runs.begin(one.digest)
    assert begun is not None
    store.runs.finish(one.digest, begun.attempt, tables(value=seed), summary(one))


def copied(source, target) -> None:
    """As a tool for backups does: what goes away meanwhile is left out."""
    try:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".tmp-*"))
    except shutil.Error as error:
        assert all("No such file" in why for _, _, why in error.args[0]), error


def test_a_copy_made_under_writers_loses_nothing_and_shows_nothing_wrong(tmp_path):
    store = open_store(tmp_path / "store")
    for seed in range(BEFORE):
        run_to_its_end(store, seed)
    for seed in range(BEFORE, AFTER):
        store.runs.accept(spec(seed))
    begun = threading.Event()

    def write() -> None:
        for seed in range(BEFORE, AFTER):
            run_to_its_end(store, seed)
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait(30)
    copied(tmp_path / "store", tmp_path / "copy")
    writer.join()
    copy = FileStore(tmp_path / "copy")
    copy.index.rebuild()

    for seed in range(AFTER):
        run = copy.runs.get(spec(seed).digest)
        assert run.spec == spec(seed)
        if copy.runs.verify(run.digest).is_finished:
            assert set(run.table("series")["time"]) == {seed % 200}
            assert run.summary == summary(spec(seed))
        else:  # it came to its end while it was copied: damaged or unfinished, and computed again
            assert seed >= BEFORE
            copy.runs.fail(run.digest, "its worker is elsewhere")
            run_to_its_end(copy, seed)
    assert not [str(fault) for fault in faults(copy)]
    assert {run.status.status for run in copy.runs.list(limit=AFTER).rows} == {"finished"}
