"""Run the simulated scheduler on real processes (software in the loop), and measure their durations.

The machines of a small site are queues on this computer, a worker process each; a job is a small real computation of
its class, repeated so often that it should take as long as the site's experience says (slower machines repeat it more);
a job on a cluster is one part on each member, and its parts begin together once all have joined. The scheduler gets the
same calls as in a simulation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import numpy as np

from shadowtime.engine.errors import InvalidParameter, SimulationError
from shadowtime.engine.families.classed.policies.driver import request_of
from shadowtime.engine.families.classed.policies.recording import Recorder
from shadowtime.engine.families.classed.policies.scheduler import Order, Request, Rules
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.site_queue import Machines
from shadowtime.workers.site_tasks import seconds_per_unit

MOST_MACHINES = 16
"""Largest number of worker processes on one computer."""
LOOK_EVERY = 0.5
"""Seconds between two checks for processes that ended without an answer."""


@dataclass
class Attempt:
    """A job on a resource; a parallel job has a part on each machine."""

    job: int
    resource: int
    ordered: float
    """When the order was given [s of the workload]."""
    waiting: dict[str, int]
    """Parts that have not ended, and their machines."""
    machines: tuple[int, ...]
    began: dict[int, float] = field(default_factory=dict)
    """When the part on each machine began [s of the computer]."""
    ended: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """Times of one job, in seconds of the workload from the start of the loop."""

    job: int
    resource: int
    ordered: float
    start: float
    end: float
    machines: tuple[int, ...] = ()
    """Machines that ran it."""
    parts: tuple[tuple[int, float, float], ...] = ()
    """Machine, start and end of each part that answered."""


@dataclass
class Outcome:
    """Result of a finished loop."""

    measured: list[Measured]
    """The final run of each job."""
    recorder: Recorder
    failures: int
    unit_seconds: list[float]
    seconds: float
    """Wall time of the whole loop [s]."""
    stopped: list[Measured] = field(default_factory=list)
    """Runs that were stopped and whose work was lost."""


class SiteLoop:
    """Drive the scheduler in real time: send its orders to processes, report their answers to it."""

    def __init__(
        self,
        workload: Workload,
        rules: Rules,
        url: str,
        *,
        scale: float = 1.0,
        on_progress: Callable[[str], None] = lambda sentence: None,
    ):
        """scale: seconds of this computer per second of the workload.

        Raises
        ------
        InvalidParameter
            When the site has more machines than a loop on one computer supports, or `scale` is not above 0.
        """
        site = workload.site
        if site is None:
            raise InvalidParameter(f"{workload.name} is a {workload.kind} workload; a loop dispatches classed jobs")
        if len(site.machines) > MOST_MACHINES:
            raise InvalidParameter(
                f"the site has {len(site.machines):,} machines; a loop on one computer takes {MOST_MACHINES}"
            )
        if not scale > 0.0:
            raise InvalidParameter(f"scale = {scale:g}, but it must be above 0")
        self.site, self.scale, self.on_progress = site, scale, on_progress
        self.requests = [request_of(workload, job) for job in range(len(workload))]
        self.recorder = Recorder(site, rules)
        self.machines = Machines(url, uuid4().hex[:8], len(site.machines))
        self._attempts: dict[str, Attempt] = {}  # by part
        self._current: dict[int, Attempt] = {}
        self._serial = self._failures = 0
        self._measured: list[Measured] = []
        self._stopped: list[Measured] = []

    def run(self) -> Outcome:
        """Dispatch all jobs and wait for them.

        Raises
        ------
        QueueAway
            When Redis does not answer.
        SimulationError
            When jobs wait and nothing can run them.
        """
        began = time.monotonic()
        self.machines.start()
        try:
            self._unit = seconds_per_unit()
            self._zero, looked = time.monotonic(), time.monotonic()
            arrivals: list[Request] = sorted(self.requests, key=lambda r: (r.arrival, r.job))
            left = len(arrivals)
            while len(self._measured) < left:
                now = self._now()
                while arrivals and arrivals[0].arrival <= now:
                    left -= not self.recorder.submit(arrivals.pop(0))
                self._execute(self.recorder.tick(now), now)
                soonest = self._next_time(arrivals)
                if soonest is None and not self._current and len(self._measured) < left:
                    raise SimulationError(f"t={now:g}: jobs wait, nothing runs and nothing will happen")
                pause = LOOK_EVERY if soonest is None else min(LOOK_EVERY, (soonest - now) * self.scale)
                self._read_answers(pause)
                if time.monotonic() - looked > LOOK_EVERY:
                    looked = time.monotonic()
                    self._check_processes()
        finally:
            self.machines.close()
        return Outcome(
            sorted(self._measured, key=lambda m: m.job), self.recorder, self._failures, self._unit,
            time.monotonic() - began, self._stopped,
        )  # fmt: skip

    def _now(self) -> float:
        """Return the seconds of the workload since the start."""
        return self._since_start(time.monotonic())

    def _next_time(self, arrivals: list[Request]) -> float | None:
        """Return the time of the next tick or arrival, if any."""
        times = [t for t in (self.recorder.next_tick(), arrivals[0].arrival if arrivals else None) if t is not None]
        return min(times, default=None)

    def _execute(self, orders: list[Order], now: float) -> None:
        for order in orders:
            if order.act == "stop":
                self._withdraw(order.job)
            else:
                self._dispatch(order, now)

    def _dispatch(self, order: Order, now: float) -> None:
        """Send a part of the job to each machine of its resource."""
        self._serial += 1
        request = self.requests[order.job]
        expected = self.site.experience.mean[request.job_class, order.resource]
        seconds = expected * self.recorder.factor[order.resource] * self.scale
        units = max(1, round(seconds / self._unit[request.job_class % len(self._unit)]))
        machines = self.recorder.held[order.job]
        keys = {f"{order.job}-{self._serial}-{machine}": machine for machine in machines}
        attempt = Attempt(order.job, order.resource, now, dict(keys), machines)
        self._current[order.job] = attempt
        for key, machine in keys.items():
            self._attempts[key] = attempt
            self.machines.send(machine, key, request.job_class, units, f"{order.job}-{self._serial}", len(machines))

    def _withdraw(self, job: int) -> None:
        """Stop the running attempt of a job."""
        attempt = self._current.pop(job)
        now = time.monotonic()
        for key in attempt.waiting:
            del self._attempts[key]
            self.machines.stop(key)
        if attempt.began:
            self._stopped.append(self._measure(attempt, now))

    def _read_answers(self, pause: float) -> None:
        """Wait for an answer, then read all that have arrived."""
        answer = self.machines.answer(pause)
        while answer is not None:
            key, began, ended = answer
            attempt = self._attempts.get(key)
            if attempt is not None:  # else it was stopped meanwhile
                machine = attempt.waiting[key]
                attempt.began[machine] = began
                if ended is not None:
                    attempt.ended[machine] = ended
                    del attempt.waiting[key], self._attempts[key]
                if not attempt.waiting:
                    self._complete(attempt)
            answer = self.machines.answer(0.0) if self._attempts else None

    def _complete(self, attempt: Attempt) -> None:
        measured = self._measure(attempt, max(attempt.ended.values()))
        del self._current[attempt.job]
        self._measured.append(measured)
        self.recorder.completed(attempt.job, attempt.resource, measured.end - measured.start)
        self.on_progress(f"{len(self._measured)} of {len(self.requests)} jobs")

    def _measure(self, attempt: Attempt, ended: float) -> Measured:
        """Return the times of an attempt; parts that did not end were stopped at `ended` [s of the computer]."""
        parts = tuple(
            (machine, self._since_start(began), self._since_start(attempt.ended.get(machine, ended)))
            for machine, began in sorted(attempt.began.items())
        )
        start = self._since_start(min(attempt.began.values()))
        end = self._since_start(ended)
        return Measured(attempt.job, attempt.resource, attempt.ordered, start, end, attempt.machines, parts)

    def _since_start(self, moment: float) -> float:
        """Return an instant of the computer's clock in seconds of the workload."""
        return (moment - self._zero) / self.scale

    def _check_processes(self) -> None:
        """Report each lost worker or process as a machine that was down for a moment, and restart it."""
        for machine in self.machines.ended():
            self._failures += 1
            self.recorder.machine_down(machine)
            self._execute(self.recorder.tick(self._now()), self._now())
            self.machines.restart(machine)
            self.recorder.machine_up(machine)
        for key in self.machines.lost(list(self._attempts)):
            if key in self._attempts:
                self._failures += 1
                machine = int(key.rpartition("-")[2])
                self.recorder.machine_down(machine)
                self.recorder.machine_up(machine)


def rules_of(rule: str, parameters: Mapping[str, Any]) -> Rules:
    """Return the rules of an algorithm with these parameters."""
    return Rules(rule=rule, **parameters)


def report_of(outcome: Outcome, planned: Any, workload: Workload) -> dict[str, Any]:
    """Return planned and measured values side by side: makespan, total job time, and each job.

    planned: the simulator's schedule of the same question.
    """
    site = workload.site
    assert site is not None, "a classed workload brings its site"
    jobs, known = planned.jobs, outcome.recorder.experience
    ours = {m.job: m for m in outcome.measured}
    release = jobs["release"]
    rows = []
    for job in sorted(ours):
        m, machine, cluster = ours[job], int(jobs["machine"][job]), int(jobs["cluster"][job])
        rows.append(
            {
                "job_id": int(jobs["job_id"][job]),
                "job_class": site.job_classes[int(jobs["job_class"][job])],
                "planned": {"start": float(jobs["end"][job] - jobs["executed"][job]), "end": float(jobs["end"][job]),
                            "on": site.cluster_names[cluster] if cluster >= 0 else site.machines[machine]},
                "measured": {"start": m.start, "end": m.end, "on": site.name_of(m.resource)},
            }
        )  # fmt: skip
    ends = {job: m.end for job, m in ours.items()}
    first = float(release.min())
    return {
        "workload": workload.name,
        "jobs": rows,
        "makespan": {"planned": float(np.nanmax(jobs["end"])) - first, "measured": max(ends.values()) - first},
        "total_job_time": {
            "planned": float(np.nansum(jobs["end"] - release)),
            "measured": float(sum(end - release[job] for job, end in ends.items())),
        },
        "failures": outcome.failures,
        "stopped": len(outcome.stopped),
        "dispatch_s": float(np.mean([m.start - m.ordered for m in outcome.measured])),
        "seconds": outcome.seconds,
        "experience": [
            {"job_class": site.job_classes[i], "resource": site.name_of(r), "count": int(known.count[i, r]),
             "mean": float(known.mean[i, r]), "sd": float(known.sd[i, r])}
            for i, r in np.argwhere(known.count != site.experience.count).tolist()
        ],
    }  # fmt: skip
