"""What a paper's page shows beside its numbers: problem, illustrations, what is unknown, why ours differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shadowtime.dashboard.figures.drawing import Drawing
from shadowtime.dashboard.figures.sketch import Sketch

Studies = Sequence[Mapping[str, Any]]
"""Reports as `Report.as_dict` gives them."""


@dataclass(frozen=True)
class Illustration:
    """A picture that explains: the problem, the algorithm, or a worked example of the paper."""

    key: str
    """Name of its files."""
    title: str
    caption: str
    draw: Callable[[], Sketch]
    figure: str = ""
    """Its number in the paper, if it stands for a figure there."""


@dataclass(frozen=True)
class PaperPage:
    """A page below /papers."""

    name: str
    title: str
    sentence: str
    """What the page is about, for the list too."""
    drawings: Callable[[Studies], list[Drawing]]
    runs: Mapping[str, str]
    """By scale: what is run, in words."""
    platform: str
    unknown: Sequence[str]
    """Places where the text is silent or lost, and what we chose."""
    differences: Sequence[str]
    """Where ours differ, and why that may be."""
    paper: tuple[str, str, str] | None = None
    """Authors, title and venue of the paper that the page repeats."""
    source: str = ""
    """What the page is about instead of a paper."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """A few words beside a claim that does not agree everywhere."""
    full_seconds: float | None = None
    """Processor time of the full scale as far as it was measured or is estimated [s]; None: unknown."""
    algorithms: str = ""
    """Slug of an entry on the page of algorithms."""
    unknown_title: str = "Unknown, and how we chose"
    unknown_lead: str = "{places} where the text is silent, or lost."
    caveats_first: bool = False
    """These stand in the page itself, under the claims, and not beside it."""
    bibtex: str = ""
    illustrations: tuple[Illustration, ...] = ()
    logs: tuple[str, ...] = ()
    """Any of these logs is enough to recompute it; without one it cannot be."""
    unit: str = "run"
    """What a piece of the work is that is counted while it is recomputed."""
    needs: str = ""
    """A log without which a part is left out."""
