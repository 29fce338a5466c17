"""KEASY, REASY and MEASY against their golden cases, a slow twin and the paper's promises."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Workload, simulate
from shadowtime.engine.families.two_tier.policies.run import background_rate
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.tables import EVENT_KINDS, LOST, RUN, STALL
from shadowtime.engine.workload.job import job_table
from shadowtime.engine.workload.reading import read
from tests.engine.conformance import EachConforms
from tests.engine.invariants import check_schedule, rectangles
from tests.reference.two_tier_twin import Twin

GOLDEN = Path(os.environ.get("SHADOWTIME_GOLDEN", Path(__file__).parents[3] / "golden"))


def golden_cases():
    """(file, case, algorithm) of every file of two-tier workloads."""
    for path in sorted(GOLDEN.rglob("*.json")):
        content = json.loads(path.read_text())
        if isinstance(content, dict) and content.get("kind") == "two_tier":
            for case in content["cases"]:
                for slug, expected in case["expected"].items():
                    yield pytest.param(path, case["name"], slug, expected, content["tolerance"],
                                       id=f"{path.stem}-{case['name']}-{slug}")  # fmt: skip


def load(path, case):
    with path.open("rb") as stream:
        return read(stream, path.name, case)


@pytest.mark.parametrize(("path", "case", "slug", "expected", "tolerance"), list(golden_cases()))
def test_golden_ends_counts_and_log(path, case, slug, expected, tolerance):
    workload = load(path, case)
    schedule = simulate(workload, slug)

    assert np.abs(schedule.jobs["end"] - np.array(expected["end"])).max() <= tolerance
    for name in ("kills", "migrations", "swaps", "background_starts"):
        assert schedule.counters[name] == expected[name]
    if "events" in expected:
        assert_log(schedule, expected["events"], tolerance)


def assert_log(schedule, expected, tolerance):
    """The events table against a golden log; submit, reserve and backfill come on top."""
    notes = Notes(schedule.jobs, schedule.segments, two_tier=True)
    ours = []
    for row, kind in enumerate(schedule.events["kind"]):
        name = EVENT_KINDS[kind]
        if name in ("submit", "reserve", "backfill"):
            continue
        tier, _, lanes = notes.of(row, schedule.events).partition(" ")
        ours.append(
            (schedule.events["time"][row], name, schedule.jobs["job_id"][schedule.events["job"][row]], tier, lanes)
        )
    assert len(ours) == len(expected)
    for (time, name, job, tier, lanes), (wanted_time, what, wanted_job, *processors) in zip(
        ours, expected, strict=True
    ):
        assert abs(time - wanted_time) <= tolerance
        assert job == wanted_job
        assert what in (name, f"{name}_{tier}")
        if processors:
            held = [p for part in lanes.split() for p in _span(part)]
            assert what == "kill" or held == [p - 1 for p in processors[0]]


def _span(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def test_background_rates():
    content = json.loads((GOLDEN / "measy" / "progress.json").read_text())
    rate = getattr(background_rate, "py_func", background_rate)
    for case in content["cases"]:
        if not case["fg_idle"]:
            assert abs(rate(case["fg_usage"], case["phi"], case["bg_usage"]) - case["expected_rate"]) < 1e-12


def random_two_tier(seed, n=14, processors=6):
    """A busy little two-tier log with one job too wide."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, processors + 1, n)
    size[n // 2] = processors + 1
    runtime = rng.integers(1, 40, n).astype(float)
    first = np.concatenate([[0], np.cumsum(size)])
    serial = np.repeat(size, size) == 1
    usage = np.where(serial, 1.0, np.round(rng.uniform(0.4, 1.0, first[-1]), 3))
    jobs = job_table(
        np.sort(rng.integers(0, 40, n)).astype(float), runtime, size,
        requested=np.ceil(runtime * rng.uniform(1, 3, n)), loss=np.round(rng.uniform(0.005, 0.04, n), 4),
    )  # fmt: skip
    parts = {"first": first, "usage": usage, "phi": np.round(rng.uniform(0.2, 0.9, first[-1]), 3)}
    return Workload("two_tier", f"two tiers {seed}", jobs, parts, {"processors": processors}, has_estimates=True)


@pytest.mark.parametrize("algorithm", ["fcfs", "easy", "keasy", "reasy", "measy"], scope="class")
class TestTwoTier(EachConforms):
    make_workload = staticmethod(random_two_tier)

    def test_every_job_gets_its_work_and_no_lane_is_overfull(self, workload):
        # At most one process per slot, and never one job in both tiers; progress follows rates, not rectangles.
        schedule = simulate(workload, self.algorithm)
        check_schedule(schedule, rate_is_one=self.algorithm in ("fcfs", "easy"))
        for job in range(len(workload)):
            mine = [s for s in rectangles(schedule) if s["job"] == job]
            for one in mine:
                for two in mine:
                    overlap = max(one["start"], two["start"]) < min(one["end"], two["end"])
                    assert not overlap or one["tier"] == two["tier"]

    def test_progress_is_never_above_dedicated_speed(self, workload):
        schedule = simulate(workload, self.algorithm)
        assert (schedule.rates["rate"] <= 1.0).all() and (schedule.rates["rate"] >= 0.0).all()
        # Replay: the rates between the stalls add up to the runtime, and what a kill threw away.
        if len(schedule.rates["rate"]):
            assert_replayed(schedule)

    def test_who_kills_and_who_moves(self, workload):
        counts = simulate(workload, self.algorithm).counters
        if self.algorithm == "reasy":
            assert counts["kills"] == counts["migrations"] == 0
        if self.algorithm == "measy":
            assert counts["kills"] == 0
        if self.algorithm == "keasy":
            assert counts["migrations"] == 0

    def lonely(self):
        jobs = job_table(np.array([5.0]), np.array([10.0]), np.array([3]), loss=np.array([0.01]))
        parts = {"first": np.array([0, 3]), "usage": np.full(3, 0.5), "phi": np.full(3, 0.5)}
        return Workload("two_tier", "alone", jobs, parts, {"processors": 3})

    def test_shifting_time_shifts_the_schedule(self, workload):
        later = workload.with_(jobs={**workload.jobs, "release": workload.jobs["release"] + 1024.0})
        here, there = simulate(workload, self.algorithm), simulate(later, self.algorithm)
        moved = here.jobs["end"] + 1024.0
        assert np.allclose(moved, there.jobs["end"], rtol=0, atol=1e-9, equal_nan=True)


def assert_replayed(schedule):
    """Every job's end follows from its rates, its stalls and its kills alone."""
    for job in range(len(schedule.jobs["job_id"])):
        end = schedule.jobs["end"][job]
        if np.isnan(end):
            continue
        mine = schedule.rates["job"] == job
        times = np.append(schedule.rates["time"][mine], end)
        rates = schedule.rates["rate"][mine]
        segments = [s for s in rectangles(schedule) if s["job"] == job]
        stalls = {(s["start"], s["end"]) for s in segments if s["kind"] == STALL}
        lost_until = max((s["end"] for s in segments if s["kind"] == LOST), default=-1.0)
        work = 0.0
        for begin, until, rate in zip(times, times[1:], rates, strict=False):
            stalled = sum(max(0.0, min(until, b) - max(begin, a)) for a, b in stalls)
            if until > lost_until:
                work += rate * (until - begin - stalled)
        assert abs(work - schedule.jobs["runtime"][job]) < 1e-6


def twin_jobs(workload):
    jobs, parts = workload.jobs, workload.parts
    return [
        (jobs["release"][i], jobs["runtime"][i], jobs["requested"][i],
         parts["usage"][a:b].tolist(), parts["phi"][a:b].tolist(), jobs["loss"][i])
        for i, (a, b) in enumerate(zip(parts["first"], parts["first"][1:], strict=False))
    ]  # fmt: skip


def without_the_wide_one(workload):
    keep = workload.jobs["processors"] <= 6
    owner = np.repeat(np.arange(len(keep)), workload.jobs["processors"])
    parts = {name: workload.parts[name][keep[owner]] for name in ("usage", "phi")}
    jobs = {name: column[keep] for name, column in workload.jobs.items()}
    parts["first"] = np.concatenate([[0], np.cumsum(jobs["processors"])])
    return workload.with_(jobs=jobs, parts=parts)


@settings(max_examples=1000, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    slug=st.sampled_from(["keasy", "reasy", "measy"]),
    loss=st.sampled_from(["shared", "always"]),
    known=st.booleans(),
    reading=st.sampled_from(["words", "formula"]),
    refusal=st.sampled_from(["stop", "continue"]),
)
def test_ends_and_counts_equal_the_slow_twin(seed, slug, loss, known, reading, refusal):
    workload = without_the_wide_one(random_two_tier(seed, n=9))
    parameters = {"loss": loss, "usage_known": known}
    parameters |= {"migration_cost": 5.0} if slug == "measy" else {}
    parameters |= {"reading": reading, "refusal": refusal} if slug == "reasy" else {}
    options = {"loss": loss, "known": known, "reading": reading, "refusal": refusal}
    twin = Twin(twin_jobs(workload), 6, slug, migration_cost=5.0, **options)
    ends = twin.run()
    schedule = simulate(workload, slug, parameters)

    assert max(abs(schedule.jobs["end"][row] - end) for row, end in ends.items()) < 1e-6
    assert {name: schedule.counters[name] for name in twin.counts} == twin.counts


def test_reasy_continues_after_a_job_whose_own_processors_are_busy():
    # Three processors. Job 4 starts behind jobs 1 and 2 (rate 0.8) and at 4, when two processors are idle, cannot come
    # to the foreground before job 1 ends. Job 5 then needs both idle processors, one of which hosts job 4: it starts
    # there if step 1 continues, else the reservation of job 4 (shadow 10, one extra) keeps it out until 10.
    path = GOLDEN / "measy" / "refusal.json"
    (case,) = json.loads(path.read_text())["cases"]
    schedule = simulate(load(path, case["name"]), "reasy", {"refusal": "continue"})

    assert schedule.jobs["end"] == pytest.approx(case["continue"]["end"])
    assert {name: schedule.counters[name] for name in case["continue"] if name != "end"} == {
        name: count for name, count in case["continue"].items() if name != "end"
    }


def test_case_says_the_migration_cost_and_the_question_overrides_it():
    workload = load(GOLDEN / "measy" / "figure1.json", "job10_reaches_foreground")

    assert simulate(workload, "measy").jobs["end"].max() == pytest.approx(22.96)
    assert simulate(workload, "measy", {"migration_cost": 0.0}).jobs["end"].max() < 22.96


def test_useful_cpu_and_held_slots_are_two_areas():
    schedule = simulate(load(GOLDEN / "measy" / "figure1.json", "job10_reaches_foreground"), "keasy")
    series, dt = schedule.series, np.diff(schedule.series["time"])

    # 124 processor-seconds of work and the 4.4 that two kills threw away.
    assert (dt * series["utilization"][:-1]).sum() == pytest.approx(128.4)
    assert series["held"][0] == 5 and series["held_background"][0] == 4
    assert series["cpu"][0] == pytest.approx(4.6) and series["cpu_background"][0] == pytest.approx(1.6)
    held = {tier: sum((s["end"] - s["start"]) * (s["last"] - s["first"] + 1) for s in rectangles(schedule)
                      if s["tier"] == tier) for tier in (0, 1)}  # fmt: skip
    assert (dt * series["held"][:-1]).sum() == pytest.approx(held[0])
    assert (dt * series["held_background"][:-1]).sum() == pytest.approx(held[1])
    assert schedule.segments["kind"].tolist().count(LOST) == 2
    assert RUN in schedule.segments["kind"]
