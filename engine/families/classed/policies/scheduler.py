"""The scheduler of a site: it receives events and returns orders.

    submit(request), completed(job, resource, seconds), machine_down(machine), machine_up(machine), tick(now) -> orders

It reads no clock and does not depend on its caller: a simulation and a dispatcher of real processes use the same
object. Equal calls give equal orders.

Every planning call places all jobs that have not started. A slot begins when the previous jobs on each of its machines
are done: if times are exactly as expected, that is its planned start.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from shadowtime.engine.families.classed.policies.planning import Assignment, plan
from shadowtime.engine.families.classed.policies.slots import Slot, Slots
from shadowtime.engine.families.classed.site.site import Site

ROUNDING = 4.0
"""Spacings of floats by which equal times and multiples of the quantum may differ: 10.5 / 0.7 is a little above 15."""
HIGH, MEDIUM, LOW = range(3)
"""Priority levels: high jobs may stop low ones; medium jobs neither stop others nor are stopped."""

Key = tuple[int, tuple[int, ...] | None]
"""A job class, and the resources that may run a job (None: all of its class)."""


@dataclass(frozen=True)
class Request:
    """A submitted job."""

    job: int
    """Number of the job in calls and orders."""
    job_class: int
    priority: int = MEDIUM
    """0 high, 1 medium, 2 low."""
    arrival: float = 0.0
    """Arrival [s]."""
    allowed: tuple[int, ...] | None = None
    """Resources that may run it; None: those of its class."""

    @cached_property
    def key(self) -> Key:
        """Key of its expected times."""
        return self.job_class, self.allowed


class Order(NamedTuple):
    """`run` a job on a resource now, or `stop` it there: its progress is lost and it waits again."""

    act: str
    job: int
    resource: int
    """A machine, or number of machines + a cluster."""


@dataclass(frozen=True)
class Rules:
    """Rules of a scheduler; see the parameters of the algorithms."""

    rule: str = "pjs"
    best: str = "completion"
    patience: int = 1
    quantum: float = 0.0
    """Plans are made at its multiples [s], from the first one on; 0: at every change."""
    preempt: str = "overlap"
    """`overlap`: a low job is stopped at once if a slot of a high job overlaps it; `quantum`: only if that slot begins
    before the next plan; `never`."""
    threshold: float = 1.0
    """Below 1: a low job that is expected to have done this share of its work is not stopped."""
    gain: float = 0.0
    """Above 0: a low job is stopped only if that saves the waiting high jobs more than this in sum of completions
    [s]."""
    aging: float = 0.0
    """Waiting time [s] after which a job is planned one level higher, after twice that two levels; 0: never."""
    learn: bool = False
    """Whether completions update the expected times of plans."""


class SiteScheduler:
    """One site under one set of rules.

    Plans are compared by sums of times since `origin` [s], a whole number not after the first call: at epoch seconds
    the differences would be lost in the sums.
    """

    def __init__(self, site: Site, rules: Rules, origin: float = 0.0):
        self.site, self.rules, self.origin = site, rules, origin
        self.experience = site.experience.copy()
        self.counters: Counter[str] = Counter({"planning_calls": 0, "sjs_calls": 0, "failures": 0})
        self.here = site
        """The site in the last plan: clusters without members that were down, where the site allows that."""
        self.factor = np.ones(site.resources)
        """Factor on the time of each resource in the last plan: above 1 for a cluster that lacks members."""
        self.slots = Slots(site)
        """Slots of the waiting jobs in the last plan."""
        self.held: dict[int, tuple[int, ...]] = {}
        """Machines of each running job."""
        self.running: dict[int, Slot] = {}
        self._expected = self.experience.expected
        self._requests: dict[int, Request] = {}
        self._place: dict[int, int] = {}  # in order of submission
        self._waiting: dict[int, dict[int, None]] = {HIGH: {}, MEDIUM: {}, LOW: {}}
        """Waiting jobs by priority, in order of submission if `_is_sorted`."""
        self._is_sorted = True
        self._busy: list[int | None] = [None] * len(site.machines)
        self._down: set[int] = set()
        self._touched: set[int] = set()
        self._stops: list[Order] = []
        self._is_new = False
        self._plan_at: float | None = None

    def submit(self, request: Request) -> bool:
        """Accept an arrived job; return False if no resource of this site may ever run it."""
        levels = range(HIGH if self.rules.aging > 0.0 else request.priority, request.priority + 1)
        is_parallel = all(self._rule(level) == "pjs" for level in levels)
        resources = None if is_parallel else len(self.site.machines)
        if not np.isfinite(self._times(request.key)[:resources]).any():
            return False
        self._requests[request.job] = request
        self._place[request.job] = len(self._place)
        self._waiting[request.priority][request.job] = None
        self._is_new = True
        return True

    def completed(self, job: int, resource: int, seconds: float) -> bool:
        """Record that a job ended after `seconds`; return False if it was not running there (it was stopped before)."""
        slot = self.running.get(job)
        if slot is None or slot.resource != resource:
            return False
        share = len(self.held[job]) / len(self.site.machines_of(resource))
        self._leave(job)
        if self.rules.learn:
            self.experience.learn(self._requests[job].job_class, resource, seconds * share)
            self._expected = self.experience.expected
        del self._requests[job]
        return True

    def machine_down(self, machine: int) -> None:
        """Record that a machine is down; its job is stopped, even if it holds a whole cluster, and waits again."""
        if machine in self._down:
            return
        self._down.add(machine)
        self._is_new = True
        job = self._busy[machine]
        if job is not None:
            self.counters["failures"] += 1
            self._stops.append(self._stop(job))

    def machine_up(self, machine: int) -> None:
        """Record that a machine is up again."""
        if machine in self._down:
            self._down.remove(machine)
            self._touched.add(machine)
            self._is_new = True

    def tick(self, now: float) -> list[Order]:
        """Return the orders of this instant; call it after all events of the instant, and at `next_tick`."""
        orders, self._stops = self._stops, []
        if self._is_new and self._plan_at is None:
            self._plan_at = self._next_plan(now) if self.rules.quantum else now
        if self._plan_at is not None and now >= self._plan_at:
            self._is_new, self._plan_at = False, None
            orders += self._plan(now)
        return orders + self._start(now)

    def next_tick(self) -> float | None:
        """Return the time of the next tick if there is no event before [s]; None: at the next event."""
        heads = {self.slots.head(m) for m in self._touched if m not in self._down}
        resources = (self.here.machines_of(self.slots.of(job).resource) for job in heads if job is not None)
        known = [max(self.site.available[m] for m in machines) for machines in resources]
        if self._plan_at is not None:
            known.append(self._plan_at)
        return float(min(known)) if known else None

    def _next_plan(self, now: float) -> float:
        """Return the first multiple of the quantum from `now` on; `now` where it is one but for rounding."""
        quantum = self.rules.quantum
        quanta = now / quantum
        due = max(1, math.ceil(quanta - ROUNDING * math.ulp(quanta))) * quantum
        return now if abs(due - now) <= ROUNDING * math.ulp(now) else due

    def _leave(self, job: int) -> None:
        """Free the machines of a running job."""
        del self.running[job]
        for machine in self.held.pop(job):
            self._busy[machine] = None
            self._touched.add(machine)

    def _stop(self, job: int) -> Order:
        """Stop a running job, which then waits again without progress."""
        resource = self.running[job].resource
        self._leave(job)
        self._waiting[self._requests[job].priority][job], self._is_sorted = None, False
        return Order("stop", job, resource)

    def _start(self, now: float) -> list[Order]:
        """Start the slots that are first in the queue of each of their machines."""
        orders = []
        touched, self._touched = sorted(self._touched), set()
        for machine in touched:
            job = self.slots.head(machine)
            if job is None or self._busy[machine] is not None:
                continue
            if self.site.available[machine] > now:
                self._touched.add(machine)
                continue
            slot = self.slots.of(job)
            machines = self.here.machines_of(slot.resource)
            if any(self._busy[m] is not None or m in self._down or self.slots.head(m) != job for m in machines):
                continue
            if any(self.site.available[m] > now for m in machines):
                self._touched.add(machine)
                continue
            for m in machines:
                self._busy[m] = job
            del self._waiting[self._requests[job].priority][job]
            self.running[job] = Slot(slot.resource, now, now + slot.end - slot.start, slot.level)
            self.held[job] = machines
            self.slots.begin(machines)
            orders.append(Order("run", job, slot.resource))
        return orders

    def _plan(self, now: float) -> list[Order]:
        """Plan all jobs that have not started, level by level; return the stops that the plan needs."""
        here, self.factor = self.site.without(self._down)
        if here.clusters != self.here.clusters:
            self.here, self.slots = here, Slots(here)
        self.slots.clear()
        clocks = np.maximum(now, self.site.available)
        clocks[list(self._down)] = np.inf
        low = [job for job, slot in self.running.items() if self._may_stop(slot, now)]
        self._hold(clocks, [job for job in self.running if job not in set(low)], now)
        orders: list[Order] = []
        waiting = self._by_level(now)
        if waiting[HIGH]:
            low = self._worth_stopping(low, waiting[HIGH], clocks, now)
            clocks = self._plan_level(waiting[HIGH], HIGH, clocks)
            orders = self._stop_overlapped(low, now)
        self._hold(clocks, [job for job in low if job in self.running], now)
        if orders:
            waiting[LOW] = self._sorted([*waiting[LOW], *(order.job for order in orders)])
        for level in (MEDIUM, LOW):
            if waiting[level]:
                clocks = self._plan_level(waiting[level], level, clocks)
        self.slots.line_up(self._place)
        self._touched = set(range(len(self._busy)))
        return orders

    def _by_level(self, now: float) -> dict[int, list[int]]:
        """Return the waiting jobs of each level, in order of submission."""
        if not self._is_sorted:
            self._waiting = {level: dict.fromkeys(self._sorted(jobs)) for level, jobs in self._waiting.items()}
            self._is_sorted = True
        if self.rules.aging <= 0.0:
            return {level: list(jobs) for level, jobs in self._waiting.items()}
        found: dict[int, list[int]] = {HIGH: [], MEDIUM: [], LOW: []}
        for job in self._sorted(chain(*self._waiting.values())):
            request = self._requests[job]
            found[max(HIGH, request.priority - int((now - request.arrival) // self.rules.aging))].append(job)
        return found

    def _times(self, key: Key) -> np.ndarray:
        """Return the expected time on each resource [s]; infinite if not allowed."""
        job_class, allowed = key
        expected = self.factor * self._expected[job_class]
        if allowed is None:
            return expected
        times = np.full(self.site.resources, np.inf)
        times[list(allowed)] = expected[list(allowed)]
        return times

    def _rule(self, level: int) -> str:
        """Return the planner of a level: that of its queue, else that of the run."""
        policy = self.site.policy(level)
        return policy.algorithm if policy is not None and policy.algorithm else self.rules.rule

    def _sorted(self, jobs: Iterable[int]) -> list[int]:
        return sorted(jobs, key=self._place.__getitem__)

    def _may_stop(self, slot: Slot, now: float) -> bool:
        """Return whether a running job may be stopped for high ones."""
        high, low = self.site.policy(HIGH), self.site.policy(LOW)
        if slot.level != LOW or self.rules.preempt == "never":
            return False
        if (high is not None and not high.preempts) or (low is not None and not low.preemptable):
            return False
        done = (now - slot.start) / (slot.end - slot.start)
        return self.rules.threshold >= 1.0 or done < self.rules.threshold

    def _hold(self, clocks: np.ndarray, jobs: Sequence[int], now: float) -> None:
        """Advance the clocks of machines of running jobs to their expected ends, at least to now."""
        for job in jobs:
            slot = self.running[job]
            for machine in self.held[job]:
                clocks[machine] = max(clocks[machine], slot.end, now)

    def _worth_stopping(self, low: list[int], high: list[int], clocks: np.ndarray, now: float) -> list[int]:
        """Return the low jobs that may be stopped for waiting high ones, and advance `clocks` for the others.

        The gain of a stop is the sum of completions of the high jobs planned with the machines of the low job held
        until its expected end, less that with them free. Each job in their way is tested once, the one closest to its
        end first.
        """
        if self.rules.gain <= 0.0 or not low:
            return low
        order = sorted(low, key=lambda job: (self.running[job].end, self._place[job]))
        made, tested = self._planned(high, HIGH, clocks), set[int]()
        while True:
            slots = Slots(self.here)
            slots.add(high, made, HIGH)
            first = slots.earliest()
            overlapped = (job for job in order if job not in tested and self._begins(job, first, now))
            if (job := next(overlapped, None)) is None:
                return order
            tested.add(job)
            held = clocks.copy()
            self._hold(held, [job], now)
            other = self._planned(high, HIGH, held)
            if other.total - made.total <= self.rules.gain:
                made, clocks[:] = other, held
                order.remove(job)

    def _begins(self, job: int, first: np.ndarray, now: float) -> list[float]:
        """Return when planned slots begin that overlap a running job; `first`: the first slot of each machine."""
        end = max(self.running[job].end, now)
        return [first[machine] for machine in self.held[job] if first[machine] < end]

    def _stop_overlapped(self, low: Sequence[int], now: float) -> list[Order]:
        """Stop the low jobs overlapped by slots of high ones, and return the orders."""
        first = self.slots.earliest()
        soon = now + self.rules.quantum if self.rules.preempt == "quantum" else math.inf
        orders = []
        for job in low:
            begins = self._begins(job, first, now)
            if any(begin < soon or begin <= now for begin in begins):
                orders.append(self._stop(job))
            elif begins:
                self._is_new = True  # overlapped later: check again at the next plan
                if self.rules.quantum:
                    self._plan_at = (round(now / self.rules.quantum) + 1) * self.rules.quantum
        self.counters["preemptions"] += len(orders)
        return orders

    def _plan_level(self, jobs: list[int], level: int, clocks: np.ndarray) -> np.ndarray:
        """Plan the jobs of one level, and return the clocks after it."""
        made = self._planned(jobs, level, clocks)
        self.slots.add(jobs, made, level)
        return made.free

    def _planned(self, jobs: list[int], level: int, clocks: np.ndarray) -> Assignment:
        """Return the plan of the jobs of one level from the clocks of machines."""
        keys = [self._requests[job].key for job in jobs]
        place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        times, count = np.array([self._times(key) for key in place]), len(self.site.machines)
        made = plan(
            self._rule(level), np.array([place[key] for key in keys]), times[:, :count], times[:, count:],
            self.here.members, clocks - self.origin, best=self.rules.best, patience=self.rules.patience,
        ).later(self.origin)  # fmt: skip
        self.counters["planning_calls"] += 1
        self.counters["sjs_calls"] += made.sjs_calls
        return made
