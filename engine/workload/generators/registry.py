"""The table of all generators, by slug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.families.classed.generator import CLASSED
from shadowtime.engine.families.fractional.generator import FRACTIONAL
from shadowtime.engine.families.moldable.generator import MOLDABLE
from shadowtime.engine.families.multitask.generator import MULTITASK
from shadowtime.engine.families.rigid.generators.feitelson import FEITELSON
from shadowtime.engine.families.rigid.generators.jann import JANN
from shadowtime.engine.families.rigid.generators.lublin import LUBLIN
from shadowtime.engine.families.rigid.generators.uniform import UNIFORM
from shadowtime.engine.workload.generators.generator import Generator
from shadowtime.engine.workload.job import Workload

_REGISTRY: dict[str, Generator] = {}


def register(generator: Generator) -> Generator:
    """Add a generator; a second one with the same slug is an error, it never shadows the first."""
    if generator.slug in _REGISTRY:
        raise ValueError(f"there is a generator {generator.slug!r} already")
    _REGISTRY[generator.slug] = generator
    return generator


for _entry in (UNIFORM, LUBLIN, FEITELSON, JANN, FRACTIONAL, MOLDABLE, MULTITASK, CLASSED):
    register(_entry)


def generators() -> dict[str, Generator]:
    """All generators by slug."""
    return dict(_REGISTRY)


def find_generator(name: str) -> Generator:
    """The generator called `name`; upper and lower case are alike.

    Raises
    ------
    UnknownName
        With the known slugs.
    """
    slug = str(name).strip().lower()
    if slug not in _REGISTRY:
        raise UnknownName("generator", str(name)[:80], sorted(_REGISTRY))
    return _REGISTRY[slug]


def generate(slug: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """The workload that a generator draws; the same question gives the same jobs.

    Parameters
    ----------
    parameters
        Values by name, as text or numbers. `seed` among them goes before the argument.

    Raises
    ------
    UnknownName, InvalidParameter
        For what is not there or out of its range.
    """
    generator = find_generator(slug)
    values, seed = generator.resolve(parameters, seed)
    drawn = generator.make(values, np.random.Generator(np.random.PCG64(seed)))
    source = {"generator": generator.slug, "parameters": values, "seed": seed}
    return drawn.with_(name=generator.reference(values), source=source)
