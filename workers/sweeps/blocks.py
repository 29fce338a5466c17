"""Group the runs of a sweep into blocks: the independent draws behind its figures.

A block is a generator with a seed: loads, algorithms and parameters, also those of the generator, are factors within
it. A stored workload has one block per seed if the seeds change anything on it (conversions or algorithms that draw),
else one in all.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from shadowtime.engine.statistics.blocks import block_means, number_blocks
from shadowtime.workers.sweeps.outcomes import FINISHED, Outcomes

ONE_LOG = (
    "the blocks are draws of conversions and algorithms on the same jobs: they do not show what holds for other jobs"
)


def blocks_of(outcomes: Outcomes) -> np.ndarray:
    """Return the block of each seed and workload, from 0; shape (seeds, workloads)."""
    seeds, workloads, _, _ = outcomes.spec.shape
    matter = [is_fixed(outcomes, workload) and _seeds_matter(outcomes, workload) for workload in range(workloads)]
    labels = [_label(outcomes, seed, workload, found) for seed in range(seeds) for workload, found in enumerate(matter)]
    return number_blocks(labels).reshape(seeds, workloads)


def is_fixed(outcomes: Outcomes, workload: int) -> bool:
    """Return whether a workload has the same jobs for every seed, before conversions."""
    source = outcomes.spec.workloads[workload]
    return "generator" not in source or source["seed"] is not None


def by_point(values: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return the values of each point with one row per block of its workload; rows without a block are NaN.

    Parameters
    ----------
    values
        By seed, workload, load and variant.
    blocks
        As `blocks_of` returns.
    """
    found = np.array(values, float)
    for workload in range(values.shape[1]):
        own, places = np.unique(blocks[:, workload], return_inverse=True)
        if len(own) == len(values):
            continue
        found[:, workload] = np.nan
        for at in np.ndindex(values.shape[2:]):
            found[(slice(len(own)), workload, *at)] = block_means(values[(slice(None), workload, *at)], places)
    return found


def _label(outcomes: Outcomes, seed: int, workload: int, seeds_matter: bool) -> Hashable:
    source = outcomes.spec.workloads[workload]
    drawn = outcomes.spec.seeds[seed]
    if not is_fixed(outcomes, workload):
        return source["generator"], drawn
    own = (source["generator"], source["seed"]) if "generator" in source else (source["digest"], source["case"])
    return (own, drawn) if seeds_matter else own


def _seeds_matter(outcomes: Outcomes, workload: int) -> bool:
    """Return whether two finished runs that differ by their seed alone have different metrics."""
    done = outcomes.grid(outcomes.status)[:, workload] == FINISHED
    for column in outcomes.metrics.values():
        values = np.where(done, outcomes.grid(column)[:, workload], np.nan)
        there = np.isfinite(values)
        least = np.where(there, values, np.inf).min(axis=0)
        most = np.where(there, values, -np.inf).max(axis=0)
        if (most > least).any():
            return True
    return False
