"""One name, formula and sentence for each metric, as pages, exports, command line and documents show them.

The engine's names (`mean_flow`, `max_bounded_stretch`) stay those of files and of the HTTP interface. In the formulas r
is the submission, s the first start, f the end, p the runtime, w the weight and n the size of a job, N the number of
jobs that ended, P the number of processors (or nodes), M the makespan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from shadowtime.engine.metrics.metric import Metric
from shadowtime.engine.metrics.registry import find_metric as find_registered
from shadowtime.engine.metrics.registry import metrics as registered

MOST = 500
"""Metrics whose names are kept: lists of runs ask for them again in each row."""


class Definition(NamedTuple):
    """What a metric or a quantity of a job is called, how it is computed, and what others call it."""

    title: str
    formula: str
    text: str = ""
    """One sentence; empty: that of the engine."""
    also: str = ""


OF_A_JOB: Mapping[str, Definition] = {
    "wait": Definition("Wait", "s − r",
                       "Time from submission to first start, in either tier; later pauses do not count."),
    "turnaround": Definition("Turnaround", "T = f − r", "Time from submission to end.",
                             "flow, flow time, response time"),
    "slowdown": Definition("Slowdown", "T / p", "Turnaround over runtime.", "stretch"),
    "bounded_slowdown": Definition(
        "Bounded slowdown", "max(1, T / max(p, τ))",
        "Slowdown with runtimes below τ counted as τ, so that a job of one second that waited a minute does not "
        "outweigh a whole log. τ is 10 s unless the workload or --tau sets another; each page shows its value.",
        "bounded stretch"),
    "runtime": Definition(
        "Runtime", "p",
        "Time that a job takes alone at full rate: of moldable jobs on the best number of processors, of multitask "
        "jobs the longest task on its fastest machine, of classed jobs on the best machine.",
        "processing time"),
    "job_size": Definition("Size", "n", "Processors (or nodes) that a job requests.", "width"),
    "job_area": Definition("Area", "n p", "Size times runtime: the work of a job, in processor-seconds.", "work"),
    "submission_gap": Definition("Time between submissions", "r′ − r",
                                 "From one submission to the next one in the workload.", "interarrival time"),
}  # fmt: skip
"""Quantities of one job."""

OF_THE_MACHINE: Mapping[str, Definition] = {
    "useful_cpu": Definition("Useful CPU", "u(t)", "Processors that make progress: not idle, not stalled after a move, "
                             "and not lost by a kill."),
    "demand": Definition("Demand", "D(t) = Σ n c", "CPU that all submitted, unfinished jobs could use at once; c is "
                         "the CPU need of a task, 1 of rigid jobs."),
    "idle_while_waiting": Definition("Idle while jobs waited", "min(P, D) − u", "CPU that stood idle although jobs "
                                     "could have used it; its integral is the underutilization."),
    "at_most": Definition("At most × optimal", "value / lower bound",
                          "No schedule of the same jobs is below a proven lower bound. So a value of 1.49 times its "
                          "bound is at most 1.49 times the optimum; how far the optimum is above the bound is unknown.",
                          "ratio to the bound"),
}  # fmt: skip
"""Quantities of the machine over time, and of a value beside its bound."""

OF_A_GROUP: Mapping[str, Definition] = {
    "median_wait": Definition("Median wait", "the wait that half of the jobs do not exceed",
                              "Of the jobs of a user, an account, a size or another group; between two waits in "
                              "proportion."),
    "tail_wait": Definition("90th percentile of the waits", "the wait that 90 % of the jobs do not exceed",
                            "Between two waits in proportion.", "p90"),
    "processor_hours": Definition("Processor-hours", "Σ n p / 3600",
                                  "The work of the jobs of a group, as in the offered load: size times runtime, and "
                                  "what stands for it where jobs have no fixed size."),
    "usage_share": Definition("Share of usage", "Σ n p of the group / Σ n p of all",
                              "What part of all processor-hours a group has."),
    "rank_correlation": Definition("Rank correlation", "Pearson's correlation of the ranks",
                                   "How alike the order of two waits is: 1 if the jobs that waited longest in one "
                                   "waited longest in the other. Equal waits share the mean of their ranks.",
                                   "Spearman's correlation"),
    "busy_share": Definition("Busy share", "∫ processors in use dt / (P × time)",
                             "Mean share of the machine, or of a group of nodes, that jobs held in an hour or a day.",
                             "utilization per day"),
}  # fmt: skip
"""Quantities of the jobs of a user, a size or another group, and of the hours of a machine."""

OF_A_PAIR: Mapping[str, Definition] = {
    "finish_delay": Definition("Finish delay", "f − f of the baseline",
                               "By how much a job ends later than under the baseline; negative: sooner."),
    "start_delay": Definition("Start delay", "s − s of the baseline",
                              "By how much a job starts later than under the baseline; negative: sooner."),
    "slowdown_increase": Definition("Slowdown increase", "bounded slowdown − that under the baseline",
                                    "By how much the bounded slowdown of a job is larger than under the baseline."),
}  # fmt: skip
"""Quantities of a job under two schedules."""

OF_A_MODEL: Mapping[str, Definition] = {
    "utilization_rigid": Definition("Rigid", "U = Σ n p", "Processors times runtime of the jobs that ended."),
    "utilization_two_tier": Definition(
        "Two tiers", "U = Σ n p",
        "Processors times runtime of the jobs that ended, both tiers together: the pages call it mean progress per "
        "processor, since it may exceed 1. The CPU used is the mean CPU utilization."),
    "utilization_fractional": Definition("Fractional", "U = Σ n c p",
                                         "Tasks times CPU need times runtime of the jobs that ended."),
    "utilization_moldable": Definition("Moldable", "U = Σ lanes × seconds held",
                                       "What the jobs held, with the number of processors that the scheduler chose."),
    "utilization_multitask": Definition("Multitask", "U = Σ share of a machine × seconds held",
                                        "What the tasks held of their machines."),
    "utilization_classed": Definition("Classed", "U = Σ machines × seconds held",
                                      "What the jobs held; runs whose progress was lost do not count."),
}  # fmt: skip
"""The useful work of each model, by which its utilization is defined."""

OF_A_RUN: Mapping[str, Definition] = {
    "makespan": Definition("Makespan", "M = max f − min r"),
    "weighted_completion": Definition("Weighted completion", "Σ w f", also="sum of weighted completion times"),
    "weighted_flow": Definition("Weighted turnaround", "Σ w T", "Sum of weight times turnaround.", "weighted flow"),
    "total_job_time": Definition("Total turnaround", "Σ T", "Sum of the turnarounds of all jobs.",
                                 "total flow, total job time"),
    "mean_wait": Definition("Mean wait", "Σ (s − r) / N"),
    "max_wait": Definition("Longest wait", "max (s − r)"),
    "mean_flow": Definition("Mean turnaround", "Σ T / N", "Mean time from submission to end.",
                            "mean flow, mean response time"),
    "max_flow": Definition("Longest turnaround", "max T", "The longest time from submission to end.", "largest flow"),
    "mean_stretch": Definition("Mean slowdown", "Σ (T / p) / N",
                               "Mean of turnaround over runtime; a few very short jobs can dominate it.",
                               "mean stretch"),
    "max_stretch": Definition("Largest slowdown", "max (T / p)", "The largest turnaround over runtime.",
                              "largest stretch"),
    "mean_bounded_stretch": Definition("Mean bounded slowdown", "Σ max(1, T / max(p, τ)) / N",
                                       "Mean slowdown, with runtimes below τ counted as τ.", "mean bounded stretch"),
    "max_bounded_stretch": Definition("Largest bounded slowdown", "max max(1, T / max(p, τ))",
                                      "The largest slowdown, with runtimes below τ counted as τ.",
                                      "largest bounded stretch"),
    "degradation_from_bound": Definition("Largest bounded slowdown over its bound",
                                         "max max(1, T / max(p, τ)) / lower bound",
                                         "The largest bounded slowdown over its proven lower bound for these jobs.",
                                         "degradation from bound"),
    "jain_index": Definition("Jain's index of slowdowns", "(Σ S)² / (N Σ S²), with S = T / p",
                             "1 if all slowdowns are equal, near 0 if a few jobs have most delay."),
    "mean_utilization": Definition("Mean utilization", "U / (P M), with the useful work U of the model",
                                   also="utilization"),
    "mean_cpu_utilization": Definition("Mean CPU utilization", "Σ p Σ u / (P M), with the CPU usage u of each process"),
    "underutilization": Definition("Underutilization", "∫ (min(P, D) − u) dt",
                                   "Processor seconds that stood idle while jobs could have used them."),
    "normalized_underutilization": Definition("Normalized underutilization",
                                              "∫ (min(P, D) − u) dt / Σ n c p",
                                              "Underutilization over the work of the jobs that ended; may exceed 1."),
    "preemptions": Definition("Preemptions", "pairs of a job and an instant at which it was paused"),
    "migrations": Definition("Migrations", "pairs of a job and an instant at which it moved"),
    "bandwidth": Definition("Bandwidth", "memory of preempted jobs and migrated tasks / M"),
    "kills": Definition("Kills", "pairs of a job and an instant at which it was killed"),
    "swaps": Definition("Swaps", "pairs of a job and an instant at which it changed its tier"),
    "background_starts": Definition("Background starts", "pairs of a job and an instant of a start in the background"),
    "waste_by_kills": Definition("Work lost by kills", "Σ progress lost by each kill"),
    "parallel_share": Definition("Parallel share", "jobs whose final run was on a cluster / N"),
    "offered_load": Definition("Offered load", "Σ n p / (P (max r − min r))"),
    "unfinished": Definition("Unfinished", "jobs without an end, rejected ones left out"),
    "rejected": Definition("Rejected", "jobs that were turned away for good"),
}  # fmt: skip
"""Metrics of a run, by the engine's names."""


def find_title(name: str) -> str:
    """Return what the pages call the entry `name` of the glossary."""
    parts = (OF_A_JOB, OF_A_PAIR, OF_A_GROUP, OF_THE_MACHINE, OF_A_RUN)
    return next((part[name].title for part in parts if name in part), "") or find_metric(name).title


def metrics() -> dict[str, Metric]:
    """Return all metrics by name as the engine's registry does, with the titles and sentences of this page."""
    return {name: _named(metric) for name, metric in registered().items()}


def find_metric(name: str) -> Metric:
    """Return the metric called `name`.

    Raises
    ------
    UnknownName
        If there is none; the error lists the known names.
    """
    return _named(find_registered(name))


def known_metric(name: str) -> Metric | None:
    """Return the metric called `name`; None if there is none."""
    found = registered().get(name)
    return found and _named(found)


@lru_cache(MOST)
def _named(metric: Metric) -> Metric:
    known = OF_A_RUN.get(metric.name)
    return metric if known is None else replace(metric, title=known.title, text=known.text or metric.text)
