"""How a paper stands at a scale: which result is shown, what is computed now, how long it would take."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shadowtime.dashboard.figures.drawing import Drawing
from shadowtime.dashboard.papers.page import PaperPage
from shadowtime.workers.papers.kept import results, study_of
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.records.papers import Papers, StudyStatus
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)

SHIPPED = "shipped"


@dataclass(frozen=True)
class Standing:
    """What is known of a page at a scale."""

    page: PaperPage
    scale: str
    results: Sequence[Mapping[str, Any]]
    """Newest first."""
    shown: Mapping[str, Any] | None
    """The newest, or the shipped one where `which` names it; None where there is none."""
    status: StudyStatus | None
    progress: Mapping[str, Any]
    processor_seconds: float | None
    """What recomputing is expected to take on one core."""
    damaged: Sequence[str] = ()
    """Engine versions whose stored results are not what was written."""

    @property
    def studies(self) -> Sequence[Mapping[str, Any]]:
        """Its reports; none where nothing was made."""
        return self.shown["studies"] if self.shown else []

    @property
    def is_of_this_engine(self) -> bool:
        """Whether the result shown was made by this engine."""
        return self.shown["engine_version"] == engine_version() if self.shown else False

    def seconds(self, workers: int) -> float | None:
        """What recomputing is expected to take on so many workers."""
        return None if self.processor_seconds is None else self.processor_seconds / max(1, workers)

    def drawings(self) -> list[Drawing]:
        """The figures; none where the result is of a version of the study that has other tables."""
        try:
            return self.page.drawings(self.studies) if self.studies else []
        except (LookupError, ValueError, TypeError, StopIteration) as error:
            log.warning("%s at %s scale has other tables than its page draws: %r", self.page.name, self.scale, error)
            return []


def standing(papers: Papers, page: PaperPage, scale: str, which: str = "") -> Standing:
    """The standing of a page at a scale; `which` = "shipped" selects what the package brings."""
    found, damaged = results(papers, page.name, scale)
    chosen = [one for one in found if one["shipped"]] if which == SHIPPED else found
    study = study_of(papers, page.name, scale)
    known = [one["processor_seconds"] for one in found if one.get("processor_seconds")]
    guess = known[0] if known else page.full_seconds if scale == SCALES[1] else None
    shown = next(iter(chosen or found), None)
    return Standing(page, scale, found, shown, study.status(), study.progress(), guess, damaged)
