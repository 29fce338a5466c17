"""An ordered collection of jobs for policies: fast to change, and safe to iterate over while it changes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

SPARE = 64
"""Empty rows that may remain before the rows are rewritten."""


class JobOrder(Sequence[int]):
    """An ordered collection of job rows. It reads like a list; only the engine changes it.

    An iteration yields the jobs that were present when it began, except those removed meanwhile: a policy may place,
    pause or reject jobs in the loop.

    Append, remove and `in` take constant time on average; an insertion in the middle and an index take n steps.
    """

    def __init__(self, jobs: Iterable[int] = ()):
        self._rows: list[int] = list(jobs)
        self._at = {job: at for at, job in enumerate(self._rows)}
        self._first = 0

    def __len__(self) -> int:
        return len(self._at)

    def __iter__(self) -> Iterator[int]:
        # `_rewrite` replaces both, so this pair stays consistent.
        rows, places = self._rows, self._at
        for at in range(self._first, len(rows)):
            job = rows[at]
            if places.get(job) == at and (places is self._at or job in self._at):
                yield job

    def __contains__(self, job: object) -> bool:
        return job in self._at

    def __getitem__(self, key: Any) -> Any:
        if key == 0 and self._at:
            return self._rows[self._first]
        return list(self)[key]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, JobOrder | list | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Iterable[int]) -> list[int]:
        return [*self, *other]

    def __radd__(self, other: Iterable[int]) -> list[int]:
        return [*other, *self]

    def __repr__(self) -> str:
        return repr(list(self))

    def _append(self, job: int) -> None:
        """Add `job` at the end."""
        self._at[job] = len(self._rows)
        self._rows.append(job)

    def _insert(self, job: int) -> None:
        """Add `job` before the first job with a larger row."""
        jobs = list(self)
        jobs.insert(bisect_left(jobs, job), job)
        self._rewrite(jobs)

    def _remove(self, job: int) -> None:
        """Remove `job`."""
        del self._at[job]
        rows, first = self._rows, self._first
        if rows[first] == job:
            while first < len(rows) and self._at.get(rows[first]) != first:
                first += 1
            self._first = first
        if len(rows) > 2 * len(self._at) + SPARE:
            self._rewrite(list(self))

    def _rewrite(self, jobs: list[int]) -> None:
        self._rows, self._at, self._first = jobs, {job: at for at, job in enumerate(jobs)}, 0
