"""The table of all conversions, by slug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.families.fractional.conversion import FRACTIONAL
from shadowtime.engine.families.moldable.conversion import TO_MOLDABLE
from shadowtime.engine.families.multitask.conversion import TASKS
from shadowtime.engine.families.two_tier.conversion import TWO_TIER
from shadowtime.engine.parameters import Value, resolve
from shadowtime.engine.workload.conversions.conversion import Conversion
from shadowtime.engine.workload.conversions.estimates import ESTIMATES
from shadowtime.engine.workload.conversions.load import LOAD
from shadowtime.engine.workload.conversions.week import WEEK_OF_LOG
from shadowtime.engine.workload.job import Workload

_REGISTRY: dict[str, Conversion] = {}


def register(conversion: Conversion) -> Conversion:
    """Add a conversion; a second one with the same slug is an error, it never shadows the first."""
    if conversion.slug in _REGISTRY:
        raise ValueError(f"there is a conversion {conversion.slug!r} already")
    _REGISTRY[conversion.slug] = conversion
    return conversion


for _entry in (WEEK_OF_LOG, LOAD, ESTIMATES, TWO_TIER, FRACTIONAL, TO_MOLDABLE, TASKS):
    register(_entry)


def conversions() -> dict[str, Conversion]:
    """All conversions by slug."""
    return dict(_REGISTRY)


def find_conversion(name: str) -> Conversion:
    """The conversion called `name`; upper and lower case are alike.

    Raises
    ------
    UnknownName
        With the known slugs.
    """
    slug = str(name).strip().lower()
    if slug not in _REGISTRY:
        raise UnknownName("conversion", str(name)[:80], sorted(_REGISTRY))
    return _REGISTRY[slug]


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
