"""The platform: a machine of processors, or of nodes with cores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.sites.site_log import most_recorded

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload

MOST_LANES = 1_000_000
"""Largest number of lanes: more than any machine in the logs has, and few enough for memory."""
UNKNOWN = "its machine has: name them"
"""End of the sentence on a workload without the size of its machine; `advise` continues it."""


def advise(sentence: str, how: str) -> str:
    """Return the sentence on a machine of unknown size with `how` its processors are named; others as they are.

    Each front end has a way of its own: an option, a key of a file, a field of a form.
    """
    return sentence.replace(UNKNOWN, f"{UNKNOWN} {how}", 1)


@dataclass(frozen=True)
class Platform:
    """A machine: either `processors`, or `nodes` of `cores_per_node` cores each."""

    processors: int | None = None
    nodes: int | None = None
    cores_per_node: int = 1
    lanes_are_nodes: bool = False
    """Whether a lane is a node, whose CPU jobs share (fractional workloads), and not a core."""

    def __post_init__(self) -> None:
        if (self.processors is None) == (self.nodes is None):
            raise InvalidPlatform("a platform has either processors or nodes, not both and not neither")
        for name, value in (("processors", self.processors), ("nodes", self.nodes), ("cores", self.cores_per_node)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
                raise InvalidPlatform(f"{name} = {value!r}, but it must be a whole number")
        for name in ("processors", "nodes", "cores_per_node"):
            if (value := getattr(self, name)) is not None:
                if value < 1:
                    raise InvalidPlatform(f"{name} = {value}, but 1 is the least")
                object.__setattr__(self, name, int(value))  # numpy's integers are no values of JSON
        if self.lanes > MOST_LANES:
            raise InvalidPlatform(f"the platform has {self.lanes:,} lanes; {MOST_LANES:,} is the most")

    @property
    def lanes(self) -> int:
        """Number of rows of the Gantt chart: processors, or nodes where `lanes_are_nodes`."""
        if self.processors is not None:
            return self.processors
        assert self.nodes is not None
        return self.nodes if self.lanes_are_nodes else self.nodes * self.cores_per_node

    def as_dict(self) -> dict[str, int]:
        """Return the form stored in a run's spec: `{"processors": 10}` or `{"cores_per_node": 2, "nodes": 120}`."""
        if self.processors is not None:
            return {"processors": self.processors}
        assert self.nodes is not None
        return {"cores_per_node": self.cores_per_node, "nodes": self.nodes}

    def stated_in(self, workload: Workload) -> Workload:
        """Return the workload with the cores of a node of this platform, where it has nodes."""
        if self.nodes is None or self.lanes_are_nodes:
            return workload
        return workload.with_(machine={**workload.machine, "cores_per_node": self.cores_per_node})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], kind: str = "rigid") -> Platform:
        """Return the platform that `as_dict` wrote, for a workload of `kind`.

        Raises
        ------
        InvalidPlatform
            If a key is unknown or a value is not a whole number >= 1.
        """
        unknown = set(values) - {"processors", "nodes", "cores_per_node"}
        if unknown:
            names = "processors, nodes, cores_per_node"
            raise InvalidPlatform(f"unknown key {sorted(unknown)[0]!r} of the platform; known: {names}")
        whole: dict[str, int] = {}
        for name, value in values.items():
            if value is None:
                continue
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise InvalidPlatform(f"platform: {name} = {value!r}, but it must be a whole number from 1 on")
            whole[name] = int(value)
        if "nodes" not in whole and "cores_per_node" in whole:
            raise InvalidPlatform("platform: cores_per_node needs nodes beside it")
        return cls(lanes_are_nodes=find_family(kind).lanes_are_nodes, **whole)

    @classmethod
    def of(cls, workload: Workload, given: Mapping[str, Any] | Platform | None = None) -> Platform:
        """Return the platform `given`, else the machine that the workload states (`MaxProcs`, the case's nodes).

        Raises
        ------
        InvalidPlatform
            If neither gives a number of processors or nodes, or the family refuses the platform.
        """
        family = find_family(workload.kind)
        if isinstance(given, Platform):
            platform = replace(given, lanes_are_nodes=family.lanes_are_nodes)
        elif given and any(value is not None for value in given.values()):
            platform = cls.from_dict(given, workload.kind)
        else:
            machine = workload.machine
            names = ("processors",) if "processors" in machine else ("nodes", "cores_per_node")
            stated = {name: int(machine[name]) for name in names if name in machine}
            if not stated:
                used = most_recorded(workload)
                hint = f"; at most {used:,} were in use at one time" if used else ""
                raise InvalidPlatform(f"{workload.name} does not say how many processors {UNKNOWN}{hint}")
            return cls.from_dict(stated, workload.kind)
        family.check(workload, platform.lanes, platform.cores_per_node)
        return platform
