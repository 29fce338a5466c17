"""Numbers in the query of an address."""

from __future__ import annotations

import math
import re

REAL = re.compile(r"[+-]?\d{1,17}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?", re.ASCII)


def written(value: float | None) -> str | None:
    """Return a number as short as it can be read back: `1110`, `53.25`."""
    if value is None or not math.isfinite(value):
        return None
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def real(text: str | None) -> float | None:
    """Return the number of a text; None where there is none, or no finite one."""
    value = float(text) if text and REAL.fullmatch(text) else math.nan
    return value if math.isfinite(value) else None
