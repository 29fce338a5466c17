"""Units of a two-tier run: their series count both tiers."""

from __future__ import annotations

from shadowtime.engine.families.units import Units
from shadowtime.engine.output.series import two_tier_series
from shadowtime.engine.tables import Table


class TwoTierUnits(Units):
    """A unit a job; progress follows from rates, not from rectangles."""

    def series(self, jobs: Table, segments: Table, events: Table, rates: Table | None) -> Table:
        """As of rigid jobs where the run kept no rates: nothing ran in the background then."""
        if rates is None:
            return super().series(jobs, segments, events, rates)
        return two_tier_series(self.workload, jobs, segments, events, rates)
