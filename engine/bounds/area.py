"""`area`: the jobs released from some instant on need their total area after it.

Proof. Take any release r. The jobs released at r or later need their areas, all of it after r, and the lanes
give at most `lanes` lane-seconds per second: the last of them ends at `r + area / lanes` or later. The bound
is the best over all r. (With r = min r it is the whole area over the lanes.)
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.work import Work


def area(work: Work) -> float:
    """Return `max over r of (r + area released at r or later / lanes) - min r` [s]."""
    later = np.cumsum(work.area[::-1])[::-1]  # among equal releases, the first row counts them all
    return float((work.release + later / work.lanes).max() - work.release.min())
