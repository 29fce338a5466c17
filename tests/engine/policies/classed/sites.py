"""Small sites and classed workloads that several tests share."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.classed.site.site import Site, make_site
from shadowtime.engine.families.classed.workload import classed


def random_site(seed: int, kinds: int = 6, machines: int = 7) -> Site:
    """Machines of which two clusters share one; some times missing, times whole so that ties are common."""
    rng = np.random.default_rng(seed)
    times = rng.integers(4, 40, (kinds, machines)).astype(float)
    times[rng.random(times.shape) < 0.15] = np.nan
    times[:, 0] = np.where(np.isnan(times).all(axis=1), 20.0, times[:, 0])
    clusters = [(0, 1), (1, 2, 3), (4, 5)]
    together = np.ceil(np.nanmin(times, axis=1)[:, None] * rng.choice([0.4, 0.7, 1.1], (kinds, 3)))
    together[rng.random(together.shape) < 0.4] = np.nan
    return make_site(times, together, clusters)


def random_classed(seed: int, n: int = 40, *, priorities: bool = True, quantum: float = 8.0, impossible: bool = True):
    """A busy little workload: arrivals, three levels, and one job that no machine can run."""
    rng = np.random.default_rng(seed)
    site = random_site(seed)
    if impossible:
        mean = np.vstack([site.experience.mean, np.full(site.resources, np.nan)])
        width = len(site.machines)
        site = make_site(mean[:, :width], mean[:, width:], site.clusters)
    kind = rng.integers(0, 6, n)
    if impossible:
        kind[n // 2] = 6
    release = np.sort(rng.integers(1, 120, n)).astype(float)  # from 1: what arrives at 0 is planned a quantum later
    return classed(site, kind, release=release, priority=rng.integers(0, 3, n) if priorities else None, quantum=quantum)


def burst(site: Site, kinds) -> object:
    """Jobs of these classes, all at second 0."""
    return classed(site, np.array(kinds))
