"""What is kept, after a person or something changed it: tables, and files of older versions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from shadowtime.workers import npy
from shadowtime.workers.records import tables
from shadowtime.workers.records.older import sweeps as older_sweeps
from shadowtime.workers.records.older import tables as older_tables
from shadowtime.workers.store import seal
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.reading import read
from shadowtime.workers.sweeps.spec import SweepSpec
from tests.fuzz.target import Target
from tests.fuzz.targets.sweeps import find

DAMAGED = (FileNotFoundError, ValueError)
"""How readers say that something is not what was written."""


@cache
def folder() -> Path:
    made = Path(mkdtemp(prefix="shadowtime-fuzz-"))
    (made / "jobs").mkdir()
    return made


def older(content: bytes) -> None:
    """A manifest and a column, without checksums, as older versions kept them: the column has its rows."""
    manifest, _, column = content.partition(b"\n")
    jobs = folder() / "jobs"
    (jobs / "manifest.json").write_bytes(manifest)
    (jobs / "release.npy").write_bytes(column)
    for name, values in older_tables.read_table(jobs).items():
        assert values.ndim == 1 and values.dtype.kind in "biuf", f"{name} is {values.dtype}"
        np.asarray(values).tolist()


def table(content: bytes) -> None:
    """The file of a table, as if its blob had not been compared with its name: its columns lie within it."""
    path = folder() / "table"
    path.write_bytes(content)
    for mapped in (True, False):
        for name, values in tables.read_table(path, mapped=mapped).items():
            assert values.ndim == 1 and values.dtype.kind in "biuf", f"{name} is {values.dtype}"
            np.asarray(values).tolist()


@cache
def spec() -> SweepSpec:
    """A sweep of four runs."""
    values = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["easy", "fcfs"]}
    return read(values, "x", find, 9).spec


def journal(content: bytes) -> None:
    """What a journal of an older version says, whatever stands in it, can be counted and shown."""
    found, outcomes = older_sweeps.journal(content, 4), Outcomes(spec())
    for line in found.lines:
        outcomes.put(line)
    assert sum(outcomes.counts().values()) == 4 and len(found.lines) == 4 - outcomes.counts()["pending"]
    assert all(run in range(4) for _, run in (*found.lost, *([found.begun] if found.begun else [])))
    json.dumps([outcomes.of(index) for index in range(4)], ensure_ascii=True)
    json.dumps(found.lines)


def column() -> bytes:
    values = np.array([0.0, 1.0, 2.5])
    return npy.header(values.dtype, values.shape) + values.tobytes()


def older_columns() -> list[bytes]:
    one = {"rows": 3, "columns": {"release": "<f8"}, "lengths": {"release": 3}}
    short = {"rows": 3, "columns": {"release": "<i4"}}
    return [json.dumps(said).encode() + b"\n" + column() for said in (one, short, seal.opened(seal.sealed(one)))]


def files() -> list[bytes]:
    made = Path(mkdtemp(prefix="shadowtime-fuzz-"))
    some = ({"release": np.array([0.0, 1.0, 2.5]), "first": np.array([0], "i4")}, {"job": np.zeros(0, "i8")}, {})
    return [tables.write_table(made / str(number), one).path.read_bytes() for number, one in enumerate(some)]


def journals() -> list[bytes]:
    done = {"index": 0, "status": "finished", "run": "0" * 16, "parameters": {}, "metrics": {"mean_flow": 1.5},
            "bounds": {"makespan": 3}, "round": 1, "took": 0.1}  # fmt: skip
    not_done = {"index": 3, "status": "failed", "run": None, "error": "It was.", "round": 1}
    begin = {"begin": 0, "round": 1, "by": "me"}
    lines = [begin, done, {**begin, "begin": 1}, {"stopped": 1}, {"lost": 2, "round": 1}, not_done]
    return [b"".join(json.dumps(line).encode() + b"\n" for line in some) for some in (lines, lines[:1], lines[1:2])]


TYPES = ("<f8", "<i8", "|O", "|V9", "<U9", "f8,i4", "<M8[s]", "rows", "columns", "lengths", "digests", "crc32")
TARGETS = (
    Target("columns", "Columns of older versions", older, older_columns, DAMAGED, words=TYPES),
    Target("tables", "Files of tables", table, files, DAMAGED, words=TYPES),
    Target("journals", "Journals of older sweeps", journal, journals, (), words=("lost", "begin", "round", "index")),
)
