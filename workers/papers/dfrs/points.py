"""Compute what one run of the study gives. Points are stored, so that a stopped study resumes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from shadowtime.engine.bounds.registry import check, lower_bounds
from shadowtime.engine.metrics import moves
from shadowtime.engine.metrics.run import degradation_from_bound
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.dfrs.instances import REAL, Instance
from shadowtime.workers.settings import Settings
from shadowtime.workers.version import engine_version

GIGABYTE = 1024.0**3


@dataclass(frozen=True)
class Question:
    """An algorithm by the paper's name, with another period if one is given."""

    algorithm: str
    period: float = 0.0

    @property
    def key(self) -> str:
        """The question in words."""
        return self.algorithm + (f" period={self.period:g}" if self.period else "")


@dataclass(frozen=True)
class Point:
    """Figures of one run."""

    degradation: float
    """Largest bounded stretch over its proven bound."""
    underutilization: float
    """Normalized."""
    preemptions: int
    migrations: int
    preempted: float
    """Memory saved by preemptions [GB]."""
    migrated: float
    """Memory carried by migrations [GB]."""
    jobs: int
    hours: float
    """From the first release to the last end."""

    @property
    def saved_rate(self) -> float:
        """Memory saved by preemptions [GB/s]."""
        return self.preempted / (3600.0 * self.hours)

    @property
    def carried_rate(self) -> float:
        """Memory carried by migrations [GB/s]."""
        return self.migrated / (3600.0 * self.hours)

    @property
    def bandwidth(self) -> float:
        """Both together [GB/s]."""
        return self.saved_rate + self.carried_rate

    @property
    def preemptions_per_hour(self) -> float:
        return self.preemptions / self.hours

    @property
    def migrations_per_hour(self) -> float:
        return self.migrations / self.hours

    @property
    def preemptions_per_job(self) -> float:
        return self.preemptions / self.jobs

    @property
    def migrations_per_job(self) -> float:
        return self.migrations / self.jobs


@dataclass(frozen=True)
class Task:
    """The questions about one instance, which share its jobs and its bound."""

    instance: Instance
    questions: tuple[Question, ...]

    @property
    def size(self) -> int:
        """Order of samples: few questions first, and weeks of the log last, since tests may be without it."""
        return len(self.questions) + (1000 if self.instance.group == REAL else 0)


def ask(instance: Instance, questions: Sequence[Question], keep: Callable[[str, Point], None]) -> None:
    """Run each question; raise SimulationError when a figure is better than its bound."""
    workload = instance.workload()
    platform = Platform.of(workload)
    bounds = lower_bounds(workload, platform)
    for question in questions:
        parameters = {"period": question.period} if question.period else {}
        schedule = simulate(workload, question.algorithm, parameters)
        metrics = summarize(schedule, workload, platform)
        check(metrics, bounds)
        size = workload.machine["node_memory"]
        keep(
            question.key,
            Point(
                degradation_from_bound(metrics["max_bounded_stretch"], bounds.values["max_bounded_stretch"]),
                metrics["normalized_underutilization"],
                int(metrics["preemptions"]),
                int(metrics["migrations"]),
                moves.preempted_memory(schedule.jobs, schedule.events) * size,
                moves.migrated_memory(schedule.jobs) * size,
                len(workload),
                metrics["makespan"] / 3600.0,
            ),
        )


def _folder() -> Path:
    """Return the folder for the points of this engine: another version computes them again."""
    return Settings.from_environment().store / "papers" / "dfrs" / engine_version()


def _known(path: Path) -> dict[str, Point]:
    if not path.exists():
        return {}
    return {key: Point(**values) for key, values in json.loads(path.read_text()).items()}


def run_task(task: Task) -> dict[str, Point]:
    """Return the points of a task: stored ones are read, the others are computed and stored one by one."""
    path = _folder() / f"{task.instance.key}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    points = _known(path)

    def keep(key: str, point: Point) -> None:
        points[key] = point
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps({name: asdict(one) for name, one in points.items()}))
        fresh.replace(path)

    missing = [question for question in task.questions if question.key not in points]
    if missing:
        ask(task.instance, missing, keep)
    return {question.key: points[question.key] for question in task.questions}


Points = Mapping[tuple[Instance, str], Point]


def run_tasks(tasks: Sequence[Task], tell: Callable[[str], None]) -> dict[tuple[Instance, str], Point]:
    """Return all points by instance and question, computed on all cores."""
    simulate(generate("fractional", {"jobs": 5}), "greedyp*")  # compiled once, before children are forked
    found = run_cells(run_task, tasks, tell)
    return {
        (task.instance, key): point for task, points in zip(tasks, found, strict=True) for key, point in points.items()
    }
