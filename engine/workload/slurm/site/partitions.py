"""The partitions of a cluster.

Nodes may be `ALL`, names, ranges and node sets (by nodes, or by features of nodes). Who may submit (AllowGroups and the
like) is not read: the jobs of a log were accepted. Options at the value that they have without a line need no mention.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shadowtime.engine.workload.sites.hosts import hosts
from shadowtime.engine.workload.slurm.cluster import NONE, Partition
from shadowtime.engine.workload.slurm.site.conf import Conf, Record, with_defaults
from shadowtime.engine.workload.slurm.site.nodes import Nodes
from shadowtime.engine.workload.slurm.site.text import NAME, Notes, is_set, names_at, number_at, time_at

NEUTRAL: Mapping[str, tuple[str, ...]] = {
    "minnodes": ("0", "1"), "lln": ("no",), "reqresv": ("no",), "exclusiveuser": ("no",), "exclusivetopo": ("no",),
    "maxcpuspernode": ("unlimited",), "maxcpuspersocket": ("unlimited",), "gracetime": ("0", "00:00:00"),
    "preemptmode": ("off",), "state": ("up",), "overtimelimit": ("none", "0"), "selecttypeparameters": ("none",),
    "defmempercpu": ("unlimited", "0"), "defmempernode": ("unlimited", "0"), "maxmempercpu": ("unlimited", "0"),
    "maxmempernode": ("unlimited", "0"), "suspendtime": ("infinite", "none", "-1"), "jobdefaults": (),
    "tresbillingweights": (), "powerdownonidle": ("no",), "topology": (),
}  # fmt: skip
"""Options that bear on scheduling and that the model has not, with the values at which they do nothing."""
SHARED = {"no": False, "exclusive": True}


def read_partitions(conf: Conf, nodes: Nodes, notes: Notes) -> tuple[Partition, ...]:
    """Return the partitions of a configuration.

    Raises
    ------
    InvalidWorkload
        If a value breaks its rule, or a node or a node set is not defined.
    """
    sets = _sets(conf, nodes)
    found: dict[str, Partition] = {}
    for record in with_defaults(conf.records.get("partitionname", [])):
        for name in record.name.split(","):
            if not NAME.fullmatch(name):
                raise record.place.wrong("PartitionName", name, "a name of letters, digits, '.', '_' and '-'")
            if name in found:
                raise record.place.refusal(f"the partition {name} is defined already")
            found[name] = _partition(record, name, sets, nodes, notes)
    if not found:
        notes.assume("No partition: there is one of all nodes.")
        return (Partition("all", np.arange(len(nodes.names)), is_default=True),)
    partitions = tuple(found.values())
    if not any(one.is_default for one in partitions):
        notes.assume(f"No partition is the default: jobs that name none go to the first, {partitions[0].name}.")
    return partitions


def _partition(record: Record, name: str, sets: Mapping[str, list[int]], nodes: Nodes, notes: Notes) -> Partition:
    options, place = record.options, record.place
    for option, neutral in NEUTRAL.items():
        value = options.get(option, "")
        if is_set(value) and value.lower() not in neutral:
            notes.ignore(f"{_written(option)}={value}", f"partition {name}")

    def time(option: str) -> float:
        value = options.get(option, "none")
        return NONE if value.lower() == "none" else time_at(place, option, value, above=True, endless=True)

    def number(option: str, default: float) -> float:
        return number_at(place, option, options[option], 0, 65_535, whole=True) if option in options else default

    shared = options.get("oversubscribe", options.get("shared", "no")).lower().partition(":")[0]
    if shared not in SHARED and shared not in ("yes", "force"):
        raise place.wrong("OverSubscribe", shared, "one of NO, EXCLUSIVE, YES, FORCE")
    if shared not in SHARED:
        notes.ignore(f"OverSubscribe={shared.upper()}", f"partition {name}")
    both = number("priority", 1)
    widest = options.get("maxnodes", "unlimited")
    qos = options.get("qos", "")
    return Partition(
        name=name,
        nodes=np.array(_of_partition(record, sets, nodes), dtype="i8"),
        is_default=_yes(record, "default"),
        job_factor=number("priorityjobfactor", both),
        tier=int(number("prioritytier", both)),
        max_time=time("maxtime"),
        default_time=time("defaulttime"),
        max_nodes=NONE if widest.lower() in ("unlimited", "infinite") else number_at(place, "MaxNodes", widest, 0, 1e9),
        exclusive=SHARED.get(shared, False),
        qos=qos if is_set(qos) else "",
    )


def _yes(record: Record, option: str) -> bool:
    value = record.options.get(option, "no")
    if value.lower() not in ("yes", "no"):
        raise record.place.wrong(option, value, "YES or NO")
    return value.lower() == "yes"


def _sets(conf: Conf, nodes: Nodes) -> dict[str, list[int]]:
    """Return the nodes of each node set."""
    sets: dict[str, list[int]] = {}
    for record in conf.records.get("nodeset", ()):
        listed = record.options.get("nodes", "")
        names = names_at(record.place, "Nodes", listed) if listed else []
        features = set(record.options.get("feature", "").split(",")) - {""}
        if not names and not features:
            raise record.place.refusal(f"the node set {record.name} has neither Nodes nor Feature")
        by_feature = [name for name in nodes.names if nodes.features[name] & features]
        sets[record.name] = nodes.numbers(record.place, "NodeSet", [*names, *by_feature])
    return sets


def _of_partition(record: Record, sets: Mapping[str, list[int]], nodes: Nodes) -> list[int]:
    listed = record.options.get("nodes", "")
    if not is_set(listed):
        return []
    if listed.upper() == "ALL":
        return list(range(len(nodes.names)))
    names = hosts(listed) or names_at(record.place, "Nodes", listed)
    found = {number for name in names if name in sets for number in sets[name]}
    rest = [name for name in names if name not in sets]
    if rest:
        found |= set(nodes.numbers(record.place, f"PartitionName={record.name}", rest))
    return sorted(found)


def _written(option: str) -> str:
    """Return the name of an option as Slurm writes it."""
    return WRITTEN.get(option, option.capitalize())


WRITTEN = {name.lower(): name for name in (
    "MinNodes", "LLN", "ReqResv", "ExclusiveUser", "ExclusiveTopo", "MaxCPUsPerNode", "MaxCPUsPerSocket", "GraceTime",
    "PreemptMode", "State", "OverTimeLimit", "SelectTypeParameters", "DefMemPerCPU", "DefMemPerNode", "MaxMemPerCPU",
    "MaxMemPerNode", "SuspendTime", "JobDefaults", "TRESBillingWeights", "PowerDownOnIdle", "Topology",
)}  # fmt: skip
