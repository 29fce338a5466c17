"""The operations of a laboratory: what each needs, asks for, and must hold afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.chaos import of_others as others
from tests.chaos import of_runs as runs
from tests.chaos.laboratory import Laboratory


@dataclass(frozen=True)
class Operation:
    """One request to a laboratory. `act` raises Conflict where the request does not fit any more."""

    name: str
    prepare: Callable[[Laboratory], Any]
    act: Callable[[Laboratory], Any]
    look: Callable[[Laboratory, bool], None]
    """Asserts about the laboratory afterwards; whether the request was answered is its second argument."""
    deletes: bool = False
    """It succeeds on a full disk too."""
    opens: bool = False
    """Its first step is that the store is opened."""
    is_work: bool = False
    """A worker does it: no one waits for an answer, but it is done once everything is."""


OPERATIONS = (
    Operation("a store is opened for the first time", others.never, others.first, others.opened, opens=True),
    Operation("a store is opened and tidied", others.litter, others.tidy, others.collected, opens=True),
    Operation("a file is uploaded", others.nothing, runs.upload, runs.uploaded),
    Operation("a workload is generated", others.nothing, runs.draw, runs.drawn),
    Operation("a run is accepted", runs.upload, runs.submit_one, runs.accepted),
    Operation("three runs are accepted at once", runs.upload, runs.submit_three, runs.all_accepted),
    Operation("a failed run is accepted again", runs.with_failed, runs.submit_one, runs.accepted_again),
    Operation("a worker executes a run", runs.with_run, runs.work, runs.executed, is_work=True),
    Operation("a run is begun, reported and renewed", runs.with_run, runs.go_on, runs.went_on),
    Operation("a run is finished", runs.begun, runs.finish, runs.executed),
    Operation("a run fails", runs.begun, runs.fail, runs.failed),
    Operation("a waiting run is cancelled", runs.with_run, runs.cancel, runs.cancelled),
    Operation("a running run is cancelled", runs.begun, runs.cancel_running, runs.cancelled),
    Operation("a run is requeued", runs.begun, runs.requeue, runs.requeued),
    Operation("lost runs are found by a scan", runs.lost, runs.scan, runs.scanned, is_work=True),
    Operation("a run is deleted", runs.finished, runs.delete, runs.deleted, deletes=True),
    Operation("a workload is deleted", runs.upload, runs.forget, runs.forgotten, deletes=True),
    Operation("links are made", runs.finished, others.link, others.linked),
    Operation("links are revoked", others.with_links, others.revoke, others.revoked, deletes=True),
    Operation("runs of a sweep are kept", runs.upload, runs.keep, runs.kept),
    Operation("a sweep is accepted", others.nothing, others.accept_sweep, others.sweep_accepted),
    Operation("a batch of a sweep is executed", others.accept_sweep, others.run_sweep, others.sweep_run, is_work=True),
    Operation("a sweep is cancelled and resumed", others.accept_sweep, others.stop_sweep, others.sweep_stopped),
    Operation("a sweep is deleted", others.swept, others.delete_sweep, others.sweep_deleted, deletes=True),
    Operation("an exact bound is proven", others.with_bound, others.bound, others.bounded, is_work=True),
    Operation("a run of a link is asked for again", runs.finished, others.ask_again, others.asked_again),
    Operation("a run of a link is computed again", others.with_rerun, runs.work, others.ran_again, is_work=True),
    Operation("a study is recomputed", others.nothing, others.study, others.studied),
    Operation("blobs are collected", others.litter, others.collect, others.collected),
)
