"""Define SweepSpec: everything that determines the runs of a sweep. Its digest is the sweep's id."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from shadowtime.engine.errors import QuestionError
from shadowtime.workers.digest import Digested
from shadowtime.workers.spec import canonical, check_source


@dataclass(frozen=True)
class Cell:
    """One run of a sweep: a place in its grid, by positions in the lists of the spec."""

    index: int
    seed: int
    workload: int
    load: int
    variant: int


@dataclass(frozen=True, eq=False)
class SweepSpec(Digested):
    """A grid of questions. Runs are numbered by seed, then workload, then load, then variant: an unfinished sweep has
    the first sample of every point first, and neighbours share their jobs."""

    workloads: Sequence[Mapping[str, Any]]
    """{"digest", "case"} of a file, or {"generator", "parameters", "seed"}, where seed None is the run's."""
    seeds: Sequence[int]
    conversions: Sequence[Mapping[str, Any]]
    """{"name", "parameters"} each, applied in order; a swept load comes after them."""
    loads: Sequence[float]
    """Offered loads of the conversion `load`; empty: the jobs as they come."""
    platform: Mapping[str, int]
    """Empty: the workload's own machine."""
    estimates: str | None
    tau: float | None
    """Floor of the bounded stretch [s]; None: the workload's, else 10."""
    variants: Sequence[Mapping[str, Any]]
    """{"algorithm", "parameters"} each, with the parameters that were given."""
    engine_version: str

    @cached_property
    def json(self) -> str:
        """Canonical JSON, as that of a run's spec."""
        return canonical({field.name: getattr(self, field.name) for field in fields(self)})

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Lengths of the grid: seeds, workloads, loads (at least 1), variants."""
        return len(self.seeds), len(self.workloads), max(1, len(self.loads)), len(self.variants)

    def __len__(self) -> int:
        seeds, workloads, loads, variants = self.shape
        return seeds * workloads * loads * variants

    @property
    def points(self) -> int:
        """Number of points of the figures: all axes but the seeds."""
        return len(self) // len(self.seeds)

    def cell(self, index: int) -> Cell:
        """Return the run of that number, from 0."""
        _, workloads, loads, variants = self.shape
        rest, variant = divmod(index, variants)
        rest, load = divmod(rest, loads)
        seed, workload = divmod(rest, workloads)
        return Cell(index, seed, workload, load, variant)

    def load(self, position: int) -> float | None:
        """Return the load at a position of the grid; None without loads."""
        return self.loads[position] if self.loads else None

    def source(self, cell: Cell) -> dict[str, Any]:
        """Return the workload of a run, as a run's spec names it before conversions."""
        source = dict(self.workloads[cell.workload])
        if "generator" in source and source["seed"] is None:
            source["seed"] = self.seeds[cell.seed]
        return source

    def converted(self, load: int, lanes: int) -> list[Mapping[str, Any]]:
        """Return the conversions of a run: the common ones, then the load.

        Parameters
        ----------
        load
            Position in `loads`.
        lanes
            Lanes that the load is measured on; 0: those of the workload's own machine.
        """
        rho = self.load(load)
        if rho is None:
            return list(self.conversions)
        measured_on = {"processors": lanes} if lanes else {}
        return [*self.conversions, {"name": "load", "parameters": {"rho": rho, **measured_on}}]

    def variant_name(self, position: int) -> str:
        """Return `measy migration_cost=20`: the algorithm and the parameters that were given."""
        variant = self.variants[position]
        said = [f"{name}={_text(value)}" for name, value in sorted(variant["parameters"].items())]
        return " ".join([variant["algorithm"], *said])

    @classmethod
    def from_json(cls, text: str) -> SweepSpec:
        """Parse a canonical text, and no other.

        Raises
        ------
        QuestionError
            When `text` is no canonical sweep.
        """
        try:
            values = json.loads(text)
            if not isinstance(values, dict) or set(values) != {field.name for field in fields(cls)}:
                raise ValueError("it does not have the keys of a sweep")
            for source in values["workloads"]:
                check_source({**source, "seed": source["seed"] or 0} if "seed" in source else source)
            spec = cls(**values)
            if spec.json != text or not len(spec):
                raise ValueError("it is not written canonically")
        except (ValueError, TypeError, RecursionError) as error:
            raise QuestionError(f"not a sweep: {str(error)[:200]}") from None
        return spec


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
