"""PM100: a table with the columns and types of documentation/job_features.md of francescoantici/PM100-data.

The published table (Zenodo 10127767) is too large to be here: rows are written by that description.
"""

from __future__ import annotations

import gzip
import io
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import cases, read

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


def read_bytes(content, **limits):
    return read(io.BytesIO(content), "job_table.parquet", limits=Limits(**limits))


@pytest.mark.parametrize("content", [table(), table(compression="zstd", row_group_size=1), gzip.compress(table())])
def test_jobs_of_pm100(content):
    workload = read_bytes(content)
    row = {name: column.tolist() for name, column in workload.jobs.items()}

    assert workload.clock.unix_start == START.timestamp()
    assert (row["job_id"], row["release"], row["runtime"]) == ([1183301, 1183302], [0.0, 0.0], [100.0, 300.0])
    assert (row["processors"], row["requested"], row["gpus"]) == ([128, 256], [3600.0, 300.0], [4.0, 8.0])
    assert (row["recorded_start"], row["recorded_end"]) == ([60.0, 100.0], [160.0, 400.0])
    assert [workload.texts["nodes"][code] for code in row["nodes"]] == ["[12]", "[13, 14]"]
    assert [workload.texts["user"][code] for code in row["user"]] == ["7", "8"]
    assert workload.report == (
        "3 jobs of PM100, 2 kept.",
        "1 job without processors, runtime or submission was left out.",
        "At most 384 processors were in use at one time.",
    )


@pytest.mark.parametrize(
    "times",
    [
        pa.array([datetime(2020, 5, 4, 12, 0, s) for s in (0, 1, 2)], pa.timestamp("ns")),
        pa.array(["2020-05-04 12:00:00", "2020-05-04T12:00:01", "2020-05-04 12:00:02+00:00"]),
    ],
)
def test_times_in_other_forms(times):
    workload = read_bytes(table({**COLUMNS, "submit_time": times}))
    assert workload.clock.unix_start == START.timestamp()
    assert workload.jobs["release"].tolist() == [0.0, 1.0]


def test_other_forms_of_numbers():
    changed = {
        **COLUMNS,
        "time_limit": ["60", "INFINITE", "x"],
        "num_cores_alloc": pa.array([None, None, 4], pa.float64()),
    }
    jobs = read_bytes(table(changed)).jobs
    assert jobs["processors"].tolist() == [128, 256]
    assert jobs["requested"][0] == 3600.0 and np.isnan(jobs["requested"][1])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (table({"a": [1], "b": [2]}), "without the column submit_time; its columns are a, b. Only job_table.parquet"),
        (table({name: column[:0] for name, column in COLUMNS.items()}), "it holds no job"),
        (table()[:500], "its Parquet is damaged"),
        (b"PAR1", "its Parquet is damaged"),
        (b"PAR1" + b"\0" * 1000, "its Parquet is damaged"),
        (b"\0PAR1", "it is neither a log nor a JSON instance"),
    ],
)
def test_refusals(content, what):
    with pytest.raises(InvalidWorkload) as error:
        read_bytes(content)
    assert what in str(error.value)


def test_limits():
    with pytest.raises(InvalidWorkload, match="more than 2 lines"):
        read_bytes(table(), lines=2)
    with pytest.raises(InvalidWorkload, match="it has more than 1 kB"):
        read_bytes(table(), unpacked=1000)
    assert cases(io.BytesIO(table())) == []
