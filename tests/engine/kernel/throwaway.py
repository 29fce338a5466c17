"""Small policies, written only to show that the kernel carries families that are not built yet."""

from __future__ import annotations


class Fcfs:
    """First come, first served, as an ordinary class."""

    def decide(self, desk):
        for job in list(desk.waiting):
            free = desk.free_lanes()
            if desk.size(job) > len(free):
                return
            desk.place(job, free[: desk.size(job)])


class RoundRobin:
    """Preemption: the running jobs are paused every `quantum` seconds and queue behind the others."""

    def __init__(self, quantum=10.0):
        self.quantum = quantum
        self.turn = []

    def decide(self, desk):
        self.turn = [job for job in self.turn if job in desk.waiting or job in desk.running]
        self.turn += [job for job in desk.arrived if job not in self.turn]
        if desk.alarm:
            for job in list(desk.running):
                desk.pause(job)
                self.turn.remove(job)
                self.turn.append(job)
        for job in list(self.turn):
            free = desk.free_lanes()
            if job in desk.waiting and desk.size(job) <= len(free):
                desk.place(job, free[: desk.size(job)])
        if desk.running and (desk.alarm or not getattr(self, "armed", False)):
            self.armed = True
            desk.wake(desk.now + self.quantum)
        elif not desk.running:
            self.armed = False


class EqualShares:
    """Fractional: every job runs at once on lane (row mod lanes) and shares it equally with its neighbours."""

    exclusive = False

    def decide(self, desk):
        for job in list(desk.waiting):
            lanes = [(job + y) % desk.lanes for y in range(desk.size(job))]
            desk.place(job, lanes, rate=0.0, share=0.0)
        crowd = [0] * desk.lanes
        for job in desk.running:
            for lane in desk.lanes_of(job):
                crowd[lane] += 1
        for job in desk.running:  # first everybody down, then up: an instant is judged at its end only
            desk.rerate(job, 1.0 / max(crowd[lane] for lane in desk.lanes_of(job)), 0.0)
        for job in desk.running:
            share = 1.0 / max(crowd[lane] for lane in desk.lanes_of(job))
            desk.rerate(job, share, share)


class TwoTiers:
    """A job that finds no free lane runs in the background at a third of the speed; it is swapped up, or killed,
    when it can come to the front. Rates follow from placement, so they are physics, not policy."""

    def __init__(self, migrate=False, cost=5.0):
        self.migrate, self.cost = migrate, cost

    def decide(self, desk):
        order = sorted([*desk.waiting, *(j for j in desk.running if desk.tier(j) == 1)])
        for job in order:
            free = set(desk.free_lanes().tolist())
            if job in desk.running:
                own = desk.lanes_of(job)
                if set(own) <= free:
                    desk.place(job, own, tier=0)
                    continue
                if len(free) >= len(own):
                    if self.migrate:
                        desk.place(job, sorted(free)[: len(own)], tier=0, delay=self.cost)
                    else:
                        desk.kill(job)
                        desk.place(job, sorted(free)[: len(own)], tier=0)
            elif desk.size(job) <= len(free):
                desk.place(job, sorted(free)[: desk.size(job)])
            else:
                idle = desk.free_lanes(tier=1)
                if desk.size(job) <= len(idle):
                    desk.place(job, idle[: desk.size(job)], tier=1)

    def physics(self, desk):
        front = {lane for job in desk.running if desk.tier(job) == 0 for lane in desk.lanes_of(job)}
        for job in desk.running:
            behind = desk.tier(job) == 1 and any(lane in front for lane in desk.lanes_of(job))
            desk.rerate(job, 1 / 3 if behind else 1.0)


class Wanderer:
    """Migration: whenever anything happens, each running job moves to the highest free lanes, at a cost."""

    def decide(self, desk):
        for job in list(desk.running):
            own = desk.lanes_of(job)
            reach = sorted({*desk.free_lanes().tolist(), *own}, reverse=True)[: len(own)]
            if set(reach) != set(own):
                desk.place(job, reach, delay=2.0)
        for job in list(desk.waiting):
            free = desk.free_lanes()
            if desk.size(job) <= len(free):
                desk.place(job, free[-desk.size(job) :])


class Sleeper:
    """Starts nothing, ever."""

    def decide(self, desk):
        pass
