"""The formats of site logs that can be read; each recognizes its files by their first bytes."""

from __future__ import annotations

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.sites.batsim import BATSIM
from shadowtime.engine.workload.slurm.json_output import SLURM_JSON
from shadowtime.engine.workload.slurm.sacct import SACCT

FORMATS: tuple[Format, ...] = (
    SACCT,
    SLURM_JSON,
    BATSIM,
)
