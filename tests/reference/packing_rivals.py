"""Slow, obvious twins of Tetris without preemption and of JSQ-MaxWeight: every pair is looked at in every step."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.multitask.packing.instance import Instance

TIE = 1e-9


def places(instance: Instance, task: int) -> dict[int, float]:
    """Time of a task on each of its machines [s]."""
    rows = range(instance.options[task], instance.options[task + 1])
    return {int(instance.machine[o]): float(instance.time[o]) for o in rows}


class Cluster:
    """Machines with room, tasks that wait and run."""

    def __init__(self, instance: Instance, release: np.ndarray):
        self.of, self.release, self.now = instance, release[instance.job], 0.0
        self.room = instance.capacity.astype(float).tolist()
        self.where: dict[int, int] = {}
        self.start: dict[int, float] = {}
        self.end: dict[int, float] = {}

    def here(self) -> list[int]:
        """Tasks that have arrived and wait."""
        return [k for k in range(self.of.tasks) if self.release[k] <= self.now and k not in self.where]

    def fits(self, task: int, machine: int) -> bool:
        return machine in places(self.of, task) and self.of.size[task] <= self.room[machine] + TIE

    def begin(self, task: int, machine: int) -> None:
        self.where[task], self.start[task] = machine, self.now
        self.end[task] = self.now + places(self.of, task)[machine]
        self.room[machine] -= float(self.of.size[task])

    def go_on(self) -> None:
        """To the next end or arrival."""
        ends = [end for end in self.end.values() if end > self.now + TIE]
        self.now = min([*ends, *(float(r) for r in self.release if r > self.now)])
        self.room = self.of.capacity.astype(float).tolist()
        for k, end in self.end.items():
            if end > self.now + TIE:
                self.room[self.where[k]] -= float(self.of.size[k])

    def plan(self) -> list[tuple[int, float]]:
        """Machine and start [s] of each task."""
        return [(self.where[k], self.start[k]) for k in range(self.of.tasks)]


def tetris(instance: Instance, release: np.ndarray, f: float) -> list[tuple[int, float]]:
    """While a pair of task and machine fits, start the one with the largest score."""
    cluster = Cluster(instance, release)
    scale = 0.0
    while len(cluster.where) < instance.tasks:
        if (cluster.release == cluster.now).any():
            there = np.flatnonzero(cluster.release <= cluster.now)
            jobs = np.unique(instance.job[there])
            volume = sum(float(instance.size[k] * instance.fastest[k]) for k in there)
            scale = f * float(instance.size[there].mean()) * volume / len(jobs)
        left = {int(j): volume_left(cluster, int(j)) for j in np.unique(instance.job)}
        while True:
            found = []
            for k in cluster.here():
                j = int(instance.job[k])
                for machine, time in places(instance, k).items():
                    if cluster.fits(k, machine):
                        score = float(instance.weight[j]) * (float(instance.size[k]) + scale / left[j])
                        found.append((score * float(instance.fastest[k]) / time, -machine, -k))
            if not found:
                break
            _, machine, task = max(found)
            cluster.begin(-task, -machine)
        if len(cluster.where) < instance.tasks:
            cluster.go_on()
    return cluster.plan()


def volume_left(cluster: Cluster, job: int) -> float:
    """Size times time, on the fastest machine, of what is not done of a job that has arrived."""
    left, of = 0.0, cluster.of
    for k in np.flatnonzero(of.job == job).tolist():
        share = 1.0
        if k in cluster.where:
            long = places(of, k)[cluster.where[k]]
            share = max(0.0, cluster.end[k] - cluster.now) / long
        left += float(of.size[k] * of.fastest[k]) * share
    return left


def jsq_mw(instance: Instance, release: np.ndarray, turn: np.ndarray, factor: float) -> list[tuple[int, float]]:
    """`turn`: place of each job among those that arrive together."""
    cluster, machines = Cluster(instance, release), instance.machines
    queues: list[list[int]] = [[] for _ in range(machines + 1)]
    entering = sorted(range(instance.tasks), key=lambda k: (cluster.release[k], turn[instance.job[k]], k))
    while len(cluster.where) < instance.tasks:
        while entering and cluster.release[entering[0]] <= cluster.now:
            task = entering.pop(0)
            least = min(places(instance, task).values())
            local = [i for i, time in sorted(places(instance, task).items()) if time <= least * (1 + TIE)]
            is_far = len(local) < len(places(instance, task))
            choices = [*local, *([machines] if is_far else [])]
            queues[min(choices, key=lambda i: (len(queues[i]), i))].append(task)
        for machine in range(machines):
            while serve(cluster, queues, machine, factor):
                pass
        if len(cluster.where) < instance.tasks:
            cluster.go_on()
    return cluster.plan()


def serve(cluster: Cluster, queues: list[list[int]], machine: int, factor: float) -> bool:
    """Start one task on a machine: the first that fits of the queue that is to be served, or of the other."""
    own, remote = queues[machine], queues[-1]
    for queue in (own, remote) if len(own) >= len(remote) / factor else (remote, own):
        for task in queue:
            if cluster.fits(task, machine):
                queue.remove(task)
                cluster.begin(task, machine)
                return True
    return False
