"""Simulate an algorithm on a workload, slice by slice, and return the schedule."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.kernel import clock
from shadowtime.engine.output.growing import open_rectangles, units_of
from shadowtime.engine.output.series import Curve, draw
from shadowtime.engine.output.sink import Sink
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find, find_family
from shadowtime.engine.runner.makers import Scripted
from shadowtime.engine.runner.runner import Budget, Progress, Question, Runner
from shadowtime.engine.schedule import Schedule, Slice
from shadowtime.engine.tables import EVENTS, RATES, SEGMENTS, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.words import count, were

if TYPE_CHECKING:
    from shadowtime.engine.runner.plan import Plan

ESTIMATES = ("requested", "actual")
COUNTERS = (
    "decisions", "acts", "preemptions", "migrations", "kills", "swaps", "background_starts", "largest_heap"
)  # fmt: skip
"""Counts of the kernel that a schedule has."""


class Simulation:
    """A run of an algorithm on a workload, advanced slice by slice.

    Parameters
    ----------
    workload
        Its kind must be one of those of the algorithm.
    algorithm
        A slug of the registry, or an object with `decide(desk)` (see `engine.desk`): a user's own policy.
    parameters
        Of the algorithm; parameters that are not named have their defaults.
    platform
        A Platform, its dict, or None for the workload's own machine.
    estimates
        `requested` (the runtime where a job has no request) or `actual`; None: `actual` for fractional
        workloads and those without any request, else `requested`.
    seed
        Of the algorithm's random generator.
    sink
        Holds the rectangles and events; None: in memory.

    Raises
    ------
    QuestionError
        If an argument is invalid; nothing was run.
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
        sink: Sink | None = None,
    ):
        self.workload, self.seed = workload, seed
        self.algorithm: Algorithm | None = find(algorithm) if isinstance(algorithm, str) else None
        if self.algorithm is not None:
            self.slug, self.parameters = self.algorithm.slug, self.algorithm.parameters_for(workload, parameters)
            maker = self.algorithm.runner
            self.exclusive, self._keeps_rates, self._reserves = maker.exclusive, maker.keeps_rates, maker.reserves
        else:
            self.slug, self.parameters = type(algorithm).__name__, dict(parameters or {})
            self.exclusive = bool(getattr(algorithm, "exclusive", True))
            self._keeps_rates = self._reserves = False
        self.family = find_family(workload.kind)
        self.platform = Platform.of(workload, platform)
        self.estimates = estimates_of(workload, estimates)
        if not len(workload):
            raise InvalidWorkload(f"{workload.name} has no jobs")
        clock.check_resolution(workload)
        self._origin = clock.origin_of(workload)
        self.setup_s = self.compile_s = self.simulate_s = 0.0
        self._curve: Curve | None = None
        self._dropped = ""
        self._done = False
        self._schedule: Schedule | None = None
        self._units = self.family.units(
            workload,
            self.platform.lanes,
            exclusive=self.exclusive,
            actual=self.estimates == "actual",
            killed=self.parameters.get("overrun") == "kill",
        )
        self._sink = sink or Sink()
        self._rates: list[Table] = []
        self._runner = self._make_runner(algorithm)

    def _make_runner(self, policy: Any) -> Runner:
        """Return the runner of the algorithm, or of `policy`; this is the first import of the kernel and numba."""
        began = time.perf_counter()
        question = Question(
            self.platform.stated_in(self.workload),
            self.parameters,
            self.platform.lanes,
            self.seed,
            self.exclusive,
            self._new_state,
            self._units.job,
            self.estimates == "actual",
            self.family,
        )
        runner = (self.algorithm.runner if self.algorithm else Scripted(lambda **_: policy))(question)
        self.compile_s = time.perf_counter() - began - self.setup_s
        return runner

    def _new_state(self, plan: Plan | None) -> Any:
        """Return a fresh state of the kernel, with the sizes and the work of `plan` if it sets them."""
        began = time.perf_counter()
        from shadowtime.engine.runner.layout import lay_out

        sizes = self.family.allotments(self.workload)
        state, self._unfit = lay_out(
            self._units, plan, self._origin, keep_rates=self._keeps_rates, reserves=self._reserves, sizes=sizes
        )
        self.setup_s += time.perf_counter() - began
        return state

    def slices(self, budget: int = 40_000, seconds: float | None = None) -> Iterator[Slice]:
        """Run to the end and yield a slice after about each `budget` acts (starts, ends, submissions ...).

        Closing the iterator cancels planning.

        Parameters
        ----------
        budget
            Number of acts of a slice, approximately.
        seconds
            Adapt the budget so that a slice takes about this time [s], and yield slices while a plan is made.

        Raises
        ------
        SimulationError
            If the policy breaks a rule or lets jobs wait for ever.
        """
        try:
            while not self._done:
                began, laid_out = time.perf_counter(), self.setup_s
                progress = self._runner.advance(Budget(budget, is_watched=seconds is not None))
                took = time.perf_counter() - began
                self.simulate_s += took - (self.setup_s - laid_out)
                yield self._slice(progress)
                if seconds is not None and self._runner.state is not None and not progress.done:
                    budget = int(min(4_000_000, max(1_000, budget * min(4.0, max(0.25, seconds / max(took, 1e-6))))))
        finally:
            self._runner.close()

    def _slice(self, progress: Progress) -> Slice:
        """Return the slice that the runner has just simulated."""
        state, jobs = self._runner.state, len(self.workload)
        if state is None:
            none, start = self._units.segments(tables.empty(SEGMENTS)), float(self.workload.jobs["release"].min())
            return Slice(start, 0, jobs, none, tables.empty(EVENTS), lambda: none, progress.planned)
        segments, events = self._collect(state)
        self._done, k = progress.done, state.k[0]
        if k["error"]:
            from shadowtime.engine.kernel.errors import error_of

            raise error_of(state, self.slug, self.workload.jobs["job_id"][self._units.job])
        now = float(clock.workload_time(k["now"], self._origin))
        done = self._units.done(int(k["unfinished"]))
        return Slice(now, done, jobs, segments, events, lambda: self._units.segments(open_rectangles(state)))

    def _collect(self, state: Any) -> tuple[Table, Table]:
        """Move the rows of the kernel's buffers to the tables of the run; return those of segments and events."""
        k, origin = state.k[0], self._origin
        segments, events, rates = (
            {name: np.array(rows[name][: int(k[count])]) for name in schema}
            for rows, count, schema in (
                (state.seg, "segments", SEGMENTS),
                (state.ev, "events", EVENTS),
                (state.rate, "rates", RATES),
            )
        )
        segments = clock.moved_segments(self._units.segments(segments), origin)
        events = clock.moved_events(self._units.events(events), origin)
        k["segments"] = k["events"] = k["rates"] = 0
        self._sink.add(segments, events)
        self._rates.append(clock.moved(rates, ("time",), origin))
        return tables.take(segments, slice(0)) if self._dropped else segments, events

    def drop_rectangles(self, why: str) -> None:
        """Discard the rectangles so far and all later ones; all other tables and metrics are still computed.

        Slices have no rectangles from now on. Shares (`utilization`) are summed in another order: the last bits may
        differ from those of a run that keeps its rectangles.

        why: a sentence for the schedule's `dropped`.
        """
        if not self._dropped:
            self._dropped, self._curve = why, self._new_curve(self.workload.jobs)
            self._sink.drop_segments(self._curve.add)

    def _new_curve(self, jobs: Table) -> Curve:
        return self._units.curve(jobs, keeps_rates=self._keeps_rates)

    def schedule(self) -> Schedule:
        """Return the schedule; a run that has not ended (see `slices`) is run to its end first."""
        for _ in self.slices():
            pass
        if self._schedule is None:
            self._schedule = self._whole()
        return self._schedule

    def run(self) -> Schedule:
        """Run to the end and return the schedule."""
        return self.schedule()

    def _whole(self) -> Schedule:
        """Return the schedule of a run that has ended."""
        began, runner = time.perf_counter(), self._runner
        jobs = self._units.jobs(units_of(runner.state))
        jobs |= runner.columns_beside(jobs)
        segments, events = self._sink.segments(), self._sink.events(jobs, self._unfit)
        rates = tables.concatenate(self._rates, RATES)
        series = (self._curve or draw(self._new_curve(jobs), segments)).table(jobs, events, rates)
        counters = {name: int(runner.state.k[0][name]) for name in COUNTERS}
        counters |= runner.counters_beside(counters)
        timing = {"setup_s": self.setup_s, "compile_s": self.compile_s, "simulate_s": self.simulate_s}
        if runner.plan_s is not None:
            timing["plan_s"] = runner.plan_s
        timing["tables_s"] = time.perf_counter() - began
        return Schedule(
            self.workload.kind, self.platform.lanes, jobs, segments, events, series, counters, timing, rates,
            clock.moved(runner.bands, ("start", "end"), self._origin), (*runner.notes, *self._too_large()),
            self._dropped,
        )  # fmt: skip

    def _too_large(self) -> Iterator[str]:
        if n := int(np.count_nonzero(self._units.too_large)):
            yield f"{count(n, 'job')} cannot run on this machine and {were(n)} rejected: metrics are over the others."


def estimates_of(workload: Workload, given: str | None) -> str:
    """Return which runtimes the scheduler sees: `given` if it is valid; by default that of the workload's family.

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
    workload: Workload, algorithm: str | Any, parameters: Mapping[str, Any] | None = None, **options: Any
) -> Schedule:
    """Run `algorithm` on `workload` and return its schedule; `options` are `platform`, `estimates` and `seed`.

    See `Simulation` for the arguments.

    >>> from shadowtime.engine import generate, simulate
    >>> schedule = simulate(generate("uniform", {"jobs": 100}, seed=1), "easy")
    """
    return Simulation(workload, algorithm, parameters, **options).run()
