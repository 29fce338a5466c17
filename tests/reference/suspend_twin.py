"""Selective suspension over EASY, slow and obvious: sets of processors, every list is made again at each pass."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.job import Job
from tests.reference.seats import Seated, first_fit


@dataclass
class SeatedJob(Job):
    lanes: list = field(default_factory=list)
    """Where it runs, or ran last."""
    ran: float = 0.0
    """Before its last start."""
    since: float | None = None
    """Its last start, while it runs."""

    def waited(self, now):
        return (now if self.since is None else self.since) - self.release - self.ran

    def factor(self, now):
        request = max(self.request, 1.0)
        return (self.waited(now) + request) / request

    @property
    def end(self):
        return self.since + self.runtime - self.ran

    @property
    def expected(self):
        return self.since + max(0.0, self.request - self.ran)


class SuspendTwin(Seated):
    """jobs: (release, runtime, request, processors)."""

    def __init__(self, jobs, processors, *, sf=2.0, period=60.0):
        self.jobs = [SeatedJob(i, *job[:4]) for i, job in enumerate(jobs) if job[3] <= processors]
        self.processors, self.sf, self.period = processors, sf, period
        self.queue, self.suspended, self.running = [], [], []
        self.found, self.preemptions = [], 0

    def run(self):
        """Return all rectangles, sorted."""
        coming, alarm = list(self.jobs), None
        while coming or self.running:
            times = [job.release for job in coming] + [job.end for job in self.running]
            self.now = min(times + [alarm] * (alarm is not None))
            if alarm == self.now:
                alarm = None
            for job in [job for job in self.running if job.end == self.now]:
                self.leave(job)
            self.queue += [job for job in coming if job.release == self.now]
            coming = [job for job in coming if job.release > self.now]
            self.decide()
            if alarm is None and (self.queue or self.suspended):
                alarm = self.now + self.period
        return sorted(self.found)

    def free(self):
        return set(range(self.processors)) - {lane for job in self.running for lane in job.lanes}

    def decide(self):
        self.resume()
        self.easy()
        if self.suspend():
            self.resume()
            self.easy()

    def by_factor(self, jobs):
        return sorted(jobs, key=lambda job: (-job.factor(self.now), job.row))

    def resume(self):
        for job in self.by_factor(self.suspended):
            if self.free() >= set(job.lanes):
                self.suspended.remove(job)
                self.seat(job, job.lanes)

    def seat(self, job, lanes):
        job.lanes, job.since = lanes, self.now
        self.running.append(job)

    def start(self, job):
        self.queue.remove(job)
        self.seat(job, first_fit(self.free(), job.procs))

    def easy(self):
        while self.queue and self.queue[0].procs <= len(self.free()):
            self.start(self.queue[0])
        if not self.queue:
            return
        head = self.queue[0]
        ends = sorted({self.now, *(job.expected for job in self.running if job.expected > self.now)})
        shadow = next(end for end in ends if self.expected_free(end) >= head.procs)
        extra = self.expected_free(shadow) - head.procs
        for job in list(self.queue[1:]):
            in_time = self.now + job.request <= shadow
            if job.procs <= len(self.free()) and (in_time or job.procs <= extra):
                self.start(job)
                extra -= 0 if in_time else job.procs

    def expected_free(self, time):
        return self.processors - sum(job.procs for job in self.running if job.expected > time)

    def may_suspend(self, job, other):
        return other.since < self.now and job.factor(self.now) >= self.sf * other.factor(self.now)

    def suspend(self):
        """Return whether a job was suspended."""
        before = self.preemptions
        for job in self.by_factor(self.queue + self.suspended):
            if job in self.suspended:
                victims = [other for other in self.running if set(other.lanes) & set(job.lanes)]
                if all(self.may_suspend(job, other) for other in victims):
                    self.suspend_all(victims)
                    self.suspended.remove(job)
                    self.seat(job, job.lanes)
            elif job.procs > len(self.free()):
                victims = self.victims(job)
                if victims:
                    self.suspend_all(victims)
                    self.start(job)
        return self.preemptions > before

    def victims(self, job):
        """The jobs with the smallest factors that leave enough processors; none if even all do not."""
        able = [j for j in self.running if self.may_suspend(job, j) and 2 * job.procs >= j.procs]
        chosen, room = [], len(self.free())
        for other in sorted(able, key=lambda j: (j.factor(self.now), -j.row)):
            if room < job.procs:
                chosen.append(other)
                room += other.procs
        if room < job.procs:
            return []
        for other in reversed(list(chosen)):
            if room - other.procs >= job.procs:
                chosen.remove(other)
                room -= other.procs
        return chosen

    def suspend_all(self, victims):
        for other in victims:
            self.leave(other)
            self.suspended.append(other)
            self.preemptions += 1
