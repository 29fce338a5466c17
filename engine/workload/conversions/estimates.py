"""Requested times like those of users: a few round values, most of them far above the runtime."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.parameters import Choice, Real, Whole
from shadowtime.engine.workload.conversions import tsafrir
from shadowtime.engine.workload.conversions.conversion import SAME, Conversion
from shadowtime.engine.workload.job import Parameters, Workload
from shadowtime.engine.workload.words import count, were


def apply(workload: Workload, values: Parameters, rng: np.random.Generator) -> Workload:
    """Return the same jobs with requested times after Tsafrir, Etsion and Feitelson, drawn for these runtimes.

    The model has no estimate for a runtime above the maximum, or if too few estimates are long enough: the job then
    requests exactly its runtime (`longer=keep`). The authors' program cuts the former runtimes to the maximum, as
    `longer=cut` does, and stops at the latter. With `cut`, all other runtimes and the histogram stay the same.
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
    sentence = (
        f"Requested times drawn after Tsafrir et al. 2005: {count(int((counts > 0).sum()), 'value')} "
        f"up to {maximum / 3600:g} h, which {100 * (requested == maximum).mean():.3g} % of the jobs request."
    )
    report.insert(0, sentence)
    if raised:
        report.append(f"For {count(raised, 'job')} none of these is long enough: the runtime itself is requested.")
    jobs = {**workload.jobs, "runtime": runtime, "requested": requested}
    return workload.with_(jobs=jobs, has_estimates=True, report=(*workload.report, *report))


ESTIMATES = Conversion(
    slug="estimates",
    title="Requested times as users give them",
    summary="Draws requested times after Tsafrir, Etsion and Feitelson 2005; none is below its runtime.",
    takes=("rigid", "two_tier"),
    makes=SAME,
    parameters=(
        Whole("maximum", 64_800, "The longest time that may be requested, in seconds; 18 h as at two sites.",
              low=3600, high=10_000_000, unit="s"),
        Real("share", 0.0, "Percent of the jobs that request the maximum; 0: the model's 21.7.", low=0.0, high=89.0),
        Choice("longer", "keep", "What happens to longer jobs.",
               {"keep": "They request their runtime", "cut": "They are cut to the maximum"}),
    ),
    apply=apply,
)  # fmt: skip
