"""Draw machines, weights and sizes of tasks: full speed on local machines, slower by a factor on remote ones.

The paper's numbers of machines, factor and classes of priority are unknown, so they are parameters.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.multitask.workload import MIGRATORY, NONPREEMPTIVE
from shadowtime.engine.parameters import Choice, Flag, Real, Whole
from shadowtime.engine.workload.job import Parameters

MACHINES = Whole("machines", 30, "Machines, all of the same capacity.", low=1, high=10_000)
LOCAL = Whole("local", 1, "Machines on which a task runs at full speed.", low=1, high=10_000)
REMOTE = Whole("remote", 0, "Further machines on which a task may run, slower.", low=0, high=10_000)
FACTOR = Real("remote_factor", 2.0, "How many times longer a task takes on a remote machine.", low=1.0, high=1000.0)
WEIGHTS = Choice("weights", "priority", "Weights of the jobs.",
                 {"equal": "All 1", "random": "Uniform from 0 to 1", "priority": "1 + priority",
                  "steep": "2 to minus 0 to 9"})  # fmt: skip
PLACEMENT = (LOCAL, REMOTE, FACTOR, WEIGHTS)
MIGRATION = Flag("migration", False, "Whether the lower bound allows that tasks move between machines.")

PRIORITIES = np.array([0, 1, 2, 4, 8, 9, 10, 11])
SHARES = np.array([0.3, 0.15, 0.15, 0.1, 0.1, 0.1, 0.05, 0.05])
"""Classes of priority and the share of drawn jobs in each: our choice, not that of the trace."""

ROWS = 4_000_000
"""Random numbers drawn at one time, to limit memory."""


def weights_of(how: str, n: int, rng: np.random.Generator, priority: np.ndarray | None = None) -> np.ndarray:
    """Return n weights above 0; `priority` is that of each job, or None to draw it."""
    if how == "random":
        return 1.0 - rng.random(n)
    if how == "steep":
        return 2.0 ** -rng.integers(0, 9, n, endpoint=True)
    if how == "priority":
        return 1.0 + (rng.choice(PRIORITIES, n, p=SHARES) if priority is None else priority)
    return np.ones(n)


def random_places(
    time: np.ndarray, values: Parameters, rng: np.random.Generator, home: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw the local and remote machines of each task.

    `time` is that of each task on its local machines [s]; on remote ones it is multiplied by the factor and rounded
    up. `home` is the first local machine of each task, if it is known.

    Returns
    -------
    How many machines each task has; which, ascending within a task; and the time on each [s].

    Raises
    ------
    InvalidParameter
        If there are fewer machines than a task shall have.
    """
    machines, local, remote = values["machines"], values["local"], values["remote"]
    each = local + remote
    if each > machines:
        raise InvalidParameter(f"a task cannot have {local} local and {remote} remote of {machines} machines")
    n = len(time)
    if each == 1:
        return np.ones(n, "i8"), rng.integers(0, machines, n) if home is None else home, time.astype("f8")
    chosen = np.empty((n, each), "i8")
    step = max(1, ROWS // machines)
    for begin in range(0, n, step):
        keys = rng.random((min(step, n - begin), machines))
        if home is not None:
            keys[np.arange(len(keys)), home[begin : begin + step]] = -1.0
        chosen[begin : begin + step] = np.argsort(keys, axis=1)[:, :each]
    far = np.arange(each) >= local
    times = np.where(far[None, :], np.ceil(values["remote_factor"] * time)[:, None], time[:, None])
    order = np.argsort(chosen, axis=1)
    machine, took = np.take_along_axis(chosen, order, 1), np.take_along_axis(times, order, 1)
    return np.full(n, each, "i8"), machine.ravel(), took.ravel()


def regime_of(values: Parameters) -> dict[str, float]:
    """Return the regime of a drawn workload by the parameter `migration`; nothing where each task has one machine."""
    if values["local"] + values["remote"] == 1:
        return {}
    return {"regime": MIGRATORY if values["migration"] else NONPREEMPTIVE}


def drawn_sizes(tasks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the sizes of all tasks, as shares of a machine: lognormal for the job, times a lognormal factor a task."""
    base = np.clip(0.08 * rng.lognormal(0.0, 0.8, len(tasks)), 0.005, 0.5)
    total = int(tasks.sum())
    return np.clip(np.repeat(base, tasks) * rng.lognormal(0.0, 0.2, total), 0.005, 0.6)
