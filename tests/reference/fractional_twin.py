"""The fractional family, slow and obvious: straight from the specification, everything worked out anew each time.

`opt=avg` is left out: its linear program has several optima, so ends are not comparable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

TOO_MUCH = 1e-9


@dataclass
class Job:
    row: int
    release: float
    tasks: int
    need: float
    memory: float
    runtime: float
    state: str = "future"  # future waiting running paused done
    where: list[int] = field(default_factory=list)  # node of each task, ascending
    virtual_time: float = 0.0
    yield_: float = 0.0
    stall: float = -math.inf
    end: float | None = None


class Twin:
    def __init__(self, jobs, nodes, submission, star, periodic, *, limit="", bound=0.0, period=600.0, penalty=300.0):
        self.jobs = [Job(row, *job) for row, job in enumerate(jobs)]
        self.P, self.submission, self.star, self.periodic = nodes, submission, star, periodic
        self.limit, self.bound, self.period, self.penalty = limit, bound, period, penalty
        self.now = 0.0
        self.counts = {"preemptions": 0, "migrations": 0}
        self.moved_tasks = 0

    # Time.

    def run(self):
        while any(job.state != "done" for job in self.jobs):
            running = self.running()
            ends = {
                j.row: max(self.now, j.stall) + (j.runtime - j.virtual_time) / j.yield_ for j in running if j.yield_ > 0
            }
            times = [*ends.values(), *(j.release for j in self.jobs if j.state == "future")]
            if self.periodic and self.present():
                times.append((math.floor(self.now / self.period) + 1) * self.period)
            then = min(times)
            for job in running:
                job.virtual_time += job.yield_ * max(0.0, then - max(self.now, job.stall))
            self.now = then
            ended = [j for j in running if ends.get(j.row, math.inf) <= then * (1 + 1e-12) + 1e-12]
            for job in ended:
                job.state, job.end, job.where = "done", then, []
            self.decide(ended)
        return [job.end for job in self.jobs]

    def decide(self, ended):
        before = {job.row: (job.state, job.where) for job in self.jobs}
        if ended and self.star:
            self.mcb8() if self.submission == "MCB8" else self.greedy_all()
        arrived = [j for j in self.jobs if j.state == "future" and j.release <= self.now]
        for job in arrived:
            job.state = "waiting"
            if self.submission.startswith("Greedy"):
                self.submit(job)
        if arrived and self.submission == "MCB8":
            self.mcb8()
        if self.periodic and self.now % self.period == 0:
            self.mcb8(by_stretch=self.periodic == "stretch-per")
        for job in self.present():
            self.count_change(job, *before[job.row])
        self.share()

    def count_change(self, job, state, where):
        """What the instant did to a job: only its placements before and after it matter."""
        if state in ("future", "waiting"):
            job.state = "running" if job.state == "running" else "waiting"
        elif job.state == "paused":
            self.counts["preemptions"] += state == "running"
        elif (state, where) != ("running", job.where):
            job.stall = self.now + self.penalty
            if state == "running":
                self.counts["migrations"] += 1
                self.moved_tasks += sum(max(0, job.where.count(node) - where.count(node)) for node in set(job.where))

    # Who is where.

    def present(self):
        return [j for j in self.jobs if j.state in ("waiting", "running", "paused")]

    def running(self):
        return [j for j in self.jobs if j.state == "running"]

    def free(self, without=()):
        left = [1.0] * self.P
        for job in self.running():
            if job not in without:
                for node in job.where:
                    left[node] -= job.memory
        return left

    def load(self):
        load = [0.0] * self.P
        for job in self.running():
            for node in job.where:
                load[node] += job.need
        return load

    def importance(self, job):
        """Sorts the most important job first."""
        priority = (self.now - job.release) / job.virtual_time**2 if job.virtual_time > 0 else math.inf
        return (-float(f"{priority:.9e}"), job.row)  # rounding must not part equals

    def settle(self, job, where):
        job.state, job.where = "running", sorted(where)

    def pause(self, job):
        job.state, job.where = "paused", []

    # Greedy.

    def greedy_nodes(self, job, aside=()):
        """Nodes for all tasks, or None; `aside` are running jobs that count as gone."""
        free, load = self.free(aside), self.load()
        for other in aside:
            for node in other.where:
                load[node] -= other.need
        where = []
        for _ in range(job.tasks):
            able = [node for node in range(self.P) if free[node] + TOO_MUCH >= job.memory]
            if not able:
                return None
            node = min(able, key=lambda n: (round(load[n], 11), n))
            free[node] -= job.memory
            load[node] += job.need
            where.append(node)
        return where

    def greedy_all(self):
        for job in sorted((j for j in self.present() if j.state != "running"), key=self.importance):
            where = self.greedy_nodes(job)
            if where is not None:
                self.settle(job, where)

    def enough(self, job, aside):
        return sum(math.floor((free + TOO_MUCH) / job.memory) for free in self.free(aside)) >= job.tasks

    def submit(self, job):
        where = self.greedy_nodes(job)
        if where is not None:
            self.settle(job, where)
            return
        if self.submission == "Greedy":
            return
        marked = []
        for other in sorted(self.running(), key=self.importance, reverse=True):
            if self.enough(job, marked):
                break
            marked.append(other)
        if not self.enough(job, marked):
            return
        for other in sorted(marked, key=self.importance):
            rest = [m for m in marked if m is not other]
            if self.enough(job, rest):
                marked = rest
        marked.sort(key=self.importance)
        where = self.greedy_nodes(job, marked)
        if self.submission == "GreedyP":
            for other in marked:
                self.pause(other)
        self.settle(job, where)
        if self.submission == "GreedyPM":
            for at, other in enumerate(marked):
                to = self.greedy_nodes(other, marked[at:])
                if to is None:
                    self.pause(other)
                else:
                    self.settle(other, to)

    # MCB8.

    def pinned(self, job):
        if job.state != "running" or not self.limit:
            return False
        return (self.now - job.release if self.limit == "minft" else job.virtual_time) < self.bound - 1e-6

    def requests(self, jobs, target, by_stretch):
        """CPU that each task asks for; None when a yield would be above 1."""
        if not by_stretch:
            return {j.row: target * j.need for j in jobs}
        asked = {}
        for j in jobs:
            y = ((self.now - j.release + self.period) * target - j.virtual_time) / self.period
            if y > 1 and target > 0.01:
                return None
            asked[j.row] = min(1.0, max(0.0, y)) * j.need
        return asked

    def pack(self, jobs, target, by_stretch):
        """Nodes of each job, or None."""
        cpu = self.requests(jobs, target, by_stretch)
        if cpu is None:
            return None
        a, b = [1.0] * self.P, [1.0] * self.P
        where = {}
        for j in sorted(jobs, key=lambda j: (-j.memory, j.row)):
            if self.pinned(j):
                where[j.row] = list(j.where)
                for node in j.where:
                    a[node] -= cpu[j.row]
                    b[node] -= j.memory
        if min(a) < -TOO_MUCH:
            return None
        loose = [j for j in jobs if j.row not in where]
        c = self.by_request([j for j in loose if cpu[j.row] > j.memory], cpu)
        m = sorted((j for j in loose if cpu[j.row] <= j.memory), key=lambda j: (-j.memory, j.row))
        where.update({j.row: [] for j in loose})
        for node in range(self.P):
            while True:
                for j in [*c, *m] if a[node] >= b[node] else [*m, *c]:
                    if (
                        len(where[j.row]) < j.tasks
                        and cpu[j.row] <= a[node] + TOO_MUCH
                        and j.memory <= b[node] + TOO_MUCH
                    ):
                        where[j.row].append(node)
                        a[node] -= cpu[j.row]
                        b[node] -= j.memory
                        break
                else:
                    break
        return where if all(len(where[j.row]) == j.tasks for j in jobs) else None

    def by_request(self, jobs, cpu):
        """Largest request first; of requests that are equal but for rounding, the job submitted first."""
        rest, order = sorted(jobs, key=lambda j: j.row), []
        while rest:
            largest = max(cpu[j.row] for j in rest)
            order += [j for j in rest if cpu[j.row] > largest - TOO_MUCH]
            rest = [j for j in rest if cpu[j.row] <= largest - TOO_MUCH]
        return order

    def search(self, jobs, by_stretch=False):
        """(target, nodes of each job) of the best packing; None when nothing packs."""
        best = self.pack(jobs, 0.01, by_stretch)
        if best is None:
            return None
        whole = self.pack(jobs, 1.0, by_stretch)
        if whole is not None:
            return 1.0, whole
        low, high = 0.01, 1.0
        while high - low > 0.01:
            middle = (low + high) / 2
            found = self.pack(jobs, middle, by_stretch)
            low, high, best = (low, middle, best) if found is None else (middle, high, found)
        return low, best

    def mcb8(self, by_stretch=False):
        jobs = sorted(self.present(), key=self.importance)
        while jobs and (found := self.search(jobs, by_stretch)) is None:
            jobs.pop()
        for job in self.present():
            if job not in jobs and job.state == "running":
                self.pause(job)
        for job in sorted(jobs, key=lambda j: j.row):
            self.settle(job, found[1][job.row])

    # Yields.

    def share(self):
        """Round by round: the level at which the next node is full; all on it keep that."""
        running = self.running()
        frozen = {}
        while len(frozen) < len(running):
            levels = {n: self.full_at(running, frozen, n) for n in range(self.P)}
            lowest = min(levels.values())
            if lowest >= 1.0:
                break
            for at, job in enumerate(running):
                if at not in frozen and any(levels[n] <= lowest + 1e-11 for n in job.where):
                    frozen[at] = self.at_level(job, lowest)
        for at, job in enumerate(running):
            job.yield_ = frozen.get(at, 1.0)

    def at_level(self, job, u):
        if self.periodic != "stretch-per":
            return min(1.0, u)
        return min(1.0, max(0.0, ((self.now - job.release + self.period) * u - job.virtual_time) / self.period))

    def full_at(self, running, frozen, node):
        """The level at which a node is full; 1, at which all have a yield of 1, when it never is."""
        here = [(at, job) for at, job in enumerate(running) for n in job.where if n == node]
        if all(at in frozen for at, _ in here) or sum(job.need for _, job in here) <= 1 + 1e-10:
            return 1.0

        def used(u):
            return sum(job.need * frozen.get(at, self.at_level(job, u)) for at, job in here)

        if self.periodic != "stretch-per":
            left = 1.0 - sum(job.need * frozen[at] for at, job in here if at in frozen)
            return left / sum(job.need for at, job in here if at not in frozen)
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if used(middle) < 1.0 else (low, middle)
        return low
