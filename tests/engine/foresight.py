"""Workloads that are alike up to an instant, and what a run shows of that time: no one may act on what comes later."""

from __future__ import annotations

import numpy as np

from shadowtime.engine import Workload, simulate
from shadowtime.engine.families.classed.site.experience import Experience


def estimated(workload: Workload) -> Workload:
    """Return the workload with a requested time for every job, so that estimates stay as they are."""
    requested = np.where(np.isnan(workload.jobs["requested"]), workload.jobs["runtime"], workload.jobs["requested"])
    return workload.with_(jobs={**workload.jobs, "requested": requested}, has_estimates=True)


def instants(schedule, count: int = 6) -> list[float]:
    """Return a few instants between two events, spread over the run."""
    times = np.unique(schedule.events["time"])
    at = np.unique(np.linspace(1, len(times) - 2, count + 2).astype(int)[1:-1])
    return [float((times[i] + times[i + 1]) / 2.0) for i in at]


def altered(workload: Workload, schedule, t: float, rng: np.random.Generator, *, times_too: bool) -> Workload:
    """Return a workload that differs only in what is not yet known at `t`.

    Of jobs released later all changes: release, weight, requested and true time, size, class. times_too: what is
    not finished by `t` takes longer, too; jobs then end later than `t` in both workloads.
    """
    jobs, n = dict(workload.jobs), len(workload)
    later = jobs["release"] > t
    release = jobs["release"].copy()
    release[later] = np.sort(t + rng.exponential(50.0, int(later.sum())) + 1e-3)
    jobs["release"] = release
    jobs["weight"] = np.where(later, rng.uniform(0.5, 9.0, n), jobs["weight"])
    unfinished = later | (times_too & ~(schedule.jobs["end"] <= t))
    factor = np.where(unfinished, rng.uniform(1.1, 4.0, n), 1.0)
    jobs["runtime"] = jobs["runtime"] * factor
    jobs["requested"] = np.where(later, jobs["requested"] * factor, jobs["requested"])
    if "deviate" in jobs:
        jobs["deviate"] = jobs["deviate"] + np.where(unfinished, rng.uniform(0.5, 2.0, n), 0.0)
        jobs["job_class"] = np.where(later, rng.permutation(jobs["job_class"]), jobs["job_class"])
        jobs["runtime"] = workload.jobs["runtime"]
    if not workload.parts:
        jobs["processors"] = np.where(later, rng.permutation(jobs["processors"]), jobs["processors"])
    return workload.with_(jobs=jobs, parts=_altered_parts(workload, schedule, t, factor, later, times_too))


def _altered_parts(workload, schedule, t, factor, later, times_too):
    """Return the ragged columns, with times of tasks and of allotments changed like those of their jobs."""
    parts = dict(workload.parts)
    if "time" not in parts:
        return parts
    if "options" not in parts:
        parts["time"] = parts["time"] * np.repeat(factor, np.diff(parts["first"]))
        return parts
    job = np.repeat(np.arange(len(workload)), np.diff(parts["first"]))
    done = np.zeros(len(job), bool)
    if times_too:
        row = np.empty(int(parts["task"].max()) + 1, int)
        row[parts["task"]] = np.arange(len(job))
        end, started = np.zeros(len(job)), row[schedule.segments["task"]]
        np.maximum.at(end, started, schedule.segments["end"])
        done = (end > 0.0) & (end <= t)
    of_task = np.where(done, 1.0, factor[job])
    parts["time"] = parts["time"] * np.repeat(of_task, np.diff(parts["options"]))
    parts["size"] = np.where(later[job], parts["size"] * 0.7, parts["size"])
    return parts


def shown(schedule, t: float) -> tuple[list, list]:
    """Return all events before `t`, and all rectangles that began before, cut at `t`."""
    early = schedule.events["time"] < t
    events = list(zip(*(column[early].tolist() for column in schedule.events.values()), strict=True))
    early = schedule.segments["start"] < t
    columns = {name: column[early] for name, column in schedule.segments.items()}
    columns["end"] = np.minimum(columns["end"], t)
    columns["kind"] = np.where(columns["end"] == t, 0, columns["kind"])  # a rectangle that grows may yet be lost
    return _plain(events), sorted(zip(*(column.tolist() for column in columns.values()), strict=True))


def _plain(events: list) -> list:
    """Return the events with NaN as a word, which is equal to itself, and values to nine digits.

    Two-tier policies read the work that is done as the true time less what remains: its last bit depends on the true
    time, and so does that of the shadow times that they record. When things happen is compared exactly.
    """
    return [tuple("nan" if x != x else f"{x:.9g}" for x in event[-1:]) + tuple(event[:-1]) for event in events]


def check_foresight(workload: Workload, make_algorithm, *, clairvoyant: bool, seed: int = 0) -> None:
    """Assert that what is not yet known at an instant changes nothing before it, for several instants.

    make_algorithm: returns a slug, or a fresh policy object.
    """
    workload = estimated(workload)
    schedule = simulate(workload, make_algorithm(), estimates="requested", seed=seed)
    found = instants(schedule)
    assert found
    for number, t in enumerate(found):
        rng = np.random.default_rng(number)
        other = altered(workload, schedule, t, rng, times_too=not clairvoyant)
        again = simulate(other, make_algorithm(), estimates="requested", seed=seed)
        for one, two in zip(shown(schedule, t), shown(again, t), strict=True):
            assert one == two, f"at {t:g}: {next((a, b) for a, b in zip(one, two, strict=False) if a != b)}"


def deviating(workload: Workload, seed: int) -> Workload:
    """Return a classed workload whose true times deviate from the expected ones."""
    site = workload.site
    mean = site.experience.mean
    spread = Experience.of(mean, np.where(np.isnan(mean), np.nan, 2.0))
    jobs = {**workload.jobs, "deviate": np.random.default_rng(seed).standard_normal(len(workload))}
    return workload.with_(site=site.with_(experience=spread), jobs=jobs)
