"""All moldable algorithms: golden values, conformance, the promises of the on-line batches, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, generate, simulate
from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.moldable.policies.demt import _trials
from shadowtime.engine.families.moldable.policies.dual import NO_AREA, search
from shadowtime.engine.families.moldable.workload import moldable, times
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.registry import algorithms, find
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.tables import BATCH, FINISHED
from tests.engine.conformance import EachConforms
from tests.engine.invariants import check_schedule
from tests.engine.moldable_golden import D03, arriving, every_instance, load
from tests.strategies import monotonic_times

MOLDABLE = [slug for slug, algorithm in algorithms().items() if "moldable" in algorithm.kinds]


def figures(workload, slug, **parameters):
    schedule = simulate(workload, slug, parameters)
    return summarize(schedule, workload, Platform.of(workload))


@every_instance
@pytest.mark.parametrize("slug", MOLDABLE)
def test_golden_optima_bound_every_schedule(path, slug):
    document, _, workload = load(path)
    found = figures(workload, slug)

    assert found["makespan"] >= document["opt"]["makespan"] * (1 - 1e-9)
    assert found["weighted_completion"] >= document["must"]["any_minsum_min"] * (1 - 1e-9)


@every_instance
@pytest.mark.parametrize("which", ["makespan", "minsum"])
def test_golden_schedules_are_feasible_and_worth_what_they_say(path, which):
    document, p, _ = load(path)
    stored = {entry["task"]: entry for entry in document["opt"][f"{which}_schedule"]}
    start, size = (np.array([stored[job][key] for job in range(len(p))]) for key in ("start", "procs"))
    time = p[np.arange(len(p)), size - 1]
    Plan.of_jobs(start.astype(float), time, size, document["m"])

    value = (start + time).max() if which == "makespan" else np.dot(document["w"], start + time)
    assert value == pytest.approx(document["opt"][which], rel=1e-6)


@every_instance
@pytest.mark.parametrize(("slug", "name"), [("gang", "gang"), ("sequential", "sequential_lpt")])
def test_golden_competitors(path, slug, name):
    document, _, workload = load(path)
    found, expected = figures(workload, slug), document["competitors"][name]

    assert found["makespan"] == pytest.approx(expected["makespan"], rel=1e-6)
    assert found["weighted_completion"] == pytest.approx(expected["minsum"], rel=1e-6)


def test_gang_in_smiths_order_worked_by_hand():
    """d03: jobs 1, 3, 2, 0 one after the other on all three processors."""
    jobs = simulate(load(D03)[2], "gang").jobs

    assert jobs["start"].tolist() == [4.5, 0, 1.5, 1] and jobs["end"].tolist() == [6.5, 1, 4.5, 1.5]
    assert jobs["processors"].tolist() == [3, 3, 3, 3] and jobs["runtime"].tolist() == [2, 1, 3, 0.5]


@pytest.mark.parametrize("algorithm", MOLDABLE, scope="class")
class TestMoldable(EachConforms):
    make_workload = staticmethod(arriving)

    def test_every_job_gets_its_work_and_no_lane_is_overfull(self, workload):
        schedule = simulate(workload, self.algorithm)

        check_schedule(schedule, rate_is_one=False)
        jobs = schedule.jobs
        p = times(workload, schedule.lanes)[np.arange(len(workload)), jobs["processors"] - 1]
        assert jobs["end"] - jobs["start"] == pytest.approx(p)
        held = np.bincount(
            schedule.segments["job"], weights=schedule.segments["last"] - schedule.segments["first"] + 1.0
        )
        assert held.tolist() == jobs["processors"].tolist()

    def test_jobs_wider_than_the_machine_are_rejected_and_the_rest_run(self, workload):
        """None is too wide: a job that could use more processors takes fewer."""
        schedule = simulate(workload, self.algorithm, platform={"processors": 3})

        assert (schedule.jobs["state"] == FINISHED).all() and schedule.jobs["processors"].max() <= 3

    def test_shifting_time_shifts_the_schedule(self, workload):
        later = workload.with_(jobs={**workload.jobs, "release": workload.jobs["release"] + 1024.0})
        here, there = simulate(workload, self.algorithm), simulate(later, self.algorithm)

        # Batches end at sums of times, which round.
        assert here.jobs["end"] + 1024.0 == pytest.approx(there.jobs["end"], rel=1e-12)

    def lonely(self):
        """One job, submitted at 5, that takes 10 s on however many processors."""
        return moldable(np.array([5.0]), np.array([0, 1]), np.array([10.0]), 3, "")

    def test_more_processors_than_times(self, workload):
        schedule = simulate(workload, self.algorithm, platform={"processors": 12})

        check_schedule(schedule, rate_is_one=False)


@settings(max_examples=40, deadline=None)
@given(monotonic_times(most_jobs=10), st.integers(0, 2**32 - 1))
def test_pulled_forward_beats_the_batches_and_best_beats_all(p, seed):
    rng = np.random.default_rng(seed)
    n, m = p.shape
    workload = moldable(np.zeros(n), np.arange(n + 1) * m, p.ravel(), m, "", weight=rng.uniform(1, 10, n))
    ends = {final: simulate(workload, "demt", {"final": final}).jobs["end"] for final in ("basic", "pull-forward")}
    minsum = {final: figures(workload, "demt", final=final)["weighted_completion"]
              for final in ("best", "basic", "pull-forward", "compaction", "shuffled")}  # fmt: skip

    assert (ends["pull-forward"] <= ends["basic"] * (1 + 1e-9)).all()
    assert minsum["best"] <= min(minsum[f] for f in ("pull-forward", "compaction")) * (1 + 1e-9)
    assert figures(workload, "demt", criterion="makespan")["makespan"] <= figures(workload, "demt")["makespan"] * (
        1 + 1e-9
    )


@settings(max_examples=60, deadline=None)
@given(monotonic_times(most_jobs=12), st.integers(0, 2**32 - 1), st.floats(0.1, 4.0))
def test_shelves_in_batches_stay_within_twice_their_guarantee(p, seed, gap):
    """End <= 2 rho max(dual bound of all at once, longest r + p(m)), rho = 3/2 (1 + accuracy)."""
    n, m = p.shape
    release = np.cumsum(np.random.default_rng(seed).exponential(gap, n))
    workload = moldable(release, np.arange(n + 1) * m, p.ravel(), m, "")
    end = simulate(workload, "dual", {"accuracy": 1e-6}).jobs["end"].max()

    bound = max(search(p, NO_AREA, 1e-9)[0], (release + p[:, -1]).max())
    assert end <= 2 * 1.5 * (1 + 1e-6) * bound * (1 + 1e-9)


def test_short_jobs_late_in_a_plan_start_at_once_where_they_fit():
    times = np.concatenate([np.full((1, 4), 1.0), np.full((4, 4), 5e-4)])
    workload = moldable(np.array([0.0, *[1e6] * 4]), np.arange(6) * 4, times.ravel(), 4, "")

    assert simulate(workload, "sequential").jobs["start"].tolist() == [0.0, *[1e6] * 4]


def test_a_batch_waits_for_the_one_before():
    """Two jobs of 4 s at 0 on one processor each; one of 1 s at 1 waits till 4, one at 9 starts at once."""
    workload = moldable(np.array([0.0, 0, 1, 9]), np.arange(5), np.array([4.0, 4, 1, 2]), 2, "")
    schedule = simulate(workload, "sequential")

    assert schedule.jobs["start"].tolist() == [0, 0, 4, 9]
    assert schedule.jobs["batch"].tolist() == [0, 0, 1, 2]
    assert [schedule.bands[name].tolist() for name in ("start", "end", "number")] == [[0, 4, 9], [4, 5, 11], [0, 1, 2]]
    assert schedule.counters["batches"] == 3


def test_bands_are_the_batches_of_doubling_length():
    workload = generate("moldable", {"jobs": 40, "processors": 16, "family": "mixed"}, 2)
    schedule = simulate(workload, "demt", {"final": "basic"})

    bands = schedule.bands
    assert (bands["kind"] == BATCH).all() and (bands["end"] == 2 * bands["start"]).all()
    for start, end, number in zip(bands["start"], bands["end"], bands["number"], strict=True):
        mine = schedule.jobs["shelf"] == number
        assert (schedule.jobs["start"][mine] >= start * (1 - 1e-9)).all()
        assert (schedule.jobs["end"][mine] <= end * (1 + 1e-9)).all()


def test_the_seed_shuffles_the_batches():
    workload = generate("moldable", {"jobs": 60, "processors": 32, "family": "weak"}, 1)
    ends = {seed: simulate(workload, "demt", {"final": "shuffled", "shuffles": 1}, seed=seed).jobs["end"].tobytes()
            for seed in range(8)}  # fmt: skip

    assert len(set(ends.values())) > 1
    assert ends[0] == simulate(workload, "demt", {"final": "shuffled", "shuffles": 1}).jobs["end"].tobytes()


@pytest.mark.parametrize("shuffle", ["neighbours", "batches", "jobs"])
def test_a_shuffle_changes_what_it_names(shuffle):
    batches, local = np.arange(4), np.arange(12.0)
    values = {"shuffle": shuffle, "shuffles": 400}
    orders, inside = zip(*_trials(batches, local, values, np.random.default_rng(1)), strict=True)
    distinct = {tuple(order.tolist()) for order in orders}

    # At most two swaps of neighbours: 1 order by none, 3 by one, 5 more by two; all 24 by permutations.
    assert len(distinct) == {"neighbours": 9, "batches": 24, "jobs": 1}[shuffle]
    assert len({tuple(key.argsort().tolist()) for key in inside}) == (400 if shuffle == "jobs" else 1)


def test_permutations_follow_the_seed_and_are_never_worse_than_compaction_when_best():
    workload = generate("moldable", {"jobs": 60, "processors": 32, "family": "weak"}, 1)
    for shuffle in ("batches", "jobs"):
        found = [figures(workload, "demt", shuffle=shuffle)["weighted_completion"] for _ in range(2)]
        assert found[0] == found[1] <= figures(workload, "demt", final="compaction")["weighted_completion"]


def test_jobs_without_weight_are_not_forgotten():
    workload = moldable(np.zeros(3), np.arange(4), np.array([1.0, 2, 3]), 1, "", weight=np.zeros(3))

    assert simulate(workload, "demt").finished == 3


@pytest.mark.parametrize("slug", ["demt", "dual", "list-saf"])
def test_falling_work_is_refused_by_what_builds_on_the_dual_approximation(slug):
    workload = moldable(np.zeros(1), np.array([0, 2]), np.array([4.0, 1.0]), 2, "")

    with pytest.raises(UnsupportedWorkload, match="gang and sequential take them"):
        simulate(workload, slug)
    assert simulate(workload, "gang").jobs["end"].tolist() == [1.0]


def test_algorithms_for_other_kinds_name_the_conversion():
    with pytest.raises(UnsupportedWorkload, match="Add the conversion moldable"):
        find("demt").check_kind("rigid")
