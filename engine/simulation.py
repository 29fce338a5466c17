"""One run, from a workload and an algorithm to a schedule, in slices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.output.growing import open_rectangles
from shadowtime.engine.output.ordering import by_start_and_lane
from shadowtime.engine.output.submissions import with_submissions
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find, find_family
from shadowtime.engine.runner.plan import Plan
from shadowtime.engine.schedule import Schedule
from shadowtime.engine.tables import EVENTS, RATES, SEGMENTS, Table
from shadowtime.engine.workload.job import Workload

ESTIMATES = ("requested", "actual")

UNLIMITED = 2**62


@dataclass(frozen=True, eq=False)
class Slice:
    """What one slice of a run brought."""

    time: float
    """Simulated time reached [s]."""
    jobs_done: int
    jobs: int
    segments: Table
    """Rectangles that closed in this slice."""
    events: Table
    """Happenings of this slice; submissions are merged in by `schedule`."""
    look: Callable[[], Table]
    """Gives `open`."""
    planned: float = 1.0
    """How much of the plan is made, for algorithms that plan before the first instant."""

    @property
    def open(self) -> Table:
        """Rectangles still growing, cut at `time`: looked up when asked for, which must be before the next slice."""
        return self.look()


class Simulation:
    """A run that can be walked slice by slice and then asked for its schedule.

    Parameters
    ----------
    workload
        Of a kind that the algorithm takes.
    algorithm
        A slug of the registry, or an object with `decide(desk)` (see `engine.desk`): a person's own policy.
    parameters
        Of the algorithm; defaults for what is not named.
    platform
        A Platform, its dict, or None for the workload's own machine.
    estimates
        `requested` (the runtime where a job has no request) or `actual`; None: `actual` for fractional
        workloads and those without any request, else `requested`.
    seed
        Of the algorithm's own draws.

    Raises
    ------
    QuestionError
        When the question is wrong; nothing was run.
    """

    def __init__(
        self,
        workload: Workload,
        algorithm: str | Any,
        parameters: Mapping[str, Any] | None = None,
        *,
        platform: Platform | Mapping[str, Any] | None = None,
        estimates: str | None = None,
        seed: int = 0,
    ):
        self.workload, self.seed = workload, seed
        self.algorithm: Algorithm | None = find(algorithm) if isinstance(algorithm, str) else None
        self._policy = None if self.algorithm else algorithm
        self.slug = self.algorithm.slug if self.algorithm else type(algorithm).__name__
        self.parameters = (
            self.algorithm.parameters_for(workload, parameters) if self.algorithm else dict(parameters or {})
        )
        self.family = find_family(workload.kind)
        self.platform = Platform.of(workload, platform)
        self.estimates = estimates_of(workload, estimates)
        if not len(workload):
            raise InvalidWorkload(f"{workload.name} has no jobs")
        self.setup_s = self.compile_s = self.simulate_s = self.plan_s = 0.0
        self._pieces: list[tuple[Table, Table, Table]] = []
        self._planning: Any = None
        self._done = False
        self._prepare()

    def _prepare(self) -> None:
        """Lay out units and lanes; import the kernel (and numba) only now."""
        imported = time.perf_counter()
        from shadowtime.engine.kernel.state import REJECTED as REJECTED_UNIT
        from shadowtime.engine.kernel.state import UNIT, arrays_for, new_state

        lanes = self.platform.lanes
        self.plan = self._planned(lanes)
        began = time.perf_counter()
        imported += self.plan_s
        self._exclusive = self.algorithm is None or self.algorithm.exclusive
        if self._policy is not None:
            self._exclusive = bool(getattr(self._policy, "exclusive", True))
        self._units = self.family.units(
            self.workload,
            lanes,
            exclusive=self._exclusive,
            actual=self.estimates == "actual",
            killed=self.parameters.get("overrun") == "kill",
        )
        units = np.zeros(len(self._units), UNIT)
        units["start"] = units["end"] = np.nan
        for name, column in self._units.columns().items():
            units[name] = column
        rejected = self._units.rejected
        if self.plan is not None:
            units["procs"] = self.plan.sizes_of(len(units))
            units["runtime"] = units["remaining"] = units["estimate"] = self.plan.work_of(len(units))
            rejected = units["procs"] == 0
        units["state"][rejected] = REJECTED_UNIT
        self._state = new_state(
            arrays_for(
                units,
                lanes,
                self._exclusive,
                keep_rates=bool(self.algorithm and self.algorithm.keeps_rates),
                sizes=self.family.allotments(self.workload),
            )
        )
        self.setup_s = time.perf_counter() - began
        self._run = self._runner(lanes)
        self.compile_s = began - imported + time.perf_counter() - began - self.setup_s

    def _planned(self, lanes: int) -> Plan | None:
        """The plan of an off-line algorithm, made before the clock starts; planning counts as simulating."""
        if self.algorithm is None or not self.algorithm.planner:
            return None
        planner = self.algorithm.load(self.algorithm.planner)
        if self.algorithm.warm:
            self.algorithm.load(self.algorithm.warm)()
        began = time.perf_counter()
        plan = planner(self.workload, self.parameters, lanes, np.random.default_rng(self.seed))
        self.plan_s = self.simulate_s = time.perf_counter() - began
        return plan

    def _runner(self, lanes: int) -> Callable[[int], bool]:
        """A function that spends a budget of acts and says whether there is more to do."""
        if self._policy is not None or (self.algorithm and self.algorithm.policy):
            from shadowtime.engine.desk import python_run

            policy = self._policy
            if policy is None:
                assert self.algorithm is not None and self.algorithm.policy is not None
                policy = self._policy = self.algorithm.policy(**self.parameters)
            return python_run(self._state, policy, np.random.default_rng(self.seed), self.workload)
        assert self.algorithm is not None
        if self.algorithm.packer:
            return self._plan_runner(self.algorithm.load(self.algorithm.runner))
        if self.plan is not None:
            from shadowtime.engine.runner.plan_memory import make
            from shadowtime.engine.runner.plan_run import run_plan as run

            memory = make(self.plan, len(self.workload), self.algorithm.exclusive)
        else:
            run = self.algorithm.load(self.algorithm.runner)
            told = {**self.algorithm.options, **self.parameters}
            memory = self.algorithm.load(self.algorithm.memory)(self.workload, told, lanes)
        state = self._state  # not self: a cycle would keep the arrays until the collector comes
        run(state, memory, 0)  # compiles, or loads from the cache; a budget of 0 does nothing
        return lambda budget: run(state, memory, budget)

    def _plan_runner(self, run: Callable[..., bool]) -> Callable[[int], bool]:
        """The same for an algorithm that plans first; the plan itself is made by `slices`."""
        from shadowtime.engine.runner.planning import Planning

        assert self.algorithm is not None
        self._planning = Planning(self.algorithm, self.parameters, self.workload, self.seed)
        return self._planning.runner(run, self._state)

    def _plan(self, watched: bool) -> Iterator[Slice]:
        """Make the plan; empty slices while somebody waits for it."""
        none = tables.empty(tables.TASK_SEGMENTS)
        start, jobs = float(self.workload.jobs["release"].min()), len(self.workload)
        for share in self._planning.wait(watched):
            yield Slice(start, 0, jobs, none, tables.empty(EVENTS), lambda: none, share)
        self.simulate_s += self._planning.seconds

    def slices(self, budget: int = 40_000, seconds: float | None = None) -> Iterator[Slice]:
        """Run to the end, handing control back after about `budget` acts (starts, ends, submissions ...).

        seconds: adapt the budget so that a slice takes about so long.

        Raises
        ------
        SimulationError
            When the policy breaks a rule or lets jobs wait for ever.
        """
        if self._planning is not None and self._planning.pieces is None:
            yield from self._plan(seconds is not None)
        while not self._done:
            began = time.perf_counter()
            more = self._run(budget)
            took = time.perf_counter() - began
            self.simulate_s += took
            segments, events = self._collect()
            self._done = not more
            self._raise_error()
            k = self._state.k[0]
            done = self._units.done(int(k["unfinished"]))
            yield Slice(float(k["now"]), done, len(self.workload), segments, events, self._open)
            if seconds is not None and more:
                budget = int(min(4_000_000, max(1_000, budget * min(4.0, max(0.25, seconds / max(took, 1e-6))))))

    def run(self) -> Schedule:
        """Run to the end and give the schedule."""
        for _ in self.slices():
            pass
        return self.schedule()

    def _collect(self) -> tuple[Table, Table]:
        """Move what the slice wrote out of the kernel's buffers, as columns."""
        seg, ev, rate = self._state.seg, self._state.ev, self._state.rate
        k = self._state.k[0]
        count_segments, count_events = int(k["segments"]), int(k["events"])
        segments = {name: np.array(seg[name][:count_segments]) for name in SEGMENTS}
        events = {name: np.array(ev[name][:count_events]) for name in EVENTS}
        rates = {name: np.array(rate[name][: int(k["rates"])]) for name in RATES}
        segments, events = self._units.segments(segments), self._units.events(events)
        k["segments"] = k["events"] = k["rates"] = 0
        self._pieces.append((segments, events, rates))
        return segments, events

    def _open(self) -> Table:
        """The rectangles of running units, from where they opened to now."""
        return self._units.segments(open_rectangles(self._state))

    def _raise_error(self) -> None:
        if self._state.k[0]["error"]:
            from shadowtime.engine.kernel.checks import error_of

            raise error_of(self._state, self.slug, self.workload.jobs["job_id"][self._units.job])

    def schedule(self) -> Schedule:
        """The four tables of a run that has ended (see `slices`); a run not yet begun is run first."""
        if not self._done:
            return self.run()
        began = time.perf_counter()
        jobs = self._units.jobs(self._state.u)
        if self.plan is not None:
            jobs |= self.plan.columns
        jobs |= getattr(self._policy, "columns", {})
        segments = tables.concatenate([piece[0] for piece in self._pieces], SEGMENTS)
        segments = tables.take(segments, by_start_and_lane(segments["start"], segments["first"]))
        events = with_submissions(tables.concatenate([piece[1] for piece in self._pieces], EVENTS), jobs)
        rates = tables.concatenate([piece[2] for piece in self._pieces], RATES)
        keeps_rates = self.algorithm is not None and self.algorithm.keeps_rates
        series = self._units.series(jobs, segments, events, rates if keeps_rates else None)
        k = self._state.k[0]
        names = "decisions acts preemptions migrations kills swaps background_starts largest_heap"
        counters = {name: int(k[name]) for name in names.split()}
        counters |= getattr(self._policy, "counters", {})
        timing = {"setup_s": self.setup_s, "compile_s": self.compile_s, "simulate_s": self.simulate_s}
        if self.plan is not None:
            counters.update(self.plan.counters)
            timing["plan_s"] = self.plan_s
        timing["tables_s"] = time.perf_counter() - began
        planned = self.plan if self.plan is not None else self._planning
        return Schedule(
            self.workload.kind, self.platform.lanes, jobs, segments, events, series, counters, timing, rates,
            planned.bands if planned is not None else tables.empty(tables.BANDS),
        )  # fmt: skip


def estimates_of(workload: Workload, given: str | None) -> str:
    """What the scheduler is told of runtimes: `given`, checked, or the default of the workload.

    Raises
    ------
    InvalidParameter
        If `given` is neither `requested` nor `actual`.
    """
    if given is None:
        return find_family(workload.kind).default_estimates(workload)
    if given not in ESTIMATES:
        raise InvalidParameter(f"estimates = {str(given)[:40]!r}, but it must be one of {', '.join(ESTIMATES)}")
    return given


def simulate(
    workload: Workload,
    algorithm: str | Any,
    parameters: Mapping[str, Any] | None = None,
    *,
    platform: Platform | Mapping[str, Any] | None = None,
    estimates: str | None = None,
    seed: int = 0,
) -> Schedule:
    """Run `algorithm` on `workload` and give its schedule; see `Simulation` for the arguments.

    >>> from engine import generate, simulate
    >>> schedule = simulate(generate("uniform", {"jobs": 100}, seed=1), "easy")
    """
    return Simulation(workload, algorithm, parameters, platform=platform, estimates=estimates, seed=seed).run()
