"""Measure packed tasks: orders, schedules, programs and rivals at their target sizes.

`python -m benchmarks.synchpack`; processor seconds, so that other load on the machine matters little. Compiled code
cached.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, partial

from benchmarks import durations, emit
from shadowtime.engine import Simulation
from shadowtime.engine.bounds.linear_program import Solver
from shadowtime.engine.families.multitask.packing.instance import Instance, instance_of
from shadowtime.engine.families.multitask.packing.interval_lp import interval_program, needed_ends
from shadowtime.engine.families.multitask.packing.loads import loads_of, primal_dual
from shadowtime.engine.families.multitask.packing.order import cut_order
from shadowtime.engine.families.multitask.policies.lists import job_ranks, list_schedule
from shadowtime.engine.runner.watch import Stopped, Watch
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload


@cache
def workload(jobs: int, machines: int, local: int = 1, remote: int = 0) -> Workload:
    """About ten tasks a job."""
    return generate("multitask", {"jobs": jobs, "machines": machines, "local": local, "remote": remote}, 1)


def instance(*size: int) -> Instance:
    return instance_of(workload(*size))[0]


def processor_seconds(work: Callable[[], object], times: int = 3) -> float:
    """Return the median processor time over some calls [s]."""
    return statistics.median(durations(work, times))


def order_and_schedule(tasks: Instance) -> None:
    order, _ = primal_dual(loads_of(tasks))
    list_schedule(tasks, job_ranks(tasks, order))


def run(slug: str) -> float:
    """The whole run of 10,000 tasks, tables and all, without compiling."""
    prepared = Simulation(workload(1000, 100), slug)
    return processor_seconds(prepared.run, 1)


def interval_solver(tasks: Instance, watch: Watch | None = None) -> Solver:
    return Solver(interval_program(tasks, needed_ends(tasks, 1.0), "d0", False)[0], watch)


def stopping() -> float:
    """Return the wall seconds from a stop request in the middle of LP2 to its end."""
    watch = Watch()
    solver = interval_solver(instance(200, 30, 3, 2), watch)
    ended: list[float] = []

    def solve() -> None:
        try:
            solver.solve()
        except Stopped:
            ended.append(time.perf_counter())

    thread = threading.Thread(target=solve)
    thread.start()
    while thread.is_alive() and watch.share < 0.05:
        time.sleep(0.01)
    asked = time.perf_counter()
    watch.stop = True
    thread.join()
    return ended[0] - asked if ended else 0.0


def main() -> int:
    """Measure, print, and return 0 when all limits are met."""
    order_and_schedule(instance(10, 2))
    figures: dict[str, object] = {
        "order_and_schedule_1000_jobs_s": processor_seconds(partial(order_and_schedule, instance(1000, 100))),
        "order_and_schedule_10000_jobs_s": processor_seconds(partial(order_and_schedule, instance(10_000, 100)), 1),
        "cuts_200_jobs_s": processor_seconds(partial(cut_order, loads_of(instance(200, 30)))),
        "cuts_1000_jobs_s": processor_seconds(partial(cut_order, loads_of(instance(1000, 100))), 1),
        "lp2_2000_tasks_s": processor_seconds(lambda: interval_solver(instance(200, 30, 3, 2)).solve(), 1),
        "lp2_stops_s": stopping(),
        **{f"{slug}_10000_tasks_s": run(slug) for slug in ("synchpack-3", "psrs", "tetris", "tetris-p", "jsq-mw")},
    }
    limits = {
        "order_and_schedule_1000_jobs_s": 0.5, "order_and_schedule_10000_jobs_s": 30.0, "cuts_200_jobs_s": 0.2,
        "cuts_1000_jobs_s": 20.0, "lp2_2000_tasks_s": 15.0, "lp2_stops_s": 1.0, "psrs_10000_tasks_s": 1.0,
        "tetris_10000_tasks_s": 1.0, "tetris-p_10000_tasks_s": 1.0,
    }  # fmt: skip
    return emit("synchpack", figures, limits)


if __name__ == "__main__":
    sys.exit(main())
