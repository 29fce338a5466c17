"""The simulated site: drives the scheduler in place of the workers of a real site.

It passes events to the scheduler, carries out its orders in the kernel with the true times of jobs, and reports
completions. The scheduler cannot distinguish it from a real site.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from shadowtime.engine.families.classed.policies.planning import warm_planner
from shadowtime.engine.families.classed.policies.recording import Recorder
from shadowtime.engine.families.classed.policies.scheduler import Request, Rules, SiteScheduler
from shadowtime.engine.families.classed.site.site import Outage, make_site
from shadowtime.engine.families.classed.workload import actual_times, classed
from shadowtime.engine.kernel.clock import origin_of
from shadowtime.engine.kernel.state import UNIT, arrays_for, new_state
from shadowtime.engine.runner.policies import PythonPolicy
from shadowtime.engine.runner.runner import Budget, Question
from shadowtime.engine.tables import JOB_CLASS
from shadowtime.engine.workload.job import Workload


def request_of(workload: Workload, job: int) -> Request:
    """Return the request of a row of a classed workload."""
    jobs, allowed = workload.jobs, None
    if workload.parts:
        first = workload.parts["first"]
        allowed = tuple(np.flatnonzero(workload.parts["allowed"][first[job] : first[job + 1]]).tolist())
    return Request(job, int(jobs["job_class"][job]), int(jobs["priority"][job]), float(jobs["release"][job]), allowed)


def edges_of(outages: Sequence[Outage]) -> list[tuple[float, int, int]]:
    """Return when machines go (0) and come back (1), as (instant, 0 or 1, machine), in order of time.

    Outages of a machine that overlap, or follow one another at once, are one."""
    last: dict[int, Outage] = {}
    joined: list[Outage] = []
    for one in sorted(outages, key=lambda outage: (outage.machine, outage.down)):
        before = last.get(one.machine)
        if before and one.down <= before.up:
            joined[-1] = Outage(one.machine, before.down, max(before.up, one.up))
        else:
            joined.append(one)
        last[one.machine] = joined[-1]
    return sorted([(o.down, 0, o.machine) for o in joined] + [(o.up, 1, o.machine) for o in joined])


@cache
def warm_kernel() -> None:
    """Compile the kernel's steps, or load compiled code, before a run is timed: once per process.

    A low job stopped for a high one, and a job that no resource can run: together they use every act of a driver.
    """
    site = make_site(np.array([[4.0], [np.nan]]), np.zeros((2, 0)), [])
    release, priority = np.array([0.0, 1.0, 1.0]), np.array([2, 0, 0])
    workload = classed(site, np.array([0, 0, 1]), release=release, priority=priority)
    units = np.zeros(len(workload), UNIT)
    for column, name in (("release",) * 2, ("runtime",) * 2, ("remaining", "runtime"), ("procs", "processors")):
        units[column] = workload.jobs[name]
    units["start"] = units["end"] = np.nan

    def state(_: Any) -> Any:
        return new_state(arrays_for(units, len(site.machines), True, sizes=site.sizes))

    runner = PythonPolicy(Question(workload, {}, len(site.machines), 0, True, state), SiteDriver("olb", warm=False))
    runner.advance(Budget(1_000))


class SiteDriver:
    """A policy of the kernel that carries out the orders of a SiteScheduler."""

    clairvoyant = True
    """The driver knows true times, to run jobs; the scheduler does not see them."""

    def __init__(self, rule: str, *, record: bool = False, warm: bool = True, **parameters: Any):
        self._rule, self._record, self._warm, self._parameters = rule, record, warm, parameters

    def prepare(self, workload: Workload) -> None:
        """Set up the scheduler and the outages of the workload's site."""
        assert workload.site is not None, "classed workloads have a site"
        self._workload, self._site = workload, workload.site
        rules = Rules(rule=self._rule, **self._parameters)
        self.scheduler = (Recorder if self._record else SiteScheduler)(self._site, rules, origin_of(workload))
        if self._warm:
            warm_planner(self._rule)
            warm_kernel()
        nowhere = np.full(len(workload), -1)
        self.columns = {"machine": nowhere, "cluster": nowhere.copy(), "executed": np.full(len(workload), np.nan)}
        self._outages = edges_of(self._site.outages)
        self._began: dict[int, tuple[int, float]] = {}
        self._next = -np.inf

    @property
    def counters(self) -> dict[str, int]:
        """Counters of the scheduler: planning calls, SJS calls, failures."""
        return {name: n for name, n in self.scheduler.counters.items() if name != "preemptions"}

    def decide(self, desk: Any) -> None:
        """Pass the events of the instant to the scheduler and carry out its orders."""
        now = desk.now
        for job in desk.ended:
            resource, seconds = self._began.pop(job)
            self.scheduler.completed(job, resource, seconds)
        while self._outages and self._outages[0][0] <= now:
            _, is_up, machine = self._outages.pop(0)
            (self.scheduler.machine_up if is_up else self.scheduler.machine_down)(machine)
        for job in desk.arrived:
            if not self.scheduler.submit(request_of(self._workload, job)):
                desk.reject(job, JOB_CLASS)
        for order in self.scheduler.tick(now):
            if order.act == "stop":
                del self._began[order.job]
                desk.kill(order.job)
            else:
                self._run(desk, order.job, order.resource)
        self._wake(desk, now)

    def _run(self, desk: Any, job: int, resource: int) -> None:
        """Start a job on a resource, with its true time there."""
        jobs, row, count = self._workload.jobs, slice(job, job + 1), len(self._site.machines)
        seconds = float(actual_times(self._site, jobs["job_class"][row], jobs["deviate"][row], None)[0, resource])
        seconds *= float(self.scheduler.factor[resource])
        machines = self.scheduler.held[job]
        self._began[job] = resource, seconds
        self.columns["machine"][job], self.columns["cluster"][job] = (
            (-1, resource - count) if resource >= count else (resource, -1)
        )
        self.columns["executed"][job] = seconds
        desk.allot(job, len(machines), seconds)
        desk.place(job, machines)

    def _wake(self, desk: Any, now: float) -> None:
        """Set the alarm for the scheduler's next tick or the next outage event, whichever is first."""
        tick = self.scheduler.next_tick()
        soonest = min(np.inf if tick is None else tick, self._outages[0][0] if self._outages else np.inf)
        if soonest not in (self._next, np.inf) and soonest > now:
            self._next = soonest
            desk.wake(soonest)
