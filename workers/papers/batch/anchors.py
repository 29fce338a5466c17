"""Figures of whole logs that an independent simulator of 2007 gives for the same records."""

from __future__ import annotations

Figures = tuple[float, float, float]
"""Mean wait [s], mean bounded slowdown and longest wait [s]."""
ANCHORS: dict[tuple[str, str], Figures] = {
    ("KTH", "Conservative"): (7035.946, 90.0441, 235_103.0),
    ("KTH", "EASY-SJBF"): (5659.111, 65.2055, 270_415.0),
    ("KTH", "EASY++"): (5482.298, 61.7711, 525_762.0),
    ("CTC", "Conservative"): (17_587.776, 54.2696, 364_656.0),
    ("CTC", "EASY-SJBF"): (11_972.219, 29.4802, 363_392.0),
    ("CTC", "EASY++"): (10_475.049, 25.6406, 2_231_632.0),
    ("HPC2N", "Conservative"): (11_303.258, 88.2612, 1_287_398.0),
}
"""By log and policy; HPC2N by a prototype that agrees
with the simulator on all others, start by start."""
DIGITS = (3, 4, 0)
"""Decimals of these figures."""


def policy_words(log: str, policy: str) -> str:
    """Return the name of a row."""
    return f"{log}, {policy}"


def agree(ours: Figures, theirs: Figures) -> bool:
    """Return whether all figures are the same in all digits given."""
    return all(round(a, digits) == b for a, b, digits in zip(ours, theirs, DIGITS, strict=True))
