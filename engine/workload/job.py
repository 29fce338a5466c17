"""A workload: what asks for a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.tables import JOBS, Table, rows

KINDS = ("rigid", "fractional", "two_tier", "moldable", "multitask", "classed")

COLUMNS = ("job_id", "release", "runtime", "processors", "requested", "weight", "user")
"""Columns of `Workload.jobs` that every kind has, with the dtypes of `engine.tables.JOBS`."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Clock:
    """What turns seconds of a workload into dates."""

    unix_start: float
    """Seconds since 1970-01-01 UTC at the workload's second 0."""
    utc_offset: float = 0.0
    """Seconds by which the site's winter time is ahead of UTC."""
    zone: str = ""
    """Name of the time zone in the tz database ("Europe/Stockholm"), empty when unknown."""


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in submission order, ties in the order of the file, with what is known of their machine.

    Arrays are read-only. `requested` is NaN where nobody asked for a time (consumers then take the runtime),
    `user` is -1 where unknown. Times count from the workload's own origin and are as written, never shifted.
    """

    kind: str
    name: str
    """What people call it: "four.swf", "simulation.json#shared_node", "lublin:jobs=1000"."""
    jobs: Table
    """n rows: COLUMNS, then those of the kind (fractional: `cpu_need`, `memory`; two_tier: `loss`)."""
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)
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

    def __post_init__(self) -> None:
        for column in (*self.jobs.values(), *self.parts.values()):
            column.flags.writeable = False

    def __len__(self) -> int:
        return rows(self.jobs)

    def __repr__(self) -> str:
        return f"<{self.kind} workload {self.name}: {len(self):,} jobs>"

    def with_(self, **changes: Any) -> Workload:
        """The same workload but for `changes`."""
        return replace(self, **changes)


def job_table(release: np.ndarray, runtime: np.ndarray, processors: np.ndarray, **others: np.ndarray) -> Table:
    """The columns of a jobs table, checked for length and cast; those not given get their defaults.

    `job_id` counts from 1, `requested` is NaN, `weight` 1, `user` -1. `others` may hold columns of a family.
    """
    n = len(release)
    given = {"release": release, "runtime": runtime, "processors": processors, **others}
    given.setdefault("job_id", np.arange(1, n + 1))
    given.setdefault("requested", np.full(n, np.nan))
    given.setdefault("weight", np.ones(n))
    given.setdefault("user", np.full(n, -1))
    order = (*COLUMNS, *(name for name in given if name not in COLUMNS))
    table = {name: np.ascontiguousarray(given[name], dtype=JOBS.get(name, np.dtype("f8"))) for name in order}
    assert all(len(column) == n for column in table.values()), "columns of one table are equally long"
    return table
