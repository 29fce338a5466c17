"""The registry entry of a generator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Parameter, Real, Value, Whole, resolve, written
from shadowtime.engine.workload.job import Parameters, Workload

SEED = Whole("seed", 0, "Seed of the draws; if not given, the seed of the run.")
JOBS = Whole("jobs", 1000, "Number of jobs to draw.", low=1, high=2_000_000)
LOAD = Real(
    "load",
    0.0,
    "Offered load, reached by scaling all gaps; 0 leaves them as the model draws them.",
    low=0.0,
    high=100.0,
)


def processors(default: int, text: str = "Processors of the machine.") -> Whole:
    """Return the parameter for the size of the machine."""
    return Whole("processors", default, text, low=1, high=1_000_000)


def check_order(owner: str, values: Parameters, *names: str) -> None:
    """Raise InvalidParameter if the values of `names` do not ascend."""
    for low, high in pairwise(names):
        if values[low] > values[high]:
            said = [f"{name} = {written(float(values[name]))}" for name in (low, high)]
            raise InvalidParameter(f"{owner}: {said[0]} is above {said[1]}")


@dataclass(frozen=True)
class Generator:
    """A source of workloads. `slug` is part of links and stored results: it never changes."""

    slug: str
    title: str
    summary: str
    """One sentence for lists."""
    kind: str
    """The kind of its workloads."""
    parameters: tuple[Parameter, ...]
    source: str
    """The paper."""
    make: Callable[[Parameters, np.random.Generator], Workload]
    """Returns a workload with jobs, machine and report drawn from resolved parameters."""
    tasks: Callable[[Mapping[str, Any]], float] = lambda values: 0.0
    """Returns about how many tasks resolved parameters give, where jobs have tasks that are drawn one by one."""

    def resolve(self, given: Mapping[str, Any] | None, seed: int) -> tuple[dict[str, Value], int]:
        """Return the values of all parameters, and the seed: that of `given` if there is one, else `seed`.

        Raises
        ------
        InvalidParameter
            If a name is unknown or a value breaks its rule.
        """
        rest = dict(given or {})
        seed = SEED.check(rest.pop("seed", seed), self.slug)
        return resolve(self.parameters, rest, self.slug), seed

    def reference(self, values: Parameters) -> str:
        """Return the short text form, without parameters at their defaults: `lublin:jobs=200`."""
        pairs = [
            f"{p.name}={_text(values[p.name])}" for p in self.parameters if values.get(p.name, p.default) != p.default
        ]
        return f"{self.slug}:{','.join(pairs)}" if pairs else self.slug


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
