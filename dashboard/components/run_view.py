"""What a run's page shows of a run in any state: facts, clock, and its jobs so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from shadowtime.dashboard.components import asking, naming
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.viewer.facts import is_exclusive, user_names
from shadowtime.engine.metrics.jobs import TAU, bounded_stretch
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.tables import FINISHED, Table, rows, take
from shadowtime.engine.workload.job import Clock
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload, tau_of_run
from shadowtime.workers.records.workload_facts import question_digest
from shadowtime.workers.store import Run, Status, WorkloadEntry

PASSING = ("planned", "compiling")
"""Entries of a run's progress before its first instant: news without them say that this part is over."""


@dataclass(frozen=True)
class RunView:
    """One run as its page shows it. Everything is read when it is first needed."""

    context: Context
    run: Run
    news: Mapping[str, Any] | None = None
    """The last message to the browser about a running run: newer than the recorded status."""

    @property
    def status(self) -> Status:
        """How the run stands, its progress as fresh as it is known."""
        known = self.run.status
        progress = (self.news or {}).get("progress")
        if known.status != "running" or not isinstance(progress, Mapping):
            return known
        heard = {name: value for name, value in progress.items() if isinstance(value, int | float | None)}
        usual = {name: value for name, value in known.progress.items() if name not in PASSING}
        return known.but(progress=usual | {name: heard[name] for name in (*usual, *PASSING) if name in heard})

    @property
    def is_finished(self) -> bool:
        return self.run.status.is_finished

    @property
    def is_exclusive(self) -> bool:
        """Whether each lane holds one job at a time."""
        return is_exclusive(self.run.spec.algorithm, self.asked["kind"])

    @property
    def summary(self) -> Mapping[str, Any]:
        """The object of `simulate --json`; empty before the end."""
        return self.run.summary or {}

    @property
    def tau(self) -> float:
        """Floor of the bounded stretch [s]."""
        run, store = self.run, self.context.store
        if "tau" in self.summary:
            return float(self.summary["tau"])
        try:
            return cache.remembered(self.context.cache, run.id, "tau", lambda: tau_of_run(run, store))
        except NotFound:  # the workload was deleted before the run ended
            return TAU

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """What is known of the workload after its conversions: {"kind", "jobs", "clock", "report", "lanes"}."""

        def make() -> dict[str, Any]:
            facts: dict[str, Any]
            spec = self.run.spec
            known = self.stored if not spec.conversions else None
            if known is not None:
                facts = {"kind": known.kind, "jobs": known.jobs, "clock": known.clock, "report": list(known.report)}
            else:
                jobs = load_workload(spec, self.context.store)
                clock = None if jobs.clock is None else vars(jobs.clock)
                facts = {"kind": jobs.kind, "jobs": len(jobs), "clock": clock, "report": list(jobs.report)}
            return {**facts, "lanes": Platform.from_dict(spec.platform, facts["kind"]).lanes}

        try:
            return cache.remembered(self.context.cache, self.run.id, "asked", make)
        except NotFound:  # the file was deleted: its name in the summary remains
            platform = self.run.spec.platform
            lanes = platform.get("processors") or platform["nodes"] * platform.get("cores_per_node", 1)
            kept = {"jobs": self.summary.get("jobs", 0), "report": self.summary.get("report", [])}
            return {"kind": "", "clock": None, "lanes": lanes, **kept}

    @cached_property
    def site(self) -> Mapping[str, list[str]] | None:
        """Names of job classes, machines and clusters by number; None where machines are alike."""
        if not look_up_family(self.asked["kind"]).has_site:
            return None

        def make() -> dict[str, list[str]]:
            known = load_workload(self.run.spec, self.context.store).site
            assert known is not None, "a classed workload brings its site"
            named = {"job_classes": known.job_classes, "machines": known.machines, "clusters": known.cluster_names}
            return {name: list(values) for name, values in named.items()}

        return cache.remembered(self.context.cache, self.run.id, "site", make)

    @cached_property
    def users(self) -> Sequence[str]:
        """Names of users by number; none where the log has only numbers."""
        return cache.remembered(
            self.context.cache, self.run.id, "users", lambda: user_names(self.context.store, self.run.spec)
        )

    @property
    def stored(self) -> WorkloadEntry | None:
        """The store's record of the workload as it was sent or drawn; None where one of several cases is meant."""
        if self.run.spec.workload.get("case"):
            return None
        try:
            return self.context.store.workloads.get(self.workload_digest)
        except NotFound:
            return None

    @property
    def workload_digest(self) -> str:
        """Under which the workload is stored, if it is."""
        source = self.run.spec.workload
        return source.get("digest") or question_digest(source)

    @property
    def clock(self) -> Clock | None:
        """What turns its seconds into dates."""
        return Clock(**self.asked["clock"]) if self.asked["clock"] else None

    def notes(self) -> Notes:
        """What writes the sentences of its events, with instants as the page writes them."""
        family = look_up_family(self.asked["kind"])
        return family.notes(self.jobs, self.run.table("segments"), partial(words.instant, clock=self.clock))

    @cached_property
    def jobs(self) -> Table:
        """The jobs: all of a finished run, what has happened to them so far while it runs, or
        until it was cancelled; no columns before."""
        if self.is_finished:
            return self.run.table("jobs")
        return self.context.so_far.jobs(self.run)

    @property
    def is_partial(self) -> bool:
        """Whether the run was cancelled after jobs had ended: what is known of them is shown."""
        return self.run.status.status == "cancelled" and self.ended > 0

    @property
    def span(self) -> tuple[float, float]:
        """First submission and last end known [s]."""
        if not rows(self.jobs):
            return 0.0, 0.0
        release, end = self.jobs["release"], self.jobs["end"]
        return float(release.min()), float(np.fmax.reduce(end, initial=float(release.max())))

    @property
    def ended(self) -> int:
        """Jobs that have an end."""
        return int((self.jobs["state"] == FINISHED).sum()) if rows(self.jobs) else 0

    @property
    def title(self) -> str:
        """`EASY on KTH-SP2, week 20`."""
        spec = self.run.spec
        return f"{naming.run_words(spec)} on {naming.workload_words(self.context.store, spec)}"

    def facts(self) -> list[str]:
        """The line under the title, up to the id."""
        spec = self.run.spec
        jobs = self.asked["jobs"] or self.status.progress.get("jobs", 0)
        count = look_up_family(self.asked["kind"]).tiers
        tiers = f" × {count} tiers" if count > 1 else ""
        parts = [words.count(int(jobs), "job"), naming.platform_words(spec.platform, self.asked["kind"]) + tiers]
        parts.append("estimates as requested" if spec.estimates == "requested" else "actual runtimes as estimates")
        stated = naming.stated_of(self.context.store, spec.workload.get("digest"), spec.workload.get("case"))
        return [*parts, *naming.said_parameters(spec.algorithm, spec.parameters, stated)]

    def intervals(self) -> Mapping[str, Mapping[str, Any]]:
        """How far the means of a finished run can be trusted, by metric; empty for short and unfinished ones."""
        summary = self.run.summary if self.is_finished else None
        return (summary or {}).get("intervals", {})

    def figures(self) -> tuple[Mapping[str, Any], Mapping[str, float]]:
        """Metrics and bounds: of the summary, or over the jobs that have ended so far."""
        if self.is_finished:
            return self.summary.get("metrics", {}), self.summary.get("bounds", {})
        return self.so_far(), self.bounds()

    def so_far(self) -> dict[str, float | int]:
        """The metrics that ended jobs give while the run goes on."""
        jobs = self.jobs
        if not rows(jobs) or not self.ended:
            return {}
        done = jobs["state"] == FINISHED
        wait, flow = jobs["start"][done] - jobs["release"][done], jobs["end"][done] - jobs["release"][done]
        stretch = bounded_stretch(take(jobs, done), tau=self.tau)
        return {
            "mean_flow": float(flow.mean()),
            "makespan": float(jobs["end"][done].max() - jobs["release"].min()),
            "mean_bounded_stretch": float(stretch.mean()),
            "max_bounded_stretch": float(stretch.max()),
            "mean_wait": float(wait.mean()),
        }

    def bounds(self) -> Mapping[str, float]:
        """Of the jobs, not of the schedule: while the run goes on, those that are proven already."""
        return asking.known_bounds(self.context, self.run.spec) or {}

    def stretches(self) -> np.ndarray:
        """Bounded stretch of every job, NaN where it has not ended."""
        return bounded_stretch(self.jobs, tau=self.tau)

    def waits(self) -> np.ndarray:
        """Wait of every job [s], NaN where it has not ended."""
        return np.where(self.jobs["state"] == FINISHED, self.jobs["start"] - self.jobs["release"], np.nan)


def view(context: Context, reference: str, news: Mapping[str, Any] | None = None) -> RunView:
    """The run of an id.

    Raises NotFound: for an unknown id.
    """
    return RunView(context, context.store.runs.get(reference), news)
