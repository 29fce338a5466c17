"""Wrong arguments of `st.simulate` and `st.bounds`, and wrong acts of a policy: one sentence each."""

from __future__ import annotations

import math

import pytest

import shadowtime as st
from shadowtime.dashboard.face import schedule as schedules
from shadowtime.engine.errors import PolicyError, QuestionError
from shadowtime.engine.parameters import Whole

WORKLOAD = st.generate("uniform", {"jobs": 5}, seed=1)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"workload": "four.swf"}, "workload = 'four.swf', but it must be a Workload"),
        ({"platform": 64}, "platform = '64', but it must be like {'processors': 128}"),
        ({"parameters": ["extra"]}, "parameters = ['extra'], but they must be a mapping of names to values"),
        ({"tau": -5}, "tau = '-5', but it must be a number above 0 s"),
        ({"tau": math.nan}, "tau = 'nan', but it must be a number above 0 s"),
        ({"tau": math.inf}, "tau = 'inf', but it must be a number above 0 s"),
        ({"seed": -1}, "seed = '-1', but it must be a whole number, 0 or more"),
        ({"seed": "x"}, "seed = 'x', but it must be a whole number, 0 or more"),
    ],
)
def test_simulate_names_a_wrong_argument(given, sentence):
    with pytest.raises(QuestionError) as refused:
        st.simulate(**{"workload": WORKLOAD, "algorithm": "easy", **given})

    assert sentence in str(refused.value)


@pytest.mark.parametrize("given", [{"workload": "x"}, {"platform": 64}, {"tau": math.nan}])
def test_bounds_names_a_wrong_argument(given):
    with pytest.raises(QuestionError, match="but it must be"):
        st.bounds(**{"workload": WORKLOAD, **given})


def test_an_alarm_for_now_is_refused_instead_of_ringing_for_ever():
    class Impatient(st.Policy):
        """A policy that always asks to be called at once."""

        def decide(self, desk):
            desk.wake(desk.now)

    with pytest.raises(PolicyError, match="the policy set an alarm for now; it must be later"):
        st.simulate(WORKLOAD, Impatient())


def test_a_waiting_job_holds_no_lanes():
    seen = []

    class Curious(st.Policy):
        """FCFS that looks at the lanes of each job before and after it starts."""

        def decide(self, desk):
            for job in desk.waiting:
                free = desk.free_lanes()
                if desk.size(job) > len(free):
                    return
                before = desk.lanes_of(job)
                desk.place(job, free[: desk.size(job)])
                seen.append((before, len(desk.lanes_of(job)) == desk.size(job)))

    st.simulate(WORKLOAD, Curious())

    assert seen == [([], True)] * 5


class NeedsDepth(st.Policy):
    """A policy whose object cannot be made without an argument."""

    def __init__(self, depth):
        self.depth = depth


class NoInit(st.Policy):
    """A policy that lists a parameter and has no __init__."""

    parameters = (Whole("depth", 10, "Waiting jobs that are looked at.", low=1),)


@pytest.mark.parametrize("algorithm", [None, 3, ["easy"], len, object()])
def test_what_is_no_algorithm_is_refused(algorithm):
    with pytest.raises(QuestionError, match=r"but it must be a name of st\.algorithms"):
        st.simulate(WORKLOAD, algorithm)


def test_a_class_that_cannot_be_made_is_refused():
    with pytest.raises(QuestionError, match=r"NeedsDepth cannot be made with no arguments .*'depth'"):
        st.simulate(WORKLOAD, NeedsDepth)
    with pytest.raises(QuestionError, match="NoInit cannot be made with depth"):
        st.simulate(WORKLOAD, NoInit, {"depth": 3})
    for policy in (NeedsDepth, NoInit):
        with pytest.raises(QuestionError, match="its `parameters` must list what __init__ takes"):
            st.register(policy, "never-made")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"start": "a"}, "start = 'a', but it must be a number of seconds"),
        ({"end": math.nan}, "end = 'nan', but it must be a number of seconds"),
        ({"start": -math.inf}, "start = '-inf', but it must be a number of seconds"),
        ({"end": math.inf}, "end = 'inf', but it must be a number of seconds"),
        ({"end": 10**400}, "but it must be a number of seconds"),
        ({"height": -4}, "height = '-4', but it must be a number of pixels from 1 on"),
        ({"height": "tall"}, "height = 'tall', but it must be a number of pixels from 1 on"),
    ],
)
def test_a_wrong_window_or_height_is_refused(given, sentence, tmp_path):
    schedule = st.simulate(WORKLOAD, "easy")
    with pytest.raises(QuestionError, match=sentence):
        schedule.gantt(**given)
    if "height" not in given:
        with pytest.raises(QuestionError, match=sentence):
            schedule.report(tmp_path / "easy.html", **given)


@pytest.mark.parametrize(("cause", "expected"), [(KeyboardInterrupt(), KeyboardInterrupt), (ValueError(), SystemError)])
def test_an_interrupt_of_compiled_bounds_stays_an_interrupt(monkeypatch, cause, expected):
    def interrupted(*arguments, **options):
        raise SystemError("CPUDispatcher returned a result with an exception set") from cause

    monkeypatch.setattr(schedules, "lower_bounds", interrupted)
    with pytest.raises(expected):
        st.bounds(WORKLOAD)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda desk, job, lanes: desk.wake("soon"), "set an alarm at 'soon'; it must be a number of seconds"),
        (lambda desk, job, lanes: desk.wake(math.nan), "set an alarm at 'nan'; it must be a number of seconds"),
        (
            lambda desk, job, lanes: desk.place(job, lanes, delay=-1),
            "the delay -1; it must be a number of seconds, 0 to 1e+12",
        ),
        (
            lambda desk, job, lanes: desk.place(job, lanes, delay="a"),
            "the delay a; it must be a number of seconds, 0 to 1e+12",
        ),
    ],
)
def test_wrong_times_of_a_policy_are_named(act, sentence):
    class Wrong(st.Policy):
        """A policy that gives a wrong time."""

        def decide(self, desk):
            job = desk.waiting[0]
            act(desk, job, desk.free_lanes()[: desk.size(job)])

    with pytest.raises(PolicyError) as refused:
        st.simulate(WORKLOAD, Wrong())

    assert sentence in str(refused.value)


@pytest.mark.parametrize("run", [st.simulate, lambda jobs, one, given: st.compare(jobs, [(one, given)])])
def test_parameters_beside_a_policy_object_are_refused(run):
    class Waits(st.Policy):
        """A policy with values of its own."""

    with pytest.raises(QuestionError) as refused:
        run(WORKLOAD, Waits(), {"depth": 50})

    assert "parameters = {'depth': 50}, but Waits is given as an object" in str(refused.value)


def registered(slug="never-made", **traits):
    return st.register(type("Wrong", (st.Policy,), traits), slug)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: st.generate("uniform", [1]), "parameters = [1], but they must be a mapping of names to values"),
        (lambda: st.generate("uniform", "jobs=5"), "parameters = 'jobs=5', but they must be a mapping"),
        (lambda: st.convert(WORKLOAD, "load", [1]), "parameters = [1], but they must be a mapping"),
        (lambda: st.read("four", case=1), "case = 1, but it must be a text: the name of a case, or its position"),
        (lambda: st.simulate(WORKLOAD, "easy").table("nix"), "unknown table 'nix'; known: jobs, segments, events"),
        (lambda: registered(5), "slug = '5', but it must be lower case letters, digits and hyphens"),
        (lambda: registered(kinds="rigid"), "Wrong: kinds = 'rigid', but it must be a tuple of rigid, "),
        (lambda: registered(kinds=("foo",)), "Wrong: kinds = ('foo',), but it must be a tuple of rigid, "),
        (lambda: registered(kinds=()), "Wrong: kinds = (), but it must be a tuple of rigid, "),
        (lambda: registered(parameters=("depth",)), "Wrong: parameters has 'depth', but each must be a Whole, Real"),
        (
            lambda: registered(parameters=(Whole("depth", 100, "Jobs.", low=1, high=20),)),
            "Wrong, default: depth = '100', but it must be a whole number from 1 to 20",
        ),
    ],
)
def test_wrong_arguments_are_one_sentence(call, sentence):
    with pytest.raises(QuestionError) as refused:
        call()

    assert sentence in str(refused.value)
