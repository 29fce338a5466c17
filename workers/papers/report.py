"""Define the report of a study: the paper's figures and claims beside ours, and the tables behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

FORMAT = 2
"""Version of the object that `Report.as_dict` returns; results of other versions are not shown."""


class Grade(StrEnum):
    """The verdict on a claim."""

    SIZE = "holds"
    DIRECTION = "direction only"
    NO = "no"


def grade(direction: bool, size: bool = True) -> Grade:
    """Return NO unless the direction of a claim holds, and SIZE if its size holds as well.

    A claim without a size ("A is better than B") has only a direction: SIZE or NO.
    """
    return Grade.NO if not direction else Grade.SIZE if size else Grade.DIRECTION


def grades(holds: Mapping[str, bool | None]) -> dict[str, Grade | None]:
    """Return the grades, by workload, of a claim without a size; None where the paper does not speak of it."""
    return {name: None if found is None else grade(bool(found)) for name, found in holds.items()}


@dataclass(frozen=True)
class Claim:
    """One statement of a paper and our result."""

    claim: str
    theirs: str
    ours: Mapping[str, str]
    """Per workload of the study, in words and numbers."""
    grades: Mapping[str, Grade | None]
    """Per workload; None where the paper says nothing about it."""
    rule: str
    """The rule of its verdict: what SIZE requires, and what DIRECTION does where that is less."""
    section: str = ""
    """Where the paper states it: "Section 6.2", "Figure 9"."""
    quote: str = ""
    """The paper's own words, a few."""
    sensitivity: str = ""
    """What the verdict depends on, with numbers: required behind a NO."""
    blocks: int | None = None
    """Number of independent draws behind the verdict."""


@dataclass(frozen=True)
class Figure:
    """One table of numbers: rows are points, columns algorithms."""

    title: str
    unit: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float]]]
    low: Sequence[Sequence[float]] = ()
    """Lower ends of what `spread` names, row by row; for plots, not printed."""
    high: Sequence[Sequence[float]] = ()
    spread: str = "smallest and largest run"
    """What `low` and `high` are: extremes, or an interval with its level."""
    blocks: int | None = None
    """Number of independent draws behind each value."""


@dataclass(frozen=True)
class Counterpart:
    """A figure or table of the paper, and what stands for it here."""

    figure: str
    """Its number in the paper: "Figure 3(a)"."""
    shows: str
    ours: Sequence[str]
    """Titles of our tables, or keys of drawings on the page; empty if there is none."""
    scale: str
    """Size of ours, and of theirs where it is known."""
    seeds: Sequence[int]
    blocks: int | None
    grade: Grade | None
    """Whether both agree; None where the paper's values are lost or nothing can disagree."""
    why: str = ""
    """Why they differ, or why there is no grade."""


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
    counterparts: Sequence[Counterpart] = ()
    """Every figure and table of the paper, in its order."""

    def as_dict(self) -> dict[str, Any]:
        """Return the object of `paper --json`; a missing value is None."""
        found = asdict(self)
        for figure in found["figures"]:
            figure["rows"] = [(point, [_plain(value) for value in values]) for point, values in figure["rows"]]
            for name in ("low", "high"):
                figure[name] = [[_plain(value) for value in values] for values in figure[name]]
        return found

    def markdown(self) -> str:
        """Return the study as Markdown."""
        return study_markdown(self.as_dict())


def study_markdown(study: Mapping[str, Any]) -> str:
    """Return a study, as `Report.as_dict` gives it, as Markdown: printed by the command and stored in the docs."""
    lines = [f"# {study['title']}", "", f"Source: {study['source']}.", ""]
    lines += [f"- {sentence}" for sentence in study["method"]]
    if study["counterparts"]:
        heads = ["in the paper", "shows", "ours at this scale", "agree?", "why"]
        lines += ["", "## Figures and tables of the paper", "", _row(heads), _row(["---"] * len(heads))]
        lines += [_row([*counterpart_cells(one), one["why"]]) for one in study["counterparts"]]
    lines += ["", f"## Claims ({study['scale']} scale)", ""]
    claims = study["claims"]
    workloads = list(claims[0]["ours"]) if claims else []
    head = ["claim", "theirs", *(f"ours, {name}" for name in workloads), "agree?"]
    lines += [_row(head), _row(["---"] * len(head))]
    for claim in claims:
        stated = " ".join(filter(None, [claim["claim"], f"({claim['section']})" if claim["section"] else ""]))
        judged = [f"{name}: {_verdict(claim['grades'][name])}" for name in _reported(claim["grades"])]
        lines.append(_row([stated, claim["theirs"], *claim["ours"].values(), "; ".join(judged)]))
    lines += ["", "A claim holds when:", ""]
    for claim in claims:
        lines.append(f"- *{claim['claim']}*: {claim['rule']}.")
        lines += [f"  What it depends on: {claim['sensitivity']}."] if claim["sensitivity"] else []
    for figure in study["figures"]:
        lines += ["", f"## {figure['title']}", ""]
        lines += [f"In {figure['unit']}.", ""] if figure["unit"] else []
        lines += [_row(["", *figure["columns"]]), _row(["---", *["---:"] * len(figure["columns"])])]
        lines += [_row([point, *(_number(value) for value in values)]) for point, values in figure["rows"]]
    return "\n".join(lines) + "\n"


def counterpart_cells(one: Mapping[str, Any]) -> list[str]:
    """Return figure, what it shows, scale with seeds and blocks, and the verdict, of a counterpart as a dictionary."""
    size = [one["scale"]] if one["ours"] else ["not reproduced"]
    size += [f"{len(one['seeds'])} seeds"] if one["seeds"] else []
    size += [f"{one['blocks']} blocks"] if one["blocks"] else []
    return [one["figure"], one["shows"], ", ".join(size), _verdict(one["grade"], "not judged")]


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _reported(verdicts: Mapping[str, str | None]) -> list[str]:
    """Return the workloads to print: those with a verdict, and the others unless they are most."""
    judged = [name for name, verdict in verdicts.items() if verdict is not None]
    return judged if 2 * len(judged) < len(verdicts) else list(verdicts)


def _verdict(found: str | None, otherwise: str = "not claimed") -> str:
    return otherwise if found is None else f"**{found}**" if found == Grade.NO else str(found)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
