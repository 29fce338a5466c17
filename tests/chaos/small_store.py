"""A small store with something of every kind, and every answer that it gives."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import fakeredis
from flask import Flask
from sqlalchemy import delete

from shadowtime.dashboard.compose import compose
from shadowtime.engine.errors import EngineError
from shadowtime.workers import audit, rerun, submit
from shadowtime.workers.exact import Proofs
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records import schema
from shadowtime.workers.records.papers import QUEUED, StudyStatus
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.recover import Recovery
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import Status
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.feed import Feed
from tests.chaos.laboratory import Laboratory
from tests.conftest import FOUR_SWF, three_with_tau
from tests.workers.sweeps.samples import asked

Answers = dict[str, tuple[int, bytes]]
"""Status and content of each answer by its name; what cannot be answered has the status of its refusal."""
OWNER = "user:anna"
EVENTS = ({"who": "anna", "route": "/api/runs"}, {"who": "bob", "route": "/api/links"})
OF_RUNS = (
    "", "/view", "/segments", "/events", "/jobs", "/series", "/rates", "/bands", "/jobs.csv", "/segments.csv",
    "/summary.json", "/spec.json", "/export?format=csv&table=jobs", "/window?from=0&to=2000", "/life?job=1",
)  # fmt: skip
SHOWN = ("easy", "shared", "bounded")
"""Finished runs of which everything is asked."""
OF_SWEEPS = ("", ".toml", "/points", "/runs", "/runs.csv", "/ranking?metric=mean_flow", "/precision?metric=mean_flow")
WHOLE = ("/api/runs", "/api/runs?status=finished", "/api/runs?sort=jobs", "/api/workloads", "/api/links", "/api/sweeps")
UNKNOWN, REFUSED = 404, 503


def build(folder: Path, url: str) -> dict[str, Any]:
    """Fill a new store; return the ids of what it holds."""
    lab = Laboratory(folder, url)
    with lab.passing():
        return _filled(lab)


def _filled(lab: Laboratory) -> dict[str, Any]:
    store, queue = lab.store, lab.queue
    entries = [store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")[0]]
    entries.append(store.workloads.add(io.BytesIO(json.dumps(three_with_tau(5.0)).encode()), "three.json")[0])
    entries.append(store.workloads.generate("uniform", {"jobs": 40}, 3)[0])

    def ask(entry: Any, algorithm: str, owner: str | None = None, **more: Any) -> str:
        request = {"workload": entry.id, "algorithm": algorithm, "private": owner is not None, **more}
        return submit.accept(store, queue, request, owner=owner)[0].digest

    runs = {
        "easy": ask(entries[0], "easy"), "fcfs": ask(entries[0], "fcfs"),
        "shared": ask(entries[1], "greedy*/opt=min"), "private": ask(entries[0], "fcfs", OWNER),
        "bounded": ask(entries[2], "easy"), "old": ask(entries[0], "fcfs", estimates="actual"),
    }  # fmt: skip
    lab.settle()
    links = {name: _link(store, runs[name], secret=name == "private") for name in ("easy", "private", "old")}
    store.links.revoke(links["old"])
    store.runs.delete(runs["old"])
    rerun.request(store, queue, rerun.linked(store, store.runs.get(runs["easy"])))
    swept = submission.accept(store, queue, asked(store, seeds=[1, 2], loads=[0.5]))[0].digest
    lab.settle()
    runs["failed"], runs["cancelled"], runs["queued"], runs["running"] = (
        ask(entries[0], "easy", seed=seed) for seed in (1, 2, 3, 4)
    )
    store.runs.fail(runs["failed"], "it did not work")
    store.runs.cancel(runs["cancelled"])
    _begin(store, runs["running"], runs["easy"])
    waiting = submission.accept(store, queue, asked(store, seeds=[7], loads=[0.5]))[0].digest
    study = store.papers.study("dfrs", "quick", "an engine", "the studies")
    study.request(StudyStatus(QUEUED, "2025-01-01T00:00:00.000000Z", 1))
    study.keep("a cell", 1.0, 0.25)
    for event in EVENTS:
        audit.Audit(store.database).write(**event)
    store.check()
    store.tidy()
    _free_pages(store)
    return {"runs": runs, "links": links, "sweeps": {"swept": swept, "waiting": waiting}, "workloads": entries}


def _begin(store: RecordStore, digest: str, other: str) -> None:
    """A worker is at it, and people look on."""
    store.runs.begin(digest, "a worker")
    store.runs.report(digest, 1, {"fraction": 0.5, "jobs_done": 2, "jobs": 4, "segments": 3, "seconds_left": 9.0})
    segments = store.runs.get(other).table("segments")
    with store.runs.write_live(digest) as live:
        live.append("segments", {name: column[:3] for name, column in segments.items()})
        live.replace("open", {name: column[3:] for name, column in segments.items()})


def _link(store: RecordStore, digest: str, *, secret: bool) -> str:
    run = store.runs.get(digest)
    return store.links.make(f"/runs/{run.id}", "a title", [rerun.linked(store, run)], secret=secret)[0].code


def _free_pages(store: RecordStore) -> None:
    """Leave pages that no table has."""
    with store.database.write() as connection:
        long = [{"digest": f"{n:064x}", "spec": "x" * 3000} for n in range(12)]
        connection.execute(schema.questions.insert(), long)
    with store.database.write() as connection:
        connection.execute(delete(schema.questions).where(schema.questions.c.spec.startswith("xxx")))


def answers(folder: Path, known: dict[str, Any]) -> tuple[Answers, list[str], set[str]]:
    """Every answer of the store in a folder, what `store check` finds, and the blobs that are left after all that a
    worker does by itself. An error that no one foresaw has the status 500."""
    found: Answers = {}

    def note(name: str, get: Callable[[], Any]) -> Any:
        try:
            value = get()
            found[name] = 200, value if isinstance(value, bytes) else repr(value).encode()
            return value
        except EngineError as error:
            found[name] = UNKNOWN if isinstance(error, LookupError) else REFUSED, str(error).encode()
        except OSError as error:
            found[name] = REFUSED, str(error).encode()
        except Exception as error:
            found[name] = 500, f"{type(error).__name__}: {error}".encode()
        return None

    store = RecordStore.__new__(RecordStore)
    note("open", lambda: RecordStore.__init__(store, folder))
    if found["open"][0] != 200:
        return found, [found["open"][1].decode()], set()
    found["open"] = 200, b""
    note("identity", lambda: store.identity)
    if found["identity"][0] != 200:
        return found, [found["identity"][1].decode()], set()
    queue = RunQueue(fakeredis.FakeRedis(server=fakeredis.FakeServer()), Names(store.identity))
    _over_http(found, store, queue, known)
    _from_store(note, store, known)
    check = note("check", lambda: [str(fault) for fault in faults(store)]) or [found["check"][1].decode()]
    check = [] if found["check"] == (200, b"[]") else check
    found["check"] = (200, b"[]") if found["check"][0] == 200 else found["check"]
    note("tidy", lambda: store.tidy())
    for handler in (Recovery(store, queue), Feed(store, queue), Proofs(store, queue)):
        note(f"scan of {type(handler).__name__}", lambda handler=handler: (handler.scan(), None)[1])
    note("collect", lambda: store.shelf.collect(0.0) and None)
    left = {path.name for path in (folder / "blobs").iterdir()}
    store.database.close()
    return found, check, left


def _over_http(found: Answers, store: RecordStore, queue: RunQueue, known: dict[str, Any]) -> None:
    server = Flask("api")
    server.config["PROPAGATE_EXCEPTIONS"] = False
    compose(server, store, queue, Settings(store=store.path))
    client = server.test_client()
    paths = list(WHOLE)
    for name, digest in known["runs"].items():
        paths += [f"/api/runs/{digest[:16]}{path}" for path in (OF_RUNS if name in SHOWN else ("", "/segments"))]
    paths += [f"/api/sweeps/{digest[:16]}{path}" for digest in known["sweeps"].values() for path in OF_SWEEPS]
    paths += [f"/api/workloads/{entry.id}" for entry in known["workloads"]]
    for code in known["links"].values():
        paths += [f"/api/links/{code}", f"/api/links/{code}/rerun"]
    pair = ",".join(known["runs"][name][:16] for name in ("easy", "fcfs"))
    paths += [f"/api/compare?runs={pair}", f"/api/picture.png?runs={pair}", "/api/papers", "/metrics"]
    for path in paths:
        answer = client.get(path)
        content = answer.data
        if path == "/metrics":
            content = b"\n".join(line for line in content.splitlines() if line.startswith(b"shadowtime_runs"))
        found[path] = answer.status_code, content


def _from_store(note: Callable[[str, Callable[[], Any]], Any], store: RecordStore, known: dict[str, Any]) -> None:
    """What no route gives."""
    note("private", lambda: _as_json(_told(store, known["runs"]["private"])))
    note("question", lambda: store.runs.question(known["runs"]["old"]).json)
    note("audit", lambda: _as_json([{"id": line} for line in audit.lines(store.database, [])]))
    note("unfinished", lambda: _as_json([{"id": digest, **_work(one)} for digest, one in store.runs.unfinished()]))
    note("load", lambda: store.runs.load(""))
    study = store.papers.study("dfrs", "quick", "an engine", "the studies")
    note("study", lambda: _as_json({"status": _fields(study.status()), "cells": study.answers(["a cell"])}))
    for code in known["links"].values():
        note(f"link {code}", lambda code=code: _as_json(asdict(store.links.read(code))))
    for entry in known["workloads"]:
        note(f"source of {entry.id}", lambda entry=entry: _source(store, entry.digest))
        case = entry.cases[0] if entry.cases else None
        note(f"jobs of {entry.id}", lambda entry=entry, case=case: _jobs(store, entry.digest, case))


def _told(store: RecordStore, digest: str) -> Any:
    run = store.runs.get(digest)
    columns = {name: column.tolist() for name, column in run.table("jobs").items()}
    return {"spec": run.spec.json, **run.status.as_dict(), "summary": run.summary, "jobs": columns}


def _work(status: Status) -> dict[str, Any]:
    """What decides about the work on a run."""
    return {"status": status.status, "attempt": status.attempt, "priority": status.priority, "client": status.client}


def _fields(values: Any) -> dict[str, Any] | None:
    return asdict(values) if values is not None else None


def _as_json(values: Any) -> bytes:
    return json.dumps(values).encode()


def _source(store: RecordStore, digest: str) -> bytes:
    with store.workloads.open_source(digest) as file:
        return file.read()


def _jobs(store: RecordStore, digest: str, case: str | None) -> bytes:
    workload = store.workloads.load(digest, case)
    columns = [*workload.jobs.values(), *workload.parts.values()]
    return b"".join(column.tobytes() for column in columns) + repr((workload.machine, workload.clock)).encode()


def needed(folder: Path) -> set[str]:
    """The blobs that runs and workloads refer to."""
    store = RecordStore(folder)
    with store.database.read() as connection:
        used = set(connection.exec_driver_sql("SELECT blob FROM uses WHERE kind <> 'draft'").scalars())
    store.database.close()
    return used


def unpacked(content: bytes) -> Any:
    """The values of a JSON answer; None for any other."""
    with suppress(ValueError):
        return json.loads(content)
    return None


def files_of(folder: Path) -> Iterator[str]:
    """The names of the files of a store that hold something, below its folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size and path.suffix != ".lock":
            yield str(path.relative_to(folder))
