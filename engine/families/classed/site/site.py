"""A site: machines in classes, clusters of machines, job classes, and experience."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil

import numpy as np

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.classed.site.description import Interconnect, QueuePolicy, User
from shadowtime.engine.families.classed.site.experience import Experience

MOST_MACHINES = 20_000
MOST_TIMES = 20_000_000
"""Largest number of times of a site: job classes x resources."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Outage:
    """A period in which a machine is down."""

    machine: int
    down: float
    """Start [s]."""
    up: float
    """End [s]; infinite if the machine stays down."""


@dataclass(frozen=True, eq=False)
class Site:
    """A site. Machines and clusters are numbered from 0; resource `machines + c` is cluster c.

    A machine of a cluster also runs jobs alone, and clusters may overlap: there is one clock per machine.
    """

    machines: tuple[str, ...]
    machine_class: tuple[str, ...]
    """Class of each machine; a program built for the class runs on every member."""
    clusters: tuple[tuple[int, ...], ...]
    """Machines of each cluster, ascending."""
    cluster_names: tuple[str, ...]
    job_classes: tuple[str, ...]
    experience: Experience
    available: np.ndarray
    """Time from which each machine is available [s]."""
    outages: tuple[Outage, ...] = field(default=())
    least: tuple[float, ...] = ()
    """Smallest share of the members of each cluster, in (0, 1], with which it still runs jobs; (): all members."""
    specifications: tuple[Mapping[str, str | float], ...] = ()
    """Specification of each machine: operating system, memory and so on; (): none."""
    interconnects: tuple[Interconnect, ...] = ()
    users: tuple[User, ...] = ()
    queues: tuple[QueuePolicy, ...] = ()
    """At most one per priority."""

    @property
    def resources(self) -> int:
        """Number of machines and clusters together."""
        return len(self.machines) + len(self.clusters)

    @cached_property
    def members(self) -> tuple[np.ndarray, np.ndarray]:
        """Place of each cluster's first member (clusters + 1 values), and the machines of all members."""
        first = np.concatenate([[0], np.cumsum([len(c) for c in self.clusters])]).astype("i8")
        return first, np.array([machine for cluster in self.clusters for machine in cluster], dtype="i8")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of machines that a job may hold."""
        return tuple(sorted({1, *(k for c in range(len(self.clusters)) for k in self._sizes_of(c))}))

    def _sizes_of(self, cluster: int) -> range:
        """Return the numbers of members with which a cluster runs jobs."""
        size = len(self.clusters[cluster])
        least = self.least[cluster] if self.least else 1.0
        return range(max(1, ceil(least * size - ROUNDING)), size + 1)

    def machines_of(self, resource: int) -> tuple[int, ...]:
        """Return the machines that a job on this resource holds."""
        count = len(self.machines)
        return (resource,) if resource < count else self.clusters[resource - count]

    def without(self, down: Collection[int]) -> tuple[Site, np.ndarray]:
        """Return the site while some machines are down, and the factor on the time of each resource.

        A cluster that has enough members left runs jobs on these; its times grow as its size falls. Other clusters
        stay as they are: they wait for their members.
        """
        factor = np.ones(self.resources)
        if not (down and self.least):
            return self, factor
        groups = list(self.clusters)
        for cluster, members in enumerate(self.clusters):
            up = tuple(machine for machine in members if machine not in down)
            if len(up) < len(members) and len(up) in self._sizes_of(cluster):
                groups[cluster] = up
                factor[len(self.machines) + cluster] = len(members) / len(up)
        return (self, factor) if groups == list(self.clusters) else (self.with_(clusters=tuple(groups)), factor)

    def policy(self, level: int) -> QueuePolicy | None:
        """Return the policy of the queue of a priority, if the site has one."""
        return next((queue for queue in self.queues if queue.priority == level), None)

    def name_of(self, resource: int) -> str:
        """Return the name of a machine or cluster."""
        return (*self.machines, *self.cluster_names)[resource]

    def with_(self, **changes: object) -> Site:
        """Return a copy of the site with these fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def make_site(
    machine_times: np.ndarray,
    cluster_times: np.ndarray,
    clusters: Sequence[Iterable[int]],
    *,
    machines: Sequence[str] = (),
    machine_class: Sequence[str] = (),
    cluster_names: Sequence[str] = (),
    job_classes: Sequence[str] = (),
    sd: np.ndarray | None = None,
    count: np.ndarray | None = None,
    available: np.ndarray | None = None,
) -> Site:
    """Return a site from mean times [s], (job classes, machines) and (job classes, clusters); NaN: not allowed.

    Names default to numbers from 1. `sd` and `count` have one column per resource, machines first.

    Raises
    ------
    InvalidPlatform
        If there are no machines, a name is given twice, a cluster is empty, names a machine twice or an unknown one, or
        a time is not above 0.
    """
    kinds, width = machine_times.shape
    names = tuple(machines) or tuple(f"m{i}" for i in range(1, width + 1))
    groups = tuple(tuple(sorted(int(m) for m in cluster)) for cluster in clusters)
    labels = tuple(cluster_names) or tuple(f"c{i}" for i in range(1, len(groups) + 1))
    classes = tuple(machine_class) or ("machine",) * width
    kinds_of = tuple(job_classes) or tuple(str(i) for i in range(1, kinds + 1))
    _check(names, labels, kinds_of, groups, width)
    mean = np.concatenate([machine_times, cluster_times.reshape(kinds, len(groups))], axis=1)
    check_size(*mean.shape)
    if np.any(mean <= 0.0) or np.any(np.isinf(mean)):
        raise InvalidPlatform("a time of a site must be a number of seconds above 0, or missing if not allowed")
    start = np.zeros(width) if available is None else np.array(available, dtype="f8")
    return Site(names, classes, groups, labels, kinds_of, Experience.of(mean, sd, count), start)


def _check(
    names: tuple[str, ...], labels: tuple[str, ...], kinds: tuple[str, ...], groups: tuple[tuple[int, ...], ...], n: int
) -> None:
    """Raise InvalidPlatform unless names and clusters form a valid site."""
    if not n or len(names) != n:
        raise InvalidPlatform(f"a site has one name per machine and at least one machine; there are {n:,} machines")
    if n > MOST_MACHINES:
        raise InvalidPlatform(f"the site has {n:,} machines; {MOST_MACHINES:,} is the most")
    if not kinds:
        raise InvalidPlatform("a site has at least one job class")
    for what, given in (("machine or cluster", names + labels), ("job class", kinds)):
        twice = [name for name, times in Counter(given).items() if times > 1]
        if twice:
            raise InvalidPlatform(f"the name {twice[0][:40]!r} is given twice; each {what} needs its own name")
    for label, group in zip(labels, groups, strict=True):
        if not group:
            raise InvalidPlatform(f"cluster {label[:40]} has no machines")
        if len(set(group)) < len(group):
            raise InvalidPlatform(f"cluster {label[:40]} names a machine twice")
        if group[0] < 0 or group[-1] >= n:
            raise InvalidPlatform(f"cluster {label[:40]} names a machine that the site does not have")


def check_size(kinds: int, resources: int) -> None:
    """Raise InvalidPlatform if the tables would exhaust the memory."""
    if kinds * resources > MOST_TIMES:
        raise InvalidPlatform(
            f"{kinds:,} job classes on {resources:,} machines and clusters are too many: "
            f"{MOST_TIMES:,} times are the most"
        )
