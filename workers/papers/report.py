"""Define the report of a study: claims side by side, and the figures behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Claim:
    """One statement of a paper and our result."""

    claim: str
    theirs: str
    ours: Mapping[str, str]
    """Per workload of the study, in words and numbers."""
    agrees: Mapping[str, bool | None]
    """Per workload; None where the paper says nothing about it."""
    rule: str
    """The rule of its verdict."""


@dataclass(frozen=True)
class Figure:
    """One table of numbers: rows are points, columns algorithms."""

    title: str
    unit: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float]]]
    low: Sequence[Sequence[float]] = ()
    """Where each value is an average: the smallest single value, row by row; for plots, not printed."""
    high: Sequence[Sequence[float]] = ()
    """The largest single value."""


@dataclass(frozen=True)
class Report:
    """A study as a whole."""

    paper: str
    title: str
    source: str
    scale: str
    method: Sequence[str]
    """How our values were computed and what is unknown, a sentence each."""
    claims: Sequence[Claim]
    figures: Sequence[Figure]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Return the object of `paper --json`; a missing value is None."""
        found = asdict(self)
        for figure in found["figures"]:
            figure["rows"] = [(point, [_plain(value) for value in values]) for point, values in figure["rows"]]
            for name in ("low", "high"):
                figure[name] = [[_plain(value) for value in values] for values in figure[name]]
        return found

    def markdown(self) -> str:
        """Return the study as Markdown: printed by the command and stored in the docs."""
        lines = [f"# {self.title}", "", f"Source: {self.source}.", ""]
        lines += [f"- {sentence}" for sentence in self.method]
        lines += ["", f"## Claims ({self.scale} scale)", ""]
        workloads = list(self.claims[0].ours)
        head = ["claim", "theirs", *(f"ours, {name}" for name in workloads), "agree?"]
        lines += [_row(head), _row(["---"] * len(head))]
        for claim in self.claims:
            verdicts = [f"{name}: {_verdict(claim.agrees[name])}" for name in _worth_saying(claim.agrees)]
            lines.append(_row([claim.claim, claim.theirs, *claim.ours.values(), "; ".join(verdicts)]))
        lines += ["", "A claim agrees when:", ""]
        lines += [f"- *{claim.claim}*: {claim.rule}." for claim in self.claims]
        for figure in self.figures:
            lines += ["", f"## {figure.title}", ""]
            lines += [f"In {figure.unit}.", ""] if figure.unit else []
            lines += [_row(["", *figure.columns]), _row(["---", *["---:"] * len(figure.columns)])]
            lines += [_row([point, *(_number(value) for value in values)]) for point, values in figure.rows]
        return "\n".join(lines) + "\n"


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _worth_saying(agrees: Mapping[str, bool | None]) -> list[str]:
    """Return the workloads to print: those with a verdict, and the others unless they are most."""
    judged = [name for name, verdict in agrees.items() if verdict is not None]
    return judged if 2 * len(judged) < len(agrees) else list(agrees)


def _verdict(agrees: bool | None) -> str:
    return "not claimed" if agrees is None else "yes" if agrees else "**no**"


def _number(value: float) -> str:
    if value != value:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
