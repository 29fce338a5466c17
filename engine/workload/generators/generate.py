"""Draw a workload from a generator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.registry import find_generator
from shadowtime.engine.workload.job import Workload


def generate(slug: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """Return the workload that a generator draws; equal arguments give equal jobs.

    Values of `parameters` are text or numbers; a `seed` among them overrides the argument.

    Raises
    ------
    UnknownName
        If there is no such generator.
    InvalidParameter
        If a parameter is unknown or out of its range.
    """
    generator = find_generator(slug)
    values, seed = generator.resolve(parameters, seed)
    drawn = generator.make(values, np.random.Generator(np.random.PCG64(seed)))
    source = {"generator": generator.slug, "parameters": values, "seed": seed}
    return drawn.with_(name=generator.reference(values), source=source)
