"""What is asked of links, sweeps, bounds, studies and the store, and what must hold when it was cut short."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from shadowtime.workers import rerun, submit, tasks
from shadowtime.workers.errors import Conflict
from shadowtime.workers.kinds import BOUND
from shadowtime.workers.records.papers import FINISHED, QUEUED, StudyStatus
from shadowtime.workers.records.tables import write_table
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.progress import ProgressCache
from tests.chaos.answers import MANY, is_right, outcome
from tests.chaos.laboratory import Laboratory
from tests.chaos.of_runs import executed, finished, spec_of
from tests.workers.sweeps.samples import asked


def link(lab: Laboratory) -> None:
    run = lab.store.runs.get(spec_of(lab).digest)
    for secret in (False, True):
        lab.store.links.make(f"/runs/{run.id}", "a title", [rerun.linked(lab.store, run)], secret=secret)


def linked(lab: Laboratory, is_done: bool) -> None:
    links = lab.store.links.all()
    assert len(links) <= 2 and (len(links) == 2 or not is_done)
    for one in links:
        assert lab.store.links.read(one.code) == one and not one.is_damaged
        (kept,) = one.runs
        assert kept.metrics == outcome(kept.spec).summary["metrics"]


def revoke(lab: Laboratory) -> None:
    for one in lab.store.links.all():
        lab.store.links.revoke(one.code)


def with_links(lab: Laboratory) -> None:
    finished(lab)
    link(lab)


def revoked(lab: Laboratory, is_done: bool) -> None:
    linked(lab, False)
    assert not (is_done and lab.store.links.all())


def accept_sweep(lab: Laboratory) -> None:
    submission.accept(lab.store, lab.queue, asked(lab.store, seeds=[1], loads=[0.5]))


def counts(lab: Laboratory) -> dict[str, int]:
    """Of the runs of the sweep by their outcome; each that has finished is there, and right."""
    (sweep,) = lab.store.sweeps.list()
    found = ProgressCache(lab.store).get(sweep).outcomes
    runs = lab.store.runs.list().rows
    assert all(run.status.is_finished and is_right(run) for run in runs)
    assert found.counts()["finished"] <= len(runs) <= 2 and not found.counts()["failed"]
    flows = sorted(run.summary["metrics"]["mean_flow"] for run in runs)
    said = sorted(flow for flow in found.metrics.get("mean_flow", ()) if not np.isnan(flow))
    assert not set(said) - set(flows)
    return found.counts()


def sweep_accepted(lab: Laboratory, is_done: bool) -> None:
    sweeps = lab.store.sweeps.list()
    assert len(sweeps) <= 1 and (sweeps or not is_done)
    if sweeps:
        assert len(sweeps[0].spec) == 2
        assert sweeps[0].status.status != "finished" or counts(lab)["finished"] == 2


def run_sweep(lab: Laboratory) -> None:
    lab.work()


def sweep_run(lab: Laboratory, is_done: bool) -> None:
    assert counts(lab)["finished"] == 2 or not is_done


def swept(lab: Laboratory) -> None:
    accept_sweep(lab)
    lab.work()
    lab.scan()


def delete_sweep(lab: Laboratory) -> None:
    for sweep in lab.store.sweeps.list():
        lab.store.sweeps.delete(sweep.digest)


def sweep_deleted(lab: Laboratory, is_done: bool) -> None:
    if lab.store.sweeps.list():
        assert not is_done and counts(lab)["finished"] == 2
    assert len(lab.store.runs.list().rows) == 2, "its runs stay"


def stop_sweep(lab: Laboratory) -> None:
    """Cancel it, and resume it."""
    (sweep,) = lab.store.sweeps.list()
    with suppress(Conflict):
        submission.cancel(lab.store, lab.queue, sweep.digest)
    with suppress(Conflict):
        submission.resume(lab.store, lab.queue, sweep.digest)


def sweep_stopped(lab: Laboratory, is_done: bool) -> None:
    (sweep,) = lab.store.sweeps.list()
    assert sweep.status.status in (("running", "finished") if is_done else ("running", "cancelled", "finished"))


def with_bound(lab: Laboratory) -> None:
    """A run of so many jobs that its exact bound is not proven at once."""
    entry, _ = lab.store.workloads.generate("uniform", {"jobs": MANY}, 3)
    submit.accept(lab.store, lab.queue, {"workload": entry.id, "algorithm": "easy"})


def bound(lab: Laboratory) -> None:
    """The run asks for it as it ends, and a worker proves it."""
    lab.work()
    for digest in lab.store.bounds.requested():
        tasks.bound_task(BOUND.prefix + digest)


def bounded(lab: Laboratory, is_done: bool) -> None:
    (run,) = lab.store.runs.list().rows
    state = (run.summary or {}).get("exact_bound", {}).get("status")
    assert state in (None, "queued", "finished") and (state == "finished" or not is_done)
    assert state != "finished" or is_right(run)


def litter(lab: Laboratory) -> None:
    """Blobs that nothing uses, beside those of a run."""
    finished(lab)
    drafts = []
    for n in range(3):
        table = {"n": np.arange(100 + n)}
        drafts.append(write_table(lab.store.path / "tmp" / f"draft-{n}", table))
    lab.store.shelf.put(drafts)


def collect(lab: Laboratory) -> None:
    lab.store.shelf.collect(0.0)


def collected(lab: Laboratory, is_done: bool) -> None:
    executed(lab, True)


def ask_again(lab: Laboratory) -> None:
    """Let the run of a link be computed once more."""
    run = lab.store.runs.get(spec_of(lab).digest)
    rerun.request(lab.store, lab.queue, rerun.linked(lab.store, run))


def with_rerun(lab: Laboratory) -> None:
    finished(lab)
    ask_again(lab)


def asked_again(lab: Laboratory, is_done: bool) -> None:
    executed(lab, True)
    again = lab.store.reruns.get(spec_of(lab).digest)
    assert again is None or again.status in ("queued", "finished")
    assert again is not None or not is_done
    if again is not None and again.status == "finished":
        run = lab.store.runs.get(spec_of(lab).digest)
        assert dict(again.tables) == rerun.table_digests(run)


def ran_again(lab: Laboratory, is_done: bool) -> None:
    asked_again(lab, True)
    assert not is_done or lab.store.reruns.get(spec_of(lab).digest).status == "finished"


def study(lab: Laboratory) -> None:
    """Recompute a study of two cells."""
    one = lab.store.papers.study("dfrs", "quick", "an engine", "the studies")
    one.request(StudyStatus(QUEUED, "2025-01-01T00:00:00.000000Z", 1))
    for key in ("a", "b"):
        one.keep(key, 1.0, key)
    one.report({"done": 2, "total": 2, "seconds_left": 0.0})
    one.finish({"answers": "ab"})


def studied(lab: Laboratory, is_done: bool) -> None:
    one = lab.store.papers.study("dfrs", "quick", "an engine", "the studies")
    assert one.result() == {"answers": "ab"} or not is_done
    assert one.result() in (None, {"answers": "ab"})
    assert (one.result() is None) == (one.status() is None or one.status().status != FINISHED)
    assert {key: value["value"] for key, value in one.answers(["a", "b"]).items()}.items() <= {
        "a": "a",
        "b": "b",
    }.items()


def tidy(lab: Laboratory) -> None:
    lab.store.tidy()


def first(lab: Laboratory) -> None:
    """Open a store, and make its key."""
    assert lab.store.identity
    if not lab.store.check():
        raise OSError("it cannot be written to")


def opened(lab: Laboratory, is_done: bool) -> None:
    assert lab.store.check() and lab.store.runs.list().rows == []


def nothing(lab: Laboratory) -> None:
    assert lab.store.identity


def never(lab: Laboratory) -> None:
    """Not even the store is there."""
