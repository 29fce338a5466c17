"""The registry entry of a conversion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.parameters import Parameter
from shadowtime.engine.workload.job import Parameters, Workload

EVERY = ("*",)
"""`takes` of a conversion for all families; the registry fills in their names."""
SAME = ""
"""`makes` of a conversion that keeps the kind."""


@dataclass(frozen=True)
class Conversion:
    """A step from one workload to another. `slug` is part of links and stored results: it never changes."""

    slug: str
    title: str
    summary: str
    """One sentence for lists."""
    takes: tuple[str, ...]
    """Kinds of workload that the conversion takes."""
    makes: str
    """The kind of the result; `SAME` if the conversion keeps the kind."""
    parameters: tuple[Parameter, ...]
    """The first one may be written without its name: `week:20`."""
    apply: Callable[[Workload, Parameters, np.random.Generator], Workload]
    """Returns the new workload from the old one and resolved parameters, with a sentence added to its report."""

    @classmethod
    def from_rigid(cls, kind: str, **others: Any) -> Conversion:
        """Return the conversion of rigid jobs to a kind, called by its name; `others` are the further fields."""
        return cls(slug=kind, takes=("rigid",), makes=kind, **others)

    def check_kind(self, workload: Workload) -> None:
        """Raise UnsupportedWorkload if the conversion does not take workloads of this kind."""
        if workload.kind not in self.takes:
            raise UnsupportedWorkload(
                f"The conversion {self.slug} takes {' or '.join(self.takes)} workloads; "
                f"{workload.name} is a {workload.kind} one."
            )
