"""Read `cluster_log.csv` of Helios, the GPU clusters of SenseTime in 2020: one line a job, with a header.

Rules: the size is `gpu_num`, so lanes are GPUs; jobs without any are left out and counted, and CPUs are not kept. The
runtime is `duration`, else the end less the start; there are no time limits. `vc` (virtual cluster) is the partition.

Format: https://github.com/S-Lab-System-Group/HeliosData.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.site_log import SiteLog, left_out, workload_of

NEEDED = ("gpu_num", "submit_time", "start_time", "end_time")
COLUMNS = ("job_id", *NEEDED, "duration", "user", "vc", "state")


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes has the header of Helios."""
    names = {name.strip() for name in head.lstrip().split(b"\n", 1)[0].split(b",")}
    return {b"gpu_num", b"vc", b"node_num"} <= names


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a `cluster_log.csv`.

    Raises
    ------
    InvalidWorkload
        If a needed column is missing, or no job ran on a GPU.
    """
    from shadowtime.engine.workload.sites.csv_table import Table, joined, numbers, texts
    from shadowtime.engine.workload.slurm.values import instants

    table = Table(pieces, limits, COLUMNS)
    if missing := [name for name in NEEDED if name not in table.names]:
        raise InvalidWorkload(f"its header has no column {missing[0]}; cluster_log.csv has {', '.join(COLUMNS)}.")
    found = list(table.batches())

    def column(name: str, parse=numbers) -> np.ndarray:
        if name not in table.requested:
            return np.full(sum(map(len, found)), np.nan)
        return joined([parse(batch[name]) for batch in found])

    gpus = np.nan_to_num(column("gpu_num"))
    number = column("job_id")
    has_gpus = gpus >= 1
    if len(gpus) and not has_gpus.any():
        raise InvalidWorkload("none of its jobs has a GPU.")
    groups = {"user": "user", "partition": "vc", "outcome": "state"}
    kept = {
        name: texts([batch[given] for batch in found]) for name, given in groups.items() if given in table.requested
    }
    return workload_of(
        SiteLog(
            source="Helios with GPUs",
            lanes="GPUs",
            job_id=np.where(number >= 0, number, np.arange(1, len(gpus) + 1))[has_gpus],
            submit=column("submit_time", instants)[has_gpus],
            start=column("start_time", instants)[has_gpus],
            end=column("end_time", instants)[has_gpus],
            elapsed=column("duration")[has_gpus],
            size=np.floor(gpus)[has_gpus],
            gpus=gpus[has_gpus],
            groups={name: type(one)(one.codes[has_gpus], one.texts) for name, one in kept.items()},
            notes=(*left_out(int((~has_gpus).sum()), "job", " without GPUs"), *table.notes()),
        )
    )


HELIOS = Format(
    "helios",
    "Helios, GPU clusters of SenseTime",
    (".csv", ".csv.gz"),
    "cluster_log.csv of 2020; lanes are GPUs, jobs on CPUs alone are left out.",
    read,
    recognizes,
)
