"""A site as it is edited: from two pasted tables, from JSON, or from a workload that is here."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from shadowtime.dashboard.intake.questions import Desk
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.classed.site.csv_tables import sheets, site_of_sheets
from shadowtime.engine.families.classed.site.json_objects import document, site_of
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.engine.families.classed.workload import site_of_clusters
from shadowtime.engine.workload.samples import find_sample


def site(
    desk: Desk,
    machines: str | None = None,
    experience: str | None = None,
    text: str | None = None,
    workload: str | None = None,
    sample: str | None = None,
) -> dict[str, Any]:
    """What is known of a site in every form it has.

    machines, experience: the two tables, as `site_csv` reads them; or
    text: the JSON of a site, or of a workload that holds one; or
    workload, sample: the id of a stored workload, the name of a sample.

    Returns
    -------
    {"machines", "experience": CSV, "site": the JSON object, "facts": counts, "times": a small table of means}
    """
    if workload is not None:
        reference, _, case = workload.partition("#")
        found = desk.store.workloads.load(desk.store.workloads.get(reference).digest, case or None).site
    elif sample is not None:
        found = find_sample(sample).read().site
    elif text is not None:
        found = _of_json(text)
    else:
        found = site_of_sheets(machines or "", experience or "")
    if found is None:
        raise InvalidWorkload("That workload has no site: all its machines are alike.")
    return {**sheets(found), "site": document(found), "facts": _facts(found), "times": _times(found)}


def _of_json(text: str) -> Site:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidWorkload(f"That is no JSON: {str(error)[:120]}.") from None
    given = given.get("site", given) if isinstance(given, dict) else given
    if not isinstance(given, dict):
        raise InvalidWorkload("A site is a JSON object with machines, clusters, job_classes and experience.")
    return site_of_clusters(given) if given.get("kind") == "pjs_site" else site_of(given)


def _facts(found: Site) -> dict[str, int]:
    return {
        "machines": len(found.machines),
        "classes": len(set(found.machine_class)),
        "clusters": len(found.clusters),
        "job_classes": len(found.job_classes),
        "outages": len(found.outages),
    }


def _times(found: Site) -> dict[str, Any]:
    """Least mean time [s] of each job class on a machine of each class, and on each cluster; None: not allowed."""
    mean = found.experience.mean
    kinds = list(dict.fromkeys(found.machine_class))
    rows = []
    for kind in kinds:
        lanes = [i for i, name in enumerate(found.machine_class) if name == kind]
        rows.append({"name": kind, "machines": len(lanes), "cluster": False, "least": _least(mean[:, lanes])})
    for i, (name, members) in enumerate(zip(found.cluster_names, found.clusters, strict=True)):
        column = mean[:, [len(found.machines) + i]]
        rows.append({"name": name, "machines": len(members), "cluster": True, "least": _least(column)})
    return {"job_classes": list(found.job_classes), "rows": rows}


def _least(times: np.ndarray) -> list[float | None]:
    least = np.min(np.where(np.isnan(times), np.inf, times), axis=1)
    return [float(value) if np.isfinite(value) else None for value in least]
