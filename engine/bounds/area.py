"""`area`: what is released late cannot be packed early.

Proof. Take any release r. The jobs released at r or later need their areas, all of it after r, and the lanes
give at most `lanes` lane-seconds per second: the last of them ends at `r + area / lanes` or later. The bound
is the best over all r. (With r = min r it is the whole area over the lanes.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.work import Work


def area(work: Work) -> float:
    """`max over r of (r + area released at r or later / lanes) - min r` [s]."""
    later = np.cumsum(work.area[::-1])[::-1]  # of equal releases the first sees all, and wins
    return float((work.release + later / work.lanes).max() - work.release.min())
