"""The machines of a site as a viewer reads them."""

from __future__ import annotations

from typing import Any

from shadowtime.engine.families.classed.site.site import Site


def described(site: Site) -> dict[str, Any]:
    """Return `machines` (names by lane), `classes` of each, `clusters` with their lanes, and `job_classes`."""
    pairs = zip(site.cluster_names, site.clusters, strict=True)
    return {
        "machines": list(site.machines),
        "classes": list(site.machine_class),
        "clusters": [{"name": name, "machines": list(lanes)} for name, lanes in pairs],
        "job_classes": list(site.job_classes),
    }
