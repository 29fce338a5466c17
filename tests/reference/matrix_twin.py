"""Gang scheduling by the Ousterhout matrix, slow and obvious: rows are lists of jobs."""

from __future__ import annotations

from tests.reference.seats import Seated, first_fit
from tests.reference.suspend_twin import SeatedJob


class MatrixTwin(Seated):
    """jobs: (release, runtime, request, processors)."""

    def __init__(self, jobs, processors, *, level=3, slice=600.0, fill=True):
        self.jobs = [SeatedJob(i, *job[:4]) for i, job in enumerate(jobs) if job[3] <= processors]
        self.processors, self.level, self.slice, self.fill = processors, level, slice, fill
        self.rows, self.queue, self.running, self.found = [], [], [], []
        self.active, self.turn_ends = None, None
        """The row whose turn it is, and until when."""
        self.preemptions = 0

    def run(self):
        """Return all rectangles, sorted."""
        coming = list(self.jobs)
        while coming or self.running:
            times = [job.release for job in coming] + [job.end for job in self.running]
            self.now = min(times + [self.turn_ends] * (self.turn_ends is not None))
            for job in [job for job in self.running if job.end == self.now]:
                self.leave(job)
                next(row for row in self.rows if job in row).remove(job)
            self.queue += [job for job in coming if job.release == self.now]
            coming = [job for job in coming if job.release > self.now]
            self.remove_empty_rows()
            self.fill_matrix()
            self.take_turns()
            self.seat_rows()
        return sorted(self.found)

    def in_turn(self):
        """The rows, the active one first."""
        at = next((y for y, row in enumerate(self.rows) if row is self.active), 0)
        return self.rows[at:] + self.rows[:at]

    def remove_empty_rows(self):
        left = [row for row in self.in_turn() if row]
        if not self.active:
            self.active, self.turn_ends = left[0] if left else None, None
        self.rows = [row for row in self.rows if row]

    def fill_matrix(self):
        while self.queue:
            job = self.queue[0]
            frees = [set(range(self.processors)) - {x for other in row for x in other.lanes} for row in self.rows]
            fitting = [y for y, free in enumerate(frees) if len(free) >= job.procs]
            if not fitting and len(self.rows) == self.level:
                return
            if not fitting:
                self.rows.append([])
                frees.append(set(range(self.processors)))
                fitting = [len(self.rows) - 1]
            job.lanes = first_fit(frees[fitting[0]], job.procs)
            self.rows[fitting[0]].append(job)
            self.queue.pop(0)

    def take_turns(self):
        if self.active is None and self.rows:
            self.active = self.rows[0]
        if len(self.rows) < 2:
            self.turn_ends = None
        elif self.turn_ends is None:
            self.turn_ends = self.now + self.slice
        elif self.turn_ends <= self.now:
            self.active = self.in_turn()[1]
            self.turn_ends = self.now + self.slice

    def seat_rows(self):
        chosen, taken = [], set()
        for row in self.in_turn() if self.fill else self.in_turn()[:1]:
            for job in row:
                if not taken & set(job.lanes):
                    chosen.append(job)
                    taken |= set(job.lanes)
        for job in [job for job in self.running if job not in chosen]:
            self.leave(job)
            self.preemptions += 1
        for job in chosen:
            if job not in self.running:
                job.since = self.now
                self.running.append(job)
