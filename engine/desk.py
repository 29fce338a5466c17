"""Where a person's own policy stands: questions to ask, and the closed vocabulary to act with.

A policy is an object with `decide(desk)`, called once per instant:

    class Fcfs:
        def decide(self, desk):
            for job in desk.waiting:
                free = desk.free_lanes()
                if desk.size(job) > len(free):
                    return
                desk.place(job, free[: desk.size(job)])

It may have `exclusive = False` (lanes hold shares), `clairvoyant = True` (it may ask for true runtimes),
`prepare(workload)`, called once before the run, and `physics(desk)`, called after each decision, when its rates
follow from placement. The loop is the kernel's own, uncompiled, over the kernel's compiled steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from shadowtime.engine.errors import PolicyError
from shadowtime.engine.kernel import allotment, loop, record, vocabulary
from shadowtime.engine.kernel.clock import workload_time
from shadowtime.engine.kernel.state import FOREGROUND, NOBODY, QUEUED, RUNNING
from shadowtime.engine.tables import BY_POLICY
from shadowtime.engine.workload.job import Workload


class Desk:
    """What a policy may know and do. Jobs are named by their row in the jobs table."""

    def __init__(self, state: Any, rng: np.random.Generator, workload: Workload, *, clairvoyant: bool):
        self._s, self._clairvoyant = state, clairvoyant
        self._jobs = workload.jobs
        self._origin = float(state.k[0]["origin"])
        self.rng = rng
        """The run's own random generator."""
        self.waiting: list[int] = []
        """Jobs that are queued or paused, in order of submission."""
        self.running: list[int] = []
        """Jobs that hold lanes, in the order in which they last started or resumed."""
        self.ended: list[int] = []
        """Jobs that ended in this instant; their lanes are free already."""
        self.arrived: list[int] = []
        """Jobs submitted in this instant."""
        self.alarm = False
        """Whether an alarm set by `wake` rang in this instant."""

    # What may be known.

    @property
    def now(self) -> float:
        """The instant [s]."""
        return float(workload_time(np.array(self._s.k[0]["now"]), self._origin))

    @property
    def lanes(self) -> int:
        return int(self._s.k[0]["lanes"])

    def size(self, job: int) -> int:
        """Lanes that a job asks for."""
        return int(self._s.u[job]["procs"])

    def release(self, job: int) -> float:
        return float(self._s.u[job]["release"]) + self._origin

    def estimate(self, job: int) -> float:
        """Runtime as the user said it [s]."""
        return float(self._s.u[job]["estimate"])

    def runtime(self, job: int) -> float:
        """True runtime [s]: only for a policy that declares itself clairvoyant."""
        if not self._clairvoyant:
            raise PolicyError("a policy that is not clairvoyant asked for a true runtime")
        return float(self._s.u[job]["runtime"])

    def progress(self, job: int) -> float:
        """Seconds of dedicated work done so far."""
        u, now = self._s.u[job], float(self._s.k[0]["now"])
        since = max(float(u["since"]), min(float(u["stall"]), now))
        lived = float(u["runtime"]) - float(u["remaining"])
        return lived + max(0.0, now - since) * float(u["rate"]) if int(u["state"]) == RUNNING else lived

    def column(self, name: str, job: int) -> float:
        """A column of the workload's jobs table: `weight`, `user`, `cpu_need` ... (never the runtime)."""
        if name == "runtime":
            return self.runtime(job)
        return self._jobs[name][job]

    def tier(self, job: int) -> int:
        return int(self._s.u[job]["tier"])

    def lanes_of(self, job: int) -> list[int]:
        """Lanes that a running job holds, in the order in which they were given."""
        u = self._s.u[job]
        first = int(u["first"])
        return [int(lane) for lane in self._s.hold[first : first + int(u["procs"])]]

    def free_lanes(self, tier: int = 0) -> np.ndarray:
        """Lanes whose slot of this tier is empty, ascending."""
        return np.flatnonzero(np.asarray(self._s.lane["count1" if tier else "count0"]) == 0)

    # What may be said.

    def place(
        self,
        job: int,
        lanes: Iterable[int],
        *,
        tier: int = 0,
        rate: float = 1.0,
        share: float = 1.0,
        delay: float = 0.0,
    ) -> None:
        """Run `job` on `lanes` from now on: start, resume, migrate, swap or re-rate (see `vocabulary.place`)."""
        chosen = np.asarray(list(lanes), np.int64)
        if len(chosen) != self.size(job):
            name = self._jobs["job_id"][job]
            raise PolicyError(f"t={self.now:g}: job {name} needs {self.size(job)} lanes; {len(chosen)} were named")
        was_running = int(self._s.u[job]["state"]) == RUNNING
        self._s.pick[: len(chosen)] = chosen if isinstance(self._s.pick, np.ndarray) else chosen.tolist()
        vocabulary.place(self._s, job, np.int64(tier), float(rate), float(share), float(delay))
        if not was_running and int(self._s.u[job]["state"]) == RUNNING:
            self.waiting.remove(job)
            self.running.append(job)

    def allot(self, job: int, lanes: int, runtime: float) -> None:
        """Let a waiting job take so many lanes and seconds when it is placed next (moldable and classed jobs)."""
        allotment.allot(self._s, job, np.int64(lanes), float(runtime))

    def rerate(self, job: int, rate: float, share: float = 1.0) -> None:
        """Change the rate, and the share of each lane, of a running job."""
        vocabulary.rerate(self._s, job, float(rate), float(share))

    def pause(self, job: int) -> None:
        """Take a running job off its lanes, its progress kept."""
        vocabulary.pause(self._s, job)
        self._wait_again(job)

    def kill(self, job: int) -> None:
        """Take a running job off its lanes; its progress is lost and it is queued again."""
        vocabulary.kill(self._s, job)
        self._wait_again(job)

    def reject(self, job: int, reason: int = BY_POLICY) -> None:
        """Turn a waiting job away for good; `reason`: one of `engine.tables.REJECTIONS`, for the event."""
        vocabulary.reject(self._s, job, np.int64(reason))
        if job in self.waiting:
            self.waiting.remove(job)

    def wake(self, at: float) -> None:
        """Be asked again at time `at` [s], even if nothing happens then."""
        vocabulary.wake(self._s, float(at) - self._origin)

    def reserved(self, job: int, start: float) -> None:
        """Record that `job` is promised to start at `start` [s]."""
        _note(self._s, record.RESERVE, job, NOBODY, float(start) - self._origin)

    def backfilled(self, job: int, head: int, shadow_time: float) -> None:
        """Record why `job` may pass: the head of the queue and its shadow time [s]."""
        _note(self._s, record.BACKFILL, job, np.int64(head), float(shadow_time) - self._origin)

    def _wait_again(self, job: int) -> None:
        if job in self.running:
            self.running.remove(job)
            at = sum(1 for other in self.waiting if other < job)
            self.waiting.insert(at, job)

    def _meet(self) -> None:
        """Take in what the instant brought."""
        s, k = self._s, self._s.k[0]
        self.ended = [int(s.ended[y]) for y in range(int(k["ended"]))]
        self.arrived = [
            i for i in range(int(k["arrived_first"]), int(k["arrived_last"])) if int(s.u[i]["state"]) == QUEUED
        ]
        self.alarm = bool(k["alarm"])
        for job in self.ended:
            self.running.remove(job)
        self.waiting.extend(self.arrived)


def _note(s: Any, kind: np.int64, job: int, other: np.int64, value: float) -> None:
    """An event, written without compiled code: these are few."""
    k = s.k[0]
    row = int(k["events"])
    event = s.ev[row]
    event["time"], event["kind"], event["job"] = k["now"], kind, job
    event["tier"], event["other"], event["value"] = FOREGROUND, other, value
    k["events"] = row + 1


def python_run(state: Any, policy: Any, rng: np.random.Generator, workload: Workload) -> Callable[[int], bool]:
    """A function that spends a budget of acts under a Python policy; True while there is more to do."""
    desk = Desk(state, rng, workload, clairvoyant=bool(getattr(policy, "clairvoyant", False)))
    physics = getattr(policy, "physics", None)
    if hasattr(policy, "prepare"):
        policy.prepare(workload)

    def decide(_: Any, desk: Desk) -> None:
        desk._meet()
        policy.decide(desk)

    def set_rates(_: Any, desk: Desk) -> None:
        if physics is not None:
            physics(desk)

    # The loop's own source, uncompiled: `advance` and `settle` in it are the compiled steps.
    drive = getattr(loop.drive, "py_func", loop.drive)
    return lambda budget: bool(drive(state, desk, decide, set_rates, budget))
