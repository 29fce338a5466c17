"""Run a policy that is a Python object: the loop is in Python, the steps of the kernel are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shadowtime.engine.desk import Desk
from shadowtime.engine.kernel import loop
from shadowtime.engine.kernel.reading import direct, reader
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.known import known


def python_run(
    state: Any, policy: Any, rng: np.random.Generator, workload: Workload, owner: np.ndarray | None = None
) -> Callable[[int], bool]:
    """Return a function that spends a budget of acts under a Python policy; it returns whether there is more to do.

    owner: row of the jobs table of each unit; None: a unit a job.
    """
    clairvoyant = bool(getattr(policy, "clairvoyant", False))
    desk = Desk(state, rng, workload, clairvoyant=clairvoyant, owner=owner)
    physics, decide = getattr(policy, "physics", None), policy.decide
    if hasattr(policy, "prepare"):
        policy.prepare(workload if clairvoyant else known(workload))
    step, acts, begin = direct(loop.step, state, "i"), reader(state.k, "acts"), desk._begin
    due, spent = int(loop.DECIDE), int(loop.SPENT)

    def spend(budget: int) -> bool:
        stop = acts(0) + budget
        while (found := step(state, stop)) == due:
            begin()
            decide(desk)
            if physics is not None:
                physics(desk)
        return found == spent

    return spend
