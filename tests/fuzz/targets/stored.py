"""What is kept: columns, their manifests, statuses and summaries, after somebody or something changed them."""

from __future__ import annotations

import json
import zlib
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from shadowtime.workers.store import columns, damage, open_store, seal
from shadowtime.workers.store.sweeps import Sweep, SweepStatus
from shadowtime.workers.sweeps.journals import Journals
from shadowtime.workers.sweeps.reading import read
from tests.fuzz.target import Target
from tests.fuzz.targets.sweeps import find

DAMAGED = (FileNotFoundError, ValueError)
"""How readers say that something is not what was written."""
JOBS = {"release": np.array([0.0, 1.0, 2.5]), "processors": np.array([4, 2, 1], "i8"), "first": np.array([0], "i4")}


@cache
def folder() -> Path:
    made = Path(mkdtemp(prefix="shadowtime-fuzz-"))
    columns.write_tables(made, {"jobs": JOBS}, durable=False)
    (made / damage.SPEC).write_text("{}")
    return made


def table(content: bytes) -> None:
    """A manifest and a column, without checksums, as older versions kept them: the column has its rows."""
    manifest, _, column = content.partition(b"\n")
    jobs = folder() / "jobs"
    (jobs / columns.MANIFEST).write_bytes(manifest)
    (jobs / "release.npy").write_bytes(column)
    for mapped in (True, False):
        for name, values in columns.read_table(jobs, mapped=mapped).items():
            assert values.ndim == 1 and values.dtype.kind in "biuf", f"{name} is {values.dtype}"
            np.asarray(values).tolist()


def checked(content: bytes) -> None:
    """The same with its checksums: what was changed is never read."""
    jobs = folder() / "jobs"
    manifest, _, column = content.partition(b"\n")
    said = _whole()
    (jobs / columns.MANIFEST).write_bytes(manifest)
    (jobs / "release.npy").write_bytes(column)
    found = columns.read_table(jobs)
    if manifest == said[0]:
        assert zlib.crc32(column) == zlib.crc32(said[1])
        assert (found["release"] == JOBS["release"]).all()


def status(content: bytes) -> None:
    (folder() / damage.STATUS).write_bytes(content)
    read = damage.read_status(folder())
    assert read.status in damage.STATES
    json.dumps(read.public(), allow_nan=False)


def summary(content: bytes) -> None:
    (folder() / damage.SUMMARY).write_bytes(content)
    found, tables = damage.read_summary(folder())
    assert isinstance(found, dict) and all(isinstance(name, str) for name in tables)


@cache
def swept() -> Sweep:
    """A sweep of four runs."""
    asked = read({"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["easy", "fcfs"]}, "x", find, 9)
    store = open_store(Path(mkdtemp(prefix="shadowtime-fuzz-")))
    store.sweeps.accept(asked.spec, SweepStatus(name="x", workloads=asked.workloads, batch=4, runs_total=4))
    return store.sweeps.get(asked.spec.digest)


def journal(content: bytes) -> None:
    """What a journal says, whatever stands in it, can be counted and shown; what it does not say is to be done."""
    swept().journal(0).write_bytes(content)
    said = Journals(swept()).refresh(swept())
    counts = said.outcomes.counts()
    assert sum(counts.values()) == 4 and len(said.todo(0)) == counts["pending"]
    json.dumps([said.outcomes.of(index) for index in range(4)], ensure_ascii=True)


@cache
def _whole() -> tuple[bytes, bytes]:
    made = Path(mkdtemp(prefix="shadowtime-fuzz-"))
    columns.write_tables(made, {"jobs": JOBS}, durable=False)
    return (made / "jobs" / columns.MANIFEST).read_bytes(), (made / "jobs" / "release.npy").read_bytes()


def tables() -> list[bytes]:
    manifest, column = _whole()
    said = seal.opened(manifest)
    old = {name: value for name, value in said.items() if name != "digests"}
    short = {**old, "columns": {"release": "<f8"}}
    return [
        json.dumps(one).encode() + b"\n" + column for one in (old, short, {"rows": 3, "columns": {"release": "<i4"}})
    ]


def statuses() -> list[bytes]:
    whole = {"status": "running", "attempt": 1, "accepted": "2025-03-01T12:00:00Z", "progress": {"fraction": 0.42},
             "error": None, "priority": "high", "client": "a", "owner": None, "damaged": False}  # fmt: skip
    return [json.dumps(whole).encode(), b'{"status": "finished"}', b"{}", b"[]"]


def summaries() -> list[bytes]:
    return [
        damage.summary_text({"jobs": 4, "metrics": {"makespan": 1.0}}, ["jobs", "segments"]),
        b"{}",
        b'{"crc32": "0"}',
    ]


def journals() -> list[bytes]:
    done = {"index": 0, "status": "finished", "run": "0" * 16, "parameters": {}, "metrics": {"mean_flow": 1.5},
            "bounds": {"makespan": 3}, "round": 1, "took": 0.1}  # fmt: skip
    not_done = {"index": 3, "status": "failed", "run": None, "error": "It was.", "round": 1}
    begin = {"begin": 0, "round": 1, "by": "me"}
    lines = [begin, done, {**begin, "begin": 1}, {"stopped": 1}, {"lost": 2, "round": 1}, not_done]
    return [b"".join(json.dumps(line).encode() + b"\n" for line in some) for some in (lines, lines[:1], lines[1:2])]


TYPES = ("<f8", "<i8", "|O", "|V9", "<U9", "f8,i4", "<M8[s]", "rows", "columns", "lengths", "digests", "crc32")
TARGETS = (
    Target("columns", "Stored columns without checksums", table, tables, DAMAGED, words=TYPES),
    Target("checksums", "Stored columns with checksums", checked, lambda: [b"\n".join(_whole())], DAMAGED, words=TYPES),
    Target("journals", "Journals of sweeps", journal, journals, (), words=('{"index": 0}', "lost", "begin", "round")),
    Target("status", "Stored statuses of runs", status, statuses, DAMAGED, is_json=True),
    Target("summary", "Stored summaries of runs", summary, summaries, DAMAGED, is_json=True),
)  # fmt: skip
