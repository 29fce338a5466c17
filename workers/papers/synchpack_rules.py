"""Rules and words that the claims of the paper on SynchPack share.

"Better" is strict: the 95 % interval of the mean ratio over seeds lies above 1 in every case of a claim. The constant
of Tetris is lost from the text: verdicts take f = 1, which scales both terms of its score alike, as its own paper does;
f = 0.1 and f = 10 are shown with each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from shadowtime.engine.statistics.intervals import Interval
from shadowtime.workers.papers.report import Claim, Grade, grade
from shadowtime.workers.papers.synchpack_cells import SP2, SP3, TETRIS
from shadowtime.workers.papers.synchpack_points import LOADS, Case, Points, mean_ratio

THREE, TWO = "SynchPack-3", "SynchPack-2"
"""Columns: with one machine a task, and with placement."""
PROVEN = {THREE: 4.0, TWO: 24.0}
DENSE = [x for x in LOADS if x >= 1.0]
"""Loads of the verdicts on Figures 3(a) and 3(b)."""
MIDDLE = TETRIS[1.0]

REMEMBERED = {(SP3, "PSRS"): 69.0, (SP3, "Tetris"): 79.0, (SP2, "JSQ-MW"): 81.0, (SP2, "Tetris"): 175.0}
"""Largest gains over rivals [%] as they are remembered: no public text has them."""

Found = tuple[str, Grade | None]
"""Ours in words, and the verdict."""
NOTHING: Found = ("", None)


def claim_of(
    points: Points,
    claim: str,
    theirs: str,
    rule: str,
    found: Mapping[str, Found],
    section: str,
    quote: str,
    sensitivity: str = "",
) -> Claim:
    """Return a claim; a column that it does not speak of has no verdict."""
    ours = {column: found.get(column, NOTHING)[0] for column in PROVEN}
    grades = {column: found.get(column, NOTHING)[1] for column in PROVEN}
    return Claim(claim, theirs, ours, grades, rule, section, quote, sensitivity, points.blocks)


def better(ratios: Sequence[Interval]) -> Grade:
    """Return SIZE if every interval of a ratio lies above 1, DIRECTION if every mean does, else NO."""
    return grade(all(one.mean > 1.0 for one in ratios), all(one.low > 1.0 for one in ratios))


def gains(ratios: Sequence[Interval]) -> str:
    """Return the smallest and largest mean gain in words: how much larger the rival's value is."""
    least, most = (100.0 * (pick(one.mean for one in ratios) - 1.0) for pick in (min, max))
    return f"{least:+.0f} to {most:+.0f} %"


def listed(ratios: Sequence[Interval], cases: Sequence[Case]) -> str:
    """Return each mean gain with its interval."""
    return ", ".join(
        f"{case.label} {100 * (one.mean - 1):+.1f} % ({100 * (one.low - 1):+.1f} to {100 * (one.high - 1):+.1f})"
        for one, case in zip(ratios, cases, strict=True)
    )


def others(points: Points, own: str, cases: Sequence[Case]) -> str:
    """Return the gains over Tetris with the constants that the verdict does not take."""
    known = {f: name for f, name in TETRIS.items() if f != 1.0 and np.isfinite(points.values(name, cases)).all()}
    parts = [f"f = {f:g}: {gains(points.ratios(name, own, cases))}" for f, name in known.items()]
    return "; ".join(parts)


def grows(points: Points, rival: str, own: str, cases: Sequence[Case]) -> Grade:
    """Return SIZE if the mean gain rises from each load to the next, DIRECTION if from the first to the last, else NO.

    Each rise must be beyond noise: the interval over seeds of the ratio of ratios lies above 1.
    """
    theirs, ours = points.values(rival, cases), points.values(own, cases)
    ratio = theirs / ours

    def rises(low: int, high: int) -> bool:
        return mean_ratio(ratio[:, high], ratio[:, low]).low > 1.0

    many = range(len(cases))
    return grade(rises(0, len(cases) - 1), all(rises(a, b) for a, b in pairwise(many)))
