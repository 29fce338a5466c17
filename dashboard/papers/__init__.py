"""The pages of the papers: one file each with what stands beside the numbers, and draws them."""

from __future__ import annotations

from shadowtime.dashboard.papers import batch, demt, dfrs, measy, one_workload, pjs, synchpack
from shadowtime.dashboard.papers.page import PaperPage

_ALL = (measy.PAGE, dfrs.PAGE, demt.PAGE, synchpack.PAGE, pjs.PAGE, batch.PAGE, one_workload.PAGE)
PAGES: dict[str, PaperPage] = {page.name: page for page in _ALL}
"""In the order of the list."""

__all__ = ["PAGES", "PaperPage"]
