"""Write a finished run for other programs, one file a format; each writer yields bytes in pieces.

`workers.export` writes the CSV tables; `dashboard.sharing.exporting` names the formats for the command line and
the web.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Window:
    """A part of the simulated time [s]; by default all of it."""

    start: float = -math.inf
    end: float = math.inf
