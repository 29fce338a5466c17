"""The kernel carries what later families need: shown with policies written for this test alone."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Simulation, Workload, simulate
from shadowtime.engine.errors import PolicyError, Stalled
from shadowtime.engine.tables import KILL, LOST, MIGRATE, PAUSE, RESUME, STALL, SWAP
from shadowtime.engine.workload.job import job_table
from tests.engine.conformance import random_rigid
from tests.engine.invariants import check_schedule
from tests.engine.kernel import throwaway


def small(jobs, processors):
    release, runtime, size = (np.array(column, dtype=float) for column in zip(*jobs, strict=True))
    return Workload("rigid", "small", job_table(release, runtime, size), machine={"processors": processors})


def kinds(schedule):
    return set(schedule.events["kind"].tolist())


def test_a_class_gives_the_schedule_of_the_compiled_policy():
    log = random_rigid(1)
    own, built_in = simulate(log, throwaway.Fcfs()), simulate(log, "fcfs", {"event_order": "instant"})

    assert np.array_equal(own.jobs["start"], built_in.jobs["start"], equal_nan=True)


def test_pauses_keep_progress():
    schedule = simulate(random_rigid(2), throwaway.RoundRobin())

    check_schedule(schedule)
    assert {PAUSE, RESUME} <= kinds(schedule)
    assert schedule.counters["preemptions"] > 0


def test_rates_share_a_lane_equally():
    # Two jobs of 10 s share one lane until the first ends: 5 + 10/2 ... job 1 alone 0-4, both at half 4-16.
    schedule = simulate(small([(0, 10, 1), (4, 10, 1)], 1), throwaway.EqualShares())

    assert schedule.jobs["end"].tolist() == [16.0, 20.0]
    check_schedule(schedule, exclusive=False, rate_is_one=False)
    work = (schedule.segments["end"] - schedule.segments["start"]) * schedule.segments["share"]
    assert np.bincount(schedule.segments["job"], work).tolist() == [10.0, 10.0]


def test_background_runs_slower_and_is_killed_or_moved_up():
    # Lane 0: job 1 for 9 s; job 2 behind it at a third: 3 s of work done by 9, then swapped to the front.
    schedule = simulate(small([(0, 9, 1), (0, 9, 1)], 1), throwaway.TwoTiers())

    assert schedule.jobs["end"].tolist() == [9.0, 15.0]
    assert schedule.segments["tier"].tolist() == [0, 1, 0]
    assert SWAP in kinds(schedule)


def test_a_kill_throws_progress_away_and_says_how_much():
    # Job 3 (2 lanes) runs behind 1 and 2; at 3 lanes 0 and 2 come free, not both of its own: killed, restarted.
    schedule = simulate(small([(0, 3, 1), (0, 30, 1), (0, 9, 2), (3, 1, 1)], 3), throwaway.TwoTiers())
    check_schedule(schedule, rate_is_one=False)
    killed = schedule.events["kind"] == KILL

    lost = schedule.segments["kind"] == LOST

    assert killed.any() and lost.any()
    assert schedule.events["value"][killed].sum() > 0


def test_a_move_stalls_for_its_cost_and_keeps_progress():
    schedule = simulate(small([(0, 10, 1), (0, 30, 1), (0, 30, 1)], 3), throwaway.Wanderer())

    check_schedule(schedule)
    assert MIGRATE in kinds(schedule)
    stalls = schedule.segments["kind"] == STALL
    assert (schedule.segments["end"][stalls] - schedule.segments["start"][stalls] == 2.0).all()
    moves = np.bincount(schedule.segments["job"][stalls], minlength=3)
    assert schedule.jobs["end"].tolist() == [10.0 + 2.0 * moves[0], 30.0 + 2.0 * moves[1], 30.0 + 2.0 * moves[2]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("policy", [throwaway.TwoTiers(), throwaway.TwoTiers(migrate=True), throwaway.Wanderer()])
def test_two_tiers_and_moves_hold_the_invariants(policy, seed):
    check_schedule(simulate(random_rigid(seed), policy), rate_is_one=False)


def test_silence_is_an_error():
    with pytest.raises(Stalled, match=r"'Sleeper' lets jobs wait for ever \(1, 2\)"):
        simulate(small([(0, 1, 1), (0, 1, 1)], 1), throwaway.Sleeper())


class Breaks:
    """Does one forbidden thing at its first decision."""

    def __init__(self, act):
        self.act = act

    def decide(self, desk):
        self.act(desk)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda desk: [desk.place(0, [0]), desk.place(1, [0])], "overfilled node 0 .* jobs 1, 2"),
        (lambda desk: desk.place(0, [7]), "placed job 1 on node 7, but nodes are 0 to 1"),
        (lambda desk: desk.place(0, [-1]), "placed job 1 on node -1"),
        (lambda desk: desk.place(2, [0]), "placed job 3 before its release at 50"),
        (lambda desk: desk.place(9, [0]), "is out of bounds|does not exist"),
        (lambda desk: desk.pause(0), "acted on job 1, which does not run"),
        (lambda desk: desk.place(0, [0], rate=float("nan")), "gave job 1 the rate nan"),
        (lambda desk: desk.wake(-1.0), "set an alarm at -1"),
        (lambda desk: desk.place(0, [0, 1]), "needs 1 lanes; 2 were named"),
        (lambda desk: desk.runtime(0), "not clairvoyant asked for a true runtime"),
    ],
)
def test_what_no_policy_may_do_is_an_error_that_names_it(act, sentence):
    with pytest.raises((PolicyError, IndexError), match=sentence):
        simulate(small([(0, 5, 1), (0, 5, 1), (50, 5, 1)], 2), Breaks(act))


def test_completions_within_rounding_of_a_release_belong_to_its_instant():
    # 0.1 + 0.2 ends at 0.30000000000000004, the release is 0.3: one instant, so one decision fewer.
    log = small([(0.1, 0.2, 1), (0.3, 1.0, 1)], 1)
    simulation = Simulation(log, "fcfs")
    schedule = simulation.run()

    assert schedule.jobs["start"].tolist() == [0.1, schedule.jobs["end"][0]]
    assert schedule.counters["decisions"] == 3


def test_a_release_just_after_a_completion_is_the_instant():
    end = 0.1 * 3  # 0.30000000000000004
    log = small([(0.0, 0.3, 1), (end, 1.0, 1)], 1)
    schedule = simulate(log, "fcfs")

    assert schedule.jobs["end"][0] == end
    assert schedule.jobs["start"][1] == end
