"""Units of a two-tier run: their series count both tiers."""

from __future__ import annotations

from shadowtime.engine.families.units import Units
from shadowtime.engine.output.series import Curve, TwoTierAreas
from shadowtime.engine.tables import Table


class TwoTierUnits(Units):
    """A unit a job; progress follows from rates, not from rectangles."""

    def curve(self, jobs: Table, *, keeps_rates: bool) -> Curve:
        """As of rigid jobs where the run keeps no rates: nothing runs in the background then."""
        return TwoTierAreas(self.workload) if keeps_rates else super().curve(jobs, keeps_rates=keeps_rates)
