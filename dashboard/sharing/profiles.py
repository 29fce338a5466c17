"""What the jobs of several workloads are like, on scales on which different machines can be held beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.dashboard.figures.cumulative import quantile
from shadowtime.dashboard.figures.lines import STYLES, Line
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import words
from shadowtime.engine.metrics.jobs import cumulative
from shadowtime.engine.workload.job import Workload, stated_lanes

MOST = len(STYLES)
"""Workloads in one figure."""
MOST_JOBS = 5_000_000
"""Jobs of a workload that is drawn."""
POINTS = 300
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class Quantity:
    """A value of every job, and the rule by which workloads share a scale."""

    title: str
    rule: str
    values: Callable[[Workload], np.ndarray]
    scale: Scale


def machine(workload: Workload) -> float:
    """Return the lanes of a workload's machine; of one that names none, the size of its largest job."""
    return float(stated_lanes(workload) or workload.jobs["processors"].max(initial=1))


def sizes(workload: Workload) -> np.ndarray:
    """Return the sizes of the jobs as shares of the machine."""
    return workload.jobs["processors"] / machine(workload)


def areas(workload: Workload) -> np.ndarray:
    """Return the areas of the jobs, processors times runtime, as seconds of the whole machine."""
    return sizes(workload) * workload.jobs["runtime"]


def gaps(workload: Workload) -> np.ndarray:
    """Return the times between submissions over their mean; none where all jobs are submitted at once."""
    found = np.diff(np.sort(workload.jobs["release"]))
    return found / found.mean() if len(found) and found.mean() > 0 else np.zeros(0)


def percent(share: float) -> str:
    """`12.5 %`."""
    return f"{words.number(100 * share)}{words.GAP}%"


_MACHINE = "the workload's own machine, or by its largest job where it names none"
_LENGTHS = ((1.0, f"1{words.GAP}s"), (60.0, "1 min"), (3600.0, "1 h"), (86400.0, "1 d"), (864000.0, "10 d"))
OF: Mapping[str, Quantity] = {
    "size": Quantity(
        "Size", f"Sizes are divided by the processors of {_MACHINE}.", sizes,
        Scale(0.001, tuple((share, percent(share)) for share in (0.001, 0.01, 0.1, 1.0)), percent),
    ),
    "runtime": Quantity(
        "Runtime", "Runtimes are in seconds, as they are.", lambda one: np.asarray(one.jobs["runtime"]),
        Scale(1.0, _LENGTHS, words.duration),
    ),
    "area": Quantity(
        "Area", f"Areas, processors × runtime, are divided by the processors of {_MACHINE}: "
        "how long the job would hold all of it.", areas, Scale(0.01, _LENGTHS, words.duration),
    ),
    "gap": Quantity(
        "Time between submissions", "Times between submissions are divided by their mean in each workload.", gaps,
        Scale(0.001, tuple((value, f"{value:g}") for value in (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0))),
    ),
}  # fmt: skip
"""What is drawn, by name."""


def profile(workload: Workload, of: str) -> dict[str, Any]:
    """Return the distribution of a quantity as JSON values: `values`, the share at or below each, and `quantiles`."""
    found = OF[of].values(workload)
    values, shares = cumulative(found, points=POINTS)
    line = Line("", STYLES[0], found)
    known = [float(quantile(line, share)) for share in SHARES] if len(found) else []
    return {"jobs": len(workload), "values": values.tolist(), "shares": shares.tolist(), "quantiles": known}
