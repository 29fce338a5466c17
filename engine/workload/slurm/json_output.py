"""The format `slurm-json`; its reader is imported when a file is read."""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits

HEAD = 200_000
"""Bytes in which the names are looked for: the first job comes before or after `meta`, by version."""
OF_A_JOB = (b'"derived_exit_code"', b'"job_state"', b'"association"')


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is what Slurm prints as JSON."""
    begin = head[:HEAD]
    if not begin.lstrip().startswith(b"{"):
        return False
    of_slurm = b'"meta"' in begin and b'"plugin"' in begin and b'"slurm"' in begin.lower()
    return of_slurm or (b'"jobs"' in begin and b'"job_id"' in begin and any(name in begin for name in OF_A_JOB))


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of what `sacct --json` or `squeue --json` prints; see `json_jobs.read_json`."""
    from shadowtime.engine.workload.slurm.json_jobs import read_json

    return read_json(pieces, limits)


SLURM_JSON = Format(
    "slurm-json",
    "Slurm accounting, sacct --json",
    (".json", ".json.gz"),
    "What `sacct --json` prints, or the ended jobs of `squeue --json`.",
    read,
    recognizes,
)
