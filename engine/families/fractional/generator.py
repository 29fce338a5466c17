"""Lublin-Feitelson jobs as tasks on nodes of four cores: the synthetic workload of the fractional study.

H. Casanova, M. Stillwell, F. Vivien, Dynamic Fractional Resource Scheduling vs. Batch Scheduling, RR-7659, 2011, §5.3.
The paper does not say which classes it drew: 1,000 jobs in its 4 to 6 days fit the two-class default of the model.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.fractional import conversion as fractional
from shadowtime.engine.families.rigid.generators import lublin
from shadowtime.engine.parameters import Whole
from shadowtime.engine.workload.generators.generator import JOBS, LOAD, Generator
from shadowtime.engine.workload.job import Parameters, Workload

NODES = Whole("nodes", 128, "Nodes of the machine; sizes scale with it.", low=1, high=1_000_000)


def make(values: Parameters, rng: np.random.Generator) -> Workload:
    """Draw sizes, runtimes and arrivals, then CPU needs and memory, for a machine of `nodes`."""
    rigid = lublin.make({**values, "processors": values["nodes"]}, rng)
    return fractional.apply(rigid, {"rule": "drawn", "nodes": values["nodes"]}, rng)


FRACTIONAL = Generator(
    slug="fractional",
    title="Fractional, Lublin-like",
    summary="Lublin-Feitelson jobs whose tasks share nodes: CPU needs and memory drawn.",
    kind="fractional",
    parameters=(JOBS, NODES, lublin.STREAMS, LOAD),
    source="Casanova, Stillwell and Vivien, INRIA RR-7659, 2011",
    make=make,
)
