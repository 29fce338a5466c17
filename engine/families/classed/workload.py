"""Classed JSON: jobs of classes whose times depend on the machine or cluster.

A job has a class (a row of the site's experience), a priority and an arrival. Its `runtime` is the time on its best
machine, to which stretches refer; on a cluster it may take less. Kinds that are read:

- `pjs_static`, `pjs_priorities`, `pjs_online`: `machine_times[job][machine]`, `clusters` (machine numbers from 1),
  `cluster_times[job][cluster]` (null: not allowed), `available`, `priority`, `arrivals`, `quantum`; a class per job;
- `pjs_site`, `site`: a site; the case is the number of its jobs, all released at second 0, with classes in turn;
- `classed`: a site with jobs, the form that is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.classed.site.json_objects import NAME, is_name, site_of
from shadowtime.engine.families.classed.site.json_objects import document as site_document
from shadowtime.engine.families.classed.site.site import Site, make_site
from shadowtime.engine.tables import Table
from shadowtime.engine.workload import columns
from shadowtime.engine.workload.job import Workload, in_order, job_table
from shadowtime.engine.workload.limits import LONGEST
from shadowtime.engine.workload.words import count

PRIORITIES = ("high", "medium", "low")
MEDIUM = 1
MOST_JOBS = 2_000_000
JOBS_OF_A_SITE = 20
"""Default number of jobs of a site."""
BLOCK = 4_000_000
"""Number of times that are computed together."""
MOST_PERMISSIONS = 50_000_000
LEAST = 0.1
"""A drawn execution time is at least this share of its mean."""


def classed(
    site: Site,
    job_class: np.ndarray,
    *,
    release: np.ndarray | None = None,
    priority: np.ndarray | None = None,
    deviate: np.ndarray | None = None,
    allowed: np.ndarray | None = None,
    quantum: float = 0.0,
    **others: np.ndarray,
) -> Workload:
    """Return the workload of n jobs on a site.

    Parameters
    ----------
    job_class
        n rows of the site's experience.
    priority
        n values: 0 high, 1 medium, 2 low; None: all medium.
    deviate
        n standard normal draws: a job takes mean + deviate x sd on each resource; 0 is exactly the mean.
    allowed
        (n, resources) booleans: whether a job may run there; None: wherever its class may.
    quantum
        Plans are made at its multiples [s]; 0: whenever jobs arrive.
    """
    n = len(job_class)
    job_class = np.asarray(job_class, "i8")
    deviate = np.zeros(n) if deviate is None else np.asarray(deviate, "f8")
    width = len(site.machines)
    runtime = least_times(site, job_class, deviate, allowed, machines_only=True)
    missing = ~np.isfinite(runtime)
    if missing.any():
        mask = None if allowed is None else allowed[missing]
        runtime[missing] = least_times(site, job_class[missing], deviate[missing], mask)
    runtime = np.where(np.isfinite(runtime), runtime, 0.0)
    jobs = job_table(np.zeros(n) if release is None else release, runtime, np.ones(n), deviate=deviate, **others)
    jobs["job_class"] = job_class
    jobs["priority"] = np.full(n, MEDIUM) if priority is None else np.asarray(priority, "i8")
    parts: Table = {}
    if allowed is not None:
        parts = {"first": np.arange(n + 1) * site.resources, "allowed": np.ascontiguousarray(allowed).ravel()}
    jobs, parts = in_order(jobs, parts)
    machine = {"processors": width, **({"quantum": float(quantum)} if quantum else {})}
    report = (f"{count(n, 'job')} of {count(len(site.job_classes), 'class', 'classes')} on "
              f"{count(width, 'machine')} and {count(len(site.clusters), 'cluster')}.",)  # fmt: skip
    return Workload("classed", "", jobs, parts, machine, report, site=site)


def actual_times(site: Site, job_class: np.ndarray, deviate: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Return the true times of n jobs on each resource [s]; infinite if not allowed."""
    known = site.experience.of_classes(job_class)
    times = known.expected
    if deviate.any():
        times = np.maximum(LEAST * times, times + deviate[:, None] * known.sd)
    return times if allowed is None else np.where(allowed, times, np.inf)


def least_times(
    site: Site,
    job_class: np.ndarray,
    deviate: np.ndarray,
    allowed: np.ndarray | None,
    *,
    machines_only: bool = False,
    size: np.ndarray | None = None,
) -> np.ndarray:
    """Return the least time of n jobs on any resource, or any machine [s]; with `size`, the least `size` x time."""
    least = np.empty(len(job_class))
    block = max(1, BLOCK // site.resources)  # a full matrix of jobs x resources takes gigabytes for a large log
    for begin in range(0, len(least), block):
        part = slice(begin, begin + block)
        times = actual_times(site, job_class[part], deviate[part], None if allowed is None else allowed[part])
        times = times if size is None else size * times
        least[part] = (times[:, : len(site.machines)] if machines_only else times).min(axis=1)
    return least


def read(case: Mapping[str, Any]) -> Workload:
    """Return the workload of one case of `pjs_static`, `pjs_priorities` or `pjs_online`."""
    machine_times = _table(case, "machine_times")
    clusters = case.get("clusters") or []
    if not isinstance(clusters, list) or not all(isinstance(c, list) for c in clusters):
        raise InvalidWorkload("`clusters` must be a list of lists of machine numbers.")
    groups = [columns.numbers(c, lambda _: "a machine of a cluster", low=1, high=machine_times.shape[1], whole=True)
              .astype(int) - 1 for c in clusters]  # fmt: skip
    n = len(machine_times)
    cluster_times = _table(case, "cluster_times", (n, len(groups))) if groups else np.zeros((n, 0))
    available = np.array(_list(case, "available", machine_times.shape[1], 0), dtype="f8")
    site = make_site(machine_times, cluster_times, groups, available=available)
    release = np.array(_list(case, "arrivals", n, 0), dtype="f8")
    return classed(site, np.arange(n), release=release, priority=_priorities(case, n), quantum=_quantum(case))


def read_site(document: Mapping[str, Any], case: str | None) -> tuple[Workload, str]:
    """Return jobs of a site, with classes in turn, as many as `case` says (`site.json#20`), and the canonical case."""
    text = str(JOBS_OF_A_SITE) if case is None else case
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MOST_JOBS):
        raise InvalidWorkload(
            f"it holds a site; after # the number of its jobs must follow, 1 to {MOST_JOBS:,}, not {text[:40]!r}."
        )
    site = site_of_clusters(document) if document.get("kind") == "pjs_site" else site_of(document)
    return classed(site, np.arange(int(text)) % len(site.job_classes)), str(int(text))


def site_of_clusters(given: Mapping[str, Any]) -> Site:
    """Return the site of a `pjs_site`: every machine is in one cluster, times are given by cluster."""
    clusters = given.get("clusters")
    names, kinds = given.get("machine_classes"), given.get("job_classes")
    if not (isinstance(clusters, list) and all(isinstance(c, list) for c in clusters) and isinstance(kinds, list)):
        raise InvalidWorkload("a site needs `clusters` (lists of machine numbers) and `job_classes`.")
    if not all(is_name(str(name)) for listed in (kinds, names) if isinstance(listed, list) for name in listed):
        raise InvalidWorkload(f"`job_classes` and `machine_classes` must list names of at most {NAME} letters.")
    flat = [m for cluster in clusters for m in cluster]
    machines = columns.numbers(flat, lambda _: "a machine of a cluster", low=1, high=len(flat), whole=True).astype(int)
    if len(set(machines.tolist())) < len(flat):
        raise InvalidWorkload("every machine of a site is in exactly one of its `clusters`.")
    home = np.zeros(len(flat), int)
    home[machines - 1] = np.repeat(np.arange(len(clusters)), [len(c) for c in clusters])
    shape = len(kinds), len(clusters)
    times, together = _table(given, "machine_time_by_cluster", shape), _table(given, "cluster_time", shape)
    of = _list(given, "class_of_cluster", len(clusters), 0)
    named = isinstance(names, list) and all(isinstance(c, int) and 0 <= c < len(names) for c in of)
    classes = [str(names[of[c]]) if named and names else "machine" for c in home]
    groups = [[int(m) - 1 for m in cluster] for cluster in clusters]
    return make_site(times[:, home], together, groups, machine_class=classes, job_classes=[str(k) for k in kinds])


def read_classed(instance: Mapping[str, Any]) -> Workload:
    """Return the workload that `document` wrote."""
    given = instance.get("site")
    if not isinstance(given, dict):
        raise InvalidWorkload("a classed instance needs a `site`.")
    site = site_of(given)
    items = columns.objects(instance, "jobs")
    place = {name: i for i, name in enumerate(site.job_classes)}
    unknown = [kind for item in items if not isinstance(kind := item.get("job_class"), str) or kind not in place]
    if unknown:
        raise InvalidWorkload(f"a job is of class {str(unknown[0])[:40]!r}, which its site does not have.")
    return classed(
        site,
        np.array([place[item["job_class"]] for item in items]),
        release=columns.times(items, "submit", 0),
        priority=_priorities({"priority": [item.get("priority", PRIORITIES[MEDIUM]) for item in items]}, len(items)),
        deviate=columns.column(items, "deviate", 0),
        allowed=_allowed(items, site),
        quantum=_quantum(instance),
        job_id=columns.ids(items),
        weight=columns.column(items, "weight", 1, low=0, high=LONGEST),
        **({"user": _users(items, site)} if any("user" in item for item in items) else {}),
    )


def document(workload: Workload) -> dict[str, Any]:
    """Return the instance from which `read_classed` makes `workload`."""
    site, jobs = workload.site, workload.jobs
    assert site is not None, "classed workloads have a site"
    names = [*site.machines, *site.cluster_names]
    allowed = workload.parts["allowed"].reshape(len(workload), -1) if workload.parts else None
    items = [
        {
            "id": int(jobs["job_id"][i]),
            "job_class": site.job_classes[jobs["job_class"][i]],
            "priority": PRIORITIES[jobs["priority"][i]],
            "submit": float(jobs["release"][i]),
            **({"deviate": float(jobs["deviate"][i])} if jobs["deviate"][i] else {}),
            **({"weight": float(jobs["weight"][i])} if jobs["weight"][i] != 1 else {}),
            **({"allowed": [names[r] for r in np.flatnonzero(allowed[i])]} if allowed is not None else {}),
            **({"user": site.users[jobs["user"][i]].name} if site.users and jobs["user"][i] >= 0 else {}),
        }
        for i in range(len(workload))
    ]
    quantum = {"quantum": workload.machine["quantum"]} if workload.machine.get("quantum") else {}
    return {"kind": "classed", **quantum, "site": site_document(site), "jobs": items}


def _users(items: Any, site: Site) -> np.ndarray:
    """Return the number of each job's user, -1 without; raise if the queue of its priority does not admit the user."""
    place = {user.name: at for at, user in enumerate(site.users)}
    found = np.full(len(items), -1)
    for i, item in enumerate(items):
        if "user" not in item:
            continue
        user = item["user"]
        if not isinstance(user, str) or user not in place:
            raise InvalidWorkload(f"job {i + 1:,} of the list: the site has no user {str(user)[:40]!r}.")
        found[i] = place[user]
        queue = site.policy(PRIORITIES.index(item.get("priority", PRIORITIES[MEDIUM])))
        if queue is not None and not queue.admits(user):
            raise InvalidWorkload(f"job {i + 1:,} of the list: queue {queue.name} does not admit user {user[:40]}.")
    return found


def _allowed(items: Any, site: Site) -> np.ndarray | None:
    """Return which resources each job may use, from names of machines, clusters or classes; None without any."""
    if not any("allowed" in item for item in items):
        return None
    places = {name: [r] for r, name in enumerate([*site.machines, *site.cluster_names])}
    for machine, kind in enumerate(site.machine_class):
        if kind not in site.machines and kind not in site.cluster_names:
            places.setdefault(kind, []).append(machine)
    if len(items) * site.resources > MOST_PERMISSIONS:
        raise InvalidWorkload(
            f"{len(items):,} jobs with `allowed` on {site.resources:,} resources are too many: "
            f"{MOST_PERMISSIONS:,} permissions are the most."
        )
    allowed = np.ones((len(items), site.resources), bool)
    for i, item in enumerate(items):
        if "allowed" not in item:
            continue
        listed = item["allowed"]
        if not isinstance(listed, list) or any(not isinstance(name, str) or name not in places for name in listed):
            raise InvalidWorkload(f"job {i + 1:,} of the list: `allowed` must list machines, clusters or classes.")
        allowed[i] = False
        allowed[i, [r for name in listed for r in places[name]]] = True
    return allowed


def _table(case: Mapping[str, Any], key: str, shape: tuple[int, int] | None = None) -> np.ndarray:
    """Return rows of times [s] above 0; null becomes NaN."""
    rows = case.get(key)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise InvalidWorkload(f"`{key}` must be a list of lists of times.")
    n, width = shape or (len(rows), len(rows[0]))
    if len(rows) != n or any(len(row) != width for row in rows) or not width:
        raise InvalidWorkload(f"`{key}` must have {n:,} rows of {width:,} times.")
    flat = [value for row in rows for value in row]
    known = [i for i, value in enumerate(flat) if value is not None]
    values = np.full(len(flat), np.nan)
    values[known] = columns.numbers(
        [flat[i] for i in known], lambda i: f"{key}, row {known[i] // width + 1:,}", low=0, high=LONGEST, above=True
    )
    return values.reshape(n, width)


def _quantum(case: Mapping[str, Any]) -> float:
    return columns.number({"quantum": 0, **case}, "quantum", low=0, high=LONGEST)


def _list(case: Mapping[str, Any], key: str, n: int, default: float) -> list[Any]:
    """Return the n numbers >= 0 under `key`."""
    values = case.get(key, [default] * n)
    if not isinstance(values, list) or len(values) != n:
        raise InvalidWorkload(f"`{key}` must list {count(n, 'number')}.")
    columns.numbers(values, lambda i: f"number {i + 1:,} of {key}", low=0, high=LONGEST)
    return values


def _priorities(case: Mapping[str, Any], n: int) -> np.ndarray:
    """Return the levels of n jobs from their words; medium by default."""
    words = case.get("priority", [PRIORITIES[MEDIUM]] * n)
    if not isinstance(words, list) or len(words) != n or any(word not in PRIORITIES for word in words):
        raise InvalidWorkload(f"`priority` must list {count(n, 'word')} of {', '.join(PRIORITIES)}.")
    return np.array([PRIORITIES.index(word) for word in words])
