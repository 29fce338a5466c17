"""All targets, by name."""

from __future__ import annotations

from tests.fuzz.target import Target
from tests.fuzz.targets import (
    addresses,
    batch_systems,
    instances,
    names,
    questions,
    requests,
    sites,
    slurm_site,
    stored,
    sweeps,
    traces,
)

TARGETS: dict[str, Target] = {
    target.name: target
    for part in (
        traces,
        batch_systems,
        slurm_site,
        instances,
        sites,
        sweeps,
        questions,
        names,
        addresses,
        requests,
        stored,
    )
    for target in part.TARGETS
}
