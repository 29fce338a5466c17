"""Write the store of a small laboratory with version 0.1.0, and record what that version answers about it.

The other files of this folder are the output: `store.tar.gz` is the store, `answers.json` holds the answers about an
unpacked copy. In a clone with commit e5d00eb, whose packages are called `engine` and `workers`, run

    make install && PYTHONHASHSEED=0 PYTHONPATH=. .venv/bin/python PATH-TO-THIS-FILE

No Redis is needed: this process computes what the store accepted with the code of a worker. Clocks and random digits
are replaced by counters, so each call writes the same bytes.

The digest of a table is SHA-256 over its columns in the order of their names: of each the UTF-8 text
`<name> <numpy dtype.str> <length>\\n`, then its bytes. A table without columns has the digest of no bytes.
"""

from __future__ import annotations  # isort: skip_file

import gzip
import hashlib
import io
import json
import os
import secrets
import socket
import tarfile
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from engine.bounds import fluid
from engine.workload import find_sample, generate, write_json, write_swf
from workers import audit, exact, execute, queue, rerun, site_keep, submit, tasks, version
from workers.papers import demt, kept, packed
from workers.store import RecordStore, integrity, status
from workers.sweeps import asking, batch, feed, journals, reading

HERE, FOLDER = Path(__file__).parent, tempfile.TemporaryDirectory()
ENGINE, START = "0.1.0+76060804", datetime(2026, 11, 22, 1, 10, tzinfo=UTC)
OWNER, CLIENT, LEFT = "ada", "user:ada", ".tmp-4711-0123456789ab"
assert version.engine_version() == ENGINE, f"this is {version.engine_version()}, but e5d00eb is {ENGINE}"
os.environ |= {"SHADOWTIME_STORE": f"{FOLDER.name}/store", "REDIS_URL": "redis://127.0.0.1:1/0"}
SETTINGS, STORE = tasks.environment()
ROOT, QUEUE = SETTINGS.store, queue.open_queue(SETTINGS)
IDS: dict[str, str] = {}  # of workloads, by their names
SPECIAL: dict[str, str] = {}  # digests and codes, by what is special about them
ERRORS: list[type[BaseException] | None] = []  # that the next runs of sweeps raise


def run(workload: str, algorithm: str, *, called: str = "", queued: bool = False, **request: Any) -> str:
    """Digest of a run that has ended, or was only accepted where it is to stay `queued`."""
    name, mark, case = workload.partition("#")
    request |= {"workload": IDS[name] + mark + case, "algorithm": algorithm}
    digest = submit.accept(STORE, QUEUE, request, client=CLIENT, owner=OWNER)[0].digest
    SPECIAL.update({called: digest} if called else {})
    if not queued:
        tasks.run_task(digest)
    return digest


def raise_or_execute(bench: Any, *rest: Any, usual: Any = batch.Bench.execute) -> Any:
    """Compute a run of a sweep, unless it is to raise an error."""
    if error := ERRORS.pop(0) if ERRORS else None:
        raise error
    return usual(bench, *rest)


def work(called: str, batches: Any, *errors: type[BaseException] | None, **grid: Any) -> str:
    """Compute batches of a sweep. Some runs raise `errors`; KeyboardInterrupt is as if the worker was killed."""
    if grid:
        asked = reading.read({**grid, "algorithms": ["easy", "fcfs"]}, "the sweep", asking.Stored(STORE).find)
        SPECIAL[called] = asking.accept(STORE, QUEUE, asked, client=CLIENT)[0].digest
    ERRORS[:], batch.Bench.execute = errors, raise_or_execute
    for number in batches:
        with suppress(KeyboardInterrupt):
            batch.run_piece(batch.Piece(SPECIAL[called], number), SETTINGS, STORE)
    return SPECIAL[called]


def of_run(run: Any) -> dict[str, Any]:
    """Answers about a run; only a finished one has tables."""
    tables = {name: rerun.digest_of(run.table(name)) for name in rerun.COMPARED if run.status.is_finished}
    return {"status": run.status.as_dict(), "spec": run.spec.json, "summary": run.summary, "tables": tables}


def of_workload(store: RecordStore, entry: Any) -> dict[str, Any]:
    """Answers about a workload; `cases` has the digests of the tables jobs and parts, with "" for a file without."""
    loaded = {case or "": store.workloads.load(entry.digest, case) for case in entry.cases or (None,)}
    cases = {case: [rerun.digest_of(table) for table in (one.jobs, one.parts)] for case, one in loaded.items()}
    source = hashlib.sha256(store.workloads.open_source(entry.digest).read()).hexdigest()
    return {"entry": entry.as_dict(), "source": source, "cases": cases}


def of_sweep(sweep: Any) -> dict[str, Any]:
    """Answers about a sweep; `lost` lists round, run, times; `begun` has round and run without an answer by batch."""
    found = journals.Journals(sweep).refresh(sweep)
    runs = [found.outcomes.of(index) for index in range(len(sweep.spec))]
    said = {"counts": found.outcomes.counts(), "intervals": found.outcomes.intervals, "begun": found.begun}
    said["lost"] = [[*which, times] for which, times in found.lost.items()]
    return {"status": asdict(sweep.status), "spec": sweep.spec.json, "runs": runs, **said}


def of_paper(place: Any) -> dict[str, Any]:
    """Answers about a paper that is or was recomputed."""
    cells = {key: place.answer(key) for key in place.known()}
    return {"status": asdict(place.status()), "progress": place.progress(), "result": place.result(), "cells": cells}


def answers(store: RecordStore) -> dict[str, Any]:
    """What version 0.1.0 answers about a store; links, re-runs and requested bounds as their files hold them."""
    newest_first = [one.digest for one in store.runs.list(limit=1000).rows]
    files = {what: store.path.glob(f"{what}/*.json") for what in ("links", "reruns", "bounds")}
    return {
        **{what: {path.stem: json.loads(path.read_bytes()) for path in paths} for what, paths in files.items()},
        "deleted": {path.stem: store.runs.question(path.stem).json for path in store.path.glob("deleted/*.json")},
        "runs": {digest: of_run(store.runs.get(digest)) for digest in newest_first},
        "newest first": newest_first,
        "newest first, public": [one.digest for one in store.runs.list(limit=1000, owners=()).rows],
        "workloads": {one.digest: of_workload(store, one) for one in store.workloads.list(limit=1000).rows},
        "sweeps": {one.digest: of_sweep(one) for one in store.sweeps.list()},
        "papers": {f"{one.name}-{one.scale}": of_paper(one) for one in kept.places(store.path)},
        "key": store.key().decode(),
        "audit": [json.loads(line) for line in (store.path / audit.NAME).read_bytes().splitlines()],
    }


# Clocks, random digits and the names of machine and process repeat.
ticks, instants, draws = count(1), count(1), count(1)
time.perf_counter = time.monotonic = time.process_time = lambda: next(ticks) / 1000
status.datetime = type("Clock", (), {"now": lambda zone: START + timedelta(milliseconds=250 * next(instants))})
secrets.token_hex = lambda n: hashlib.sha512(b"%d" % next(draws)).hexdigest()[: 2 * n]
socket.gethostname, os.getppid = lambda: "laboratory", lambda: 4711

# Workloads: at least one of every family is uploaded, two are drawn.
fractional, swf = io.BytesIO(), io.BytesIO()
write_json(generate("fractional", {"jobs": 12, "nodes": 4}, 3), fractional)
write_swf(generate("lublin", {"jobs": 20, "processors": 32}, 5), swf)
sent = {"Jobs of May – größer.json": fractional.getvalue(), "lublin.swf.gz": gzip.compress(swf.getvalue(), mtime=1)}
for slug in ("four", "figure1", "bench3"):  # rigid; two-tier with cases; a site of the classed family
    sent[find_sample(slug).file] = find_sample(slug).content()
for name in ("demt/d05", "synchpack/n01", "pjs/small"):  # moldable; multitask; classed with cases
    sent[f"{name.replace('/', '-')}.json"] = Path(f"tests/golden/{name}.json").read_bytes()
IDS.update({name: STORE.workloads.add(io.BytesIO(content), name)[0].id for name, content in sent.items()})
for slug, n in (("uniform", 30), ("classed", 12)):
    IDS[slug] = STORE.workloads.generate(slug, {"jobs": n}, 7)[0].id

# Runs of every family and in every state but `running`.
a, b = run("four.swf", "fcfs", called="re-run queued"), run("four.swf", "easy", called="re-run")
run("lublin.swf.gz", "measy", called="converted", conversions=["load:0.9", {"name": "two_tier"}], seed=3)
run("figure1.json#job10_reaches_foreground", "reasy")
run("figure1.json#1", "keasy", parameters={"threshold": 0.9})
run("Jobs of May – größer.json", "greedypm*/per/opt=min/minvt=600")
run("demt-d05.json", "demt")
run("synchpack-n01.json", "synchpack-2")
run("pjs-small.json#0", "min-min")
run("bench3.json#7", "sjs")
run("uniform", "easy", estimates="actual", platform={"processors": 100}, priority="high")
run("uniform", "fcfs", called="queued", queued=True, priority="low", seed=4)
private = run("four.swf", "easy", called="private", seed=5, private=True)
submit.cancel(STORE, QUEUE, run("four.swf", "fcfs", called="cancelled", queued=True, seed=6))
older = replace(STORE.runs.get(b).spec, engine_version="0.0.9")
STORE.runs.accept(older, jobs=4, client=CLIENT)
tasks.run_task(older.digest)  # fails, since only that engine may answer
plan = STORE.runs.get(run("classed", "pjs", parameters={"quantum": 10.0})).spec
jobs = execute.load_workload(plan, STORE)
measured = site_keep.keep_measured(STORE, plan, "PJS", jobs, execute.execute(plan, jobs).schedule, 0.5, {"seconds": 9})
SPECIAL |= {"failed": older.digest, "measured": STORE.runs.get(measured).digest}
damaged = ROOT / "runs" / run("four.swf", "fcfs", called="damaged", seed=8) / "jobs" / "end.npy"
damaged.write_bytes(damaged.read_bytes()[:-1] + b"\x7f")
STORE.runs.verify(SPECIAL["damaged"])

# Links, re-runs, and a run that is deleted after it was linked.
deleted, mine = run("four.swf", "fcfs", called="deleted", seed=9), {"owner": OWNER}
for called, target, digests, more in (
    ("link", f"/runs/{b[:16]}?v=1&from=0&to=500&nodes=0-9&job=2", [b], {"title": "Four jobs – größer"}),
    ("link of two runs", f"/compare?runs={a[:16]},{b[:16]}&baseline={a[:16]}", [a, b], {}),
    ("link of the deleted run", f"/runs/{deleted[:16]}", [deleted], {}),
    ("secret link", f"/runs/{private[:16]}", [private], {**mine, "secret": True}),
    ("revoked link", f"/runs/{a[:16]}", [a], mine),
):
    shown = [rerun.linked(STORE, STORE.runs.get(digest)) for digest in digests]
    SPECIAL[called] = STORE.links.make(target, runs=shown, **more)[0].code
STORE.links.revoke(SPECIAL["revoked link"])
STORE.runs.delete(deleted)
for digest in (a, b):
    rerun.ask(STORE, QUEUE, rerun.linked(STORE, STORE.runs.get(digest)))
tasks.run_task(b)

# A finished sweep of twelve runs, of which one failed, and one that was paused in its second round.
grid = {"workloads": ["uniform:jobs=10", IDS["four.swf"]], "seeds": [1, 2, 3], "tau": 60.0, "name": "Twelve runs"}
work("sweep finished", range(12), *[None] * 6, MemoryError, **grid)
feed.Feed(STORE, QUEUE).scan()
asking.batch_size = lambda store, spec: 2
grid = {"workloads": ["uniform:jobs=225"], "seeds": [1], "loads": [0.5, 0.7, 0.9, 1.1]}
paused = work("sweep paused", (0, 1), None, None, MemoryError, MemoryError, **grid)
asking.retry(STORE, QUEUE, paused)
work("sweep paused", (1, 2, 2), None, MemoryError, KeyboardInterrupt, None, KeyboardInterrupt)
with STORE.sweeps.get(paused).journal(2).open("ab") as journal:
    journal.write(b'{"index":5,"status":"finis')
asking.pause(STORE, QUEUE, paused)

# Exact bounds are requested of runs of more than 5,000 jobs, here of more than 10; three lost processes end a proof.
fluid.EXACT = 10
names = enumerate(("bound proven", "bound failed", "bound requested"), 10)
proven, failed, requested = (run("uniform", "easy", seed=n, called=name) for n, name in names)
exact.run_bound(queue.BOUND + proven, STORE, ROOT)
for digest in (failed, failed, failed, requested):
    exact.Proofs(STORE, ROOT, QUEUE).lost(queue.BOUND + digest)

# A paper that is being recomputed, one with its result, the audit log, and what crashed processes left.
going, done = kept.Place(ROOT, "demt", "quick"), kept.Place(ROOT, "synchpack", "quick")
for place in (going, done):
    place.put(kept.StudyStatus(kept.QUEUED, status.utc_now(), 2))
    place.change((kept.QUEUED,), status=kept.RUNNING, started=status.utc_now(), lost=1)
for cell in (demt.Cell("weak", 10, number) for number in range(3)):
    going.keep(packed.key_of(demt.run_cell, cell), 0.25 + cell.run, packed.packed(demt.run_cell(cell)))
going.report({"done": 3, "total": 288, "seconds_left": 71.25})
done.finish({**kept.shipped("synchpack", "quick"), "engine_version": ENGINE, "made": status.utc_now(), "workers": 2})
for path, code in (("/api/runs", 202), ("/api/workloads", 413), ("/s/ä", 403)):
    audit.Audit(ROOT / audit.NAME).write(who=OWNER, role="editor", address="192.0.2.7", path=path, status=code)
for folder in ("runs", "workloads", f"runs/{SPECIAL['queued']}", f"runs/{b}"):
    (ROOT / folder / LEFT).mkdir()
    (ROOT / folder / LEFT / "spec.json").write_text('{"algorithm":"ea')
(ROOT / "links" / LEFT).write_text('{"target": "/ru')

# The archive has fixed times, and its index was written from the folders at these times.
for file in ROOT.rglob("*"):
    os.utime(file, (START.timestamp(),) * 2)
STORE.index.rebuild()
while STORE.index._free:
    STORE.index._free.pop().base.close()
content = io.BytesIO()
with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for file in sorted(ROOT.rglob("*")):
        entry = archive.gettarinfo(file, str(file.relative_to(ROOT)))
        entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime = 0, 0, "", "", int(START.timestamp())
        entry.mode = 0o755 if file.is_dir() else 0o600 if file.name in ("key", audit.NAME) else 0o644
        archive.addfile(entry, io.BytesIO(file.read_bytes()) if file.is_file() else None)
(HERE / "store.tar.gz").write_bytes(gzip.compress(content.getvalue(), mtime=0))
with tarfile.open(HERE / "store.tar.gz") as archive:
    archive.extractall(f"{FOLDER.name}/copy", filter="data")
copy = RecordStore(f"{FOLDER.name}/copy")
found = {"engine_version": ENGINE, "special": SPECIAL, **answers(copy)}
text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
(HERE / "answers.json").write_text(f"{text}\n", encoding="utf-8")
print(*integrity.faults(copy), sep="\n")  # the damaged run alone
