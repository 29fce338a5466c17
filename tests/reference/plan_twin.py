"""Plan-based scheduling, slow and obvious: every plan is made of lists, no plan is given up half-way."""

from __future__ import annotations

import math
from itertools import permutations

from tests.reference.backfill_twin import Twin, key

WORD = 2**32 - 1
TAU = 10.0


class Xorshift:
    """Marsaglia's xorshift on two words of 32 bits."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def draw(self):
        t = self.x ^ (self.x << 10 & WORD)
        self.x = self.y
        self.y = (self.y ^ self.y >> 10) ^ (t ^ t >> 13)
        return self.y


class PlanTwin(Twin):
    """jobs: (release, runtime, request, processors, user); `words`: the first state of the generator."""

    def __init__(self, jobs, processors, words, *, objective="wait", iterations=180, steps=6, cooling=0.9, **options):
        super().__init__(jobs, processors, **options)
        self.random = Xorshift(*words)
        self.objective, self.iterations, self.steps, self.cooling = objective, iterations, steps, cooling

    def decide(self, arrived, *, ended):
        if any(job.procs <= self.free_in_fact() for job in self.waiting):
            for job, begin in self.plan(self.best_order()):
                if begin == self.now and job.procs <= self.free_in_fact():
                    self.start(job)

    def plan(self, order):
        """Each job of `order` in turn at its earliest start."""
        slots, found = self.slots(), []
        for job in order:
            length = self.learned.of(job)
            begin = self.earliest(slots, job.procs, length)
            slots.append((begin, begin + length, job.procs))
            found.append((job, begin))
        return found

    def score(self, order):
        total = 0.0
        for job, begin in self.plan(order):
            length = self.learned.of(job)
            if self.objective == "wait":
                total += begin - self.now
            else:
                total += max(1.0, (begin - job.release + length) / max(length, TAU))
        return total

    def best_order(self):
        queue = sorted(self.waiting, key=lambda j: j.row)
        if len(queue) <= 5:
            return min((list(order) for order in permutations(queue)), key=self.score)
        orders = [sorted(queue, key=lambda j, n=name: key(n, j, self.now, self.first)) for name in ("fcfs", "sjf")]
        orders += [sorted(queue, key=lambda j: -j.request), sorted(queue, key=lambda j: j.procs)]
        orders += [sorted(queue, key=lambda j: -j.procs), sorted(queue, key=lambda j: j.request * j.procs)]
        best = min(orders, key=self.score)
        temperature = max(self.score(order) for order in orders) - self.score(best)
        return self.anneal(best, temperature) if temperature > 0.0 else best

    def anneal(self, best, temperature):
        order, lowest = best, self.score(best)
        current = lowest
        for number in range(self.iterations):
            if number and number % self.steps == 0:
                temperature *= self.cooling
            a = self.random.draw() % len(order)
            b = self.random.draw() % (len(order) - 1)
            b += b >= a
            limit = current - temperature * math.log((self.random.draw() + 1) / 2.0**32)
            other = list(order)
            other[a], other[b] = other[b], other[a]
            score = self.score(other)
            if score <= limit:
                order, current = other, score
            if score < lowest:
                best, lowest = other, score
        return best
