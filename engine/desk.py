"""Where a person's own policy stands: questions that it may put, and the closed vocabulary to act with.

A policy is an object with `decide(desk)`, called once per instant:

    class Fcfs:
        def decide(self, desk):
            for job in desk.waiting:
                free = desk.free_lanes()
                if desk.size(job) > len(free):
                    return
                desk.place(job, free[: desk.size(job)])

It may have `exclusive = False` (lanes hold shares), `clairvoyant = True` (it may read true runtimes, and jobs that are
not submitted yet), `prepare(workload)`, called once before the run, and `physics(desk)`, called after each decision,
when its rates follow from placement. A policy that is not clairvoyant gets a workload without true runtimes, with the
rows of all jobs (see `engine.workload.known`). The loop is Python over the kernel's compiled steps, 100,000 decisions a
second for a simple policy (`benchmarks/desk.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel import record, vocabulary
from shadowtime.engine.kernel import state as codes
from shadowtime.engine.kernel.cache import PLAIN
from shadowtime.engine.kernel.clock import workload_time
from shadowtime.engine.kernel.reading import column, direct, numbers, reader
from shadowtime.engine.kernel.state import FOREGROUND, NO_ROW
from shadowtime.engine.runner.checks import LANES, RUNNING, Checks
from shadowtime.engine.runner.order import JobOrder
from shadowtime.engine.tables import BY_POLICY
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.known import TRUE_TIMES, shown

if TYPE_CHECKING:
    from shadowtime.engine.families.family import Family

NO_ROW_NUMBER = (IndexError, TypeError, ValueError)
"""What Python and numpy raise where a row is no whole number; checked then, and not before, for speed."""
QUEUED = int(codes.QUEUED)
"""As Python's integer, which compares faster than numpy's."""


class Desk:
    """What a policy may know and do. Jobs are named by their row in the jobs table.

    In a multitask run what is placed is a task: `job` is then the row of a task among the columns of parts, here and in
    `waiting`, and `job_of` gives the row of its job. Times are seconds of the workload's own clock.
    """

    def __init__(
        self,
        state: Any,
        rng: np.random.Generator,
        workload: Workload,
        *,
        clairvoyant: bool,
        owner: np.ndarray | None = None,
        physics: Callable[[Desk], None] | None = None,
        family: Family | None = None,
    ):
        self._s, self._clairvoyant, self._owner = state, clairvoyant, owner
        seen = shown(workload, clairvoyant=clairvoyant)
        self._jobs, self._ids = seen.jobs, seen.jobs["job_id"]
        self.workload_parts = seen.parts
        """Ragged columns of the workload's family (usages, times per machine ...), read-only."""
        self.rng = rng
        """The run's own random generator."""
        self.waiting = JobOrder()
        """Jobs that are queued or paused, in order of submission. Safe to walk while jobs are placed."""
        self.running = JobOrder()
        """Jobs that hold lanes, in the order in which they last started or resumed. Safe to walk, too."""
        self.ended: list[int] = []
        """Jobs that ended in this instant; their lanes are free already."""
        self.arrived: list[int] = []
        """Jobs submitted in this instant."""
        self.alarm = False
        """Whether an alarm set by `wake` rang in this instant."""
        self._origin = float(state.k[0]["origin"])
        self._now = reader(state.k, "now")
        self._news = numbers(state.k, "arrived_first", "arrived_last", "ended", "alarm")
        self._unit = {name: reader(state.u, name) for name in UNIT}
        self._size, self._state = self._unit["procs"], self._unit["state"]
        self._checks = Checks(self, workload, family, physics)
        self._seen = self._checks.units if clairvoyant else 0
        """Rows from 0 whose jobs the policy may know; jobs stand in order of submission."""
        self._held = tuple(column(state.lane, name) for name in ("count0", "count1"))
        self._free: list[np.ndarray | None] = [None, None]
        self._lanes = int(state.k[0]["lanes"])
        self._place = direct(vocabulary.place, state, "iifff")
        self._rerate = direct(vocabulary.rerate, state, "iff")

    # What may be known.

    @property
    def now(self) -> float:
        """The instant [s]."""
        now = self._now(0)
        return now if self._origin == 0.0 else float(workload_time(np.array(now), self._origin))

    @property
    def lanes(self) -> int:
        return self._lanes

    def job_of(self, job: int) -> int:
        """Return the row of the jobs table: `job` itself but for a task."""
        self._checks.row(job)
        return job if self._owner is None else int(self._owner[job])

    def size(self, job: int) -> int:
        """Return the lanes that a job asks for.

        Raises
        ------
        PolicyError
            Here and in all other questions about a job: for a job that is not submitted yet, unless the policy is
            clairvoyant, and for a row that does not exist.
        """
        try:
            if not 0 <= job < self._seen:
                self._checks.row(job)
            return self._size(job)
        except NO_ROW_NUMBER:
            self._checks.row(job)
            raise

    def release(self, job: int) -> float:
        """Return the time of submission [s]."""
        self._checks.row(job)
        return self._unit["release"](job) + self._origin

    def estimate(self, job: int) -> float:
        """Return the runtime as the user said it [s]."""
        try:
            if not 0 <= job < self._seen:
                self._checks.row(job)
            return self._unit["estimate"](job)
        except NO_ROW_NUMBER:
            self._checks.row(job)
            raise

    def runtime(self, job: int) -> float:
        """Return the true runtime [s]: only for a policy that declares itself clairvoyant."""
        self._checks.may_know("runtime")
        self._checks.row(job)
        return self._unit["runtime"](job)

    def progress(self, job: int) -> float:
        """Return the seconds of dedicated work done so far."""
        self._checks.row(job)
        unit, now = self._unit, self._now(0)
        done = unit["runtime"](job) - unit["remaining"](job)
        if self._state(job) != RUNNING:
            return done
        since = max(unit["since"](job), min(unit["stall"](job), now))
        return done + max(0.0, now - since) * unit["rate"](job)

    def column(self, name: str, job: int) -> float:
        """Return a value of the workload's jobs table: `weight`, `user`, `cpu_need` ...; of a task, its job's.

        Raises
        ------
        PolicyError
            For a true runtime, or what gives it away, under a policy that is not clairvoyant; for a column that the
            jobs do not have.
        """
        if name in TRUE_TIMES:
            self._checks.may_know(name)
        if name == "runtime":
            return self.runtime(job)
        if name not in self._jobs:
            raise PolicyError(f"the jobs have no column {str(name)[:40]!r}; they have {', '.join(self._jobs)}")
        return self._jobs[name][self.job_of(job)]

    def tier(self, job: int) -> int:
        """Return the tier in which a job runs, or ran last: 0 the foreground, 1 the background."""
        self._checks.row(job)
        return self._unit["tier"](job)

    def lanes_of(self, job: int) -> list[int]:
        """Return the lanes that a running job holds, in the order in which they were given; of others, none."""
        self._checks.row(job)
        if self._state(job) != RUNNING:
            return []
        first = self._unit["first"](job)
        return [int(lane) for lane in self._s.hold[first : first + self._size(job)]]

    def free_lanes(self, tier: int = 0) -> np.ndarray:
        """Return the lanes whose slot of this tier is empty, ascending."""
        behind = 1 if tier else 0
        free = self._free[behind]
        if free is None:
            free = self._free[behind] = (self._held[behind]() == 0).nonzero()[0]
        return free.copy()

    # What may be said.

    def place(
        self,
        job: int,
        lanes: Iterable[int],
        *,
        tier: int = 0,
        rate: float = 1.0,
        share: float = 1.0,
        delay: float = 0.0,
    ) -> None:
        """Run `job` on `lanes` from now on: start, resume, migrate, swap or re-rate (see `vocabulary.place`).

        Parameters
        ----------
        tier
            0, or 1 for the background: only under a policy with `physics`, and for jobs of two tiers.
        rate
            Seconds of dedicated work per second, 0 to 1.
        share
            Of each lane, 0 to 1; 1 unless the policy has `exclusive = False`. At the end of the instant the rate of a
            job that needs its whole lanes (rigid, two tiers ...) is at most its share.
        delay
            Seconds for which the job holds the lanes and makes no progress.

        Raises
        ------
        PolicyError
            For a job, lanes or values that are not allowed.
        """
        chosen = lanes if isinstance(lanes, np.ndarray) and lanes.dtype is LANES else self._checks.lanes(job, lanes)
        try:
            count, size = len(chosen), self._size(job)
        except NO_ROW_NUMBER:
            raise PolicyError(f"t={self.now:g}: the policy placed row {str(job)[:40]}, which does not exist") from None
        if count != size:
            raise PolicyError(f"t={self.now:g}: {self._checks.name(job)} needs {size} lanes; {count} were named")
        if delay:
            self._checks.delay(job, delay)
        if tier or rate != 1.0 or share != 1.0:
            self._checks.act(job, tier, rate, share)
        try:
            self._s.pick[:count] = chosen if not PLAIN else [int(lane) for lane in chosen]
        except ValueError:  # more than one dimension
            self._checks.lanes(job, chosen)
        try:
            self._place(self._s, job, tier, rate, share, delay)
        except (TypeError, ValueError):
            self._checks.act(job, tier, rate, share)
            self._checks.delay(job, delay)
            raise
        self._free = [None, None]
        if job in self.waiting and self._state(job) == RUNNING:
            self.waiting._remove(job)
            self.running._append(job)

    def allot(self, job: int, lanes: int, runtime: float) -> None:
        """Let a waiting job take so many lanes and seconds when it is placed next.

        Raises
        ------
        PolicyError
            Unless the jobs are moldable, with `runtime` as their curve has it, or classed.
        """
        self._checks.allotment(job, lanes, runtime)
        vocabulary.allot(self._s, job, np.int64(lanes), float(runtime))

    def rerate(self, job: int, rate: float, share: float = 1.0) -> None:
        """Change the rate, and the share of each lane, of a running job; values as in `place`."""
        self._checks.acted(job)
        if rate != 1.0 or share != 1.0:
            self._checks.act(job, 0, rate, share)
        self._rerate(self._s, job, rate, share)

    def pause(self, job: int) -> None:
        """Take a running job off its lanes, its progress kept."""
        self._checks.acted(job)
        vocabulary.pause(self._s, job)
        self._wait_again(job)

    def kill(self, job: int) -> None:
        """Take a running job off its lanes; its progress is lost and it is queued again."""
        self._checks.acted(job)
        vocabulary.kill(self._s, job)
        self._wait_again(job)

    def reject(self, job: int, reason: int = BY_POLICY) -> None:
        """Turn a waiting job away for good; `reason`: one of `engine.tables.REJECTIONS`, for the event."""
        self._checks.acted(job)
        self._checks.reason(job, reason)
        vocabulary.reject(self._s, job, np.int64(reason))
        if job in self.waiting:
            self.waiting._remove(job)

    def wake(self, at: float) -> None:
        """Decide again at time `at` [s], even if nothing happens then.

        Raises
        ------
        PolicyError
            For what is no time, and for one that is not later than now: the policy would be called at the same instant
            for ever.
        """
        self._checks.time(at)
        if float(at) == self.now:
            raise PolicyError(f"t={self.now:g}: the policy set an alarm for now; it must be later")
        vocabulary.wake(self._s, float(at) - self._origin)

    def reserved(self, job: int, start: float) -> None:
        """Record that `job` is promised to start at `start` [s]."""
        self._checks.row(job)
        self._checks.seconds("start", start)
        self._note(record.RESERVE, job, NO_ROW, float(start))

    def backfilled(self, job: int, head: int, shadow_time: float) -> None:
        """Record why `job` may pass: the head of the queue and its shadow time [s]."""
        self._checks.row(job)
        self._checks.row(head)
        self._checks.seconds("shadow_time", shadow_time)
        self._note(record.BACKFILL, job, np.int64(head), float(shadow_time))

    def _note(self, kind: np.int64, job: int, other: np.int64, at: float) -> None:
        """Write an event, without compiled code: these are few."""
        k = self._s.k[0]
        row = int(k["events"])
        self._checks.has_row(row, self._s.ev.shape[0])
        event = self._s.ev[row]
        event["time"], event["kind"], event["job"] = k["now"], kind, job
        event["tier"], event["other"], event["value"] = FOREGROUND, other, at - self._origin
        k["events"] = row + 1

    def _wait_again(self, job: int) -> None:
        self._free = [None, None]
        if job in self.running:
            self.running._remove(job)
            self.waiting._insert(job)

    def _begin(self) -> None:
        """Take in what the instant brought."""
        first, last, ended, rang = self._news()
        self.alarm = rang > 0
        self.ended, self.arrived = [], []
        if ended:
            self._free = [None, None]
            self.ended = [int(job) for job in self._s.ended[:ended]]
            for job in self.ended:
                self.running._remove(job)
        if last > first:
            state = self._state
            self.arrived = [job for job in range(first, last) if state(job) == QUEUED]
            for job in self.arrived:
                self.waiting._append(job)
            if last > self._seen:
                self._seen = last
        elif not ended:
            self._checks.alarms()


UNIT = ("procs", "state", "release", "estimate", "runtime", "remaining", "since", "stall", "rate", "share", "tier",
        "first")  # fmt: skip
"""Columns of units that a desk reads."""
