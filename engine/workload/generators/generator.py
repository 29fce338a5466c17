"""What a generator is to the rest of the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Parameter, Value, Whole, resolve
from shadowtime.engine.workload.job import Workload

SEED = Whole("seed", 0, "Draws another workload of the same kind; the run's own seed where it is not given.")
JOBS = Whole("jobs", 1000, "How many jobs to draw.", low=1, high=2_000_000)


@dataclass(frozen=True)
class Generator:
    """A source of workloads. `slug` goes into links and stored results: it never changes."""

    slug: str
    title: str
    summary: str
    """One sentence for lists."""
    kind: str
    """The kind of workload that it makes."""
    parameters: tuple[Parameter, ...]
    source: str
    """The paper."""
    make: Callable[[Mapping[str, Any], np.random.Generator], Workload]
    """Draws jobs, machine and report from resolved parameters."""

    def resolve(self, given: Mapping[str, Any] | None, seed: int) -> tuple[dict[str, Value], int]:
        """All parameters with values, and the seed: that among `given` where there is one, else `seed`.

        Raises
        ------
        InvalidParameter
            For an unknown name or a value outside its rule.
        """
        rest = dict(given or {})
        seed = SEED.check(rest.pop("seed", seed), self.slug)
        return resolve(self.parameters, rest, self.slug), seed

    def reference(self, values: Mapping[str, Any]) -> str:
        """How a person would write it: `lublin:jobs=1000`, what is at its default left out."""
        said = [f"{p.name}={_text(values[p.name])}" for p in self.parameters if values[p.name] != p.default]
        return f"{self.slug}:{','.join(said)}" if said else self.slug


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
