"""Units of a two-tier run: their series count both tiers."""

from __future__ import annotations

from shadowtime.engine.families.units import Units
from shadowtime.engine.output.series import Curve, TwoTierAreas
from shadowtime.engine.tables import Table


class TwoTierUnits(Units):
    """One unit per job; progress follows from rates, not from rectangles."""

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """Return the curve of both tiers; that of rigid jobs if the run records no rates (no background then)."""
        return TwoTierAreas(self.workload) if keeps_rates else super().curve(jobs, keeps_rates=keeps_rates)
