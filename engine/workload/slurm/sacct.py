"""The format `sacct`; its reader is imported when a file is read, since pyarrow takes 0.1 s."""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.slurm.sacct_header import recognizes


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a text of sacct; see `accounting.read_sacct`."""
    from shadowtime.engine.workload.slurm.accounting import read_sacct

    return read_sacct(pieces, limits)


SACCT = Format(
    "sacct",
    "Slurm accounting, sacct -P",
    (".txt", ".psv", ".txt.gz"),
    "What `sacct -P` prints, with any columns in any order, separated by `|`, commas, semicolons or tabs.",
    read,
    recognizes,
)
