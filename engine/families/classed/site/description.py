"""What a site's database holds beside times: interconnects, users, and a policy for each queue.

After Figure 1 of the paper on PJS. Queues and users have effects (a queue's algorithm, preemption and users);
interconnects are kept for people and programs that describe a site: no rule of the schedulers uses them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.limits import LONGEST

LEVELS = ("high", "medium", "low")
"""Priorities; each has one queue."""
PLANNERS = ("olb", "min-min", "min-max", "sjs", "pjs")
NAME = 80
"""Largest number of characters of a name."""
FASTEST = 1e18
"""Largest bandwidth [bit/s]."""
MOST_ENTRIES = 40
"""Largest number of specifications of a machine."""


class Interconnect(NamedTuple):
    """A network of a site."""

    name: str
    bandwidth: float
    """[bit/s]; 0 if unknown."""
    latency: float
    """[s]; 0 if unknown."""
    machines: tuple[str, ...]
    clusters: tuple[str, ...]
    """Machines and clusters that it serves, by name."""


@dataclass(frozen=True)
class User:
    """A user of a site."""

    name: str
    security: str = ""
    """Security information, as the site writes it."""


@dataclass(frozen=True)
class QueuePolicy:
    """The policy of the queue of one priority."""

    name: str
    priority: int
    """0 high, 1 medium, 2 low."""
    algorithm: str = ""
    """Planner of its jobs; empty: that of the run."""
    preempts: bool = True
    """Whether its jobs may stop low ones; only the queue of high priority can."""
    preemptable: bool = True
    """Whether its jobs may be stopped; only those of the queue of low priority can."""
    users: tuple[str, ...] = ()
    """Users who may submit to it; empty: all."""

    def admits(self, user: str) -> bool:
        """Return whether a user may submit jobs to this queue."""
        return not self.users or user in self.users


def interconnects_of(given: Any, machines: Sequence[str], clusters: Sequence[str]) -> tuple[Interconnect, ...]:
    """Return the interconnects of a list of objects; none for None."""
    items = _items(given, "interconnects")
    return tuple(
        Interconnect(
            _name(item, f"interconnect {at:,}"),
            columns.number({"bandwidth": 0, **item}, "bandwidth", low=0, high=FASTEST),
            columns.number({"latency": 0, **item}, "latency", low=0, high=LONGEST),
            _names(item, "machines", machines, f"interconnect {at:,}"),
            _names(item, "clusters", clusters, f"interconnect {at:,}"),
        )
        for at, item in enumerate(items, 1)
    )


def users_of(given: Any) -> tuple[User, ...]:
    """Return the users of a list of objects; none for None."""
    found = []
    for at, item in enumerate(_items(given, "users"), 1):
        security = item.get("security", "")
        if not (isinstance(security, str) and len(security) <= 10 * NAME and (security.isprintable() or not security)):
            raise InvalidPlatform(f"user {at:,}: `security` must be a text of at most {10 * NAME} characters")
        found.append(User(_name(item, f"user {at:,}"), security))
    _once([user.name for user in found], "user")
    return tuple(found)


def queues_of(given: Any, users: Sequence[User]) -> tuple[QueuePolicy, ...]:
    """Return the policies of a list of objects, at most one per priority; none for None."""
    found = []
    for at, item in enumerate(_items(given, "queues"), 1):
        where = f"queue {at:,}"
        priority, algorithm = item.get("priority"), item.get("algorithm", "")
        if priority not in LEVELS:
            raise InvalidPlatform(f"{where}: `priority` must be one of {', '.join(LEVELS)}")
        if algorithm not in ("", *PLANNERS):
            raise InvalidPlatform(f"{where}: `algorithm` must be one of {', '.join(PLANNERS)}")
        level = LEVELS.index(priority)
        flags = {"preempts": level == 0, "preemptable": level == 2}
        for name, can in flags.items():
            flags[name] = item.get(name, can)
            if not isinstance(flags[name], bool) or (flags[name] and not can):
                raise InvalidPlatform(
                    f"{where}: `{name}` must be true or false; only high jobs stop others, only low jobs are stopped"
                )
        allowed = _names(item, "users", [user.name for user in users], where)
        found.append(QueuePolicy(_name(item, where), level, algorithm, users=allowed, **flags))
    _once([queue.name for queue in found], "queue")
    _once([LEVELS[queue.priority] for queue in found], "queue of priority")
    return tuple(found)


def specifications_of(items: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, str | float], ...]:
    """Return `specification` of each machine (operating system, memory, ...); () if no machine has one."""
    found = []
    for at, item in enumerate(items, 1):
        given = item.get("specification", {})
        is_valid = isinstance(given, Mapping) and len(given) <= MOST_ENTRIES and all(map(_is_name, given))
        if not is_valid or not all(_is_name(value) or _is_number(value) for value in given.values()):
            raise InvalidPlatform(
                f"machine {at:,}: `specification` must hold at most {MOST_ENTRIES} names with a text or number each"
            )
        found.append(dict(given))
    return tuple(found) if any(found) else ()


def as_objects(
    interconnects: Sequence[Interconnect], users: Sequence[User], queues: Sequence[QueuePolicy]
) -> dict[str, Any]:
    """Return the lists from which these are read; empty ones are left out."""
    written: dict[str, Any] = {
        "interconnects": [
            {"name": one.name, "bandwidth": one.bandwidth, "latency": one.latency, "machines": list(one.machines),
             "clusters": list(one.clusters)} for one in interconnects
        ],
        "users": [{"name": one.name, **({"security": one.security} if one.security else {})} for one in users],
        "queues": [
            {"name": one.name, "priority": LEVELS[one.priority], "algorithm": one.algorithm, "preempts": one.preempts,
             "preemptable": one.preemptable, **({"users": list(one.users)} if one.users else {})} for one in queues
        ],
    }  # fmt: skip
    return {name: listed for name, listed in written.items() if listed}


def _items(given: Any, what: str) -> Sequence[Mapping[str, Any]]:
    return [] if given is None or given == [] else columns.objects({what: given}, what)


def _name(item: Mapping[str, Any], where: str) -> str:
    name = item.get("name")
    if not _is_name(name):
        raise InvalidPlatform(f"{where}: `name` must be a name of at most {NAME} letters")
    return str(name).strip()


def _names(item: Mapping[str, Any], key: str, known: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the names listed under `key`, all of which must be known."""
    listed = item.get(key, [])
    if not isinstance(listed, list) or any(not isinstance(name, str) or name not in known for name in listed):
        raise InvalidPlatform(f"{where}: `{key}` must list {key} of the site")
    return tuple(listed)


def _once(names: Sequence[str], what: str) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InvalidPlatform(f"the {what} {twice[0][:40]!r} is given twice")


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip()) and len(given) <= NAME and given.isprintable()


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= FASTEST
