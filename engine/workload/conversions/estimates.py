"""Requested times as users give them: a few round values, most of them far above the runtime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.conversions import tsafrir
from shadowtime.engine.workload.conversions.conversion import SAME, Conversion
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.words import count, were


def apply(workload: Workload, values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """The same jobs with requested times after Tsafrir, Etsion and Feitelson, drawn for these runtimes.

    A runtime that the model has no estimate for, above the maximum or because too few estimates are as long, is asked
    for exactly (`longer=keep`): the authors' program cuts the former to the maximum, which `longer=cut` does too, and
    stops at the latter. With `cut` all other runtimes and the histogram of estimates stay as they are.
    """
    n, maximum = len(workload), values["maximum"]
    runtime = workload.jobs["runtime"]
    report = []
    above = int((runtime > maximum).sum())
    if above and values["longer"] == "cut":
        runtime = np.minimum(runtime, float(maximum))
        report.append(f"{count(above, 'runtime')} above {maximum / 3600:g} h {were(above)} cut to it.")
    times, counts = tsafrir.histogram(n, maximum, values["share"], rng)
    falling, longest = np.sort(np.repeat(times, counts))[::-1], np.sort(runtime)[::-1]
    raised = int((falling < longest).sum())
    requested = tsafrir.assign(runtime, np.maximum(falling, longest), rng)
    said = (
        f"Requested times drawn after Tsafrir et al. 2005: {count(int((counts > 0).sum()), 'value')} "
        f"up to {maximum / 3600:g} h, which {100 * (requested == maximum).mean():.3g} % of the jobs ask for."
    )
    report.insert(0, said)
    if raised:
        report.append(f"For {count(raised, 'job')} none of these is long enough: the runtime itself is asked for.")
    jobs = {**workload.jobs, "runtime": runtime, "requested": requested}
    return workload.with_(jobs=jobs, has_estimates=True, report=(*workload.report, *report))


ESTIMATES = Conversion(
    slug="estimates",
    title="Requested times as users give them",
    summary="Draws requested times after Tsafrir, Etsion and Feitelson 2005; none is below its runtime.",
    takes=("rigid", "two_tier"),
    makes=SAME,
    parameters=(
        Whole("maximum", 64_800, "The longest time that may be asked for, in seconds; 18 h as at two sites.",
              low=3600, high=10_000_000, unit="s"),
        Real("share", 0.0, "Percent of the jobs that ask for it; 0 as the model has it, 21.7.", low=0.0, high=89.0),
        Choice("longer", "keep", "What becomes of longer jobs.", ("keep", "cut"),
               {"keep": "They ask for their runtime", "cut": "They are cut to the maximum"}),
    ),
    apply=apply,
)  # fmt: skip
