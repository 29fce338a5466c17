"""The family of rigid jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from shadowtime.engine.bounds.work import METRICS
from shadowtime.engine.families.family import Family
from shadowtime.engine.families.rigid import backfilling, entries, planning, preempting, replaying, slurm
from shadowtime.engine.families.rigid import workload as rigid
from shadowtime.engine.families.rigid.generators.feitelson import FEITELSON
from shadowtime.engine.families.rigid.generators.jann import JANN
from shadowtime.engine.families.rigid.generators.lublin import LUBLIN
from shadowtime.engine.families.rigid.generators.uniform import UNIFORM
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.generators.generator import Generator
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.sites import formats as sites
from shadowtime.engine.workload.swf import SWF


class Rigid(Family):
    """Jobs that hold a fixed number of processors exclusively, from start to end."""

    name = "rigid"
    aliases: ClassVar[tuple[str, ...]] = ("batch",)
    title = "Rigid"
    summary = "Jobs hold a fixed number of processors exclusively, from start to end."
    algorithms = (
        *entries.ALGORITHMS,
        *backfilling.ALGORITHMS,
        *planning.ALGORITHMS,
        *preempting.ALGORITHMS,
        *replaying.ALGORITHMS,
        *slurm.ALGORITHMS,
    )
    generators: Sequence[Generator] = (UNIFORM, LUBLIN, FEITELSON, JANN)
    formats: Sequence[Format] = (SWF, *sites.FORMATS)
    readers = {"rigid": rigid.read}
    document = staticmethod(rigid.document)
    bounded = METRICS

    def cpu_need(self, workload: Workload) -> np.ndarray | None:
        return workload.jobs["processors"].astype(float)

    def too_wide(self, workload: Workload, lanes: int) -> int | None:
        return int((workload.jobs["processors"] > lanes).sum())


FAMILY = Rigid()
