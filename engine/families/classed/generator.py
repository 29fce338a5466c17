"""Classed workloads after the studies of Collins and George 2001: stand-in tables, mixes of priorities, arrivals.

The site of the paper's studies 2 to 4 had 142 machines in 18 clusters; its tables were never printed and are replaced
by those of the sample `site142`. Study 1 used random tables: 40 machines, of which 20 in 5 clusters of 4.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.classed.site.experience import Experience
from shadowtime.engine.families.classed.site.site import Site, make_site
from shadowtime.engine.families.classed.workload import classed, read_site
from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.generators.generator import JOBS, Generator
from shadowtime.engine.workload.job import Parameters, Workload
from shadowtime.engine.workload.words import count

SAMPLES = "shadowtime.engine.workload.samples"
MIXES = {"none": None, "10/10/80": (0.10, 0.10, 0.80), "25/25/50": (0.25, 0.25, 0.50), "50/25/25": (0.50, 0.25, 0.25)}
"""Shares of high, medium and low jobs."""
NOISE = 0.05
"""Deviation of the factor on cluster times that makes equal clusters differ."""


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw the tables of a random site, then arrivals, classes, priorities and deviations of times."""
    n, rate, quantum = int(values["jobs"]), values["rate"], values["quantum"]
    site = _site(values, rng)
    if "time_scale" in values:
        site = site.with_(experience=Experience.of(values["time_scale"] * site.experience.mean))
    kinds = len(site.job_classes)
    release = np.cumsum(rng.exponential(quantum / rate, n)) if rate else np.zeros(n)
    job_class = rng.integers(0, kinds, n) if rate and kinds < n else np.arange(n) % kinds
    shares = MIXES[values["mix"]]
    priority = rng.choice(3, n, p=shares) if shares else None
    deviate = None
    if values["spread"]:
        spread = np.nan_to_num(values["spread"] * site.experience.mean)
        site = site.with_(experience=Experience.of(site.experience.mean, spread))
        deviate = rng.standard_normal(n)
    made = classed(
        site, job_class, release=release, priority=priority, deviate=deviate, quantum=quantum if rate else 0.0
    )
    return made.with_(report=(f"{count(n, 'job')} drawn.", *made.report))


def _site(values: Parameters, rng: np.random.Generator) -> Site:
    """Return the site: random, a sample, or a sample with noise on its cluster times."""
    if values["site"] == "random":
        return random_site(
            rng, values["jobs"], values["machines"], values["clusters"], values["cluster_size"], values["parallel"]
        )
    site = of_sample("bench3" if values["site"] == "bench" else "site142")
    if values["site"] == "noisy":
        known, machines = site.experience.mean, len(site.machines)
        noise = 1.0 + NOISE * rng.standard_normal((len(known), len(site.clusters)))
        site = site.with_(experience=Experience.of(np.hstack([known[:, :machines], known[:, machines:] * noise])))
    return site


@lru_cache(maxsize=2)
def of_sample(name: str) -> Site:
    """Return the site of a sample."""
    text = files(SAMPLES).joinpath(f"{name}.json").read_bytes()
    site = read_site(json.loads(text), "1")[0].site
    assert site is not None, "the sample has a site"
    return site


def random_site(rng: np.random.Generator, jobs: int, machines: int, clusters: int, size: int, parallel: float) -> Site:
    """Return the site of study 1: each job has its own times, uniform from 10 to 100 s; on clusters a third of that."""
    if clusters * size > machines:
        raise InvalidParameter(
            f"classed: {clusters:,} clusters of {size:,} take {clusters * size:,} machines, but there are {machines:,}"
        )
    times = rng.uniform(10.0, 100.0, (jobs, machines))
    on_clusters = rng.uniform(10.0, 100.0, (jobs, clusters)) / 3.0
    on_clusters[rng.permutation(jobs) >= round(parallel * jobs)] = np.nan
    groups = [range(c * size, (c + 1) * size) for c in range(clusters)]
    return make_site(times, on_clusters, groups)


CLASSED = Generator(
    slug="classed",
    title="Job classes on a heterogeneous site",
    summary="Jobs whose times depend on the machine or cluster, with priorities; they arrive at once or at random.",
    kind="classed",
    parameters=(
        JOBS,
        Choice("site", "standin", "The machines and their times: a stand-in for the paper's 142 machines in 18 "
               "clusters, the same with 5 % noise that makes equal clusters differ, random ones, or a bench of "
               "three machines whose jobs take less than a second, for shadowtime loop.",
               {"standin": "Stand-in site", "noisy": "Stand-in with noise", "random": "Random tables",
                "bench": "Three machines of seconds"}),
        Choice("mix", "none", "Percent of high, medium and low jobs; none: equal priorities.",
               {mix: mix for mix in MIXES} | {"none": "No priorities"}),
        Real("rate", 0.0, "Mean number of jobs that arrive per quantum; 0: all arrive at the start.", low=0.0,
             high=1e6),
        Real("quantum", 10.0, "Time between plans if jobs arrive over time.", low=0.0, high=1e6, unit="s", above=True),
        Real("spread", 0.0, "Deviation of execution times as a share of their mean; 0: exactly the mean.", low=0.0,
             high=10.0),
        Real("time_scale", 1.0, "Factor on all times of the site; 3 brings the stand-in to the axes of the paper's "
             "figures.", low=0.0, high=1e6, above=True, is_later=True),
        Whole("machines", 40, "Machines of a random site.", low=1, high=10_000),
        Whole("clusters", 5, "Clusters of a random site.", low=0, high=1_000),
        Whole("cluster_size", 4, "Machines of each of its clusters.", low=1, high=1_000),
        Real("parallel", 0.5, "Share of the jobs of a random site that may run on a cluster.", low=0.0, high=1.0),
    ),
    source="D. Collins and A. George, University of Florida, 2001; its tables are lost, stand-ins are drawn",
    make=make,
)  # fmt: skip
