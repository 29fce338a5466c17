"""List the papers that can be reproduced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from shadowtime.engine.errors import UnknownName
from shadowtime.workers.papers import batch, demt, dfrs, measy, one_workload, pjs, synchpack
from shadowtime.workers.papers.report import Report

SCALES = ("quick", "full")


@dataclass(frozen=True)
class Paper:
    """A study that `shadowtime paper NAME` runs."""

    name: str
    title: str
    source: str
    study: Callable[[str, Callable[[str], None]], Report]
    """Function of a scale and a callback for progress sentences; returns the report."""


_PAPERS = {
    "measy": Paper("measy", measy.TITLE, measy.SOURCE, measy.study),
    "demt": Paper("demt", demt.TITLE, demt.SOURCE, demt.study),
    "pjs": Paper("pjs", pjs.TITLE, pjs.SOURCE, pjs.study),
    "synchpack": Paper("synchpack", synchpack.TITLE, synchpack.SOURCE, synchpack.study),
    "one-workload": Paper("one-workload", one_workload.TITLE, one_workload.SOURCE, one_workload.study),
    "batch": Paper("batch", batch.TITLE, batch.SOURCE, batch.study),
    **{name: Paper(name, title, dfrs.SOURCE, partial(dfrs.study, name)) for name, title in dfrs.STUDIES.items()},
}


def papers() -> dict[str, Paper]:
    """Return all papers by name."""
    return dict(_PAPERS)


def find_paper(name: str) -> Paper:
    """Return the paper called `name`; else UnknownName with the known names."""
    if name.lower() not in _PAPERS:
        raise UnknownName("paper", name[:80], sorted(_PAPERS))
    return _PAPERS[name.lower()]
