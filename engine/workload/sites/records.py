"""Collect the jobs of a log record by record, for formats that are no table."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.workload.sites.lines import UNKNOWN
from shadowtime.engine.workload.sites.site_log import SiteLog, Texts

NUMBERS = ("job_id", "submit", "start", "end", "size", "elapsed", "limit", "memory", "gpus")
"""Numeric columns of a log, in the order of `Records.add`."""
BLOCK = 50_000
"""Records that are made into columns at a time."""


class Records:
    """The records of a log, each the numbers of NUMBERS and a text for each of the groups."""

    def __init__(self, *groups: str):
        self._blocks: list[np.ndarray] = []
        self._rows: list[Sequence[float]] = []
        self._groups: Mapping[str, tuple[array[int], dict[bytes, int]]] = {name: (array("q"), {}) for name in groups}
        self._columns = tuple(self._groups.values())
        self._nothing = (None,) * len(groups)

    def add(self, numbers: Sequence[float], texts: Sequence[bytes | None] = ()) -> None:
        """Add a record; all texts are unknown where none is given."""
        self._rows.append(numbers)
        for (codes, known), text in zip(self._columns, texts or self._nothing, strict=True):
            codes.append(known.setdefault(text, len(known)) if text else -1)
        if len(self._rows) >= BLOCK:
            self._flush()

    def __len__(self) -> int:
        return len(self._rows) + sum(map(len, self._blocks))

    def add_unfinished(self, waiting: int, running: int) -> None:
        """Add jobs that never started, and jobs that had not ended, of which no more is known."""
        for n, start in ((waiting, UNKNOWN), (running, 0.0)):
            for _ in range(n):
                self.add((0.0, UNKNOWN, start, *[UNKNOWN] * 6))

    def knows(self, group: str) -> bool:
        """Return whether some record has a text for this group."""
        return bool(self._groups[group][1])

    def log(self, source: str, groups: Sequence[str], **others: Any) -> SiteLog:
        """Return the records as a log, with these groups; `account=group` is a group under another name."""
        self._flush()
        table = np.concatenate([np.empty((0, len(NUMBERS))), *self._blocks])
        columns: dict[str, Any] = {name: table[:, at] for at, name in enumerate(NUMBERS)}
        columns["size"] = np.nan_to_num(columns["size"])
        named = [(name.partition("=")[0], name.rpartition("=")[2]) for name in groups]
        return SiteLog(source=source, **columns, groups={name: self._texts(of) for name, of in named}, **others)

    def _flush(self) -> None:
        if self._rows:
            self._blocks.append(np.array(self._rows, dtype="f8"))
            self._rows = []

    def _texts(self, group: str) -> Texts:
        codes, known = self._groups[group]
        return Texts(np.array(codes, dtype="i8"), tuple(text.decode(errors="replace") for text in known))
