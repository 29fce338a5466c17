"""The jobs of a finished run in groups, as its page and the API show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.components.waits_view import waits_view
from shadowtime.dashboard.figures.lines import Line, Style
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import groups
from shadowtime.dashboard.sharing.classes import AREA, SIZE, area_classes, size_classes
from shadowtime.engine.metrics.jobs import flow
from shadowtime.engine.metrics.usage_by import NAMED, UNKNOWN, Grouping
from shadowtime.engine.tables import rows

CLASSES = (SIZE, AREA)
STYLES = (
    Style("ink3", "dot"), Style("accent", "dash"), Style("ink", "solid", 2.0), Style("bgt", "dashdot"),
    Style("under", "longdash"), Style("good", "longdashdot"), Style("stretch-4", "6px 2px 2px 2px"),
    Style("fg", "2px 4px"),
)  # fmt: skip
"""Lines of classes, smallest jobs first."""
MOST_CLASSES = len(STYLES)
OF = {"wait": "wait", "flow": "turnaround", "stretch": "bounded_slowdown"}
"""Values of jobs whose distributions are drawn, with their entries in the glossary."""


@dataclass(frozen=True)
class GroupView:
    """A finished run whose jobs are grouped."""

    view: RunView

    @cached_property
    def groupings(self) -> dict[str, Grouping]:
        """The ways to group that are known of these jobs, in the order of `groups.BY`."""
        jobs = self.view.jobs
        if not rows(jobs):
            return {}
        named = waits_view(self.view.context, [self.view.run.id]).subject.groupings
        known = {name: named[name] for name in NAMED if name in named}
        if site := self.view.site:
            known["job_class"] = _of_site(jobs["job_class"], site["job_classes"])
        known |= {SIZE: size_classes(jobs["processors"]), AREA: area_classes(jobs)}
        return {name: known[name] for name in groups.BY if name in known}

    @property
    def ways(self) -> list[str]:
        """Their names."""
        return self._kept("ways", lambda: list(self.groupings))

    def table(self, by: str, most: int = 0) -> groups.Groups:
        """Return figures of each group; of those with names, `most` stand for themselves, 0: all."""
        return groups.grouped(self.view.jobs, self.groupings[by], self.view.tau, most)

    def records(self, by: str) -> list[dict[str, Any]]:
        """Return the rows of all groups as JSON values."""
        return self._kept(f"records-{by}", lambda: groups.records(self.table(by)))

    def use(self, by: str, points: int, most: int = groups.MOST) -> dict[str, Any]:
        """Return how much of the machine each group used over time, as JSON values.

        `edges` are instants [s], `use` holds percent of all lanes for each of `names`; None in place of `use` for a
        run of too many rectangles.
        """

        def make() -> dict[str, Any]:
            found = self.table(by, most)
            jobs, segments = self.view.jobs, self.view.run.table("segments")
            edges = groups.edges_of(jobs, points)
            used = None
            if groups.is_divisible(segments):
                lanes = int(self.view.asked["lanes"])
                rates = self.view.run.table("rates") if "cpu" in self.view.run.table("series") else None
                lines = groups.utilization(
                    jobs, segments, found.grouping, edges, rates, exclusive=self.view.is_exclusive
                )
                used = [(100.0 * line / lanes).round(3).tolist() for line in lines]
            share = [float(one) for one in found.usage.share]
            return {"names": list(found.names), "share": share, "edges": edges.tolist(), "use": used}

        return self._kept(f"use-{by}-{points}-{most}", make)

    def lines(self, by: str, of: str) -> list[Line]:
        """Return the values of the jobs of each class that ended, at most MOST_CLASSES classes that have jobs."""
        grouping = self.groupings[by]
        values = {"wait": self.view.waits, "flow": lambda: flow(self.view.jobs), "stretch": self.view.stretches}[of]()
        known = np.isfinite(values)
        there = [at for at in range(len(grouping.names)) if (known & (grouping.codes == at)).any()]
        shown = [([at], grouping.names[at]) for at in there[: MOST_CLASSES - 1]]
        rest = there[MOST_CLASSES - 1 :]
        if rest:
            first = grouping.names[rest[0]].partition("–")[0]
            shown.append((rest, grouping.names[rest[0]] if len(rest) == 1 else f"{first} and more"))
        return [
            Line(name, style, values[np.isin(grouping.codes, codes)])
            for (codes, name), style in zip(shown, STYLES, strict=False)
        ]

    def _kept(self, what: str, make: Any) -> Any:
        return cache.remembered(self.view.context.cache, self.view.run.id, f"groups:{what}", make)


def _of_site(codes: np.ndarray, names: Sequence[str]) -> Grouping:
    known, group = np.unique(codes, return_inverse=True)
    words = tuple(names[code] if 0 <= code < len(names) else UNKNOWN for code in known.tolist())
    return Grouping("job_class", group, words)
