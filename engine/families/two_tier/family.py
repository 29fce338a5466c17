"""The family of two-tier jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shadowtime.engine.families.family import Values
from shadowtime.engine.families.rigid.family import Rigid
from shadowtime.engine.families.two_tier import workload as two_tier
from shadowtime.engine.families.two_tier.conversion import TWO_TIER
from shadowtime.engine.families.two_tier.entries import KEASY, MEASY, REASY
from shadowtime.engine.families.units import Units
from shadowtime.engine.metrics import usage
from shadowtime.engine.output.notes import Notes, in_seconds
from shadowtime.engine.output.series import Curve, TwoTierAreas
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload


class TwoTierUnits(Units):
    """One unit per job; progress follows from rates, not from rectangles."""

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """Return the curve of both tiers; that of rigid jobs if the run records no rates (no background then)."""
        return TwoTierAreas(self.workload) if keeps_rates else super().curve(jobs, keeps_rates=keeps_rates)


class TwoTier(Rigid):
    """Rigid jobs that leave part of their processors idle, which background jobs use."""

    name = "two_tier"
    aliases = ()
    title = "Two tiers"
    summary = "Waiting jobs run in the background on CPU that the foreground leaves idle."
    algorithms = (KEASY, REASY, MEASY)
    generators = ()
    formats = ()
    conversions = (TWO_TIER,)
    readers = {"two_tier": two_tier.read}
    document = staticmethod(two_tier.document)
    tiers = 2
    metric_titles = {
        "mean_utilization": (
            "Mean progress per processor",
            "Seconds of dedicated work per processor and second, both tiers together: above 100 % if background "
            "jobs run on idle CPU of foreground jobs. The CPU used is the next metric.",
        )
    }
    metrics = ("mean_cpu_utilization", "migrations", "kills", "swaps", "background_starts", "waste_by_kills")

    def units(self, workload: Workload, lanes: int, **options: bool) -> Units:
        return TwoTierUnits(self, workload, lanes, **options)

    def columns_after(self, workload: Workload, view: Table) -> Table:
        """Return the mean CPU usage of the processes of each job."""
        first = workload.parts["first"]
        return {"usage": np.add.reduceat(workload.parts["usage"], first[:-1]) / np.diff(first)}

    def notes(self, jobs: Table, segments: Table, instant: Callable[[float], str] = in_seconds) -> Notes:
        return Notes(jobs, segments, two_tier=True, instant=instant)

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        """Return the sum of the usages of each job's processes.

        Its number of processors would give wrong bounds, since two jobs share a processor.
        """
        processors = workload.jobs["processors"]
        first = np.concatenate(([0], np.cumsum(processors)[:-1])).astype(np.int64)
        return np.add.reduceat(workload.parts["usage"], first) if len(first) else np.zeros(0)

    def use_of_machine(self, schedule: Any, workload: Workload, lanes: int, done: Table, makespan: float) -> Values:
        need = self.cpu_need(workload)
        assert need is not None, "two-tier jobs have usages"
        work = {
            "mean_utilization": float(np.sum(done["processors"] * done["runtime"])),
            "mean_cpu_utilization": usage.cpu_work(need, schedule.jobs, done),
        }
        return {name: usage.mean_utilization(value, lanes, makespan) for name, value in work.items()}


FAMILY = TwoTier()
