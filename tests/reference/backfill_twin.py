"""The batch family, slow and obvious: order x backfill x prediction x correction over plain lists.

Everything is computed again at each pass, the profile too: a list of (begin, end, processors) of running jobs and
reservations. Only what a policy keeps by definition is kept: reservations of conservative and slack backfilling,
promises of slack, what was learned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from tests.reference.job import Unbroken

HOUR = 3600.0
STEPS = (60.0, 300.0, 900.0, 1800.0, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR, 50 * HOUR, 100 * HOUR)


@dataclass
class Job(Unbroken):
    user: int = -1
    ends: float = math.nan
    """Predicted end, while it runs."""
    corrections: int = 0
    reserved: float | None = None
    length: float = math.nan
    """Length of the reservation."""
    promise: float = math.inf


def key(order, job, now, first):
    """The smallest goes first."""
    r, n, w, s = max(job.request, 1.0), float(job.procs), now - job.release, job.release - first + 1.0
    return {
        "fcfs": lambda: job.release,
        "sjf": lambda: job.request,
        "ljf": lambda: -job.request,
        "saf": lambda: job.request * n,
        "srf": lambda: job.request / n,
        "lxf": lambda: -(w + r) / r,
        "wfp3": lambda: -((w / r) ** 3.0) * n,
        "unicef": lambda: -w / (math.log2(max(n, 2.0)) * r),
        "f1": lambda: math.log10(r) * n + 870.0 * math.log10(s),
        "f2": lambda: math.sqrt(r) * n + 25600.0 * math.log10(s),
        "f3": lambda: r * n + 6.86e6 * math.log10(s),
        "f4": lambda: r * math.sqrt(n) + 5.3e5 * math.log10(s),
    }[order]()


@dataclass
class Learned:
    prediction: str = "requested"
    argument: float = 0.0
    ended: list = field(default_factory=list)

    def of(self, job):
        """Predicted run time of a waiting job: what is learned is 1 s at least, and never above the request."""
        if self.prediction == "actual":
            return min(job.request, job.runtime)
        return min(job.request, max(1.0, self.raw(job)))

    def raw(self, job):
        mine = [j.runtime for j in self.ended if j.user == job.user >= 0]
        if self.prediction == "user2" and len(mine) >= 2:
            return math.floor((mine[-1] + mine[-2]) / 2.0)
        if self.prediction == "mean" and len(mine) >= self.argument:
            return sum(mine[-int(self.argument) :]) / self.argument
        if self.prediction == "percentile":
            return self.percentile(mine, job)
        if self.prediction == "user-size":
            alike = [
                j.runtime
                for j in self.ended
                if j.user == job.user >= 0 and math.ceil(math.log2(j.procs)) == math.ceil(math.log2(job.procs))
            ]
            return self.percentile(alike, job)
        return job.request

    def percentile(self, values, job):
        if len(values) < 5:
            return job.request
        return sorted(values)[max(0, math.ceil(Fraction(self.argument) * len(values) / 100) - 1)]


class Twin:
    """jobs: (release, runtime, request, processors, user)."""

    def __init__(
        self, jobs, processors, *, order="fcfs", backfill="easy", depth=1, slack=1.0, window=50, backfill_order="queue",
        prediction="requested", argument=0.0, correction="request", reserve_after=0.0, event_order="instant",
    ):  # fmt: skip
        self.jobs = [Job(i, *job[:4], user=job[4]) for i, job in enumerate(jobs) if job[3] <= processors]
        self.first = min(job[0] for job in jobs)
        self.processors, self.order, self.backfill, self.depth = processors, order, backfill, depth
        self.factor, self.window, self.backfill_order = slack, window, backfill_order
        self.learned = Learned(prediction, argument)
        self.correction, self.reserve_after = correction, reserve_after
        self.one_by_one = event_order == "submissions-first"
        self.waiting, self.running, self.serial, self.now = [], [], 0, 0.0
        self.outlived = 0
        self.later = []
        """Jobs whose reservation became later."""

    def run(self):
        todo = list(self.jobs)
        while todo or self.running:
            self.now = min([job.release for job in todo] + [job.end for job in self.running])
            arrived = [job for job in todo if job.release == self.now]
            todo = [job for job in todo if job.release > self.now]
            ended = sorted((j for j in self.running if j.end == self.now), key=lambda j: j.serial)
            self.dirty = False
            for job in self.running:
                self.correct(job)
            if self.one_by_one:
                for job in arrived:
                    self.waiting.append(job)
                    self.decide([job], ended=False)
                for job in ended:
                    self.forget(job)
                    self.decide([], ended=True)
            else:
                for job in ended:
                    self.forget(job)
                self.waiting += arrived
                self.decide(arrived, ended=bool(ended))
        return [{job.row: job.start for job in self.jobs}.get(i) for i in range(1 + max(j.row for j in self.jobs))]

    def forget(self, job):
        self.running.remove(job)
        self.learned.ended.append(job)

    def correct(self, job):
        """Move the predicted end of a job that outlived it, at most to its limit."""
        while job.ends < job.limit and (job.ends < self.now or (job.ends == self.now and job.end > self.now)):
            self.outlived += 1
            self.dirty = True
            if self.correction == "request" or (self.correction == "gradual" and job.corrections == len(STEPS)):
                job.ends = job.limit
            elif self.correction == "gradual":
                job.ends = min(job.limit, job.ends + STEPS[job.corrections])
            else:
                job.ends = min(job.limit, job.start + 2.0 * (job.ends - job.start))
            job.corrections += 1

    # The profile.

    def slots(self):
        """What is expected to be held: jobs past their predicted end are not in it."""
        return [(self.now, job.ends, job.procs) for job in self.running if job.ends > self.now]

    def earliest(self, slots, procs, length):
        for begin in sorted({self.now, *(end for _, end, _ in slots if end > self.now)}):
            inside = {begin, *(b for b, _, _ in slots if begin < b < begin + length)}
            if all(sum(p for b, e, p in slots if b <= t < e) + procs <= self.processors for t in inside):
                return begin
        raise AssertionError

    def free_in_fact(self):
        return self.processors - sum(job.procs for job in self.running if job.end > self.now)

    def fits(self, slots, job):
        fits = self.earliest(slots, job.procs, self.learned.of(job)) == self.now
        return fits and job.procs <= self.free_in_fact()

    def start(self, job):
        job.start, job.serial = self.now, self.serial
        job.ends = self.now + self.learned.of(job)
        job.reserved = None
        self.serial += 1
        self.waiting.remove(job)
        self.running.append(job)

    def queue(self):
        return sorted(self.waiting, key=lambda j: (key(self.order, j, self.now, self.first), j.row))

    def candidates(self, jobs):
        """`jobs`, which are in queue order, in the order of backfilling."""
        if self.backfill_order == "queue":
            return jobs
        if self.backfill_order == "sjbf":
            return sorted(jobs, key=self.learned.of)
        return sorted(jobs, key=lambda j: (key(self.backfill_order, j, self.now, self.first), j.row))

    # Passes.

    def decide(self, arrived, *, ended):
        if self.backfill in ("conservative", "slack"):
            self.keep_reservations(arrived, ended=ended)
        elif self.backfill == "lookahead":
            self.lookahead()
        else:
            self.easy()

    def easy(self):
        slots, depth = self.slots(), 0 if self.backfill == "none" else self.depth
        held = []
        if self.reserve_after and self.backfill != "none":
            for job in sorted(self.waiting, key=lambda j: j.row):
                if self.now - job.release >= self.reserve_after:
                    self.start_or_hold(job, slots, held)
        starved = len(held)
        for job in [job for job in self.queue() if job not in held]:
            if self.backfill == "none" and not self.fits(slots, job):
                return
            if self.backfill != "none" and len(held) - starved == depth:
                break
            self.start_or_hold(job, slots, held)
        for job in self.candidates([job for job in self.queue() if job not in held]):
            if self.fits(slots, job):
                self.start(job)
                slots.append((self.now, job.ends, job.procs))

    def start_or_hold(self, job, slots, held):
        length = self.learned.of(job)
        begin = self.earliest(slots, job.procs, length)
        if begin == self.now and job.procs <= self.free_in_fact():
            self.start(job)
        else:
            held.append(job)
        slots.append((begin, begin + length, job.procs))

    def lookahead(self):
        for job in self.queue():
            if not self.fits(self.slots(), job):
                break
            self.start(job)
        if not self.waiting:
            return
        head, *others = self.queue()
        shadow = self.earliest(self.slots(), head.procs, 1e-9)
        busy_then = sum(p for b, e, p in self.slots() if b <= shadow < e)
        extra = self.processors - busy_then - head.procs
        free = min(self.free_in_fact(), self.processors - sum(p for _, _, p in self.slots()))
        window = [job for job in self.candidates(others) if job.procs <= free][: self.window]
        uses = [0 if self.now + self.learned.of(j) <= shadow else j.procs for j in window]

        def best(i, free, extra):
            """Most processors in use now, and which: the earliest of the window where several do."""
            if i == len(window):
                return 0, ()
            without = best(i + 1, free, extra)
            if window[i].procs > free or uses[i] > extra:
                return without
            most, which = best(i + 1, free - window[i].procs, extra - uses[i])
            taken = most + window[i].procs
            return without if without[0] > taken else (taken, (i, *which))

        for i in best(0, free, extra)[1]:
            self.start(window[i])

    def keep_reservations(self, arrived, *, ended):
        """Conservative and slack backfilling: reservations stay from pass to pass."""
        outdated = self.dirty or any(job.ends <= self.now < job.end for job in self.running)
        outdated = outdated or any(j.reserved is not None and j.length != self.learned.of(j) for j in self.waiting)
        old = [job for job in self.queue() if job not in arrived]
        outdated = outdated or any(job.reserved < self.now for job in old)
        if outdated:
            self.reserve_again(old)
            self.dirty = False
        elif ended:
            for job in old:
                if job.reserved > self.now:
                    was, job.reserved = job.reserved, None
                    job.reserved = self.earliest(self.all_slots(), job.procs, job.length)
                    assert job.reserved <= was, "conservative never becomes later"
        for job in [job for job in self.queue() if job in arrived]:
            job.length = self.learned.of(job)
            job.reserved = self.earliest(self.all_slots(), job.procs, job.length)
            job.promise = job.reserved + self.factor * job.request
        self.start_reserved()
        if self.backfill == "slack":
            self.use_slack()

    def reserve_again(self, jobs):
        for job in jobs:
            job.reserved = None
        for job in jobs:
            job.length = self.learned.of(job)
            job.reserved = self.earliest(self.all_slots(), job.procs, job.length)

    def all_slots(self):
        held = [
            (job.reserved, job.reserved + job.length, job.procs) for job in self.waiting if job.reserved is not None
        ]
        return self.slots() + held

    def start_reserved(self):
        for job in self.queue():
            if job.reserved <= self.now and job.procs <= self.free_in_fact():
                self.start(job)

    def use_slack(self):
        """Start a job early where all others still start by their promises, in the order of their reservations."""
        for job in self.candidates(self.queue()):
            if job.start is not None or job.procs > self.free_in_fact():
                continue
            taken = [*self.slots(), (self.now, self.now + job.length, job.procs)]
            if self.earliest(self.slots(), job.procs, job.length) > self.now:
                continue
            found = {}
            others = [other for other in self.waiting if other is not job]
            for other in sorted(others, key=lambda j: (j.reserved, j.row)):
                begin = self.earliest(taken, other.procs, other.length)
                taken.append((begin, begin + other.length, other.procs))
                found[other.row] = begin
            if all(found[other.row] <= max(other.promise, other.reserved) for other in others):
                self.start(job)
                for other in others:
                    other.reserved = found[other.row]
                self.start_reserved()
