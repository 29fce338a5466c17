"""KEASY, REASY and MEASY, slow and obvious: straight from the specification, every rate worked out anew."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class Job:
    row: int
    submit: float
    runtime: float
    estimate: float
    usage: list[float]
    phi: list[float]
    loss: float
    progress: float = 0.0
    tier: str = "queued"  # queued fg bg done
    stall: float = -math.inf
    where: list[int] = field(default_factory=list)  # processor of each process
    end: float | None = None

    @property
    def size(self):
        return len(self.usage)


class Twin:
    def __init__(self, jobs, processors, policy, *, migration_cost=20.0, threshold=0.96, loss="shared",
                 known=True, reading="words", refusal="stop"):  # fmt: skip
        self.jobs = [Job(i, *job) for i, job in enumerate(jobs)]
        self.P, self.policy, self.cost, self.threshold = processors, policy, migration_cost, threshold
        self.loss, self.known, self.reading, self.refusal = loss, known, reading, refusal
        self.now = 0.0
        self.counts = dict.fromkeys(("kills", "migrations", "swaps", "background_starts"), 0)
        self.log = []

    # Who sits where.

    def slot(self, tier):
        return {p: (job, k) for job in self.jobs if job.tier == tier for k, p in enumerate(job.where)}

    def seen(self, job, k):
        return job.usage[k] if self.known else (1.0 if job.size == 1 else 0.7)

    def rate(self, job):
        fg, bg = self.slot("fg"), self.slot("bg")
        if job.tier == "fg":
            shared = self.loss == "always" or any(p in bg for p in job.where)
            return 1.0 - job.loss if shared else 1.0
        rates = [1.0]
        for k, p in enumerate(job.where):
            if p in fg:
                partner, i = fg[p]
                v, u = partner.usage[i], job.usage[k]
                rates.append(min((1.0 - v) * job.phi[k], u) / u)
        return min(rates)

    # Time.

    def run(self):
        todo = sorted(self.jobs, key=lambda j: (j.submit, j.row))
        while any(job.tier != "done" for job in self.jobs):
            running = [job for job in self.jobs if job.tier in ("fg", "bg")]
            rates = {job.row: self.rate(job) for job in running}
            ends = {}
            for job in running:
                if rates[job.row] > 0:
                    left = (job.runtime - job.progress) / rates[job.row]
                    ends[job.row] = max(self.now, job.stall) + left
            times = list(ends.values()) + [job.submit for job in todo]
            then = min(times)
            for job in running:
                since = max(self.now, min(job.stall, then))
                job.progress += rates[job.row] * (then - since)
            self.now = then
            window = 1e-9 * max(1.0, then)
            ended = [job for job in running if ends.get(job.row, math.inf) <= then + window]
            arrived = [job for job in todo if job.submit <= then]
            todo = [job for job in todo if job.submit > then]
            full = bool(arrived) or any(job.tier == "fg" for job in ended)
            for job in ended:
                job.tier, job.end, job.where = "done", then, []
            self.arrived = [j for j in self.jobs if j.submit <= then]
            if full:
                self.full_schedule()
            self.background()
        return {job.row: job.end for job in self.jobs}

    # Decisions.

    def waiting(self):
        """U: not in the foreground, by arrival."""
        return sorted((j for j in self.arrived if j.tier in ("queued", "bg")), key=lambda j: (j.submit, j.row))

    def idle_fg(self):
        fg = self.slot("fg")
        return [p for p in range(self.P) if p not in fg]

    def idle_bg(self):
        fg, bg = self.slot("fg"), self.slot("bg")
        return [p for p in range(self.P) if p not in bg and (p not in fg or self.seen(*fg[p]) < self.threshold)]

    def dispatch(self, job, tier):
        other = self.slot("bg" if tier == "fg" else "fg")
        job.tier, job.where = "queued", []  # a slot that the job leaves counts as empty
        other = {p: pair for p, pair in other.items() if pair[0] is not job}
        idle = self.idle_fg() if tier == "fg" else self.idle_bg()
        idle.sort(key=lambda p: (self.seen(*other[p]) if p in other else 0.0, -p))
        order = sorted(range(job.size), key=lambda k: -self.seen(job, k))
        job.where = [0] * job.size
        for k, p in zip(order, idle, strict=False):
            job.where[k] = p
        job.tier = tier
        if tier == "bg":
            self.counts["background_starts"] += 1

    def own_front_free(self, job):
        return not set(job.where) & set(self.slot("fg"))

    def deploy(self, job):
        if job.tier == "queued":
            self.dispatch(job, "fg")
        elif self.own_front_free(job):
            job.tier = "fg"
            self.counts["swaps"] += 1
        elif self.policy == "keasy":
            self.counts["kills"] += 1
            job.progress = 0.0
            self.dispatch(job, "fg")
        elif self.policy == "reasy":
            return False
        else:
            self.counts["migrations"] += 1
            self.dispatch(job, "fg")
            job.stall = self.now + self.cost
        return True

    def predicted_end(self, job):
        return self.now + max(0.0, job.stall - self.now) + job.estimate - job.progress

    def full_schedule(self):
        for job in self.waiting():
            if job.size > len(self.idle_fg()):
                break
            if not self.deploy(job) and self.refusal == "stop":
                break
        u = self.waiting()
        if not u:
            return
        shadow, extra = self.reservation(u[0])
        for job in u[1:]:
            if job.size > len(self.idle_fg()):
                continue
            late = self.now + job.estimate > shadow
            if (not late or job.size <= extra) and self.deploy(job) and late:
                extra -= job.size

    def reservation(self, head):
        running = sorted((j for j in self.jobs if j.tier == "fg"), key=self.predicted_end)
        idle = self.idle_fg()
        if self.policy == "reasy" and head.tier == "bg":
            fg = self.slot("fg")
            blockers = {id(fg[p][0]): fg[p][0] for p in head.where if p in fg}.values()
            shadow = max((self.predicted_end(j) for j in blockers), default=self.now)
            if self.reading == "formula":
                return shadow, len(idle) + sum(j.size for j in blockers) - head.size
            return shadow, len([p for p in idle if p not in head.where])
        total, shadow = len(idle), self.now
        for job in running:
            if total >= head.size:
                break
            total, shadow = total + job.size, self.predicted_end(job)
        return shadow, total - head.size

    def background(self):
        queued = sorted((j for j in self.arrived if j.tier == "queued"), key=lambda j: (j.estimate, j.submit, j.row))
        for job in queued:
            if job.size <= len(self.idle_bg()):
                self.dispatch(job, "bg")
