"""Read the tables of tasks that Alibaba published: batch jobs of 2018, and those of the GPU cluster PAI of 2020.

No table has submissions: a job is submitted at its recorded start. Rules by table, each line a job of its own:

- `batch_task.csv` (2018, 9 columns, no header): cores of all instances, `instance_num` times `plan_cpu` (100 is a
  core), rounded up.
- `batch_instance.csv` (2018, 14 columns, no header): cores in use at most (`cpu_max`, 100 is a core), rounded up, at
  least 1: a request is not recorded.
- `pai_task_table.csv` (2020, 10 columns, with or without a header): GPUs of all instances, `inst_num` times `plan_gpu`
  (100 is a GPU), rounded up, so lanes are GPUs; tasks without any are left out and counted.

Times are seconds of the trace's own clock; an end of 0 is unknown. Jobs are numbered from 1 in the order of the file.
The normalised memory of 2018 is not kept, and the order of tasks in a job neither.

Format: https://github.com/alibaba/clusterdata.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.site_log import SiteLog, Texts, left_out, workload_of
from shadowtime.engine.workload.words import count

STATES = (b"Terminated", b"Failed", b"Running", b"Waiting", b"Ready", b"Interrupted", b"Cancelled")
"""States of tasks and instances, by which tables without a header are recognised."""


class Kind(NamedTuple):
    """A table of the traces."""

    slug: str
    title: str
    names: tuple[str, ...]
    """All columns, in order."""
    partition: str
    lanes: str = "processors"
    nodes: str = ""
    least: float = 0.0
    """Lanes of a job whose number is unknown, or of which it uses a part."""


KINDS = (
    Kind("batch_task", "Alibaba 2018 (tasks)",
         ("task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu",
          "plan_mem"), "task_type"),
    Kind("batch_instance", "Alibaba 2018 (instances)",
         ("instance_name", "task_name", "job_name", "task_type", "status", "start_time", "end_time", "machine_id",
          "seq_no", "total_seq_no", "cpu_avg", "cpu_max", "mem_avg", "mem_max"), "task_type", nodes="machine_id",
         least=1.0),
    Kind("pai_task_table", "Alibaba PAI 2020 (tasks)",
         ("job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem", "plan_gpu",
          "gpu_type"), "gpu_type", lanes="GPUs"),
)  # fmt: skip
HEADED = {b"job_name", b"inst_num", b"plan_gpu"}


def kind_of(head: bytes) -> Kind | None:
    """Return the table that begins with these bytes; None for other texts."""
    cells = [cell.strip() for cell in head.lstrip().split(b"\n", 1)[0].split(b",")]
    if set(cells) >= HEADED:
        return KINDS[2]
    for kind in KINDS:
        if len(cells) == len(kind.names) and cells[kind.names.index("status")] in STATES:
            return kind
    return None


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is one of the tables."""
    return kind_of(head) is not None


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of one of the tables.

    Raises
    ------
    InvalidWorkload
        If a needed column is missing, or no task ran.
    """
    from shadowtime.engine.workload.sites.csv_table import Table, joined, numbers, texts

    first = next(pieces, b"")
    kind = kind_of(first)
    assert kind, "the text was recognised"
    has_header = set(first.lstrip().split(b"\n", 1)[0].strip().split(b",")) >= HEADED
    table = Table(chain([first], pieces), limits, kind.names, () if has_header else kind.names)
    if missing := [name for name in ("start_time", "end_time") if name not in table.names]:
        raise InvalidWorkload(f"its header has no column {missing[0]}; the table has {', '.join(kind.names)}.")
    requested = {"status", "start_time", "end_time", *_sizes(kind), "plan_mem", kind.partition, kind.nodes} & {
        *table.names
    }
    table.requested = sorted(requested)
    found = list(table.batches())
    n = sum(map(len, found))
    values = {
        name: joined([numbers(batch[name]) for batch in found])
        for name in ("start_time", "end_time", *_sizes(kind), "plan_mem")
        if name in requested
    }
    amount = _amount(kind, values, n)
    known = amount > 0
    if n and kind.lanes == "GPUs" and not known.any():
        raise InvalidWorkload("none of its tasks has a GPU.")
    used = known if kind.lanes == "GPUs" else np.ones(n, bool)
    start, end = values["start_time"], values["end_time"]
    end = np.where(end > 0, end, np.nan)
    size = np.maximum(np.ceil(np.round(np.nan_to_num(amount), 6)), kind.least)
    groups = {"outcome": "status", "partition": kind.partition, "nodes": kind.nodes}
    rounded = int(((size != np.round(amount, 6)) & used & (amount > 0)).sum())
    memory = (
        values["plan_mem"] * values["inst_num"] * 1024.0**2 if kind.lanes == "GPUs" and "plan_mem" in values else None
    )
    log = SiteLog(
        source=kind.title,
        lanes=kind.lanes,
        job_id=np.arange(1.0, n + 1)[used],
        submit=start[used],
        start=start[used],
        end=end[used],
        size=size[used],
        memory=None if memory is None else np.where(memory > 0, memory, np.nan)[used],
        gpus=amount[used] if kind.lanes == "GPUs" else None,
        groups={
            name: _part(texts([batch[given] for batch in found]), used)
            for name, given in groups.items()
            if given in requested
        },
        dated=False,
        has_submissions=False,
        notes=(
            *left_out(int((~used).sum()), "task", " without GPUs"),
            *([f"{count(rounded, 'job')} with a fraction of a {kind.lanes[:-1]}: rounded up."] * (rounded > 0)),
            *table.notes(),
        ),
    )
    return workload_of(log)


def _part(column: Texts, used: np.ndarray) -> Texts:
    return Texts(column.codes[used], column.texts)


def _sizes(kind: Kind) -> tuple[str, ...]:
    """Return the columns that give the size of a job."""
    named = {"batch_task": ("instance_num", "plan_cpu"), "batch_instance": ("cpu_max",)}
    return named.get(kind.slug, ("inst_num", "plan_gpu"))


def _amount(kind: Kind, values: dict[str, np.ndarray], n: int) -> np.ndarray:
    """Return the cores or GPUs of each line, with fractions; NaN where unknown."""
    if kind.slug == "batch_instance":
        return values["cpu_max"] / 100.0
    per_instance, instances = (values.get(name, np.full(n, np.nan)) for name in reversed(_sizes(kind)))
    return instances * per_instance / 100.0


ALIBABA = Format(
    "alibaba",
    "Alibaba's tasks of 2018 and 2020",
    (".csv", ".csv.gz"),
    "batch_task.csv, batch_instance.csv (lanes are cores) and pai_task_table.csv (lanes are GPUs).",
    read,
    recognizes,
)
