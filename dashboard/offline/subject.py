"""One finished run as a report tells it: from the store, or just simulated."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.dashboard.components import naming
from shadowtime.dashboard.look import words
from shadowtime.dashboard.offline.held import Source
from shadowtime.dashboard.viewer.extent import overcommitted
from shadowtime.dashboard.viewer.facts import is_exclusive
from shadowtime.engine.metrics.jobs import bounded_stretch
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.tables import FINISHED, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.execute import Outcome
from shadowtime.workers.exports.command import command
from shadowtime.workers.spec import RunSpec

IDLE = "normalized_underutilization"


@dataclass(frozen=True)
class Subject:
    """A run, its figures, and what it takes to repeat it."""

    spec: RunSpec
    summary: Mapping[str, Any]
    """The object of `simulate --json`."""
    source: Source
    workload: str
    """What people call the workload, with its conversions."""
    file: str
    """The workload's file, or its generator."""
    command: str
    """The command line that repeats the run; empty where there is none."""
    ended: datetime
    """When it was simulated, in UTC."""
    name: str = ""
    """What the run is called beside others; empty: its algorithm."""

    @property
    def run(self) -> str:
        """Its id."""
        return self.spec.id

    @property
    def title(self) -> str:
        """`EASY`, or what distinguishes it from the others of a report."""
        return self.name or naming.run_words(self.spec)

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Value of each metric by name."""
        return self.summary.get("metrics", {})

    @property
    def bounds(self) -> Mapping[str, float]:
        """Proven bound of a metric by name, where there is one."""
        return self.summary.get("bounds", {})

    @property
    def machine(self) -> str:
        """`100 processors`."""
        return naming.platform_words(self.spec.platform, self.source.kind)

    @cached_property
    def jobs(self) -> Table:
        """The jobs, with what became of them."""
        return self.source.tables.table("jobs")

    @property
    def ended_jobs(self) -> int:
        """How many jobs have an end."""
        return int((self.jobs["state"] == FINISHED).sum())

    def facts(self) -> list[str]:
        """The line under the title: jobs, machine, estimates, parameters that are not the defaults."""
        spec, count = self.spec, look_up_family(self.source.kind).tiers
        tiers = f" × {count} tiers" if count > 1 else ""
        said = [words.count(len(self.jobs["job_id"]), "job"), self.machine + tiers]
        said.append("estimates as requested" if spec.estimates == "requested" else "actual runtimes as estimates")
        return [*said, *naming.said_parameters(spec.algorithm, spec.parameters)]

    def question(self) -> list[tuple[str, str]]:
        """All that determines the run, in words."""
        spec, source = self.spec, self.spec.workload
        seed = f"{spec.seed}" + (f", generator {source['seed']}" if "generator" in source else "")
        return [
            ("Workload", self.workload),
            ("Conversions", ", then ".join(map(naming.conversion_words, spec.conversions)) or "none"),
            ("Platform", self.machine),
            ("Estimates", "as requested" if spec.estimates == "requested" else "the actual runtimes"),
            ("Algorithm", naming.run_words(spec)),
            *((name.replace("_", " "), naming.plain(value)) for name, value in spec.parameters.items()),
            ("Seed", seed),
        ]

    def origin(self) -> list[tuple[str, str]]:
        """Where the figures come from."""
        source = self.spec.workload
        what = "Workload file" if self.command else "Workload"
        file = [] if "generator" in source else [(what, self.file), ("Its SHA-256", source["digest"])]
        simulated = [("Engine", self.spec.engine_version), ("Simulated", date(self.ended))]
        known = [("Run", self.spec.id), ("Digest of the configuration", self.spec.digest)] if self.command else []
        return [*known, *simulated, *file]

    def stretches(self) -> np.ndarray:
        """Bounded stretch of every job, NaN where it has not ended."""
        return bounded_stretch(self.jobs, tau=self.source.tau)

    def waits(self) -> np.ndarray:
        """Wait of every job [s], NaN where it has not ended."""
        jobs = self.jobs
        return np.where(jobs["state"] == FINISHED, jobs["start"] - jobs["release"], np.nan)


@dataclass(frozen=True)
class InMemory:
    """Tables of a schedule of the engine by name."""

    schedule: Schedule

    def table(self, name: str) -> Table:
        """Return one of its tables."""
        return getattr(self.schedule, name)


def simulated(spec: RunSpec, workload: Workload, outcome: Outcome, ended: datetime, more: str = "") -> Subject:
    """Return a run that no store has; `more`: options of the command line that are no part of the question."""
    clock = asdict(workload.clock) if workload.clock else None
    drawn = source_of(InMemory(outcome.schedule), lambda: workload, spec, outcome.summary, workload.kind, clock,
                      workload.texts.get("user", ()))  # fmt: skip
    file = spec.workload.get("generator") or naming.file_of(spec, workload.name)
    named = naming.named_workload(spec, workload.name)
    return Subject(spec, outcome.summary, drawn, named, file, command(spec, file) + more, ended)


def date(moment: datetime) -> str:
    """`23 Nov 2026, 18:10 UTC`."""
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def source_of(
    tables: Any,
    workload: Callable[[], Workload],
    spec: RunSpec,
    summary: Mapping[str, Any],
    kind: str,
    clock: Mapping[str, Any] | None,
    users: Sequence[str] = (),
) -> Source:
    """Return what the viewer reads of a run."""
    idle = summary.get("metrics", {}).get(IDLE)
    return Source(
        tables=tables,
        workload=workload,
        kind=kind,
        lanes=Platform.from_dict(spec.platform, kind).lanes,
        algorithm=spec.algorithm,
        exclusive=is_exclusive(spec.algorithm, kind),
        tau=float(summary["tau"]),
        clock=clock,
        idle=idle if idle is not None and math.isfinite(idle) else None,
        beyond=overcommitted(summary),
        users=users,
    )
