"""Plans made before the first instant, in a thread of their own: whoever watches can ask how far it is, and stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.multitask.packing.instance import instance_of
from shadowtime.engine.families.multitask.packing.pieces import Pieces, tidy
from shadowtime.engine.families.multitask.packing.watch import Watch
from shadowtime.engine.families.multitask.workload import too_large
from shadowtime.engine.runner.plan import bands_of
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload

LOOK_EVERY = 0.05
"""Seconds between two looks at a plan in the making."""


class Planning:
    """The plan of one run, and the function that lets the kernel execute it."""

    def __init__(self, algorithm: Algorithm, parameters: Mapping[str, Any], workload: Workload, seed: int):
        self._parameters, self._workload, self._seed = dict(parameters), workload, seed
        self._make = algorithm.load(algorithm.packer)
        self.watch = Watch()
        self.pieces: Pieces | None = None
        self.seconds = 0.0
        """What making the plan took."""
        self._origin = float(workload.jobs["release"].min())

    def warm(self) -> Any:
        """Plan two jobs with these parameters, so that all code is there before the clock starts; gives their plan as
        the kernel's policy reads it."""
        local = int(np.diff(self._workload.parts["options"]).max(initial=1) > 1)
        alike = {"jobs": 2, "machines": 2, "mean_tasks": 2.0, "local": 1 + local}
        load = {"load": 0.5} if np.ptp(self._workload.jobs["release"]) > 0 else {}
        small = generate("multitask", alike | load)
        other = Planning.of(self, small)
        other._plan()
        return other.memory(len(small.parts["size"]))

    @classmethod
    def of(cls, other: Planning, workload: Workload) -> Planning:
        """The same question of another workload."""
        made = cls.__new__(cls)
        made.__dict__.update(other.__dict__)
        made._workload, made.watch = workload, Watch()
        made._origin = float(workload.jobs["release"].min())
        return made

    @property
    def bands(self) -> Table:
        """The stretches of time that the plan was made in."""
        by = self._origin
        return bands_of([(a + by, b + by, level, kind, number) for a, b, level, kind, number in self.watch.bands])

    def wait(self, watched: bool) -> Iterator[float]:
        """Make the plan; while it is in the making, give now and then how far it is (0 to 1).

        Closing the iterator, or an error of who walks it, stops the plan.
        """
        if not watched:
            self._plan()
            return
        failed: list[BaseException] = []

        def work() -> None:
            try:
                self._plan()
            except BaseException as error:  # handed to whoever waits, below
                failed.append(error)

        thread = threading.Thread(target=work, name="plan", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(LOOK_EVERY)
                if thread.is_alive():
                    yield self.watch.share
        finally:
            self.watch.stop = True
        if failed:
            raise failed[0]

    def _plan(self) -> None:
        began = time.perf_counter()
        instance, units = instance_of(self._workload, ~too_large(self._workload))
        release = self._workload.jobs["release"]
        rng = np.random.default_rng(self._seed)
        made = self._make(instance, release - self._origin, self._parameters, rng, self.watch)
        self.pieces = tidy(made.moved(np.arange(instance.tasks), self._origin), release)
        self._instance, self._units = instance, units
        self.seconds = time.perf_counter() - began

    def runner(self, run: Callable[..., bool], state: Any) -> Callable[[int], bool]:
        """A function that spends a budget of acts on executing the plan, which is there by the first of them."""
        memories: list[Any] = []
        run(state, self.warm(), 0)

        def spend(budget: int) -> bool:
            if not memories:
                memories.append(self.memory(len(state.u)))
            return run(state, memories[0], budget)

        return spend

    def memory(self, units: int) -> Any:
        """The plan as the kernel's policy reads it."""
        from shadowtime.engine.families.multitask.policies.execute import memory

        assert self.pieces is not None, "the plan is made before it is executed"
        return memory(self.pieces, self._instance, self._units, units)
