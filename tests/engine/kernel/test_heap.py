"""Predictions that no longer hold do not pile up in the heap."""

from __future__ import annotations

import pytest

from shadowtime.engine import generate, simulate
from shadowtime.engine.kernel.heap import SPARE


@pytest.mark.parametrize("algorithm", ["greedyp*", "/per", "greedypm*/per"])
def test_retired_predictions_are_dropped_where_rates_change_often(algorithm):
    schedule = simulate(generate("fractional", {"jobs": 600, "load": 3.0}, 1), algorithm)
    running = int(schedule.series["running"].max())

    assert schedule.counters["acts"] > 10 * len(schedule.jobs["end"])
    assert schedule.counters["largest_heap"] <= 4 * running + SPARE
