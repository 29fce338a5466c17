"""What holds for all 116 variants, and for FCFS and EASY on the same nodes."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from shadowtime.engine import Workload, simulate
from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import algorithms
from shadowtime.engine.tables import FINISHED, REJECTED
from shadowtime.engine.workload.job import job_table
from shadowtime.engine.workload.sharing import nodes_alone, tasks_per_node
from tests.engine.conformance import Conformance
from tests.engine.invariants import check_schedule, rectangles

NODES = 6


def random_fractional(seed, n=24):
    """A busy little workload; one job has more tasks than all memory holds."""
    rng = np.random.default_rng(seed)
    memory = np.round(np.where(rng.random(n) < 0.55, 0.1, 0.1 * rng.integers(2, 8, n)), 3)
    tasks = np.minimum(rng.geometric(0.3, n), NODES)
    memory[n // 2], tasks[n // 2] = 0.6, NODES + 1
    need = np.where(tasks == 1, 0.25, np.round(rng.uniform(0.3, 1.0, n), 2))
    release = np.sort(rng.integers(0, 3000, n)).astype(float)
    jobs = job_table(release, rng.integers(5, 900, n).astype(float), tasks, cpu_need=need, memory=memory)
    return Workload("fractional", f"shares {seed}", jobs, machine={"nodes": NODES})


FRACTIONAL = [slug for slug, entry in algorithms(variants=True).items() if "fractional" in entry.kinds]


@pytest.mark.parametrize("algorithm", FRACTIONAL, scope="class")
class TestFractional(Conformance):
    make_workload = staticmethod(random_fractional)

    @pytest.fixture(params=range(2))
    def workload(self, request):
        return self.make_workload(request.param)

    @pytest.fixture(autouse=True)
    def _name(self, algorithm):
        self.algorithm = algorithm
        self.exclusive = algorithms(variants=True)[algorithm].runner.exclusive

    def test_every_job_gets_its_work_and_no_lane_is_overfull(self, workload):
        # The areas of a job's running rectangles, shares of CPU, are its work: its virtual time is its runtime.
        schedule = simulate(workload, self.algorithm)

        check_schedule(schedule, exclusive=self.exclusive)
        if not self.exclusive:
            check_memory(schedule)

    def test_no_figure_is_better_than_is_possible(self, workload):
        schedule, platform = simulate(workload, self.algorithm), Platform.of(workload)

        check(summarize(schedule, workload, platform), lower_bounds(workload, platform, jobs=schedule.jobs))

    def test_jobs_wider_than_the_machine_are_rejected_and_the_rest_run(self, workload):
        schedule, jobs = simulate(workload, self.algorithm), workload.jobs

        most = NODES * tasks_per_node(jobs["memory"])
        wide = nodes_alone(jobs) > NODES if self.exclusive else jobs["processors"] > most
        assert (schedule.jobs["state"][wide] == REJECTED).all() and wide.any()
        assert (schedule.jobs["state"][~wide] == FINISHED).all()

    def test_shifting_time_by_whole_periods_shifts_the_schedule(self, workload):
        later = workload.with_(jobs={**workload.jobs, "release": workload.jobs["release"] + 9600.0})
        here, there = simulate(workload, self.algorithm), simulate(later, self.algorithm)

        assert np.allclose(here.jobs["end"] + 9600.0, there.jobs["end"], rtol=0, atol=1e-6, equal_nan=True)

    test_shifting_time_shifts_the_schedule = None  # periods fall at multiples of the period

    def lonely(self):
        jobs = job_table(np.array([5.0]), np.array([10.0]), np.array([3]), cpu_need=np.ones(1), memory=np.array([0.5]))
        return Workload("fractional", "alone", jobs, machine={"nodes": 3})

    def test_one_job_on_one_machine_starts_at_once(self):
        schedule = simulate(self.lonely(), self.algorithm, platform=Platform(nodes=3, lanes_are_nodes=True))

        waits = self.algorithm.startswith("/")  # for the next period
        assert schedule.jobs["start"].tolist() == [600.0 if waits else 5.0]
        assert schedule.jobs["end"].tolist() == [610.0 if waits else 15.0]


def check_memory(schedule):
    """At no start of a rectangle do the tasks on a lane need more memory than it has; shares tell how many they are."""
    jobs = schedule.jobs
    per_job = defaultdict(list)
    for segment in rectangles(schedule):
        per_job[segment["job"], segment["start"]].append(segment)
    tasks = []
    for (job, _), mine in per_job.items():
        total = sum(s["share"] * (s["last"] - s["first"] + 1) for s in mine)
        if total > 0:
            tasks += [(s, s["share"] / total * jobs["processors"][job] * jobs["memory"][job]) for s in mine]
    for lane in range(schedule.lanes):
        here = [(s, m) for s, m in tasks if s["first"] <= lane <= s["last"]]
        for instant in {s["start"] for s, _ in here}:
            assert sum(m for s, m in here if s["start"] <= instant < s["end"]) <= 1 + 1e-6
