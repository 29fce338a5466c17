"""What a slice shows of a run that goes on."""

import threading
from time import perf_counter

import pytest

from shadowtime.engine import Simulation, generate
from shadowtime.engine.errors import UnsupportedWorkload
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


LONG_PLANS = [
    ("moldable", {"jobs": 5000, "processors": 64}, "demt", {"shuffles": 10_000}),
    ("multitask", {"jobs": 60, "machines": 8, "load": 0.9}, "synchpack-1", {"epsilon": 0.1}),
]
"""Plans that take seconds on any machine of today; six slices are a tenth of a second each."""


def plans() -> list[threading.Thread]:
    """Return the threads that make plans."""
    return [thread for thread in threading.enumerate() if thread.name == "plan"]


@pytest.mark.parametrize(("generator", "jobs", "algorithm", "parameters"), LONG_PLANS)
def test_a_plan_reports_progress_and_stops_when_its_run_is_cancelled(generator, jobs, algorithm, parameters):
    workload = generate(generator, jobs, seed=1)
    simulation = Simulation(workload, algorithm, parameters)
    began = perf_counter()
    slices = simulation.slices(seconds=0.1)
    shares = []
    for piece in slices:
        shares.append(piece.planned)
        assert piece.jobs_done == 0 and not len(piece.segments["job"])
        if len(shares) == 6:
            break
    slices.close()
    for thread in plans():
        thread.join(30.0)

    assert shares == sorted(shares) and shares[-1] < 1.0
    assert plans() == []
    assert simulation._runner.plan is None and perf_counter() - began < 30.0


@pytest.mark.parametrize("algorithm", ["dual", "demt"])
def test_a_moldable_plan_made_in_slices_is_the_same(algorithm):
    workload = generate("moldable", {"jobs": 40, "processors": 16}, seed=2)
    whole, sliced = Simulation(workload, algorithm).run(), Simulation(workload, algorithm)
    for _ in sliced.slices(budget=5, seconds=1e-9):
        pass

    for name, column in whole.segments.items():
        assert (column == sliced.schedule().segments[name]).all()
    assert whole.timing["plan_s"] > 0.0


def test_an_error_of_a_planner_is_raised_where_the_run_is_walked():
    workload = generate("moldable", {"jobs": 4, "processors": 4}, seed=2)
    time_on = workload.parts["time"].copy()
    time_on[workload.parts["first"][0] + 1] = time_on[workload.parts["first"][0]] * 0.1
    broken = workload.with_(parts={**workload.parts, "time": time_on})
    with pytest.raises(UnsupportedWorkload, match="work falls with more processors"):
        list(Simulation(broken, "dual").slices(seconds=0.1))
