"""Random machines and weights for tasks: local machines at the task's time, remote ones slower by a factor.

Where the paper's numbers are lost (how many machines, the factor, the classes of priority) they are parameters.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Choice, Real, Whole

MACHINES = Whole("machines", 30, "Machines, all of one size.", low=1, high=10_000)
LOCAL = Whole("local", 1, "Machines on which a task runs at its own speed.", low=1, high=10_000)
REMOTE = Whole("remote", 0, "Further machines on which it may run slower.", low=0, high=10_000)
FACTOR = Real("remote_factor", 2.0, "How many times longer a task takes on a remote machine.", low=1.0, high=1000.0)
WEIGHTS = Choice(
    "weights",
    "priority",
    "Weights of the jobs.",
    ("equal", "random", "priority", "steep"),
    {"equal": "All 1", "random": "Uniform from 0 to 1", "priority": "1 + priority", "steep": "2 to minus 0 to 9"},
)

PRIORITIES = np.array([0, 1, 2, 4, 8, 9, 10, 11])
SHARES = np.array([0.3, 0.15, 0.15, 0.1, 0.1, 0.1, 0.05, 0.05])
"""Classes of priority and how often a drawn job has each: a stand-in, not the trace's."""

ROWS = 4_000_000
"""Random numbers drawn at one time."""


def weights_of(
    how: str, n: int, rng: np.random.Generator, priority: np.ndarray | None = None
) -> np.ndarray:  # fmt: skip
    """n weights above 0; `priority`: of each job where it is known, else drawn."""
    if how == "random":
        return 1.0 - rng.random(n)
    if how == "steep":
        return 2.0 ** -rng.integers(0, 9, n, endpoint=True)
    if how == "priority":
        return 1.0 + (rng.choice(PRIORITIES, n, p=SHARES) if priority is None else priority)
    return np.ones(n)


def random_places(
    time: np.ndarray,
    machines: int,
    local: int,
    remote: int,
    factor: float,
    rng: np.random.Generator,
    home: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each task `local` machines where it takes `time` and `remote` others where it takes the factor, rounded up.

    home: the first local machine of each task, where it is known; the others are drawn.

    Returns
    -------
    How many machines each task has; which, ascending within a task; and the time on each [s].
    """
    wanted = local + remote
    if wanted > machines:
        raise InvalidParameter(f"a task cannot have {local} local and {remote} remote of {machines} machines")
    n = len(time)
    if wanted == 1:
        return np.ones(n, "i8"), rng.integers(0, machines, n) if home is None else home, time.astype("f8")
    chosen = np.empty((n, wanted), "i8")
    step = max(1, ROWS // machines)
    for begin in range(0, n, step):
        keys = rng.random((min(step, n - begin), machines))
        if home is not None:
            keys[np.arange(len(keys)), home[begin : begin + step]] = -1.0
        chosen[begin : begin + step] = np.argsort(keys, axis=1)[:, :wanted]
    far = np.arange(wanted) >= local
    times = np.where(far[None, :], np.ceil(factor * time)[:, None], time[:, None])
    order = np.argsort(chosen, axis=1)
    machine, took = np.take_along_axis(chosen, order, 1), np.take_along_axis(times, order, 1)
    return np.full(n, wanted, "i8"), machine.ravel(), took.ravel()


def drawn_sizes(tasks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Sizes of all tasks, as shares of a machine: a job's own, lognormal, and its tasks' about it."""
    base = np.clip(0.08 * rng.lognormal(0.0, 0.8, len(tasks)), 0.005, 0.5)
    total = int(tasks.sum())
    return np.clip(np.repeat(base, tasks) * rng.lognormal(0.0, 0.2, total), 0.005, 0.6)
