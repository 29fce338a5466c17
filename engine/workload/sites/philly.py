"""Read `cluster_job_log` of Philly, the GPU clusters of Microsoft in 2017: a JSON list of jobs with their attempts.

Rules: the size is the GPUs of the largest attempt, so lanes are GPUs. A job starts with its first attempt and ends with
its last; the runtime is the sum of its attempts' times, since nothing ran between them. An attempt without a start or
an end does not count, but a last one without an end means that the job had not ended. Jobs are numbered from 1 in the
order of the file; `vc` (virtual cluster) is the partition. There are no time limits.

Format: https://github.com/msr-fiddle/philly-traces.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.columns import Columns, text
from shadowtime.engine.workload.sites.site_log import SiteLog, left_out, workload_of
from shadowtime.engine.workload.words import count

HEAD = 20_000
NUMBERS = ("job_id", "submit", "start", "end", "elapsed", "size")


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a list of jobs with attempts."""
    begin = head[:HEAD]
    return begin.lstrip().startswith(b"[") and all(
        name in begin for name in (b'"attempts"', b'"submitted_time"', b'"vc"')
    )


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a `cluster_job_log`.

    Raises
    ------
    InvalidWorkload
        If the text is not JSON, or no job ran and ended.
    """
    from shadowtime.engine.workload.sites.json_stream import objects

    columns, total, odd, several, broken = Columns(NUMBERS, ("user", "partition", "outcome", "nodes")), 0, 0, 0, 0
    for _, job in objects(pieces, limits, "item"):
        if not isinstance(job, dict):
            odd += 1
            continue
        total += 1
        attempts = [one for one in _listed(job.get("attempts")) if isinstance(one, dict)]
        spans = [(_instant(one.get("start_time")), _instant(one.get("end_time"))) for one in attempts]
        whole = [span for span in spans if not np.isnan(span[0]) and span[1] >= span[0]]
        several += len(spans) > 1
        broken += len(spans) - len(whole)
        placed = max(map(_places, attempts), key=lambda places: places[0], default=(0, ""))
        start = next((first for first, _ in spans if not np.isnan(first)), np.nan)
        end = max((last for _, last in whole), default=np.nan) if spans and not np.isnan(spans[-1][1]) else np.nan
        elapsed = sum(last - first for first, last in whole) if whole else np.nan
        columns.add(
            (total, _instant(job.get("submitted_time")), start, end, elapsed, placed[0]),
            (text(job.get("user")), text(job.get("vc")), text(job.get("status")), placed[1]),
        )
    if not total:
        raise InvalidWorkload("it holds no job.")
    values = columns.numbers()
    return workload_of(
        SiteLog(
            source="Philly",
            lanes="GPUs",
            **cast(Any, values),
            gpus=values["size"],
            groups=columns.groups(),
            notes=(
                *left_out(odd, "value", " that is no job"),
                *([f"{count(several, 'job')} with several attempts: their times are added."] * (several > 0)),
                *left_out(broken, "attempt", " without a start or an end"),
            ),
        )
    )


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else []


def _places(attempt: dict) -> tuple[int, str]:
    """Return the number of GPUs of an attempt, and its machines."""
    parts = [one for one in _listed(attempt.get("detail")) if isinstance(one, dict)]
    machines = [text(one.get("ip")) for one in parts]
    return sum(len(_listed(one.get("gpus"))) for one in parts), ",".join(name for name in machines if name)


def _instant(value: Any) -> float:
    """Return the instant of "2017-10-07 01:11:39" as it stands; NaN for null, "None" and all else."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return np.nan
    return moment.replace(tzinfo=UTC).timestamp() if moment else np.nan


PHILLY = Format(
    "philly",
    "Philly, GPU clusters of Microsoft",
    (".json", ".json.gz"),
    "cluster_job_log of 2017; lanes are GPUs, attempts of a job are added.",
    read,
    recognizes,
)
