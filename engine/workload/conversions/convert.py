"""Change a workload by a conversion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Value, resolve
from shadowtime.engine.registry import find_conversion
from shadowtime.engine.workload.job import Workload


def resolve_conversion(slug: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Value]:
    """All parameters of a conversion with values: those given, checked, and the defaults of the rest."""
    conversion = find_conversion(slug)
    return resolve(conversion.parameters, parameters, conversion.slug)


def convert(workload: Workload, slug: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """The workload after one conversion, which is noted in its `conversions` and told in its `report`.

    Draws come from `seed` and the conversion's slug alone: all algorithms see the same jobs, and those draws are not
    the ones that a generator or another conversion makes from the same seed.

    Raises
    ------
    UnknownName, InvalidParameter, UnsupportedWorkload
        For what is not there, out of its range, or of a kind that the conversion does not take.
    """
    conversion = find_conversion(slug)
    values = resolve(conversion.parameters, parameters, conversion.slug)
    conversion.check_kind(workload)
    own = np.random.SeedSequence(seed, spawn_key=tuple(conversion.slug.encode()))
    made = conversion.apply(workload, values, np.random.Generator(np.random.PCG64(own)))
    step = {"name": conversion.slug, "parameters": values}
    return made.with_(conversions=(*workload.conversions, step))
