"""Lublin-Feitelson jobs as tasks on nodes of four cores: the synthetic workload of the fractional study.

H. Casanova, M. Stillwell, F. Vivien, Dynamic Fractional Resource Scheduling vs. Batch Scheduling, RR-7659, 2011, §5.3.
The paper does not say which classes it drew: 1,000 jobs in its 4 to 6 days fit the two-class default of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.families.fractional import conversion as fractional
from shadowtime.engine.families.rigid.generators import lublin
from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.generators.generator import JOBS, Generator
from shadowtime.engine.workload.job import Workload


def make(values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """Draw sizes, runtimes and arrivals, then CPU needs and memory; a machine of `nodes` is theirs."""
    rigid = lublin.make({**values, "processors": values["nodes"]}, rng)
    return fractional.apply(rigid, {"rule": "drawn", "nodes": values["nodes"]}, rng)


FRACTIONAL = Generator(
    slug="fractional",
    title="Fractional, Lublin-like",
    summary="Lublin-Feitelson jobs whose tasks share nodes: CPU needs and memory drawn.",
    kind="fractional",
    parameters=(
        JOBS,
        Whole("nodes", 128, "Nodes of the machine; sizes scale with it.", low=1, high=1_000_000),
        Choice("classes", "two", "Batch and interactive jobs apart, or one law for all.", ("two", "typeless"),
               {"two": "Batch and interactive", "typeless": "One class"}),
        Real("load", 0.0, "Offered load, reached by scaling all gaps; 0 leaves them as the model draws them.",
             low=0.0, high=100.0),
    ),
    source="Casanova, Stillwell and Vivien, INRIA RR-7659, 2011",
    make=make,
)  # fmt: skip
