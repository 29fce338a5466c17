"""What a conversion is to the rest of the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.parameters import Parameter
from shadowtime.engine.workload.job import Workload

EVERY = ("*",)
"""`takes` of a conversion that takes every family; the registry fills in their names."""
SAME = ""
"""`makes` of a conversion that leaves the kind as it is."""


@dataclass(frozen=True)
class Conversion:
    """A step from one workload to another. `slug` goes into links and stored results: it never changes."""

    slug: str
    title: str
    summary: str
    """One sentence for lists."""
    takes: tuple[str, ...]
    """Kinds of workload that it takes."""
    makes: str
    """The kind that it makes, `SAME` when it keeps the kind."""
    parameters: tuple[Parameter, ...]
    """The first one may be written without its name: `week:20`."""
    apply: Callable[[Workload, Mapping[str, Any], np.random.Generator], Workload]
    """Makes the new workload from the old and resolved parameters; its report gets a sentence more."""

    def check_kind(self, workload: Workload) -> None:
        """Refuse a workload of a kind that this conversion does not take."""
        if workload.kind not in self.takes:
            raise UnsupportedWorkload(
                f"The conversion {self.slug} takes {' or '.join(self.takes)} workloads; "
                f"{workload.name} is a {workload.kind} one."
            )
