"""What a slice shows of a run that goes on."""

import pytest

from shadowtime.engine import Simulation, generate
from shadowtime.engine.workload.conversions.convert import convert


@pytest.mark.parametrize(("algorithm", "kind"), [("easy", "rigid"), ("measy", "two_tier")])
def test_every_job_that_holds_lanes_has_open_rectangles(algorithm, kind):
    workload = generate("uniform", {"jobs": 200, "processors": 16, "load": 0.9}, seed=1)
    if kind == "two_tier":
        workload = convert(workload, "two_tier", None, 1)
    simulation = Simulation(workload, algorithm)
    seen = [(piece.time, piece.open) for piece in simulation.slices(budget=20)]
    closed = simulation.schedule().segments

    for time, still in seen:
        holding = (closed["start"] < time) & (time < closed["end"])
        assert set(closed["job"][holding]) <= set(still["job"])
