"""What the planner is told: expected times by row, where a row is a job class under one set of permissions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.families.classed.site.experience import Experience
from shadowtime.engine.families.classed.site.site import Site

Key = tuple[int, tuple[int, ...] | None]
"""A job class, and the resources that a job may go to (None: all of its class)."""


class Times:
    """Rows of expected times, made anew after the experience has learned."""

    def __init__(self, site: Site, experience: Experience):
        self._site, self._experience = site, experience
        self._expected = experience.expected

    def forget(self) -> None:
        """The experience has changed."""
        self._expected = self._experience.expected

    def row(self, key: Key) -> np.ndarray:
        """Expected time on each resource [s]; infinite where not allowed."""
        job_class, allowed = key
        if allowed is None:
            return self._expected[job_class]
        times = np.full(self._site.resources, np.inf)
        times[list(allowed)] = self._expected[job_class, list(allowed)]
        return times

    def is_possible(self, job_class: int, allowed: tuple[int, ...] | None, *, parallel: bool) -> bool:
        """Whether anything may run such a job, clusters counted where the planner uses them."""
        times = self.row((job_class, allowed))
        usable = times if parallel else times[: len(self._site.machines)]
        return bool(np.isfinite(usable).any())

    def of(self, keys: Sequence[Key]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row of each job, and the rows' times on machines and on clusters."""
        place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        rows = np.array([place[key] for key in keys])
        table = np.array([self.row(key) for key in place])
        machines = len(self._site.machines)
        return rows, table[:, :machines], table[:, machines:]
