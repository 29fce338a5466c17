"""What is asked for workloads and runs, and what must hold of them when that was cut short anywhere."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

from shadowtime.workers import recover, submit
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.live import Publisher
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import Run
from tests.chaos.answers import WHY, is_right, outcome, tables_of
from tests.chaos.laboratory import Laboratory
from tests.conftest import FOUR_SWF
from tests.workers.samples import FOUR_DIGEST

THREE = ({"algorithm": "easy"}, {"algorithm": "fcfs"}, {"algorithm": "easy", "estimates": "actual"})


def question(algorithm: str, **more: Any) -> dict[str, Any]:
    return {"workload": FOUR_DIGEST[:16], "algorithm": algorithm, **more}


def upload(lab: Laboratory) -> None:
    lab.store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")


def spec_of(lab: Laboratory, algorithm: str = "easy", **more: Any) -> RunSpec:
    return submit.question(lab.store, question(algorithm, **more))[0]


def submit_one(lab: Laboratory, algorithm: str = "easy") -> str:
    return submit.accept(lab.store, lab.queue, question(algorithm))[0].digest


def with_run(lab: Laboratory) -> str:
    upload(lab)
    return submit_one(lab)


def begun(lab: Laboratory) -> str:
    """A worker is at it, and has written something for those who look on, and for itself."""
    digest = with_run(lab)
    lab.store.runs.begin(digest, "another worker")
    lab.queue.remove(digest)
    with lab.store.runs.write_live(digest) as live:
        live.append("segments", outcome(spec_of(lab).json).schedule.segments)
    spool = lab.store.runs.spool(digest).folder
    spool.mkdir(parents=True)
    (spool / "events").write_bytes(b"something")
    return digest


def finished(lab: Laboratory) -> str:
    digest = with_run(lab)
    lab.work()
    return digest


def uploaded(lab: Laboratory, is_done: bool) -> None:
    known = [entry.digest for entry in lab.store.workloads.list().rows]
    assert known in ([], [FOUR_DIGEST]) and (known or not is_done)
    if known:
        assert len(lab.store.workloads.load(FOUR_DIGEST)) == 4
        with lab.store.workloads.open_source(FOUR_DIGEST) as file:
            assert file.read() == FOUR_SWF.encode()


def draw(lab: Laboratory) -> None:
    lab.store.workloads.generate("uniform", {"jobs": 20}, 3)


def drawn(lab: Laboratory, is_done: bool) -> None:
    known = lab.store.workloads.list().rows
    assert len(known) == 1 or not is_done
    assert all(len(lab.store.workloads.load(entry.id)) == 20 for entry in known)


def key_of(spec: RunSpec) -> str:
    return spec.algorithm if spec.estimates == "requested" else f"{spec.algorithm}, {spec.estimates}"


def listed(lab: Laboratory) -> dict[str, Run]:
    """The runs by their algorithm and estimates; each of them is whole."""
    runs = {key_of(run.spec): run for run in lab.store.runs.list().rows}
    for run in runs.values():
        assert lab.store.runs.get(run.id).status == run.status
        assert run.status.is_unfinished or is_right(run)
    return runs


def accepted(lab: Laboratory, is_done: bool) -> None:
    runs = listed(lab)
    assert runs.keys() <= {"easy"} and (runs or not is_done)


def submit_three(lab: Laboratory) -> None:
    together = {"workload": FOUR_DIGEST[:16], "algorithms": list(THREE)}
    submit.admit_all(lab.store, lab.queue, submit.questions(lab.store, together))


def all_accepted(lab: Laboratory, is_done: bool) -> None:
    runs = listed(lab)
    assert len(runs) in (0, len(THREE)) and (runs or not is_done), "all of them, or none"


def with_failed(lab: Laboratory) -> None:
    lab.store.runs.fail(begun(lab), WHY, 1)


def accepted_again(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.status != "failed" or not is_done


def work(lab: Laboratory) -> None:
    lab.work()


def executed(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.is_finished or not is_done


def go_on(lab: Laboratory) -> None:
    """What a worker writes while a run goes on."""
    digest = spec_of(lab).digest
    status = lab.store.runs.get(digest).status
    if status.status == "finished":
        return
    if status.status == "running":
        lab.store.runs.requeue(digest, status.attempt, "its worker was killed")
    status = lab.store.runs.begin(digest, "this worker")
    segments = outcome(spec_of(lab).json).schedule.segments
    with lab.store.runs.write_live(digest) as live:
        live.append("segments", {name: column[:2] for name, column in segments.items()})
        live.replace("open", {name: column[2:] for name, column in segments.items()})
    progress = {"fraction": 0.5, "jobs_done": 2, "jobs": 4, "segments": 2, "seconds_left": 1.0}
    assert lab.store.runs.report(digest, status.attempt, progress)
    assert lab.store.runs.renew(digest, "this worker")
    Publisher(lab.queue.connection, lab.queue.names).publish(digest, status, simulated=1.0, events=2)
    lab.queue.heartbeat(digest, "this worker")


def went_on(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.status in ("queued", "running", "finished")
    assert run.status.status != "queued" or not is_done
    if run.status.status == "running" and (rows := lab.store.runs.live(run.digest).rows("segments")):
        right = outcome(run.spec.json).schedule.segments["job"][:rows]
        assert (lab.store.runs.live(run.digest).read("segments")["job"] == right).all()


def finish(lab: Laboratory) -> None:
    spec = spec_of(lab)
    found = outcome(spec.json)
    if not lab.store.runs.finish(spec.digest, 1, tables_of(found), found.summary):
        raise Conflict("another attempt runs")


def fail(lab: Laboratory) -> None:
    if not lab.store.runs.fail(spec_of(lab).digest, WHY, 1):
        raise Conflict("another attempt runs, or it has ended")


def failed(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.status in ("failed", "running", "queued", "finished")
    assert run.status.status == "failed" or not is_done


def cancel(lab: Laboratory) -> None:
    submit.cancel(lab.store, lab.queue, spec_of(lab).digest)


def cancelled(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.status in ("cancelled", "queued", "running", "finished")
    assert run.status.status == "cancelled" or not is_done


def cancel_running(lab: Laboratory) -> None:
    """The request, and what the worker does then."""
    cancel(lab)
    lab.store.runs.cancelled(spec_of(lab).digest)


def requeue(lab: Laboratory) -> None:
    publisher = Publisher(lab.queue.connection, lab.queue.names)
    if not recover.requeue(lab.store, lab.queue, publisher, spec_of(lab).digest, 1):
        raise Conflict("another attempt runs")


def requeued(lab: Laboratory, is_done: bool) -> None:
    (run,) = listed(lab).values()
    assert run.status.status in ("running", "queued", "finished")
    assert run.status.attempt == 2 or not is_done


def lost(lab: Laboratory) -> None:
    """A run that waits without a job in Redis, and one whose worker is gone."""
    begun(lab)
    lab.queue.remove(submit_one(lab, "fcfs"))


def scan(lab: Laboratory) -> None:
    lab.scan()
    lab.time += 10.0
    lab.scan()


def scanned(lab: Laboratory, is_done: bool) -> None:
    runs = listed(lab)
    assert runs.keys() == {"easy", "fcfs"}
    assert runs["easy"].status.attempt == 2 or not is_done


def delete(lab: Laboratory) -> None:
    with suppress(NotFound):
        lab.store.runs.delete(spec_of(lab).digest)


def deleted(lab: Laboratory, is_done: bool) -> None:
    runs = listed(lab)
    assert not (is_done and runs)
    spec = spec_of(lab)
    assert lab.store.runs.question(spec.digest) == spec, "what was asked is known"


def forget(lab: Laboratory) -> None:
    with suppress(NotFound):
        lab.store.workloads.delete(FOUR_DIGEST)


def forgotten(lab: Laboratory, is_done: bool) -> None:
    uploaded(lab, False)
    assert not (is_done and lab.store.workloads.list().rows)


def keep(lab: Laboratory) -> None:
    specs = [spec_of(lab, **one) for one in THREE]
    done = [(spec, outcome(spec.json)) for spec in specs]
    lab.store.runs.keep([(spec, tables_of(found), found.summary) for spec, found in done])


def kept(lab: Laboratory, is_done: bool) -> None:
    all_accepted(lab, is_done)
    assert all(run.status.is_finished for run in listed(lab).values())
