"""The kernel's clock: workloads at any second of any calendar, shifted ones, and those too fine for it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.dashboard.cli import main
from shadowtime.engine import Simulation, Workload, generate, simulate
from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.errors import InvalidWorkload, PolicyError
from shadowtime.engine.families.classed.site.site import Outage, make_site
from shadowtime.engine.families.classed.workload import classed
from shadowtime.engine.kernel.clock import STEP, check_resolution, origin_of, workload_time
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.tables import BACKFILL, RESERVE
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import job_table
from shadowtime.workers.spec import RunSpec
from tests.engine.conformance import random_rigid
from tests.engine.kernel import throwaway
from tests.strategies import rigid_workloads

EPOCH = 1.7e9
LARGEST = 2**40


def one_processor(release, runtime):
    jobs = job_table(np.asarray(release, "f8"), np.full(len(release), runtime), np.ones(len(release)))
    return Workload("rigid", "short jobs", jobs, machine={"processors": 1})


def shifted(workload, by):
    later = workload.jobs["release"] + by
    assert (later - by == workload.jobs["release"]).all(), "the shift rounds the releases of this test's workload"
    return workload.with_(jobs={**workload.jobs, "release": later})


def assert_jobs_shifted(here, there, by):
    """Each start, end and band of `there` is that of `here`, rounded up after the shift; and nothing else differs."""
    for name in ("start", "end"):
        assert np.array_equal(workload_time(here.jobs[name], by), there.jobs[name], equal_nan=True)
        assert np.array_equal(workload_time(here.bands[name], by), there.bands[name])
    assert np.array_equal(workload_time(here.rates["time"], by), there.rates["time"])
    assert np.array_equal(here.rates["rate"], there.rates["rate"])
    assert here.counters == there.counters


def assert_tables_shifted(here, there, by):
    """So are all rectangles and events: where no time is lost to float64, two never become one."""
    assert_jobs_shifted(here, there, by)
    for name in ("start", "end"):
        assert np.array_equal(here.segments[name] + by, there.segments[name])
    for name in ("job", "first", "last", "tier", "share", "kind"):
        assert np.array_equal(here.segments[name], there.segments[name])
    assert np.array_equal(here.events["time"] + by, there.events["time"])
    for name in ("kind", "job", "tier", "other"):
        assert np.array_equal(here.events[name], there.events[name])
    is_instant = np.isin(here.events["kind"], (RESERVE, BACKFILL))
    expected = here.events["value"] + np.where(is_instant, by, 0.0)
    assert np.array_equal(expected, there.events["value"], equal_nan=True)


def test_short_jobs_apart_at_epoch_seconds_never_wait():
    jobs = simulate(one_processor(EPOCH + 1.5e-3 * np.arange(1000), 1e-3), "fcfs").jobs

    assert (jobs["start"] == jobs["release"]).all()
    assert np.mean((jobs["end"] - jobs["release"]) / jobs["runtime"]) == pytest.approx(1.0, abs=5e-4)


def test_short_jobs_that_queue_at_epoch_seconds_run_their_whole_length():
    workload = one_processor(EPOCH + 0.7e-3 * np.arange(1000), 1e-3)
    schedule = simulate(workload, "fcfs")

    assert schedule.jobs["end"].max() - EPOCH == pytest.approx(1.0, abs=1e-6)
    platform = Platform.of(workload)
    check(summarize(schedule, workload, platform), lower_bounds(workload, platform, jobs=schedule.jobs))


@pytest.mark.parametrize("runtime", [1e-3, 0.6e-3, 0.5003])
def test_no_figure_at_epoch_seconds_is_better_than_is_possible(runtime):
    # Each length rounds differently to float64 at these seconds: no rounding may go below a bound.
    workload = one_processor(EPOCH + 0.7 * runtime * np.arange(300), runtime)
    platform, schedule = Platform.of(workload), simulate(workload, "easy")

    check(summarize(schedule, workload, platform), lower_bounds(workload, platform, jobs=schedule.jobs))
    assert (schedule.jobs["end"] - schedule.jobs["release"] >= runtime).all()
    assert (schedule.segments["start"][1:] == schedule.segments["end"][:-1]).all()


@pytest.mark.parametrize("first", [-500.0, -2.0 * STEP - 5.0])
def test_jobs_submitted_before_second_0_run_in_their_own_time(first):
    jobs = simulate(one_processor([first, first, first + 50.0], 100.0), "fcfs").jobs

    assert origin_of(one_processor([first], 1.0)) <= first
    assert jobs["start"].tolist() == [first, first + 100.0, first + 200.0]


@pytest.mark.parametrize("release", [0.0, 599_850.0, STEP - 1.0])
def test_a_clock_that_starts_within_twelve_days_is_the_workloads_own(release):
    simulation = Simulation(one_processor([release], 1.0), "fcfs")

    assert float(simulation._runner.state.k[0]["origin"]) == 0.0
    assert float(simulation._runner.state.u[0]["release"]) == release


@settings(max_examples=60, deadline=None)
@given(rigid_workloads(), st.integers(0, LARGEST), st.sampled_from(["fcfs", "easy"]))
def test_whole_seconds_shifted_by_any_whole_number_give_the_schedule_shifted(workload, by, algorithm):
    here, there = simulate(workload, algorithm), simulate(shifted(workload, float(by)), algorithm)

    assert_tables_shifted(here, there, float(by))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 50), st.integers(1, LARGEST // int(STEP)))
def test_any_times_shifted_by_steps_give_the_schedule_shifted(seed, steps):
    # Quarters survive a shift by 2^40 s; runtimes may be any: the kernel's clock runs over the same times.
    rng = np.random.default_rng(seed)
    release = np.sort(rng.integers(0, 400, 30)) / 4.0
    jobs = job_table(release, rng.uniform(1.0, 30.0, 30), rng.integers(1, 5, 30))
    workload = Workload("rigid", "drawn", jobs, machine={"processors": 4})

    here, there = simulate(workload, "easy"), simulate(shifted(workload, steps * STEP), "easy")

    assert_jobs_shifted(here, there, steps * STEP)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 20), st.floats(0.0, 2.0**33))
def test_any_shift_gives_the_schedule_to_the_resolution_there(seed, by):
    # Releases keep their bits here only if the shift has room for them: 2^-10 s has, at 2^33 s.
    by = np.floor(by * 2**10) / 2**10
    rng = np.random.default_rng(seed)
    release = np.sort(rng.integers(0, 400, 30)) / 4.0
    workload = Workload("rigid", "drawn", job_table(release, rng.uniform(1.0, 30.0, 30), rng.integers(1, 5, 30)),
                        machine={"processors": 4})  # fmt: skip
    here, there = simulate(workload, "fcfs"), simulate(shifted(workload, by), "fcfs")

    assert np.abs(here.jobs["end"] - (there.jobs["end"] - by)).max() <= 4e-6


def quarters(workload):
    """The workload with releases at quarters of a second, which survive a shift by 2^40 s."""
    return workload.with_(jobs={**workload.jobs, "release": np.round(4.0 * workload.jobs["release"]) / 4.0})


def of_kind(kind):
    if kind == "moldable":
        return generate("moldable", {"jobs": 30, "processors": 16, "load": 0.8}, 2)
    if kind == "multitask":
        return generate("multitask", {"jobs": 12, "machines": 3, "load": 0.8}, 1)
    return convert(generate("feitelson", {"jobs": 40, "processors": 16, "load": 1.5}, 3), kind, {}, 1)


PERIODS = 75
"""75 steps of 2^20 s are whole periods of 600 s."""


@pytest.mark.parametrize(
    ("kind", "algorithm"),
    [("two_tier", "measy"), ("fractional", "greedyp*/per/opt=min"), ("moldable", "demt"), ("moldable", "list-saf"),
     ("multitask", "synchpack-1"), ("multitask", "tetris")],
)  # fmt: skip
@pytest.mark.parametrize("by", [PERIODS * STEP, (2**20 // PERIODS) * PERIODS * STEP])
def test_each_family_shifted_by_steps_gives_the_schedule_shifted(kind, algorithm, by):
    workload = quarters(of_kind(kind))
    assert origin_of(workload) == 0.0

    assert_jobs_shifted(simulate(workload, algorithm), simulate(shifted(workload, by), algorithm), by)


@pytest.mark.parametrize("by", [STEP, 1621 * STEP, 2.0**40])
def test_periods_count_from_second_0_of_the_workload(by):
    jobs = job_table(np.array([by]), np.array([10.0]), np.ones(1), cpu_need=np.ones(1), memory=np.ones(1))
    schedule = simulate(Workload("fractional", "alone", jobs, machine={"nodes": 1}), "/per/opt=min/minvt=600")

    # A job of a variant that only packs at periods starts at the first multiple of 600 s after its release.
    assert schedule.jobs["start"][0] == 600.0 * np.ceil(by / 600.0)


@pytest.mark.parametrize("rule", ["sjs", "pjs"])
@pytest.mark.parametrize("by", [STEP, 2.0**40])
def test_outages_quanta_and_arrivals_of_a_site_stay_where_they_are(rule, by):
    def run(at):
        times = np.array([[4.0, 6.5], [8.25, 3.0]])
        site = make_site(times, np.array([[2.5], [4.0]]), [(0, 1)], available=np.array([at, at + 5.0]))
        site = site.with_(outages=(Outage(0, at + 20.0, at + 31.5),))
        release = at + np.sort(np.random.default_rng(1).integers(0, 160, 40)) / 4.0
        priority = np.arange(40) % 3
        return simulate(classed(site, np.arange(40) % 2, release=release, priority=priority, quantum=8.0), rule)

    here, there = run(0.0), run(by)

    assert_tables_shifted(here, there, by)
    assert np.array_equal(here.jobs["machine"], there.jobs["machine"])


@pytest.mark.parametrize("policy", [throwaway.Fcfs, throwaway.RoundRobin, throwaway.Wanderer])
@pytest.mark.parametrize("by", [STEP, 2.0**40])
def test_a_class_reads_and_sets_times_of_the_workload(policy, by):
    workload = random_rigid(3)

    assert_tables_shifted(simulate(workload, policy()), simulate(shifted(workload, by), policy()), by)


def test_slices_and_open_rectangles_are_at_the_workloads_seconds():
    workload = shifted(random_rigid(2), 2.0**40)
    pieces = [(piece.time, piece.open["start"], piece.open["end"]) for piece in Simulation(workload, "easy").slices(25)]

    assert len(pieces) > 5
    for time, start, end in pieces:
        assert time >= 2.0**40
        assert (start >= 2.0**40).all() and (end == time).all()


class WakesInThePast:
    def decide(self, desk):
        desk.wake(desk.now - 1.0)


def test_an_error_names_seconds_of_the_workload():
    with pytest.raises(PolicyError, match=r"t=1\.04858e\+06: .* set an alarm at 1\.04858e\+06"):
        simulate(one_processor([STEP + 4.0], 1.0), WakesInThePast())


@pytest.mark.parametrize(("release", "runtime"), [(EPOCH, 1e-5), (2.0**40, 0.01), (1e6, 1e-5)])
def test_a_job_too_short_for_the_clock_is_refused_before_the_run(release, runtime):
    workload = one_processor([0.0, release], runtime) if release == 1e6 else one_processor([release], runtime)
    sentence = rf"short jobs: job \d runs for {runtime:g} s .* resolved to .* Count the times from the first submission"

    with pytest.raises(InvalidWorkload, match=sentence):
        Simulation(workload, "fcfs")
    with pytest.raises(InvalidWorkload, match=sentence):
        RunSpec.of(workload, "fcfs")


@pytest.mark.parametrize(("release", "runtime"), [(0.0, 1e-9), (EPOCH, 1e-3), (2.0**40, 0.1), (1e8, 1.0)])
def test_a_job_long_enough_for_the_clock_is_taken(release, runtime):
    check_resolution(one_processor([release], runtime))


def test_the_command_line_refuses_what_the_clock_cannot_resolve(tmp_path, capsys):
    line = f"1 {EPOCH:.0f} 0 0.00001 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1"
    log = tmp_path / "fine.swf"
    log.write_text(f"; MaxProcs: 1\n{line}\n")

    assert main(["simulate", str(log), "-a", "fcfs"]) == 2
    assert "where times are resolved to" in capsys.readouterr().err


@given(st.floats(-1e9, 1e9), st.integers(-(2**20), 2**20))
def test_times_are_rounded_up_and_never_further_than_to_the_next_number(time, steps):
    origin = steps * STEP
    rounded = float(workload_time(np.array(time), origin))

    exact = Fraction(time) + Fraction(origin)
    assert Fraction(float(np.nextafter(rounded, -np.inf))) < exact <= Fraction(rounded)
