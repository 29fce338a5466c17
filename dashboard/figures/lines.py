"""One line for each compared run: colour and dash, the same in every figure, and its name at the line itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.dashboard.look import theme


@dataclass(frozen=True)
class Style:
    """How a line is drawn: never distinguished by its hue alone."""

    colour: str
    """A token."""
    dash: str
    width: float = 1.75

    @property
    def line(self) -> dict[str, Any]:
        """As plotly takes it."""
        return {"color": theme.var(self.colour), "dash": self.dash, "width": self.width}


STYLES = (
    Style("ink3", "dot"),
    Style("accent", "dash"),
    Style("ink", "solid", 2.0),
    Style("bgt", "dashdot"),
    Style("under", "longdash"),
    Style("good", "longdashdot"),
)
USUAL = {"fcfs": 0, "easy": 1, "measy": 2, "keasy": 3, "reasy": 4}
"""The styles of the best-known algorithms: an algorithm keeps its line wherever it can."""


def styles(algorithms: Sequence[str]) -> list[Style]:
    """Return a style for each run, by its algorithm's slug; of two with the same, the later takes a free one."""
    free = list(range(len(STYLES)))
    chosen: list[int | None] = []
    for slug in algorithms:
        usual = USUAL.get(slug)
        chosen.append(usual if usual in free else None)
        if usual in free:
            free.remove(usual)
    return [STYLES[at if at is not None else free.pop(0)] for at in chosen]


@dataclass(frozen=True)
class Line:
    """A run in a figure."""

    name: str
    style: Style
    values: np.ndarray
    weights: np.ndarray | None = None
    """Of the jobs, where shares are of their weight and not of their number."""


def apart(curves: Mapping[str, tuple[np.ndarray, np.ndarray]], span: float) -> dict[str, tuple[float, float, bool]]:
    """Where the name of each rising curve (x, y from 0 to 1) stands: x, y, and whether it is to the left of the line.

    At the height where the curve is farthest from the others, names not above one another; `span` is the length of
    the x axis.
    """
    levels = np.linspace(0.12, 0.92, 17)
    at = {name: np.interp(levels, y, x) for name, (x, y) in curves.items()}
    placed: dict[str, tuple[float, float, bool]] = {}
    for name, here in at.items():
        others = [x for other, x in at.items() if other != name]
        low, high = min(x.min() for x in at.values()), max(x.max() for x in at.values())
        left, right = here - low, high - here
        for x in others:
            left = np.where(x <= here, np.minimum(left, here - x), left)
            right = np.where(x >= here, np.minimum(right, x - here), right)
        is_left = left > right
        room = np.minimum(np.maximum(left, right), span / 3)
        for _, y, _ in placed.values():
            room = np.where(np.abs(levels - y) < 0.12, room - span, room)
        best = int(np.argmax(room))
        placed[name] = float(here[best]), float(levels[best]), bool(is_left[best])
    return placed
