"""A workload: what asks for a machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.tables import JOBS, Table, rows, take

if TYPE_CHECKING:
    from shadowtime.engine.families.classed.site.site import Site

COLUMNS = ("job_id", "release", "runtime", "processors", "requested", "weight", "user")
"""Columns of `Workload.jobs` that every kind has, with the dtypes of `engine.tables.JOBS`."""


@dataclass(frozen=True)
class Clock:
    """What turns seconds of a workload into dates."""

    unix_start: float
    """Seconds since 1970-01-01 UTC at the workload's second 0."""
    utc_offset: float = 0.0
    """Seconds by which the site's winter time is ahead of UTC."""
    zone: str = ""
    """Name of the time zone in the tz database ("Europe/Stockholm"), empty when unknown."""


def zone_name(text: Any) -> str:
    """`text` where it may be the name of a time zone, else ""."""
    return text if isinstance(text, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_+\-/]{0,60}", text) else ""


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in submission order, ties in the order of the file, with what is known of their machine.

    `requested` is NaN where nobody asked for a time (consumers then take the runtime), `user` is -1 where unknown.
    Times count from the workload's own origin and are as written. Shared by all runs: nobody writes into its arrays.
    """

    kind: str
    name: str
    """What people call it: "four.swf", "simulation.json#shared_node", "lublin:jobs=1000"."""
    jobs: Table
    """n rows: COLUMNS, then those of the kind (fractional: `cpu_need`, `memory`; two_tier: `loss`; classed:
    `job_class`, `priority`, `deviate`)."""
    parts: Table = field(default_factory=dict)
    """Ragged columns, one value per process or task; job i owns `first[i]:first[i + 1]`. Empty for rigid."""
    machine: Mapping[str, float] = field(default_factory=dict)
    """What the workload says of its platform and of parameters: "processors", "nodes", "period" ..."""
    report: tuple[str, ...] = ()
    """What the reader or generator did, a sentence each."""
    clock: Clock | None = None
    has_estimates: bool = False
    """Some job has a requested time."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """Its identity in a run's spec: {"digest", "case"} or {"generator", "parameters", "seed"}."""
    conversions: tuple[Mapping[str, Any], ...] = ()
    """What was done to the source, in order: {"name", "parameters"} each."""
    site: Site | None = None
    """Of a classed workload: machines, clusters and their experience of its job classes."""

    def __len__(self) -> int:
        return rows(self.jobs)

    def __repr__(self) -> str:
        return f"<{self.kind} workload {self.name}: {len(self):,} jobs>"

    def with_(self, **changes: Any) -> Workload:
        """The same workload but for `changes`."""
        return replace(self, **changes)


def job_table(release: np.ndarray, runtime: np.ndarray, processors: np.ndarray, **others: np.ndarray) -> Table:
    """The columns of a jobs table, cast to their dtypes; those not given get their defaults.

    `job_id` counts from 1, `requested` is NaN, `weight` 1, `user` -1. `others` may hold columns of a family.
    """
    n = len(release)
    defaults = {"job_id": np.arange(1, n + 1), "requested": np.full(n, np.nan), "weight": np.ones(n),
                "user": np.full(n, -1)}  # fmt: skip
    given = {"release": release, "runtime": runtime, "processors": processors, **defaults, **others}
    order = (*COLUMNS, *(name for name in given if name not in COLUMNS))
    table = {name: np.ascontiguousarray(given[name], dtype=JOBS.get(name, np.dtype("f8"))) for name in order}
    assert all(len(column) == n for column in table.values()), "columns of one table are equally long"
    return table


def in_order(jobs: Table, parts: Table) -> tuple[Table, Table]:
    """The same jobs by submission, ties as they stood; their parts move with them."""
    if (np.diff(jobs["release"]) >= 0).all():
        return jobs, parts
    return select(jobs, parts, np.argsort(jobs["release"], kind="stable"))


def select(jobs: Table, parts: Table, index: np.ndarray) -> tuple[Table, Table]:
    """The jobs in rows `index`, with their parts."""
    if not parts:
        return take(jobs, index), parts
    first = parts["first"]
    lengths = np.diff(first)[index]
    ends = np.cumsum(lengths)
    # the k-th value of a chosen job stands k places after the first of its own
    where = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first[:-1][index] - ends + lengths, lengths)
    first_of_each = np.concatenate([[0], ends]).astype("i8")
    if "options" in parts:  # parts that have parts: tasks and their machines
        return take(jobs, index), _select_tasks(parts, where, first_of_each)
    moved = {name: values[where] for name, values in parts.items() if name != "first"}
    return take(jobs, index), {"first": first_of_each, **moved}


def _select_tasks(parts: Table, where: np.ndarray, first: np.ndarray) -> Table:
    """The parts of the tasks in rows `where`, with the new `first` of their jobs."""
    places, machine, time = move_places(np.diff(parts["options"]), parts["machine"], parts["time"], where)
    return {
        "first": first, "size": parts["size"][where], "task": parts["task"][where],
        "options": np.concatenate([[0], np.cumsum(places)]).astype("i8"), "machine": machine, "time": time,
        "capacity": parts["capacity"],
    }  # fmt: skip


def move_places(places: np.ndarray, machine: np.ndarray, time: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return `places`, `machine` and `time` of the tasks in `order`."""
    begin = np.concatenate([[0], np.cumsum(places)[:-1]]).astype("i8")
    lengths = places[order]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    where = np.arange(total) + np.repeat(begin[order] - ends + lengths, lengths)
    return lengths, machine[where], time[where]
