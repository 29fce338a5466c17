"""Apply a conversion to a workload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Value, resolve
from shadowtime.engine.registry import find_conversion
from shadowtime.engine.workload.job import Workload


def resolve_conversion(slug: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Value]:
    """Return the values of all parameters of a conversion: those given, checked, and defaults for the others."""
    conversion = find_conversion(slug)
    return resolve(conversion.parameters, parameters, conversion.slug)


def convert(workload: Workload, slug: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """Return the workload after one conversion, which is added to its `conversions` and described in its `report`.

    Random draws depend on `seed` and the conversion's slug alone: all algorithms see the same jobs, and a generator or
    another conversion with the same seed draws other values.

    Raises
    ------
    UnknownName
        If there is no such conversion.
    InvalidParameter
        If a parameter is unknown or out of its range.
    UnsupportedWorkload
        If the conversion does not take workloads of this kind.
    """
    conversion = find_conversion(slug)
    values = resolve(conversion.parameters, parameters, conversion.slug)
    conversion.check_kind(workload)
    own = np.random.SeedSequence(seed, spawn_key=tuple(conversion.slug.encode()))
    draws = np.random.PCG64(own)
    before = draws.state
    made = conversion.apply(workload, values, np.random.Generator(draws))
    step = {"name": conversion.slug, "parameters": values}
    seeds = workload.seeds
    if seeds is not None and draws.state != before:
        seeds = (*seeds, seed)
    return made.with_(conversions=(*workload.conversions, step), seeds=seeds)
