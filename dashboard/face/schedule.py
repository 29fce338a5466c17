"""One run: simulate a workload; its schedule gives tables, metrics, bounds and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from shadowtime.dashboard.face.policy import chosen
from shadowtime.dashboard.face.table import Figures, Table
from shadowtime.dashboard.face.workload import check_parameters, check_workload
from shadowtime.engine import schedule as tables
from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.errors import InvalidPlatform, UnknownName
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.platform import Platform
from shadowtime.engine.runner.makers import Scripted
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.execute import measure
from shadowtime.workers.spec import SEED
from shadowtime.workers.sweeps.reading import TAU

if TYPE_CHECKING:
    from shadowtime.dashboard.face.gantt import Gantt

TABLES = ("jobs", "segments", "events", "series", "rates", "bands")


class TableOf:
    """One table of a schedule as an attribute of that name."""

    def __init__(self, text: str):
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, schedule: None, owner: type) -> TableOf: ...
    @overload
    def __get__(self, schedule: Schedule, owner: type) -> Table: ...
    def __get__(self, schedule: Schedule | None, owner: type) -> TableOf | Table:
        return self if schedule is None else schedule.table(self._name)


class Schedule:
    """What happened in one run.

    `jobs`, `segments`, `events`, `series`, `rates` and `bands` are tables of numpy columns, described in
    docs/reference/tables.md, whose `len` is their number of rows; times in seconds of the workload, lanes numbered
    from 0. Their columns are read-only. `counters` counts decisions, preemptions, migrations and the like; `timing` has
    wall seconds.

    Parameters
    ----------
    found
        The tables of the engine.
    run
        The simulation that made them.
    tau
        Floor of the bounded stretch [s]; None: that of the workload, else 10.

    Examples
    --------
    >>> import shadowtime as st
    >>> schedule = st.simulate(st.generate("uniform", {"jobs": 5}, seed=1), "easy")
    >>> schedule
    <schedule of uniform:jobs=5 by easy on 64 lanes: 5 of 5 jobs finished>
    >>> len(schedule.jobs), schedule.jobs["start"].dtype.str
    (5, '<f8')
    """

    def __init__(self, found: tables.Schedule, run: Simulation, tau: float | None = None):
        self.tables = found
        self.workload: Workload = run.workload
        self.platform: Platform = run.platform
        self.algorithm: str = run.slug
        self.parameters: dict[str, Any] = dict(run.parameters)
        self.tau = tau_of(self.workload) if tau is None else float(tau)
        self.estimates, self.seed = run.estimates, run.seed
        self.is_python = run.algorithm is None or isinstance(run.algorithm.runner, Scripted)
        self.made = datetime.now(UTC)
        self.exclusive = run.exclusive
        self.migrates = run.algorithm is None or run.algorithm.migrates

    def table(self, name: str) -> Table:
        """Return one of the tables by its name; UnknownName lists them.

        Examples
        --------
        >>> import shadowtime as st
        >>> st.simulate(st.generate("uniform", {"jobs": 5}, seed=1), "easy").table("jobs") is not None
        True
        """
        if name not in TABLES:
            raise UnknownName("table", str(name)[:80], TABLES)
        return Table(getattr(self.tables, name), name)

    jobs = TableOf("One row a job, in submission order: release, start, end [s], state and what the job requested.")
    segments = TableOf(
        "One row a rectangle of the Gantt chart: lanes first to last, start and end [s], share of each lane."
    )
    events = TableOf(
        "One row an event, by time [s]: submit, start, end, pause, migrate, backfill ..., with its reason."
    )
    series = TableOf("One row a breakpoint of step functions of time [s]: lanes used, demanded; jobs queued, running.")
    rates = TableOf("One row a change of a job's rate of progress; rows only for two tiers.")
    bands = TableOf("One row a batch, shelf or interval of a planner; rows only where a plan was made.")

    @property
    def counters(self) -> Mapping[str, int]:
        """Counts of decisions, acts, preemptions, migrations, kills, swaps ..."""
        return self.tables.counters

    @property
    def timing(self) -> Mapping[str, float]:
        """Wall seconds of compiling, setting up, simulating and sorting the tables."""
        return self.tables.timing

    @cached_property
    def _measured(self) -> tuple[Figures, Figures]:
        metrics, proven = measure(self.tables, self.workload, self.platform, self.tau, migrates=self.migrates)
        return Figures(metrics), Figures(proven.values, proven.names)

    def metrics(self) -> Figures:
        """Return all metrics that this kind of workload has, by name, over all finished jobs.

        Raises
        ------
        SimulationError
            When a metric is better than its proven bound: then the run or the bound is wrong.

        References
        ----------
        docs/reference/metrics.md defines each.

        Examples
        --------
        >>> import shadowtime as st
        >>> metrics = st.simulate(st.generate("uniform", {"jobs": 50}, seed=1), "easy").metrics()
        >>> metrics["makespan"] >= metrics["mean_flow"]
        True
        """
        return self._measured[0]

    def bounds(self) -> Figures:
        """Return proven lower bounds as `st.bounds` does, over the jobs that finished.

        Raises
        ------
        SimulationError
            As `metrics`.

        Examples
        --------
        >>> import shadowtime as st
        >>> schedule = st.simulate(st.generate("uniform", {"jobs": 50}, seed=1), "easy")
        >>> all(schedule.metrics()[name] >= bound * (1 - 1e-6) for name, bound in schedule.bounds().items())
        True
        """
        return self._measured[1]

    def gantt(self, *, start: float | None = None, end: float | None = None, height: int = 620) -> Gantt:
        """Return the schedule as the page's own viewer, which a notebook shows alive without a server.

        Parameters
        ----------
        start, end, height
            As of `st.Gantt`.

        Raises
        ------
        InvalidParameter
            As `st.Gantt`: for a window with more rectangles or events than a page holds, or without length.

        Examples
        --------
        >>> import shadowtime as st
        >>> st.simulate(st.generate("uniform", {"jobs": 50}, seed=1), "easy").gantt()  # doctest: +ELLIPSIS
        <gantt of uniform:jobs=50 by easy: ... rectangles, 0.2 MB>
        """
        from shadowtime.dashboard.face.gantt import Gantt

        return Gantt(self, start=start, end=end, height=height)

    def report(self, path: str | Path, *, start: float | None = None, end: float | None = None) -> Path:
        """Write the offline report, one HTML file that needs no server, and return its path.

        The schedule, metrics beside their bounds, histograms, and the command that repeats the run where there is one.

        Parameters
        ----------
        path
            Of the file.
        start, end
            Window [s] of the schedule that the file holds; None: all of the run. Figures are those of the whole run.

        Raises
        ------
        InvalidParameter
            For a window without length.

        References
        ----------
        docs/reference/exports.md describes the file.

        Examples
        --------
        >>> import shadowtime as st, tempfile
        >>> schedule = st.simulate(st.generate("uniform", {"jobs": 5}, seed=1), "easy")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     schedule.report(f"{folder}/easy.html").name
        'easy.html'
        """
        from shadowtime.dashboard.face.report import write

        return write({self.algorithm: self}, path, start, end)

    def __repr__(self) -> str:
        states = ((self.tables.rejected, "rejected"), (self.tables.unfinished, "unfinished"))
        others = "".join(f", {n:,} {word}" for n, word in states if n)
        return (
            f"<schedule of {self.workload.name} by {self.algorithm} on {self.platform.lanes:,} lanes: "
            f"{self.tables.finished:,} of {len(self.workload):,} jobs finished{others}>"
        )


def simulate(
    workload: Workload,
    algorithm: str | Any,
    parameters: Mapping[str, Any] | None = None,
    *,
    platform: Platform | Mapping[str, Any] | None = None,
    estimates: str | None = None,
    seed: int = 0,
    tau: float | None = None,
) -> Schedule:
    """Run an algorithm on a workload and return its schedule; the same arguments give the same schedule.

    Parameters
    ----------
    workload
        Of a kind that the algorithm takes.
    algorithm
        A name of `st.algorithms()`, or a policy: an object (or class) with `decide(desk)`, see `st.Policy`.
    parameters
        Of the algorithm, named or given as a class; defaults for the others.
    platform
        {"processors": 128}, {"nodes": 64, "cores_per_node": 2} or a Platform; None: the workload's own machine.
    estimates
        What the scheduler sees as runtimes: `requested` or `actual`; None: `requested` where the workload has any.
    seed
        Of the algorithm's own draws, >= 0.
    tau
        Floor of the bounded stretch in `metrics` and `bounds` [s], > 0; None: that of the workload, else 10.

    Raises
    ------
    QuestionError
        When an argument is wrong; nothing was run.
    SimulationError
        When a policy breaks a rule or leaves jobs waiting for ever.

    References
    ----------
    Each algorithm names its paper in docs/reference/algorithms.md.

    Examples
    --------
    >>> import pandas as pd, shadowtime as st
    >>> four = pd.DataFrame({"release": [0, 1, 2, 3], "runtime": [100, 10, 1000, 50], "processors": [6, 10, 4, 4]})
    >>> schedule = st.simulate(st.Workload.from_frame(four, processors=10), "easy")
    >>> schedule.jobs["start"].tolist()
    [0.0, 100.0, 110.0, 3.0]
    """
    _check(workload, platform, tau)
    seed = SEED.check(seed, "a run")
    check_parameters(parameters)
    policy = chosen(algorithm, parameters)
    run = Simulation(workload, policy, parameters, platform=platform, estimates=estimates, seed=seed)
    return Schedule(run.run(), run, tau)


def bounds(
    workload: Workload,
    *,
    platform: Platform | Mapping[str, Any] | None = None,
    tau: float | None = None,
    migrates: bool = True,
) -> Figures:
    """Return proven lower bounds of the metrics of any schedule of a workload; `.names` names them.

    Parameters
    ----------
    workload
        Of any kind; jobs that do not fit the machine are not counted.
    platform
        As of `simulate`.
    tau
        Floor of the bounded stretch [s], > 0; None: that of the workload, else 10.
    migrates
        Whether tasks of a multitask workload may move between machines: fewer bounds hold then.

    Raises
    ------
    InvalidPlatform
        When neither the workload nor `platform` gives the size of the machine.

    References
    ----------
    docs/reference/metrics.md names the proof of each.

    Examples
    --------
    >>> import shadowtime as st
    >>> bounds = st.bounds(st.generate("uniform", {"jobs": 50}, seed=1))
    >>> sorted(bounds) == sorted(bounds.names)
    True
    """
    _check(workload, platform, tau)
    floor = tau_of(workload) if tau is None else float(tau)
    machine = Platform.of(workload, platform)
    try:
        found = lower_bounds(workload, machine, floor, migrates=migrates)
    except SystemError as error:
        # Compiled code that an interrupt ends raises this instead of what interrupted it.
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise
    return Figures(found.values, found.names)


def _check(workload: Any, platform: Any, tau: Any) -> None:
    """Refuse arguments of a wrong type, and a floor of the bounded stretch that is not above 0 s.

    Raises
    ------
    QuestionError
        Naming the argument, its value, and the rule.
    """
    check_workload(workload)
    if platform is not None and not isinstance(platform, Platform | Mapping):
        raise InvalidPlatform(f"platform = {str(platform)[:40]!r}, but it must be like {{'processors': 128}}")
    if tau is not None:
        TAU.check(tau, "a run")
