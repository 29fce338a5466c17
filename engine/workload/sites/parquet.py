"""Parquet files of jobs: so far those of PM100, the jobs of Marconi100 in 2020 (`job_table.parquet`).

Rules of PM100: the size is `num_cores_alloc`, else `num_cores_req`; the runtime is `run_time`, else the end less the
start; `time_limit` is in minutes. Users and groups are numbers. Power and memory are not read: for memory the table
states no unit.

Parquet has its list of columns at the end, so the bytes are first written to a temporary file.

Format: https://github.com/francescoantici/PM100-data, documentation/job_features.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.site_log import SiteLog, workload_of

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"PAR1"
NEEDED = ("submit_time", "start_time", "end_time", "num_cores_alloc")
NUMBERS = ("job_id", "run_time", "time_limit", "num_cores_alloc", "num_cores_req", "num_gpus_alloc")
INSTANTS = ("submit_time", "start_time", "end_time")
TEXTS = {"user": "user_id", "account": "group_id", "partition": "partition", "outcome": "job_state", "nodes": "nodes"}
"""Columns of texts of a log, and where they stand."""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is Parquet."""
    return head.startswith(MAGIC)


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a table of jobs.

    Raises
    ------
    InvalidWorkload
        If the file is damaged, is no table of PM100, or no job ran.
    """
    import pyarrow as pa
    from pyarrow import parquet

    with TemporaryFile() as spool:
        for piece in pieces:
            spool.write(piece)
        spool.seek(0)
        try:
            names = parquet.read_schema(spool).names
            if missing := [name for name in NEEDED if name not in names]:
                listed = ", ".join(name for name in names[:12] if name.isprintable())[:400]
                raise InvalidWorkload(
                    f"it is a Parquet table without the column {missing[0]}; its columns are {listed or 'none'}. "
                    "Only job_table.parquet of PM100 is read."
                )
            spool.seek(0)
            texts = [name for name in TEXTS.values() if name in names]
            file = parquet.ParquetFile(spool, read_dictionary=texts)  # holds each text once
            if file.metadata.num_rows > limits.lines:
                raise InvalidWorkload(f"it has more than {limits.lines:,} lines, the limit here.")
            wanted = [name for name in (*NUMBERS, *INSTANTS) if name in names]
            batches = [_columns(batch) for batch in file.iter_batches(columns=[*wanted, *texts])]
        except InvalidWorkload:
            raise
        except (pa.ArrowException, OSError, ArithmeticError, ValueError, KeyError) as error:
            reason = (str(error).splitlines() or ["it cannot be read"])[0][:120]
            raise InvalidWorkload(f"its Parquet is damaged: {reason}.") from None
    return workload_of(_log(batches))


def _columns(batch: pa.RecordBatch) -> dict[str, np.ndarray | pa.Array]:
    """Return the columns of a batch: numbers with NaN, instants in seconds, texts."""
    found: dict[str, np.ndarray | pa.Array] = {"rows": np.array([batch.num_rows])}
    for name in batch.schema.names:
        if name in INSTANTS:
            found[name] = _instants(batch[name])
        elif name in NUMBERS:
            found[name] = _numbers(batch[name])
        else:
            found[name] = _texts(batch[name])
    return found


def _instants(column: pa.Array) -> np.ndarray:
    import pyarrow as pa

    from shadowtime.engine.workload.slurm.values import instants

    if not pa.types.is_timestamp(column.type):
        return instants(column.cast(pa.string()))
    micro = column.cast(pa.timestamp("us", tz=column.type.tz), safe=False).cast(pa.int64())
    return _filled(micro) / 1e6


def _numbers(column: pa.Array) -> np.ndarray:
    import pyarrow as pa

    from shadowtime.engine.workload.sites.csv_table import numbers

    is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    return _filled(column) if is_number else numbers(column.cast(pa.string()))


def _filled(column: pa.Array) -> np.ndarray:
    import pyarrow as pa

    return column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False)


def _texts(column: pa.Array) -> pa.Array:
    """Return a column as texts; lists and the like are unknown."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(kind):
        return column.cast(pa.string())
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return column if is_text else pa.nulls(len(column), pa.string())


def _log(batches: list[dict]) -> SiteLog:
    from shadowtime.engine.workload.sites.csv_table import joined, texts

    n = sum(int(batch["rows"][0]) for batch in batches)
    names = set(batches[0]) if batches else set()

    def column(name: str) -> np.ndarray:
        return joined([batch[name] for batch in batches]) if name in names else np.full(n, np.nan)

    size, limit, ids, gpus = column("num_cores_alloc"), column("time_limit"), column("job_id"), column("num_gpus_alloc")
    size = np.where(size >= 1, size, column("num_cores_req"))
    return SiteLog(
        source="PM100",
        job_id=np.where(ids >= 0, ids, np.arange(1, n + 1)),
        submit=column("submit_time"),
        start=column("start_time"),
        end=column("end_time"),
        elapsed=column("run_time"),
        limit=60.0 * limit,
        size=np.floor(np.nan_to_num(size)),
        gpus=gpus,
        groups={name: texts([batch[given] for batch in batches]) for name, given in TEXTS.items() if given in names},
    )


PARQUET = Format(
    "parquet",
    "PM100, jobs of Marconi100",
    (".parquet",),
    "job_table.parquet of 2020; lanes are cores.",
    read,
    recognizes,
)
