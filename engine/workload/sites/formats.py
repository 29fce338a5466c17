"""The formats of site logs that can be read; each recognizes its files by their first bytes."""

from __future__ import annotations

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.sites.alibaba import ALIBABA
from shadowtime.engine.workload.sites.batsim import BATSIM
from shadowtime.engine.workload.sites.condor import CONDOR
from shadowtime.engine.workload.sites.google2019 import GOOGLE_2019
from shadowtime.engine.workload.sites.gwf import GWF
from shadowtime.engine.workload.sites.helios import HELIOS
from shadowtime.engine.workload.sites.lsf import LSF
from shadowtime.engine.workload.sites.pbs import PBS
from shadowtime.engine.workload.sites.philly import PHILLY
from shadowtime.engine.workload.sites.sge import SGE
from shadowtime.engine.workload.slurm.json_output import SLURM_JSON
from shadowtime.engine.workload.slurm.sacct import SACCT

FORMATS: tuple[Format, ...] = (
    SACCT,
    PBS,
    LSF,
    SGE,
    CONDOR,
    GWF,
    SLURM_JSON,
    BATSIM,
    HELIOS,
    ALIBABA,
    PHILLY,
    GOOGLE_2019,
)
