"""The nodes of a cluster.

A node has the CPUs of CPUs, else Boards x SocketsPerBoard (or Sockets) x CoresPerSocket x ThreadsPerCore, each 1 where
not stated; 1 MB of memory where RealMemory is not stated; and all `gpu` of Gres, of any type. A node with State=FUTURE
is none; one that is down, drained or fails by slurm.conf is so all the time. Nodes stand in the order of their names
[source], numbers in them as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import MOST_CORES
from shadowtime.engine.workload.sites.hosts import natural
from shadowtime.engine.workload.slurm.cluster import Outage
from shadowtime.engine.workload.slurm.site.conf import Conf, Record, hosts_of, with_defaults
from shadowtime.engine.workload.slurm.site.text import Notes, Place, is_set, names_at, number_at

GRES = re.compile(r"(\w[\w.\-]*)((?::[^:,()]+)*?)(?::([0-9]{1,9})([KMGTkmgt]?))?(?:\([^()]*\))?")
FACTORS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
READ = frozenset({
    "cpus", "procs", "cputot", "boards", "sockets", "socketsperboard", "corespersocket", "threadspercore", "realmemory",
    "gres", "state", "reason",
})  # fmt: skip
NEUTRAL = {"weight": "1", "corespeccount": "0", "memspeclimit": "0"}
"""Options that the model has not, with the value at which they do nothing."""
BEARING = frozenset({*NEUTRAL, "cpuspeclist", "feature", "features", "restrictedcorespergpu"})
"""Options that bear on scheduling; others (addresses, ports, tmpdisk ...) do not."""
SHOWN = {"activefeatures": "features", "gres": "gres", "realmemory": "realmemory", "cputot": "cputot",
         "weight": "weight", "corespeccount": "corespeccount", "memspeclimit": "memspeclimit"}  # fmt: skip
"""What `scontrol show node` prints that is configured; the rest is of the moment."""
STATES = {"DOWN": "down", "FAIL": "drain", "FAILING": "drain", "DRAIN": "drain"}
UP = frozenset({"UNKNOWN", "IDLE", "UP", "CLOUD"})


@dataclass
class Nodes:
    """Nodes in the order of their names."""

    names: tuple[str, ...]
    cores: np.ndarray
    memory: np.ndarray
    gpus: np.ndarray
    features: Mapping[str, frozenset[str]]
    number: Mapping[str, int]
    """Position of each name."""
    outages: list[Outage]
    has_threads: bool
    """Whether some node counts several threads of a core as CPUs."""

    def numbers(self, place: Place, option: str, names: list[str]) -> list[int]:
        """Return the positions of names, ascending; InvalidWorkload for a name that no node has."""
        for name in names:
            if name not in self.number:
                raise place.refusal(f"{option} names the node {name}, which no NodeName line defines")
        return sorted({self.number[name] for name in names})


def read_nodes(conf: Conf, notes: Notes) -> Nodes:
    """Return the nodes of a configuration.

    Raises
    ------
    InvalidWorkload
        If a value breaks its rule, a node is defined twice, or the machine is too large.
    """
    found: dict[str, tuple[Record, int, float, int]] = {}
    features: dict[str, frozenset[str]] = {}
    states: dict[str, tuple[str, str]] = {}
    has_threads = False
    for record in with_defaults(conf.records["nodename"]):
        is_shown = "nodehostname" in record.options and "cputot" in record.options
        options = record.options
        if is_shown:
            options = {to: options[of] for of, to in SHOWN.items() if of in options}
        state = options.get("state", "UNKNOWN").upper()
        if state == "FUTURE":
            continue
        memory = _number(record, options, "realmemory", 1)
        row = (record, _cores(record, options), memory, _gpus(record, options, notes))
        of_record = frozenset(
            one for name in ("feature", "features") for one in options.get(name, "").split(",") if one
        )
        has_threads = has_threads or _has_threads(record, options)
        _note(record, options, notes)
        if state not in STATES and state not in UP:
            raise record.place.wrong("State", state, f"one of {', '.join((*STATES, *sorted(UP), 'FUTURE'))}")
        if state == "CLOUD":
            notes.ignore("State=CLOUD", record.name)
        for name in hosts_of(record):
            if name in found:
                raise record.place.refusal(f"the node {name} is defined already, at line {found[name][0].place.line:,}")
            found[name] = row
            features[name] = of_record
            if state in STATES:
                states[name] = (STATES[state], options.get("reason", f"State={state}"))
    for record in conf.records.get("downnodes", ()):
        state = record.options.get("state", "DOWN").upper()
        if state not in STATES:
            raise record.place.wrong("State", state, f"one of {', '.join(STATES)}")
        for name in names_at(record.place, "DownNodes", record.name):
            if name not in found:
                raise record.place.refusal(f"DownNodes names the node {name}, which no NodeName line defines")
            states[name] = (STATES[state], record.options.get("reason", f"State={state}"))
    if not found:
        raise InvalidWorkload(f"{conf.records['nodename'][0].place.file} names only nodes with State=FUTURE.")
    total = sum(row[1] for row in found.values())
    if total > MOST_CORES:
        raise InvalidWorkload(f"the nodes have {total:,} CPUs; {MOST_CORES:,} is the most here.")
    names = tuple(sorted(found, key=natural))
    number = {name: at for at, name in enumerate(names)}
    return Nodes(
        names=names,
        cores=np.array([found[name][1] for name in names], dtype="i8"),
        memory=np.array([found[name][2] for name in names], dtype="f8"),
        gpus=np.array([found[name][3] for name in names], dtype="i8"),
        features=features,
        number=number,
        outages=_outages(states, number),
        has_threads=has_threads,
    )


def _number(record: Record, options: Mapping[str, str], name: str, default: int) -> float:
    return number_at(record.place, name, options[name], 1, 1e12) if name in options else default


def _cores(record: Record, options: Mapping[str, str]) -> int:
    for name in ("cputot", "cpus", "procs"):
        if name in options:
            return int(number_at(record.place, name, options[name], 1, MOST_CORES, whole=True))
    cores = 1.0
    sockets = ("sockets",) if "sockets" in options else ("boards", "socketsperboard")
    for name in (*sockets, "corespersocket", "threadspercore"):
        cores *= number_at(record.place, name, options[name], 1, MOST_CORES, whole=True) if name in options else 1
    return int(cores)


def _has_threads(record: Record, options: Mapping[str, str]) -> bool:
    """Return whether CPUs are threads of which several share a core."""
    threads = _number(record, options, "threadspercore", 1)
    cores = _number(record, options, "corespersocket", 1)
    sockets = ("sockets",) if "sockets" in options else ("boards", "socketsperboard")
    for name in sockets:
        cores *= _number(record, options, name, 1)
    return threads > 1 and _cores(record, options) > cores


def _gpus(record: Record, options: Mapping[str, str], notes: Notes) -> int:
    """Return the GPUs of `gpu:4`, `gpu:a100:4(S:0-1)`, `gpu`; other kinds of resources are named as ignored."""
    total, listed = 0, options.get("gres", "")
    for one in re.findall(r"[^,()]+(?:\([^()]*\))?", listed) if is_set(listed) else ():
        match = GRES.fullmatch(one.strip())
        if match is None:
            raise record.place.wrong("Gres", one, "a resource such as gpu:4 or gpu:a100:4")
        if match[1].lower() == "gpu":
            total += int(match[3] or 1) * FACTORS[(match[4] or "").upper()]
        else:
            notes.ignore(f"Gres={match[1]}", record.name)
    if total > MOST_CORES:
        raise record.place.wrong("Gres", listed, f"at most {MOST_CORES:,} GPUs")
    return total


def _note(record: Record, options: Mapping[str, str], notes: Notes) -> None:
    for name, value in options.items():
        if name in BEARING and is_set(value) and value != NEUTRAL.get(name):
            notes.ignore(f"{name.capitalize()} of nodes", record.name)


def _outages(states: Mapping[str, tuple[str, str]], number: Mapping[str, int]) -> list[Outage]:
    """Return one outage for the nodes of each state and reason."""
    alike: dict[tuple[str, str], list[int]] = {}
    for name, key in states.items():
        alike.setdefault(key, []).append(number[name])
    return [Outage(tuple(sorted(some)), 0.0, np.inf, kind, reason) for (kind, reason), some in alike.items()]
