"""CSV of the four tables, against the rows printed in the contract."""

import json
import time
from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine import tables
from shadowtime.workers import export

NAN = float("nan")
HEADER = (
    "job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,execution_time,"
    "finish_time,waiting_time,turnaround_time,stretch,allocated_resources"
)


def table(schema, **columns):
    return {name: np.array(columns[name], dtype) for name, dtype in schema.items()}


@pytest.fixture
def four():
    """The four jobs on 10 processors under EASY: starts 0, 100, 110, 3.

    9 |44444|
      |     |2222|
    6 |     |2222|
    5 |111111|222|
      |111111|222|3333333333333
    0 |111111|222|3333333333333
    """
    jobs = table(
        tables.JOBS, job_id=[1, 2, 3, 4], release=[0, 1, 2, 3], start=[0, 100, 110, 3], end=[100, 110, 1110, 53],
        processors=[6, 10, 4, 4], runtime=[100, 10, 1000, 50], requested=[100, 10, 1000, 50], weight=[1] * 4,
        user=[-1] * 4, state=[tables.FINISHED] * 4,
    )  # fmt: skip
    segments = table(
        tables.SEGMENTS, job=[2, 0, 3, 1], first=[0, 0, 6, 0], last=[3, 5, 9, 9], tier=[0] * 4, start=[110, 0, 3, 100],
        end=[1110, 100, 53, 110], share=[1] * 4, kind=[tables.RUN] * 4,
    )  # fmt: skip
    return jobs, segments


def lines(pieces):
    return "".join(pieces).splitlines()


def test_jobs_are_written_as_in_the_contract(four):
    header, *rows = lines(export.jobs_csv(*four))

    assert header.startswith(HEADER + ",")
    assert [row.rsplit(",", 4)[0] for row in rows] == [
        "1,0.0,6,100.0,1,0.0,100.0,100.0,0.0,100.0,1.0,0-5",
        "2,1.0,10,10.0,1,100.0,10.0,110.0,99.0,109.0,10.9,0-9",
        "3,2.0,4,1000.0,1,110.0,1000.0,1110.0,108.0,1108.0,1.108,0-3",
        "4,3.0,4,50.0,1,3.0,50.0,53.0,0.0,50.0,1.0,6-9",
    ]


def test_segments_are_written_by_start_then_first(four):
    assert lines(export.segments_csv(*four)) == [
        "job_id,first,last,tier,start,end,share,kind",
        "1,0,5,0,0.0,100.0,1.0,run",
        "4,6,9,0,3.0,53.0,1.0,run",
        "2,0,9,0,100.0,110.0,1.0,run",
        "3,0,3,0,110.0,1110.0,1.0,run",
    ]


def test_rejected_job_has_empty_times(four):
    jobs, segments = four
    jobs["state"][1], jobs["start"][1], jobs["end"][1] = tables.REJECTED, NAN, NAN

    row = lines(export.jobs_csv(jobs, tables.take(segments, slice(0, 3))))[2]

    assert row.startswith("2,1.0,10,10.0,0,,,,,,,,")
    assert row.endswith(",rejected")


def test_unknown_request_is_empty(four):
    jobs, segments = four
    jobs["requested"][0] = NAN

    assert lines(export.jobs_csv(jobs, segments))[1].startswith("1,0.0,6,,1,0.0")


def test_all_lanes_ever_held_are_named(four):
    jobs, segments = four
    segments["job"][2] = 2  # as if job 3 had moved from 6-9 to 0-3

    assert lines(export.jobs_csv(jobs, segments))[3].split(",")[11] == "0-3 6-9"


def test_series_counts_jobs_in_whole_numbers():
    series = table(tables.SERIES, time=[0, 3.5], utilization=[6, 10], demand=[6, 24], queued=[0, 2], running=[1, 2])

    assert lines(export.series_csv(series)) == [
        "time,utilization,demand,queued,running",
        "0.0,6.0,6.0,0,1",
        "3.5,10.0,24.0,2,2",
    ]


def test_task_of_a_family_comes_last(four):
    jobs, segments = four
    segments["task"] = np.array([0, 1, -1, 2], "i4")

    assert lines(export.segments_csv(jobs, segments))[0].endswith(",kind,task")
    assert lines(export.segments_csv(jobs, segments))[2].endswith(",run,")


def test_a_directory_holds_four_tables_and_the_summary(four, tmp_path):
    jobs, segments = four
    events, series = tables.empty(tables.EVENTS), tables.empty(tables.SERIES)
    schedule = SimpleNamespace(jobs=jobs, segments=segments, events=events, series=series)

    export.write_directory(tmp_path / "new" / "out", schedule, {"run": "13189c2c62a84589"})

    written = {path.name: path.read_text() for path in (tmp_path / "new" / "out").iterdir()}
    assert set(written) == {"jobs.csv", "segments.csv", "events.csv", "series.csv", "summary.json"}
    assert written["jobs.csv"] == "".join(export.jobs_csv(jobs, segments))
    assert json.loads(written["summary.json"]) == {"run": "13189c2c62a84589"}


def test_empty_tables_are_a_header():
    jobs, segments = tables.empty(tables.JOBS), tables.empty(tables.SEGMENTS)

    assert len(lines(export.jobs_csv(jobs, segments))) == len(lines(export.segments_csv(jobs, segments))) == 1


def test_large_table_comes_in_pieces():
    """200,000 jobs take some 1.2 s (two slow cores); the bound here only catches a slow path of another order."""
    n = 200_000
    rng = np.random.default_rng(0)
    jobs = tables.empty(tables.JOBS, n)
    for name in ("release", "start", "end", "runtime", "requested"):
        jobs[name] = rng.random(n) * 1e6
    segments = tables.empty(tables.SEGMENTS, n)
    segments["job"] = rng.permutation(n).astype("i4")
    begun = time.process_time()

    pieces = [piece.count("\n") for piece in export.jobs_csv(jobs, segments)]

    assert sum(pieces) == n + 1
    assert max(pieces) == export.PIECE
    assert time.process_time() - begun < 10


def test_events_name_lanes_and_reasons(four):
    jobs, segments = four
    jobs["estimate"] = jobs["runtime"]
    events = table(
        tables.EVENTS, time=[3, 3, 53], kind=[tables.BACKFILL, tables.START, tables.END], job=[3] * 3, tier=[0] * 3,
        other=[1, -1, -1], value=[100, NAN, NAN],
    )  # fmt: skip

    assert lines(export.events_csv(jobs, segments, events)) == [
        "time,kind,job_id,note",
        "3.0,backfill,4,backfilled: ends 47 s before the shadow time of job 2",
        "3.0,start,4,6-9",
        "53.0,end,4,6-9",
    ]


def test_a_sentence_with_a_comma_is_quoted(four):
    jobs, segments = four
    jobs["estimate"] = np.full(4, 1e4)
    events = table(tables.EVENTS, time=[3], kind=[tables.BACKFILL], job=[3], tier=[0], other=[1], value=[100])

    assert lines(export.events_csv(jobs, segments, events))[1].startswith('3.0,backfill,4,"backfilled: fits beside')
