"""Expected times for the planner by row, where a row is a job class with one set of permissions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shadowtime.engine.families.classed.site.experience import Experience
from shadowtime.engine.families.classed.site.site import Site

Key = tuple[int, tuple[int, ...] | None]
"""A job class, and the resources that may run a job (None: all of its class)."""


class Times:
    """Rows of expected times, recomputed after the experience changed."""

    def __init__(self, site: Site, experience: Experience):
        self._site, self._experience = site, experience
        self._expected = experience.expected

    def forget(self) -> None:
        """Recompute the expected times after a change of the experience."""
        self._expected = self._experience.expected

    def row(self, key: Key) -> np.ndarray:
        """Return the expected time on each resource [s]; infinite if not allowed."""
        job_class, allowed = key
        if allowed is None:
            return self._expected[job_class]
        times = np.full(self._site.resources, np.inf)
        times[list(allowed)] = self._expected[job_class, list(allowed)]
        return times

    def is_possible(self, job_class: int, allowed: tuple[int, ...] | None, *, parallel: bool) -> bool:
        """Return whether any resource may run such a job; clusters count only with `parallel`."""
        times = self.row((job_class, allowed))
        usable = times if parallel else times[: len(self._site.machines)]
        return bool(np.isfinite(usable).any())

    def of(self, keys: Sequence[Key]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the row of each job, and the times of the rows on machines and on clusters."""
        place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        rows = np.array([place[key] for key in keys])
        table = np.array([self.row(key) for key in place])
        machines = len(self._site.machines)
        return rows, table[:, :machines], table[:, machines:]
