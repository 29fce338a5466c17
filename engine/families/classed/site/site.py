"""A site: machines in classes, clusters of machines, job classes, and experience."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.classed.site.experience import Experience

MOST_MACHINES = 20_000
MOST_TIMES = 20_000_000
"""Times of a site: job classes x resources."""


@dataclass(frozen=True)
class Outage:
    """A machine that is away for a while."""

    machine: int
    down: float
    """[s]"""
    up: float
    """[s]; infinite when it never comes back."""


@dataclass(frozen=True, eq=False)
class Site:
    """Machines and clusters are numbered from 0; resource `machines + c` is cluster c.

    A machine of a cluster is also a machine in its own right, and clusters may overlap: there is one clock a machine.
    """

    machines: tuple[str, ...]
    machine_class: tuple[str, ...]
    """Of each machine: a program built for the class runs on every member."""
    clusters: tuple[tuple[int, ...], ...]
    """Machines of each cluster, ascending."""
    cluster_names: tuple[str, ...]
    job_classes: tuple[str, ...]
    experience: Experience
    available: np.ndarray
    """From when each machine is there [s]."""
    outages: tuple[Outage, ...] = field(default=())

    @property
    def resources(self) -> int:
        """Machines and clusters together."""
        return len(self.machines) + len(self.clusters)

    @cached_property
    def members(self) -> tuple[np.ndarray, np.ndarray]:
        """Place of each cluster's first member (one value more than clusters), and the members' machines."""
        first = np.concatenate([[0], np.cumsum([len(c) for c in self.clusters])]).astype("i8")
        return first, np.array([machine for cluster in self.clusters for machine in cluster], dtype="i8")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of machines that a job may hold."""
        return tuple(sorted({1, *(len(cluster) for cluster in self.clusters)}))

    def machines_of(self, resource: int) -> tuple[int, ...]:
        """The machines that a job on this resource holds."""
        count = len(self.machines)
        return (resource,) if resource < count else self.clusters[resource - count]

    def name_of(self, resource: int) -> str:
        """Name of a machine or cluster."""
        return (*self.machines, *self.cluster_names)[resource]

    def with_(self, **changes: object) -> Site:
        """The same site but for `changes`."""
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
    """A site from tables of mean times [s], (job classes, machines) and (job classes, clusters); NaN: not allowed.

    Names default to numbers from 1. `sd` and `count` have one column a resource, machines first.

    Raises
    ------
    InvalidPlatform
        For no machines, a name given twice, a cluster that is empty or names a machine twice or one that is not
        there, or a time that is not above 0.
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
        raise InvalidPlatform("a time of a site must be a number of seconds above 0, or missing where not allowed")
    start = np.zeros(width) if available is None else np.array(available, dtype="f8")
    return Site(names, classes, groups, labels, kinds_of, Experience.of(mean, sd, count), start)


def _check(
    names: tuple[str, ...], labels: tuple[str, ...], kinds: tuple[str, ...], groups: tuple[tuple[int, ...], ...], n: int
) -> None:
    """Refuse what cannot be a site."""
    if not n or len(names) != n:
        raise InvalidPlatform(f"a site has one name a machine and at least one machine; here are {n:,} machines")
    if n > MOST_MACHINES:
        raise InvalidPlatform(f"the site has {n:,} machines; {MOST_MACHINES:,} is the most")
    if not kinds:
        raise InvalidPlatform("a site has at least one job class")
    for what, given in (("machine or cluster", names + labels), ("job class", kinds)):
        twice = [name for name, times in Counter(given).items() if times > 1]
        if twice:
            raise InvalidPlatform(f"the name {twice[0][:40]!r} is given twice; each {what} has one of its own")
    for label, group in zip(labels, groups, strict=True):
        if not group:
            raise InvalidPlatform(f"cluster {label[:40]} has no machines")
        if len(set(group)) < len(group):
            raise InvalidPlatform(f"cluster {label[:40]} names a machine twice")
        if group[0] < 0 or group[-1] >= n:
            raise InvalidPlatform(f"cluster {label[:40]} names a machine that the site does not have")


def check_size(kinds: int, resources: int) -> None:
    """Refuse tables that would fill the memory."""
    if kinds * resources > MOST_TIMES:
        raise InvalidPlatform(
            f"{kinds:,} job classes on {resources:,} machines and clusters are too many: "
            f"{MOST_TIMES:,} times are the most"
        )
