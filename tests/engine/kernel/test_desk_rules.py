"""What the desk refuses: acts that make another problem of the jobs, questions about the future, alarms for ever."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import Workload, generate, simulate
from shadowtime.engine.errors import PolicyError, Stalled
from shadowtime.engine.runner import checks
from shadowtime.engine.workload.job import job_table


def jobs_of(rows, processors, kind="rigid"):
    release, runtime, size = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    return Workload(kind, "small", job_table(release, runtime, size), machine={"processors": processors})


def small():
    return jobs_of([(0, 5, 1), (0, 5, 1), (50, 5, 2)], 2)


class Does:
    """Calls `act` with the desk at the first instant, then starts what fits."""

    def __init__(self, act, **traits):
        self.act, self.answer = act, None
        for name, value in traits.items():
            setattr(self, name, value)

    def decide(self, desk):
        if self.act is not None:
            act, self.act = self.act, None
            self.answer = act(desk)
        for job in desk.waiting:
            free = desk.free_lanes()
            if desk.size(job) <= len(free):
                desk.place(job, free[: desk.size(job)])


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda desk: desk.allot(0, 1, 0.1), "only moldable and classed jobs .* this job is rigid"),
        (lambda desk: desk.place(0, [0], rate=1000.0), "job 1 the rate 1000; it must be 0 to 1"),
        (lambda desk: [desk.place(0, [0]), desk.rerate(0, 2.0)], "job 1 the rate 2; it must be 0 to 1"),
        (lambda desk: desk.place(0, [0], tier=1), r"the tier 1, but this job is rigid: only a policy with physics"),
        (lambda desk: desk.place(0, [0], tier=2), "the tier 2; it must be 0 or 1"),
        (lambda desk: desk.place(0, [0], share=3.0), "the share 3; it must be 0 to 1"),
        (lambda desk: desk.place(0, [0], share=0.5), "it must be 1 unless the policy has exclusive = False"),
    ],
)
def test_acts_that_change_the_problem_of_rigid_jobs_are_refused(act, sentence):
    with pytest.raises(PolicyError, match=sentence):
        simulate(small(), Does(act))


def test_a_rate_above_the_share_of_shared_lanes_is_refused_at_the_end_of_the_instant():
    def crowd(desk):
        for job in (0, 1):
            desk.place(job, [0], rate=1.0, share=0.5)

    with pytest.raises(PolicyError, match=r"job 1 the rate 1 on the share 0.5 of its lanes"):
        simulate(small(), Does(crowd, exclusive=False))

    def crowd_then_slow(desk):
        crowd(desk)
        for job in (0, 1):
            desk.rerate(job, 0.5, 0.5)

    assert simulate(small(), Does(crowd_then_slow, exclusive=False)).jobs["end"].tolist() == [10.0, 10.0, 55.0]


def test_a_moldable_job_takes_the_time_of_its_curve():
    workload = generate("moldable", {"jobs": 3}, 1)

    def allots(seconds):
        return lambda desk: desk.allot(0, 1, seconds)

    with pytest.raises(PolicyError, match="the time must be the one that the job's curve has"):
        simulate(workload, Does(allots(0.001)))

    schedule = simulate(workload, Does(allots(workload.parts["time"][0])))
    assert schedule.jobs["end"][0] - schedule.jobs["start"][0] == pytest.approx(workload.parts["time"][0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((None, 1, 5.0), "acted on row None; the row of a job is one whole number"),
        ((0, 1.5, 5.0), "allotted 1.5 lanes to job 0; it must be a whole number"),
        ((0, "2", 5.0), "allotted 2 lanes to job 0; it must be a whole number"),
        ((0, 1, None), "gave runtime = 'None'; it must be a number of seconds"),
    ],
)
def test_an_allotment_is_a_row_whole_lanes_and_seconds(arguments, sentence):
    with pytest.raises(PolicyError, match=sentence):
        simulate(generate("moldable", {"jobs": 3}, 1), Does(lambda desk: desk.allot(*arguments)))


QUESTIONS = {
    "release": lambda desk, job: desk.release(job),
    "size": lambda desk, job: desk.size(job),
    "estimate": lambda desk, job: desk.estimate(job),
    "column": lambda desk, job: desk.column("user", job),
    "progress": lambda desk, job: desk.progress(job),
    "tier": lambda desk, job: desk.tier(job),
    "lanes_of": lambda desk, job: desk.lanes_of(job),
    "job_of": lambda desk, job: desk.job_of(job),
    "reserved": lambda desk, job: desk.reserved(job, 60.0),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("job", [2, 9, -1])
def test_a_policy_learns_nothing_of_jobs_that_are_not_submitted(question, job):
    with pytest.raises(PolicyError, match=f"t=0: the policy asked about row {job} of the jobs, but only the jobs of"):
        simulate(small(), Does(lambda desk: QUESTIONS[question](desk, job)))


@pytest.mark.parametrize("rows", [slice(None), np.array([0, 1])])
def test_no_column_is_read_as_a_whole(rows):
    with pytest.raises(PolicyError, match="the row of a job is one whole number"):
        simulate(small(), Does(lambda desk: desk.column("processors", rows)))


def test_a_clairvoyant_policy_knows_later_jobs_but_no_rows_beyond():
    policy = Does(lambda desk: (desk.release(2), desk.size(2)), clairvoyant=True)
    simulate(small(), policy)
    assert policy.answer == (50.0, 2)

    with pytest.raises(PolicyError, match="row 3 of the jobs, but only the rows 0 to 2 exist"):
        simulate(small(), Does(lambda desk: desk.size(3), clairvoyant=True))


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda desk: desk.place(0, [0.7]), r"placed job 1 on \[0.7\]; lanes are a list of whole numbers, 0 to 1"),
        (lambda desk: desk.place(0, ["a"]), "lanes are a list of whole numbers"),
        (lambda desk: desk.place(0, 1), "lanes are a list of whole numbers"),
        (
            lambda desk: desk.place(0, np.array([[0], [1]])),
            "needs 1 lanes; 2 were named|lanes are a list of whole numbers",
        ),
        (lambda desk: desk.place(9, [0]), "placed row 9, which does not exist"),
        (lambda desk: desk.column("wait", 0), "no column 'wait'; they have job_id, release"),
        (lambda desk: desk.size(0.0), "asked about row 0.0; the row of a job is one whole number"),
        (lambda desk: desk.estimate("a"), "asked about row a; the row of a job is one whole number"),
        (lambda desk: desk.lanes_of(None), "asked about row None; the row of a job is one whole number"),
        (lambda desk: desk.pause(1.0), "acted on row 1.0; the row of a job is one whole number"),
        (lambda desk: desk.kill("a"), "acted on row a; the row of a job is one whole number"),
        (lambda desk: desk.reject(None), "acted on row None; the row of a job is one whole number"),
        (lambda desk: desk.rerate("a", 0.5), "acted on row a; the row of a job is one whole number"),
        (lambda desk: desk.pause(2**70), "acted on row 1180591620717411303424, which does not exist"),
        (lambda desk: desk.reject(0, None), "job 1 for the reason 'None'; it must be one of .*REJECTIONS, -7 to -1"),
        (lambda desk: desk.place("a", [0]), "placed row a, which does not exist"),
        (lambda desk: desk.place(0, [0], rate="1"), "job 1 the rate '1'; it must be a number"),
        (lambda desk: desk.place(0, [0], share=None), "job 1 the share 'None'; it must be a number"),
        (lambda desk: desk.place(0, [0], tier=None), "job 1 the tier None; it must be 0 or 1"),
        (lambda desk: desk.place(0, [0], delay=""), "job 1 the delay ; it must be a number of seconds, 0 to 1e"),
        (
            lambda desk: desk.place(0, [0], delay=1e300),
            r"the delay 1e\+300; it must be .* 0 to 1e\+12",
        ),
        (lambda desk: desk.place(0, [0], delay=10**400), "the delay 1000.*; it must be a number of seconds"),
        (lambda desk: desk.wake(10**400), "set an alarm at '1000.*; it must be a number of seconds"),
        (lambda desk: desk.reserved(0, None), "gave start = 'None'; it must be a number of seconds"),
        (lambda desk: desk.backfilled(0, 1, "x"), "gave shadow_time = 'x'; it must be a number of seconds"),
        (lambda desk: [desk.reserved(0, 5.0) for _ in range(100_000)], "filled a buffer of .* rows in one instant"),
    ],
)
def test_wrong_lanes_rows_and_columns_are_one_sentence(act, sentence):
    with pytest.raises(PolicyError, match=sentence):
        simulate(small(), Does(act))


class Snoozes:
    """Starts nothing before `until`, and looks every second."""

    def __init__(self, until):
        self.until = until

    def decide(self, desk):
        if desk.now >= self.until:
            for job in desk.waiting:
                desk.place(job, [0])
        else:
            desk.wake(desk.now + 1.0)


def test_alarms_for_ever_end_the_run(monkeypatch):
    monkeypatch.setattr(checks, "MOST_ALARMS", 100)
    one = jobs_of([(0, 5, 1)], 1)

    with pytest.raises(Stalled, match=r"lets jobs wait for ever \(1\): it set 100 alarms in a row and did nothing"):
        simulate(one, Snoozes(np.inf))

    assert simulate(one, Snoozes(90.0)).jobs["start"].tolist() == [90.0]


def test_alarms_while_a_job_runs_or_is_to_come_are_not_counted(monkeypatch):
    monkeypatch.setattr(checks, "MOST_ALARMS", 10)

    class Ticks:
        def decide(self, desk):
            desk.wake(desk.now + 1.0)
            for job in desk.waiting:
                desk.place(job, [0])

    schedule = simulate(jobs_of([(0, 50, 1), (100, 50, 1)], 1), Ticks())

    assert schedule.jobs["end"].tolist() == [50.0, 150.0]
