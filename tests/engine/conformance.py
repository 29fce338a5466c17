"""The class that every registered algorithm passes, without being named.

A person with an algorithm of their own can run it at home: subclass `Conformance` and set `algorithm`.
"""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Platform, Simulation, Workload, simulate
from shadowtime.engine.kernel.clock import ON_THE_CLOCK
from shadowtime.engine.registry import find
from shadowtime.engine.tables import FINISHED, REJECTED
from shadowtime.engine.workload.job import job_table
from tests.engine.invariants import check_schedule


def random_rigid(seed: int, n: int = 60, processors: int = 16) -> Workload:
    """A busy little log: ties in release and runtime, estimates too long and too short, one job too wide."""
    rng = np.random.default_rng(seed)
    release = np.sort(rng.integers(0, 300, n)).astype(float)
    runtime = rng.integers(1, 80, n).astype(float)
    size = np.minimum(rng.geometric(0.2, n), processors)
    size[n // 2] = processors + 1
    requested = np.where(rng.random(n) < 0.1, np.nan, np.ceil(runtime * rng.uniform(0.7, 3.0, n)))
    jobs = job_table(release, runtime, size, requested=requested, user=rng.integers(1, 6, n))
    return Workload("rigid", f"random {seed}", jobs, machine={"processors": processors}, has_estimates=True)


def with_record(workload: Workload) -> Workload:
    """The same jobs in a log that recorded what FCFS did with them."""
    jobs = simulate(workload, "fcfs").jobs
    return workload.with_(jobs={**workload.jobs, "recorded_start": jobs["start"], "recorded_end": jobs["end"]})


def shifted(workload: Workload, by: float) -> Workload:
    """The same jobs so many seconds later."""
    instants = {name: workload.jobs[name] + by for name in ON_THE_CLOCK if name in workload.jobs}
    return workload.with_(jobs={**workload.jobs, **instants})


class Conformance:
    """What holds for all: jobs end, none before its release, lanes never overfull, work conserved, repeatable."""

    algorithm: str
    make_workload = staticmethod(random_rigid)

    @pytest.fixture(params=range(4))
    def workload(self, request):
        return self.recorded(self.make_workload(request.param))

    def recorded(self, workload: Workload) -> Workload:
        """The workload, with a record for an algorithm that needs one."""
        return with_record(workload) if find(self.algorithm).needs_record else workload

    def test_every_job_gets_its_work_and_no_lane_is_overfull(self, workload):
        schedule = simulate(workload, self.algorithm)

        check_schedule(schedule)

    def test_jobs_wider_than_the_machine_are_rejected_and_the_rest_run(self, workload):
        schedule = simulate(workload, self.algorithm)

        wide = workload.jobs["processors"] > schedule.lanes
        assert (schedule.jobs["state"][wide] == REJECTED).all()
        assert (schedule.jobs["state"][~wide] == FINISHED).all()

    def test_the_same_question_twice_gives_the_same_bits(self, workload):
        one, two = simulate(workload, self.algorithm), simulate(workload, self.algorithm)

        for name in ("jobs", "segments", "events", "series"):
            for column, values in getattr(one, name).items():
                assert np.array_equal(values, getattr(two, name)[column], equal_nan=values.dtype.kind == "f")

    def test_slices_of_any_length_give_the_same_schedule(self, workload):
        whole = simulate(workload, self.algorithm)
        sliced = Simulation(workload, self.algorithm)
        pieces = list(sliced.slices(budget=3))

        assert len(pieces) > 5
        assert pieces[-1].jobs_done == len(workload)
        for column, values in sliced.schedule().segments.items():
            assert np.array_equal(values, whole.segments[column])

    def test_shifting_time_shifts_the_schedule(self, workload):
        later = shifted(workload, 1024.0)
        here, there = simulate(workload, self.algorithm), simulate(later, self.algorithm)

        assert np.array_equal(here.jobs["end"] + 1024.0, there.jobs["end"], equal_nan=True)

    def test_open_rectangles_of_a_slice_become_closed_ones(self, workload):
        simulation = Simulation(workload, self.algorithm)
        seen = []
        for piece in simulation.slices(budget=25):
            seen += list(zip(*(piece.open[c] for c in ("job", "first", "last", "tier", "start")), strict=True))
        closed = simulation.schedule().segments
        final = set(zip(*(closed[c] for c in ("job", "first", "last", "tier", "start")), strict=True))

        assert seen
        # A stall is cut off when its rectangle closes, so the closed one may start later.
        assert {key[:4] for key in seen} <= {key[:4] for key in final}

    def lonely(self):
        """One job of 10 s on 3 processors, submitted at 5."""
        jobs = job_table(np.array([5.0]), np.array([10.0]), np.array([3]))
        return self.recorded(Workload("rigid", "alone", jobs, machine={"processors": 3}))

    def test_one_job_on_one_machine_starts_at_once(self):
        schedule = simulate(self.lonely(), self.algorithm, platform=Platform(processors=3))

        assert schedule.jobs["start"].tolist() == [5.0]
        assert schedule.jobs["end"].tolist() == [15.0]


class EachConforms(Conformance):
    """The same for a class whose parameter `algorithm` runs over several slugs."""

    @pytest.fixture(autouse=True)
    def _name(self, algorithm):
        self.algorithm = algorithm
