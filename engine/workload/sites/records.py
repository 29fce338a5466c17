"""Collect the jobs of a log record by record, for formats that are no table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadowtime.engine.workload.sites.columns import Columns
from shadowtime.engine.workload.sites.lines import UNKNOWN
from shadowtime.engine.workload.sites.site_log import SiteLog

NUMBERS = ("job_id", "submit", "start", "end", "size", "elapsed", "limit", "memory", "gpus")
"""Numeric columns of a log, in the order of `Records.add`."""


class Records(Columns):
    """The records of a log, each the numbers of NUMBERS and a text for each of the groups."""

    def __init__(self, *groups: str):
        super().__init__(NUMBERS, groups)

    def add_unfinished(self, waiting: int, running: int) -> None:
        """Add jobs that never started, and jobs that had not ended, of which no more is known."""
        for n, start in ((waiting, UNKNOWN), (running, 0.0)):
            for _ in range(n):
                self.add((0.0, UNKNOWN, start, *[UNKNOWN] * 6))

    def knows(self, group: str) -> bool:
        """Return whether some record has a text for this group."""
        return bool(self._texts[group][1])

    def log(self, source: str, groups: Sequence[str], **others: Any) -> SiteLog:
        """Return the records as a log, with these groups; `account=group` is a group under another name."""
        columns: dict[str, Any] = self.numbers()
        columns["size"] = np.nan_to_num(columns["size"])
        named = [(name.partition("=")[0], name.rpartition("=")[2]) for name in groups]
        return SiteLog(source=source, **columns, groups={name: self.texts(of) for name, of in named}, **others)
