"""The form of an explanation: three sentences, pseudo-code, and the cost of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MARK = "<-"
"""Between a line of pseudo-code and the events that it causes."""


class Line(NamedTuple):
    """A line of pseudo-code."""

    depth: int
    """Levels of indentation."""
    text: str
    causes: tuple[str, ...]
    """Classes of events, as `examples.class_of` names them, that this line causes or handles."""


@dataclass(frozen=True)
class Explanation:
    """What the page of an algorithm says, beside what its registry entry knows."""

    idea: str
    """Three sentences."""
    code: str
    """Lines of pseudo-code, indented by four spaces; `<- start` names the events of a line."""
    cost: str
    """Complexity in a sentence: n is the number of waiting jobs, unless it says otherwise."""

    @property
    def lines(self) -> list[Line]:
        """Return the lines of the pseudo-code."""
        return [_line(text) for text in self.code.strip("\n").splitlines()]

    def line_of(self) -> dict[str, int]:
        """Return the position of the line that causes each class of events."""
        return {cause: at for at, line in enumerate(self.lines) for cause in line.causes}


def _line(text: str) -> Line:
    said, _, causes = text.partition(MARK)
    depth = (len(said) - len(said.lstrip())) // 4
    return Line(depth, said.strip(), tuple(causes.split()))
