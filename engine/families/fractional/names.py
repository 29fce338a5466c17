"""The 116 names of variants: 14 rows of table 1, two rules for yields, and five limits for rows with MCB8.

    GreedyPM*/per/opt=min/minvt=600
    on submission: GreedyPM; on completion (*): Greedy; every period (per): MCB8; yields: min; limit: minvt=600

H. Casanova et al., RR-7659, sections 4.4, 4.5 and 6.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

SUBMISSION = ("", "Greedy", "GreedyP", "GreedyPM", "MCB8")
PERIODIC = ("", "per", "stretch-per")
OPTIMA = ("min", "avg", "max")
LIMITS = ("", "minft", "minvt")

ROWS = (
    "Greedy*", "GreedyP*", "GreedyPM*", "Greedy/per", "GreedyP/per", "GreedyPM/per",
    "Greedy*/per", "GreedyP*/per", "GreedyPM*/per", "MCB8*", "MCB8/per", "MCB8*/per", "/per", "/stretch-per",
)  # fmt: skip
"""Rows of table 1: actions on submission, on completion (a star) and every period."""

BOUNDS = ("", "minft=300", "minft=600", "minvt=300", "minvt=600")
"""Limits of the paper for the rows with MCB8 [s]."""


@dataclass(frozen=True)
class Variant:
    """The parts of a name; each is an entry of a tuple above."""

    submission: str
    on_completion: bool
    """Whether Greedy runs after a completion, or MCB8 if submissions use MCB8."""
    periodic: str
    optimum: str
    limit: str = ""
    bound: float = 0.0
    """Bound of the limit [s]."""

    @property
    def row(self) -> str:
        """Row of table 1."""
        return f"{self.submission}{'*' if self.on_completion else ''}{'/' + self.periodic if self.periodic else ''}"

    @property
    def name(self) -> str:
        """Name as printed in the paper."""
        limit = f"/{self.limit}={self.bound:g}" if self.limit else ""
        return f"{self.row}/opt={self.optimum}{limit}"


def variants() -> Iterator[Variant]:
    """Yield all 116 variants by row, then rule, then limit."""
    for row in ROWS:
        head, _, periodic = row.partition("/")
        for optimum in optima(row):
            for bound in BOUNDS if has_mcb8(row) else BOUNDS[:1]:
                limit, _, seconds = bound.partition("=")
                yield Variant(head.rstrip("*"), head.endswith("*"), periodic, optimum, limit, float(seconds or 0))


def optima(row: str) -> tuple[str, ...]:
    """Return the rules for yields of a row; the first is the default of a name without `opt=`."""
    return ("max", "avg") if row.endswith("stretch-per") else ("min", "avg")


def has_mcb8(row: str) -> bool:
    """Return whether a row moves jobs by MCB8, so that limits apply."""
    return "MCB8" in row or "per" in row.partition("/")[2]


@lru_cache(1024)
def full_name(text: str) -> str:
    """Return `text` in lower case with its `opt=`, which may be omitted: "greedyp*" gives "greedyp*/opt=min".

    A text that does not begin with a row of table 1 is returned in lower case only.
    """
    name = text.strip().lower()
    for row in sorted(ROWS, key=len, reverse=True):
        head, rest = name[: len(row)], name[len(row) :]
        if head == row.lower() and (not rest or rest.startswith("/")):
            return name if rest.startswith("/opt=") else f"{head}/opt={optima(row)[0]}{rest}"
    return name
