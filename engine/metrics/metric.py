"""The description of a metric for pages, lists and docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shadowtime.engine.metrics.nature import ANY, Nature

Direction = Literal["lower", "higher", "neither"]


@dataclass(frozen=True)
class Metric:
    """A number that summarizes a run."""

    name: str
    title: str
    unit: str
    """"s", "" (a pure number or a count), "share" (of 1), "B/s", "lane s"."""
    better: Direction
    text: str
    """One sentence for the user: what it measures."""
    everywhere: bool = True
    """Whether every family has the metric; otherwise only families that list it."""
    kinds: tuple[str, ...] = ()
    """Families that have the metric, filled in by the registry; empty: all."""
    nature: Nature = ANY
    """Range and kind, which choose the method of its confidence intervals."""

    def as_dict(self) -> dict[str, str | list[str]]:
        """Return the description as JSON values."""
        return {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "better": self.better,
            "text": self.text,
            "kinds": list(self.kinds),
        }
