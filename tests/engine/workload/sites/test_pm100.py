"""PM100: a table with the columns and types of documentation/job_features.md of francescoantici/PM100-data.

The published table (Zenodo 10127767) is too large to be here: rows are written by that description.
"""

from __future__ import annotations

import gzip
import io
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest
from pyarrow import parquet

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.reading import read

START = datetime(2020, 5, 4, 12, 0, 0, tzinfo=UTC)
COLUMNS = {
    "cores_alloc_layout": pa.array(["{'1': [0]}"] * 3),
    "end_time": [START + timedelta(seconds=s) for s in (160, 400, 90)],
    "group_id": [25200, 25200, 25201],
    "job_id": [1183301, 1183302, 1183303],
    "job_state": ["COMPLETED", "TIMEOUT", "FAILED"],
    "nodes": ["[12]", "[13, 14]", "[15]"],
    "num_cores_req": [128, 256, 4],
    "num_cores_alloc": pa.array([128, 256, None], pa.int64()),
    "num_gpus_alloc": [4, 8, 1],
    "partition": ["1", "1", "2"],
    "run_time": [100, 300, 0],
    "start_time": [START + timedelta(seconds=s) for s in (60, 100, 90)],
    "submit_time": [START + timedelta(seconds=s) for s in (0, 0, 30)],
    "time_limit": [60, 5, 1440],
    "user_id": [7, 8, 7],
    "node_power_consumption": [[360, 380], [740], []],
}


def table(columns=COLUMNS, **options):
    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


@pytest.mark.parametrize("content", [table(), table(compression="zstd", row_group_size=1), gzip.compress(table())])
def test_jobs_of_pm100(content):
    workload = read(io.BytesIO(content), "job_table.parquet")
    row = {name: column.tolist() for name, column in workload.jobs.items()}

    assert workload.clock.unix_start == START.timestamp()
    assert (row["job_id"], row["release"], row["runtime"]) == ([1183301, 1183302], [0.0, 0.0], [100.0, 300.0])
    assert (row["processors"], row["requested"], row["gpus"]) == ([128, 256], [3600.0, 300.0], [4.0, 8.0])
    assert (row["recorded_start"], row["recorded_end"]) == ([60.0, 100.0], [160.0, 400.0])
    assert [workload.texts["nodes"][code] for code in row["nodes"]] == ["[12]", "[13, 14]"]
    assert [workload.texts["user"][code] for code in row["user"]] == ["7", "8"]
    assert "requested time from time_limit (minutes)" in " ".join(workload.report)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (table({"a": [1], "b": [2]}), "it has no column for the submission among a, b"),
        (table({name: column[:0] for name, column in COLUMNS.items()}), "it holds no job"),
        (table()[:500], "damaged"),
        (b"PAR1" + b"\0" * 1000, "damaged"),
        (b"\0PAR1", "it is neither a log nor a JSON instance"),
    ],
)
def test_refusals(content, what):
    with pytest.raises(InvalidWorkload) as error:
        read(io.BytesIO(content), "job_table.parquet")
    assert what in str(error.value)
