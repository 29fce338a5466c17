"""Read and write sites as JSON objects; reading also accepts abbreviations.

    {"kind": "site",
     "machines": [{"name": "a1", "class": "u2"}, ...],
     "clusters": [{"name": "west", "machines": ["a1", "a2"]}],
     "job_classes": ["matvec", "stats"],
     "experience": [{"job_class": "matvec", "resource": "a1", "mean": 79.6, "sd": 2.1, "count": 12}, ...]}

`resource` is a machine, a cluster or a machine class; a row of a machine overrides the row of its class. A job class
is not allowed on a resource without a row. Optional: `available` [s] of a machine, and `outages`:
[{"machine": "a1", "down": 20.0, "up": 60.0}], without `up` for good; `least` of a cluster, the smallest share of its
members with which it still runs jobs (1 by default); `specification` of a machine, {"os": "Solaris 2.5", ...}; and

    {"interconnects": [{"name": "switch", "bandwidth": 1e8, "latency": 1e-4, "machines": ["a1"], "clusters": ["west"]}],
     "users": [{"name": "ada", "security": "group physics"}],
     "queues": [{"name": "urgent", "priority": "high", "algorithm": "pjs", "preempts": true, "users": ["ada"]},
                {"name": "night", "priority": "low", "preemptable": false}]}
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidPlatform, InvalidWorkload
from shadowtime.engine.families.classed.site.description import (
    NAME,
    as_objects,
    interconnects_of,
    queues_of,
    specifications_of,
    users_of,
)
from shadowtime.engine.families.classed.site.site import Outage, Site, check_size, make_site
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.limits import LONGEST


def site_of(given: Mapping[str, Any]) -> Site:
    """Return the site of such an object.

    Raises
    ------
    InvalidPlatform, InvalidWorkload
        If a row breaks a rule; the message names both.
    """
    machines = columns.objects(given, "machines")
    names = [name_of(item, "name", f"machine {i:,}") for i, item in enumerate(machines, 1)]
    classes = [name_of(item, "class", f"machine {names[i]}", "machine") for i, item in enumerate(machines)]
    clusters = columns.objects(given, "clusters") if given.get("clusters") else []
    labels = [name_of(item, "name", f"cluster {i:,}") for i, item in enumerate(clusters, 1)]
    groups = [
        _places(item.get("machines"), f"cluster {label}", names) for item, label in zip(clusters, labels, strict=True)
    ]
    job_classes = given.get("job_classes")
    if not isinstance(job_classes, list) or not all(map(is_name, job_classes)):
        raise InvalidWorkload(f"`job_classes` must list names of at most {NAME} letters.")
    rows = columns.objects(given, "experience")
    mean, sd, count = tables(rows, names, classes, labels, job_classes)
    width = len(names)
    available = columns.column(machines, "available", 0, low=0, high=LONGEST)
    site = make_site(
        mean[:, :width], mean[:, width:], groups, machines=names, machine_class=classes, cluster_names=labels,
        job_classes=job_classes, sd=sd, count=count, available=available,
    )  # fmt: skip
    users = users_of(given.get("users"))
    least = columns.column(clusters, "least", 1, low=0, high=1, above=True).tolist() if clusters else []
    return site.with_(
        outages=outages_of(given.get("outages"), names),
        least=tuple(least) if any(share < 1.0 for share in least) else (),
        specifications=specifications_of(machines),
        interconnects=interconnects_of(given.get("interconnects"), names, labels),
        users=users,
        queues=queues_of(given.get("queues"), users),
    )


def tables(
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    classes: Sequence[str],
    labels: Sequence[str],
    job_classes: Sequence[str],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, deviation and count by (job class, resource) from rows of experience; machines first."""
    resource = {name: [i] for i, name in enumerate([*names, *labels])}
    by_class: dict[str, list[int]] = {}
    for i, name in enumerate(classes):
        by_class.setdefault(name, []).append(i)
    kind = {name: i for i, name in enumerate(job_classes)}
    shape = len(job_classes), len(names) + len(labels)
    check_size(*shape)
    mean, sd, count = np.full(shape, np.nan), np.zeros(shape), np.zeros(shape, "i8")
    means = columns.column(rows, "mean", low=0, high=LONGEST, above=True)
    deviations = columns.column(rows, "sd", 0, low=0, high=LONGEST)
    counts = columns.column(rows, "count", 1, low=0, high=2**53, whole=True)
    for own in (False, True):  # classes first: a row of the machine itself overwrites
        for i, row in enumerate(rows):
            job_class, where = row.get("job_class"), row.get("resource")
            if not isinstance(job_class, str) or job_class not in kind:
                raise InvalidPlatform(f"row {i + 1:,} of the experience: no job class {str(job_class)[:40]!r}")
            if not isinstance(where, str) or (where not in resource and where not in by_class):
                raise InvalidPlatform(f"row {i + 1:,} of the experience: no machine, cluster or class "
                                      f"{str(where)[:40]!r}")  # fmt: skip
            if own is not (where in resource):
                continue
            at = kind[job_class], resource[where] if own else by_class[where]
            mean[at], sd[at], count[at] = means[i], deviations[i], max(1, counts[i])
    return mean, sd, count


def outages_of(given: Any, names: Sequence[str]) -> tuple[Outage, ...]:
    """Return the outages of a list of objects, sorted by time; none for None."""
    if given is None:
        return ()
    found = []
    for item in columns.objects({"outages": given}, "outages"):
        [machine] = _places([item.get("machine")], "an outage", names)
        down = columns.number(item, "down", low=0, high=LONGEST)
        up = math.inf if item.get("up") is None else columns.number(item, "up", low=down, high=LONGEST, above=True)
        found.append(Outage(machine, down, up))
    return tuple(sorted(found, key=lambda outage: (outage.down, outage.machine)))


def document(site: Site) -> dict[str, Any]:
    """Return the object from which `site_of` makes `site`."""
    known = site.experience
    where = [*site.machines, *site.cluster_names]
    deviation = known.sd
    written: dict[str, Any] = {
        "kind": "site",
        "machines": [
            {"name": name, "class": kind, **({"available": float(since)} if since else {}),
             **({"specification": dict(more)} if more else {})}
            for name, kind, since, more in zip(site.machines, site.machine_class, site.available,
                                               site.specifications or [{}] * len(site.machines), strict=True)
        ],
        "clusters": [
            {"name": name, "machines": [site.machines[m] for m in group], **({"least": least} if least < 1.0 else {})}
            for name, group, least in zip(site.cluster_names, site.clusters, site.least or [1.0] * len(site.clusters),
                                          strict=True)
        ],
        "job_classes": list(site.job_classes),
        "experience": [
            {"job_class": site.job_classes[i], "resource": where[r], "mean": float(known.mean[i, r]),
             "sd": float(deviation[i, r]), "count": int(known.count[i, r])}
            for i, r in np.argwhere(~np.isnan(known.mean)).tolist()
        ],
    }  # fmt: skip
    if site.outages:
        written["outages"] = [
            {"machine": site.machines[o.machine], "down": o.down, **({"up": o.up} if math.isfinite(o.up) else {})}
            for o in site.outages
        ]
    return written | as_objects(site.interconnects, site.users, site.queues)


def name_of(item: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """Return the name under `key`; raise InvalidPlatform if it is not valid."""
    name = item.get(key, default)
    if not is_name(name):
        raise InvalidPlatform(f"{where}: `{key}` must be a name of at most {NAME} letters")
    return name.strip()


def is_name(given: Any) -> bool:
    """Return whether `given` is a printable text of at most `NAME` characters."""
    return isinstance(given, str) and bool(given.strip()) and len(given) <= NAME and given.isprintable()


def _places(listed: Any, what: str, names: Sequence[str]) -> list[int]:
    """Return the numbers of listed machines."""
    if not isinstance(listed, list):
        raise InvalidPlatform(f"{what} must list its machines")
    place = {name: i for i, name in enumerate(names)}
    for name in listed:
        if not isinstance(name, str) or name not in place:
            raise InvalidPlatform(f"{what} names machine {str(name)[:40]!r}, which the site does not have")
    return [place[name] for name in listed]
