"""Execute the runs of one sweep in one process; jobs, conversions and bounds that neighbours share are cached."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from cachetools import LRUCache

from shadowtime.engine.bounds.registry import Bounds, lower_bounds
from shadowtime.engine.platform import Platform
from shadowtime.engine.schedule import Slice
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload, stated_lanes
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.execute import Outcome, execute
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.sweeps.spec import Cell, SweepSpec

KEPT = 4
"""Workloads held in memory: neighbours in a sweep share theirs."""

Load = Callable[[Mapping[str, Any]], Workload]
"""The workload of a source, before conversions."""


@dataclass(frozen=True)
class Question:
    """One run of a sweep, ready to be executed."""

    spec: RunSpec
    workload: Workload
    tau: float | None


class Bench:
    """Build and execute the runs of a sweep, best in the order of their numbers."""

    def __init__(self, spec: SweepSpec, load: Load):
        self.spec = spec
        self._load = load
        self._kept: dict[str, LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(KEPT))

    def question(self, cell: Cell) -> Question:
        """Return the question of a run, with the same id as in `simulate`.

        Raises
        ------
        QuestionError
            When this run of the grid cannot be: a case without a machine, a parameter that does not fit it.
        """
        variant = self.spec.variants[cell.variant]
        seed = self.spec.seeds[cell.seed]
        workload = self._once(("load", cell.seed, cell.workload, cell.load), lambda: self._loaded(cell))
        spec = RunSpec.of(
            workload,
            variant["algorithm"],
            variant["parameters"],
            dict(self.spec.platform) or None,
            self.spec.estimates,
            seed,
        )
        return Question(spec, workload, self.spec.tau)

    def execute(
        self,
        question: Question,
        on_piece: Callable[[Slice], None] | None = None,
        spool: FileSpool | None = None,
        most_segments: int = 0,
        *,
        has_intervals: bool = True,
    ) -> Outcome:
        """Execute a run as `simulate` does; raises as `workers.execute.execute`."""
        return execute(
            question.spec,
            question.workload,
            on_piece,
            tau=question.tau,
            bounds=self.bounds,
            spool=spool,
            most_segments=most_segments,
            has_intervals=has_intervals,
        )

    def bounds(self, workload: Workload, platform: Platform, tau: float, *, jobs: Any, migrates: bool) -> Bounds:
        """Return the bounds as `lower_bounds` does, cached for algorithms that complete the same jobs."""
        ended = np.isfinite(jobs["end"])
        counted = hashlib.sha256(np.packbits(ended).tobytes() + jobs["runtime"][ended].tobytes()).digest()
        key = ("bounds", id(workload), platform, tau, migrates, counted)
        # Keeping a reference to the workload prevents that another object gets its id.
        made = self._once(key, lambda: (workload, lower_bounds(workload, platform, tau, jobs=jobs, migrates=migrates)))
        return made[1]

    def _loaded(self, cell: Cell) -> Workload:
        """Return the jobs of a run: generated or read, converted, at the run's load."""
        seed = self.spec.seeds[cell.seed]
        drawn = self._once(("converted", cell.seed, cell.workload), lambda: self._converted(cell, seed))
        steps = self.spec.converted(cell.load, self._lanes_for(drawn))[len(self.spec.conversions) :]
        for step in steps:
            drawn = convert(drawn, step["name"], step["parameters"], seed)
        return drawn

    def _lanes_for(self, workload: Workload) -> int:
        """Return the lanes of the sweep's platform where a workload does not state its machine, else 0."""
        if stated_lanes(workload) or not self.spec.platform:
            return 0
        return Platform.from_dict(self.spec.platform, workload.kind).lanes

    def _converted(self, cell: Cell, seed: int) -> Workload:
        source = self.spec.source(cell)
        return convert_all(self._load(source), self.spec.conversions, seed)

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the cached value of `key`, else what `make` returns; each kind keeps its last few values."""
        kept = self._kept[key[0]]
        if key not in kept:
            kept[key] = make()
        return kept[key]
