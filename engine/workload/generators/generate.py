"""Draw a workload from a generator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.registry import find_generator
from shadowtime.engine.workload.job import Workload


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
