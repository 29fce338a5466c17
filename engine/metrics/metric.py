"""What a metric is to pages, lists and docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["lower", "higher", "neither"]


@dataclass(frozen=True)
class Metric:
    """A number that sums up a run."""

    name: str
    title: str
    unit: str
    """"s", "" (a pure number or a count), "share" (of 1), "B/s", "lane s"."""
    better: Direction
    text: str
    """One sentence for people: what it is."""
    everywhere: bool = True
    """Whether every family has it; otherwise those families that name it."""
    kinds: tuple[str, ...] = ()
    """Families that have it, filled in by the registry; empty = all."""

    def as_dict(self) -> dict[str, str | list[str]]:
        return {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "better": self.better,
            "text": self.text,
            "kinds": list(self.kinds),
        }
