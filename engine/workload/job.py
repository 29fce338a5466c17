"""The workload: a table of jobs, and what is known of their machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from shadowtime.engine.tables import JOBS, Table, rows, take

if TYPE_CHECKING:
    from shadowtime.engine.families.classed.site.site import Site
    from shadowtime.engine.workload.slurm.cluster import Cluster

Parameters = Mapping[str, Any]
"""Values of the parameters of a generator or conversion, checked, by name."""

COLUMNS = ("job_id", "release", "runtime", "processors", "requested", "weight", "user")
"""Columns of `Workload.jobs` of every kind, with the dtypes of `engine.tables.JOBS`."""

RECORDED = {
    "recorded_start": np.dtype("f8"), "recorded_end": np.dtype("f8"), "account": np.dtype("i8"),
    "partition": np.dtype("i8"), "outcome": np.dtype("i8"), "nodes": np.dtype("i8"), "gpus": np.dtype("f8"),
    "qos": np.dtype("i8"), "dependency": np.dtype("i8"), "eligible": np.dtype("f8"), "nice": np.dtype("f8"),
    "min_nodes": np.dtype("f8"), "task_cores": np.dtype("f8"), "whole_nodes": np.dtype("f8"),
}  # fmt: skip
"""Columns that a log may have of what was asked of its machine and what happened: instants [s], NaN where unknown;
codes of `Workload.texts` (account or group, partition or queue, outcome, list of nodes, QOS, dependency such as
`afterok:12:13`), -1 where unknown; nice value, least number of nodes (0: unknown), cores per task (0: unknown) and
whether the job holds whole nodes. The jobs tables of runs do not repeat them."""
TEXTS = ("user", "account", "partition", "outcome", "nodes", "qos", "dependency")
"""Columns that may have texts."""


DTYPES = {**JOBS, **RECORDED}
LANES_ARE_NODES = ("fractional", "multitask")
"""Kinds of which a lane is a node, as their families say: workloads are read below the families."""


@dataclass(frozen=True)
class Clock:
    """Converts seconds of a workload into dates."""

    unix_start: float
    """Seconds since 1970-01-01 UTC at the workload's second 0."""
    utc_offset: float = 0.0
    """Seconds by which the site's winter time is ahead of UTC."""
    zone: str = ""
    """Name of the time zone in the tz database ("Europe/Stockholm"); empty if unknown."""

    @property
    def time_zone(self) -> tzinfo:
        """The time zone of the site; `utc_offset` all year where its name is unknown, or unknown here."""
        fixed = timezone(timedelta(seconds=self.utc_offset))
        try:
            return ZoneInfo(self.zone) if self.zone else fixed
        except (ZoneInfoNotFoundError, ValueError):  # an old log may name a zone that the tz database does not have
            return fixed


def zone_name(text: Any) -> str:
    """Return `text` if it has the form of a time zone name, else ""."""
    return text if isinstance(text, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_+\-/]{0,60}", text) else ""


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs in submission order, ties in the order of the file, with what is known of their machine.

    `requested` is NaN for a job without a requested time (consumers then use the runtime), `user` is -1 if unknown.
    Times count from the workload's own origin, unchanged. All runs share the arrays: they are read-only by convention.
    """

    kind: str
    name: str
    """Name in pages and messages: "four.swf", "simulation.json#shared_node", "lublin:jobs=200"."""
    jobs: Table
    """n rows: COLUMNS, then those of the kind (fractional: `cpu_need`, `memory`; two_tier: `loss`; classed:
    `job_class`, `priority`, `deviate`)."""
    parts: Table = field(default_factory=dict)
    """Ragged columns, one value per process or task; job i owns `first[i]:first[i + 1]`. Empty for rigid."""
    machine: Mapping[str, Any] = field(default_factory=dict)
    """Platform and parameters that the workload states: "processors", "nodes", "period" ..."""
    report: tuple[str, ...] = ()
    """What the reader, generator and conversions did, one sentence each."""
    clock: Clock | None = None
    has_estimates: bool = False
    """Whether some job has a requested time."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """Identity in a run's spec: {"digest", "case"} or {"generator", "parameters", "seed"}."""
    conversions: tuple[Mapping[str, Any], ...] = ()
    """Conversions applied to the source, in order: {"name", "parameters"} each."""
    seeds: tuple[int, ...] | None = ()
    """Seeds of the conversions that drew random numbers; None for jobs that only a frame holds."""
    site: Site | None = None
    """Machines, clusters and their experience of the job classes; classed workloads only."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of the codes in columns TEXTS, where a log has names and not only numbers."""
    cluster: Cluster | None = None
    """The cluster under Slurm whose log this is; rigid workloads only."""

    def __len__(self) -> int:
        return rows(self.jobs)

    def __repr__(self) -> str:
        return f"<{self.kind} workload {self.name}: {len(self):,} jobs>"

    def with_(self, **changes: Any) -> Workload:
        """Return a copy of the workload with these fields changed."""
        return replace(self, **changes)


def stated_lanes(workload: Workload) -> int:
    """Return the lanes of the machine that a workload states: processors, or nodes times cores; 0 where none is."""
    machine = workload.machine
    if machine.get("processors"):
        return int(machine["processors"])
    cores = 1 if workload.kind in LANES_ARE_NODES else int(machine.get("cores_per_node") or 1)
    return int(machine.get("nodes") or 0) * cores


def job_table(release: np.ndarray, runtime: np.ndarray, processors: np.ndarray, **others: np.ndarray) -> Table:
    """Return the columns of a jobs table, cast to their dtypes, with defaults for columns not given.

    Defaults: `job_id` counts from 1, `requested` is NaN, `weight` 1, `user` -1. `others` may hold columns of a family.
    """
    n = len(release)
    defaults = {"job_id": np.arange(1, n + 1), "requested": np.full(n, np.nan), "weight": np.ones(n),
                "user": np.full(n, -1)}  # fmt: skip
    given = {"release": release, "runtime": runtime, "processors": processors, **defaults, **others}
    order = (*COLUMNS, *(name for name in given if name not in COLUMNS))
    table = {name: np.ascontiguousarray(given[name], dtype=DTYPES.get(name, np.dtype("f8"))) for name in order}
    assert all(len(column) == n for column in table.values()), "columns of one table are equally long"
    return table


def in_order(jobs: Table, parts: Table) -> tuple[Table, Table]:
    """Return the same jobs and parts sorted by submission, stably."""
    if (np.diff(jobs["release"]) >= 0).all():
        return jobs, parts
    return select(jobs, parts, np.argsort(jobs["release"], kind="stable"))


def rigid_log(jobs: Table, processors: int, report: tuple[str, ...], **others: Any) -> Workload:
    """Return the workload of a log of rigid jobs in any order, without a name; `processors`: 0 where unknown."""
    jobs, _ = in_order(jobs, {})
    return Workload(
        "rigid", "", jobs, machine={"processors": processors} if processors else {}, report=report,
        has_estimates=bool(np.isfinite(jobs["requested"]).any()), **others,
    )  # fmt: skip


def select(jobs: Table, parts: Table, index: np.ndarray) -> tuple[Table, Table]:
    """Return the jobs in rows `index`, with their parts."""
    if not parts:
        return take(jobs, index), parts
    first_of_each, where = _gather(parts["first"], index)
    if "options" in parts:  # two levels: tasks, and the machines of each task
        options, places = _gather(parts["options"], where)
        return take(jobs, index), {
            "first": first_of_each, "size": parts["size"][where], "task": parts["task"][where], "options": options,
            "machine": parts["machine"][places], "time": parts["time"][places], "capacity": parts["capacity"],
        }  # fmt: skip
    moved = {name: values[where] for name, values in parts.items() if name != "first"}
    return take(jobs, index), {"first": first_of_each, **moved}


def move_places(places: np.ndarray, machine: np.ndarray, time: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return `places`, `machine` and `time` of the tasks in `order`."""
    _, where = _gather(np.concatenate([[0], np.cumsum(places)]).astype("i8"), order)
    return places[order], machine[where], time[where]


def _gather(first: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the new `first` of the owners in rows `index`, and the places of their values."""
    lengths = np.diff(first)[index]
    ends = np.cumsum(lengths)
    # The k-th value of an owner is k places after its own first value.
    where = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first[:-1][index] - ends + lengths, lengths)
    return np.concatenate([[0], ends]).astype("i8"), where
