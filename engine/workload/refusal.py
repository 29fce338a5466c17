"""The error for an algorithm that does not take a kind of workload, with suitable alternatives.

The registry fills the tables; they are separate from it, so that an algorithm need not import the registry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.workload.conversions.conversion import EVERY

if TYPE_CHECKING:
    from shadowtime.engine.algorithm import Algorithm
    from shadowtime.engine.workload.conversions.conversion import Conversion

ALGORITHMS: dict[str, Algorithm] = {}
"""All registered algorithms by slug."""
CONVERSIONS: dict[str, Conversion] = {}
"""All registered conversions by slug."""


def refusal(title: str, kinds: Sequence[str], kind: str, instead: str = "") -> UnsupportedWorkload:
    """Return the error for an algorithm that takes `kinds`, not `kind`; it names suitable conversions or algorithms.

    instead: slug of an algorithm of the same idea that takes `kind`.
    """
    other = f", or choose {instead}" if instead else ""
    helping = sorted(c.slug for c in CONVERSIONS.values() if c.makes in kinds and (c.takes == EVERY or kind in c.takes))
    if helping:
        return UnsupportedWorkload(
            f"{title} takes {' or '.join(kinds)} workloads. Add the conversion {' or '.join(helping)}{other}."
        )
    *most, last = (one.replace("_", "-") for one in kinds)
    takes = f"{', '.join(most)} or {last}" if most else last
    fit = [slug for slug, one in ALGORITHMS.items() if one.listed and kind in one.kinds]
    return UnsupportedWorkload(
        f"{title} takes {takes} workloads; these jobs are {kind.replace('_', '-')}."
        + (f" Try {', '.join(fit)}." if fit else "")
    )
