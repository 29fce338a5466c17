"""FCFS and EASY, slow and obvious: whole lists, everything worked out anew at each decision.

`submissions-first` follows the published habit of one decision per event over a profile of expected
availability; a job that ends in this instant but is not yet processed still counts as *expected* to hold
its processors until its own expected end, while its processors are free in fact.
"""

from __future__ import annotations

from tests.reference.job import Unbroken


class Twin:
    def __init__(self, jobs, processors, *, backfill, event_order="instant", extra="all", facts=True):
        self.jobs = [Unbroken(i, *job) for i, job in enumerate(jobs) if job[3] <= processors]
        self.processors, self.backfill_on, self.extra = processors, backfill, extra
        self.one_by_one, self.facts = event_order == "submissions-first", facts
        self.queue, self.running, self.serial, self.now = [], [], 0, 0.0

    def run(self):
        todo = list(self.jobs)
        while todo or self.running:
            times = [job.release for job in todo] + [job.end for job in self.running]
            self.now = min(times)
            ended = sorted((j for j in self.running if j.end == self.now), key=lambda j: j.serial)
            arrived = [job for job in todo if job.release == self.now]
            todo = [job for job in todo if job.release > self.now]
            if self.one_by_one:
                for job in arrived:
                    self.queue.append(job)
                    self.decide()
                for job in ended:
                    self.running.remove(job)
                    self.decide()
            else:
                self.running = [job for job in self.running if job not in ended]
                self.queue += arrived
                self.decide()
        return {job.row: job.start for job in self.jobs}

    def expected_free(self, time):
        return self.processors - sum(job.procs for job in self.running if job.limit > time)

    def free_in_fact(self):
        return self.processors - sum(job.procs for job in self.running if job.end > self.now)

    def fits(self, job):
        if self.one_by_one and job.procs > self.expected_free(self.now):
            return False
        return not self.facts or job.procs <= self.free_in_fact()

    def start(self, job):
        job.start, job.serial = self.now, self.serial
        self.serial += 1
        self.queue.remove(job)
        self.running.append(job)

    def shadow_time(self, head):
        later = sorted(job.limit for job in self.running if job.limit > self.now)
        return next(t for t in [self.now, *later] if self.expected_free(t) >= head.procs)

    def decide(self):
        while self.queue and self.fits(self.queue[0]):
            self.start(self.queue[0])
        if not self.backfill_on or not self.queue:
            return
        head = self.queue[0]
        shadow = self.shadow_time(head)
        extra = self.extra_processors(head, shadow)
        for job in list(self.queue[1:]):
            if not self.fits(job):
                continue
            if self.now + job.request <= shadow:
                self.start(job)
            elif job.procs <= extra:
                self.start(job)
                extra -= job.procs

    def extra_processors(self, head, shadow):
        if self.extra == "all":
            return self.expected_free(shadow) - head.procs
        free = self.expected_free(self.now)
        for job in sorted((j for j in self.running if j.limit > self.now), key=lambda j: (j.limit, j.serial)):
            if free >= head.procs:
                break
            free += job.procs
        return free - head.procs
