"""The formats of site logs that can be read; each recognizes its files by their first bytes."""

from __future__ import annotations

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.sites.condor import CONDOR
from shadowtime.engine.workload.sites.gwf import GWF
from shadowtime.engine.workload.sites.lsf import LSF
from shadowtime.engine.workload.sites.pbs import PBS
from shadowtime.engine.workload.sites.sge import SGE
from shadowtime.engine.workload.slurm.sacct import SACCT

FORMATS: tuple[Format, ...] = (
    SACCT,
    PBS,
    LSF,
    SGE,
    CONDOR,
    GWF,
)
