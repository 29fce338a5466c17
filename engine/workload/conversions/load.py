"""Change the offered load: scale all gaps between submissions by one factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Real, Whole
from shadowtime.engine.workload.conversions.conversion import EVERY, SAME, Conversion
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.offered import gaps_for, offered_load


def apply(workload: Workload, values: Mapping[str, Any], rng: np.random.Generator) -> Workload:
    """Return the same jobs with scaled gaps after the first submission; all else stays the same."""
    lanes = int(values["processors"] or workload.machine.get("processors") or workload.machine.get("nodes") or 0)
    if not lanes:
        raise InvalidParameter(f"load: {workload.name} does not state how large its machine is; add processors=N")
    release = workload.jobs["release"]
    before = offered_load(workload.jobs, lanes)
    first = release.min()
    factor = gaps_for(workload.jobs, lanes, values["rho"])
    jobs = {**workload.jobs, "release": first + (release - first) * factor}
    sentence = f"Gaps between submissions times {factor:.3g}: offered load {values['rho']:g} instead of {before:.3g}."
    return workload.with_(jobs=jobs, report=(*workload.report, sentence))


LOAD = Conversion(
    slug="load",
    title="Another load",
    summary="Scales the gaps between submissions to reach a given offered load.",
    takes=EVERY,
    makes=SAME,
    parameters=(
        Real("rho", None, "Offered load: work over what the machine could do while jobs arrive.",
             low=0.0, high=100.0, above=True),
        Whole("processors", 0, "Processors (or nodes) that the load is measured on; 0 is the workload's machine.",
              low=0, high=1_000_000),
    ),
    apply=apply,
)  # fmt: skip
