"""Read the files of a Slurm site: each is known by its content, names are no paths and mean nothing but `Include`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.cluster import Association, Cluster, Outage, Qos
from shadowtime.engine.workload.slurm.site.conf import (
    Conf,
    included,
    is_included,
    need_nodes,
    read_conf,
    read_running,
    read_shown,
)
from shadowtime.engine.workload.slurm.site.kinds import COMMANDS, Kind, kind_of
from shadowtime.engine.workload.slurm.site.nodes import Nodes, read_nodes
from shadowtime.engine.workload.slurm.site.options import read_options
from shadowtime.engine.workload.slurm.site.outages import read_events, read_reservations
from shadowtime.engine.workload.slurm.site.partitions import read_partitions
from shadowtime.engine.workload.slurm.site.text import Notes
from shadowtime.engine.workload.slurm.site.users import read_associations, read_qos, read_usage, without_limits

CONFIGURATIONS: tuple[Kind, ...] = ("configuration", "running", "nodes", "partitions")


def read_site(files: Mapping[str, bytes]) -> tuple[Cluster, dict[str, Any]]:
    """Return the cluster that a site's files describe, and the parameters of `slurm` and the platform that they state.

    Parameters
    ----------
    files
        Contents by name, at least a slurm.conf.

    Raises
    ------
    InvalidWorkload
        If a file is none of a site's, two are of one kind, or a line breaks a rule; the message names both.
    """
    found, notes = sorted_files(files), Notes()
    conf = _configuration(found, files)
    for name in dict.fromkeys(conf.missing):
        notes.assume(f"The included file {name} is not there: what it says is not known.")
    general = read_options(conf, notes)
    nodes = read_nodes(conf, notes)
    if nodes.has_threads:
        notes.assume("CPUs are threads of cores: each is taken by itself, where Slurm allocates whole cores.")
    partitions = read_partitions(conf, nodes, notes)
    associations, qos = _people(found, files, general.cluster, notes)
    if not general.enforces_limits:
        associations, qos = without_limits(associations, qos, notes)
    outages = _outages(found, files, nodes, general.cluster, notes)
    cluster = Cluster(
        node_names=nodes.names,
        cores=nodes.cores,
        memory=nodes.memory,
        gpus=nodes.gpus,
        partitions=partitions,
        tracks_memory=general.tracks_memory,
        whole_nodes=general.whole_nodes,
        associations=tuple(associations),
        qos=tuple(qos),
        outages=tuple(outages),
        assumed=tuple(notes.assumed),
        ignored=notes.ignored,
    )
    return cluster, {**_platform(nodes.cores), **general.parameters}


def sorted_files(files: Mapping[str, bytes]) -> dict[Kind, str]:
    """Return the name of the file of each kind; files that another includes are none."""
    parts = {part for name, content in files.items() if kind_of(content) == "configuration"
             for part in included(name, content)}  # fmt: skip
    found: dict[Kind, str] = {}
    for name, content in files.items():
        if is_included(name, parts):
            continue
        kind = kind_of(content)
        if kind is None:
            raise InvalidWorkload(f"{name} is no file of a Slurm site; known are {', '.join(COMMANDS.values())}.")
        if kind in found:
            raise InvalidWorkload(f"{found[kind]} and {name} are both files of `{COMMANDS[kind]}`; give one.")
        found[kind] = name
    return found


def _configuration(found: Mapping[Kind, str], files: Mapping[str, bytes]) -> Conf:
    conf, given = Conf(), [found[kind] for kind in CONFIGURATIONS if kind in found]
    if not given:
        *others, last = files or ("this archive",)
        named = f"{', '.join(others)} and {last} need" if others else f"{last} needs"
        raise InvalidWorkload(f"{named} the slurm.conf of the site: add it.")
    if "configuration" in found:
        read_conf(conf, given[0], files[given[0]], files)
    if "running" in found:
        read_running(conf, found["running"], files[found["running"]])
    if "nodes" in found:
        read_shown(conf, found["nodes"], files[found["nodes"]], "nodename")
    if "partitions" in found:
        read_shown(conf, found["partitions"], files[found["partitions"]], "partitionname")
    need_nodes(conf, given)
    return conf


def _people(
    found: Mapping[Kind, str], files: Mapping[str, bytes], cluster: str, notes: Notes
) -> tuple[list[Association], list[Qos]]:
    associations: list[Association] = []
    if name := found.get("associations"):
        associations = read_associations(name, files[name], cluster, notes)
    if name := found.get("shares"):
        associations = read_usage(name, files[name], associations, notes)
    elif associations:
        notes.assume("No usage (sshare): it is 0 at the start.")
    if not associations:
        notes.assume("No associations: every user has one share under the root, and no usage at the start.")
    if name := found.get("qos"):
        return associations, read_qos(name, files[name], notes)
    notes.assume("No QOS: all have priority 0 and no limits.")
    return associations, []


def _outages(
    found: Mapping[Kind, str], files: Mapping[str, bytes], nodes: Nodes, cluster: str, notes: Notes
) -> list[Outage]:
    outages = nodes.outages
    if name := found.get("events"):
        outages = [*outages, *read_events(name, files[name], nodes, cluster, notes)]
    else:
        notes.assume("No events: no node fails or is drained.")
    if name := found.get("reservations"):
        return [*outages, *read_reservations(name, files[name], nodes, notes)]
    notes.assume("No reservations: there is no maintenance.")
    return outages


def _platform(cores: np.ndarray) -> dict[str, int]:
    """Return nodes and cores per node where all nodes are alike, else processors."""
    if (cores == cores[0]).all():
        return {"nodes": len(cores), "cores_per_node": int(cores[0])}
    return {"processors": int(cores.sum())}
