"""Forms for other programs: traces, evalys, Parquet and the command line, on schedules drawn by hand."""

from __future__ import annotations

import io
import json
import shlex
from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine import tables
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.output.series import series_of
from shadowtime.workers import export
from shadowtime.workers.exports import Window, trace
from shadowtime.workers.exports.command import command
from shadowtime.workers.exports.evalys import evalys
from shadowtime.workers.exports.parquet import parquet
from shadowtime.workers.spec import RunSpec

ALL = Window()


def made(jobs, segments):
    """A run with jobs (id, release, start, end, size) and segments (job, first, last, tier, start, end, share)."""
    found = tables.empty(tables.JOBS, len(jobs))
    for name, values in zip(("job_id", "release", "start", "end", "processors"), zip(*jobs, strict=True), strict=True):
        found[name][:] = values
    found["runtime"][:], found["user"][:], found["requested"][:] = 10.0, -1, np.nan
    found["state"][:] = np.where(np.isnan(found["end"]), tables.REJECTED, tables.FINISHED)
    rectangles = tables.empty(tables.SEGMENTS, len(segments))
    names = ("job", "first", "last", "tier", "start", "end", "share")
    for name, values in zip(names, zip(*segments, strict=True), strict=True):
        rectangles[name][:] = values
    events = tables.empty(tables.EVENTS, 1)
    events["kind"][:], events["job"][:], events["other"][:] = tables.BACKFILL, 1, -1
    stored = {
        "jobs": found, "segments": rectangles, "events": events, "series": series_of(found, rectangles),
    }  # fmt: skip
    return SimpleNamespace(id="0123456789abcdef", table=stored.get)


@pytest.fixture
def two():
    """Job 7 on lanes 0-1 from 0 to 10 s, job 8 behind it in the second tier on lane 1 from 5 to 20 s."""
    return made([(7, 0, 0, 10, 2), (8, 1, 5, 20, 1)], [(0, 0, 1, 0, 0.0, 10.0, 1.0), (1, 1, 1, 1, 5.0, 20.0, 1.0)])


def events_of(run, window=ALL):
    text = b"".join(trace.trace(run, "easy on two", window))
    return json.loads(text)["traceEvents"]


def slices(events):
    return [
        (e["name"], e["pid"], e["tid"] // trace.TRACKS, e["tid"] % trace.TRACKS, e["ts"], e["dur"])
        for e in events if e["ph"] == "X"
    ]  # fmt: skip


def test_a_lane_of_a_rectangle_is_a_slice_in_microseconds(two):
    assert slices(events_of(two)) == [
        ("job 7", 0, 0, 0, 0.0, 10e6),
        ("job 7", 0, 1, 0, 0.0, 10e6),
        ("job 8", 1, 1, 0, 5e6, 15e6),
    ]


def test_tracks_and_tiers_have_names(two):
    named = [(e["name"], e["args"]["name"]) for e in events_of(two) if e["name"].endswith("_name")]

    assert named == [
        ("process_name", "easy on two: foreground"), ("process_name", "easy on two: background"),
        ("thread_name", "lane 0"), ("thread_name", "lane 1"), ("thread_name", "lane 1"),
    ]  # fmt: skip


def test_a_window_holds_what_overlaps_it_and_the_values_at_its_beginning(two):
    events = events_of(two, Window(12.0, 15.0))

    assert [name for name, *_ in slices(events)] == ["job 8"]
    running = [(e["ts"], e["args"]["value"]) for e in events if e["name"] == "jobs running"]
    assert running == [(12e6, 1.0)]


def test_jobs_that_share_a_lane_stand_beside_each_other():
    run = made(
        [(1, 0, 0, 10, 1), (2, 0, 5, 15, 1), (3, 0, 10, 20, 1)],
        [(0, 0, 0, 0, 0.0, 10.0, 0.5), (1, 0, 0, 0, 5.0, 15.0, 0.5), (2, 0, 0, 0, 10.0, 20.0, 0.5)],
    )

    assert [(name, track) for name, _, _, track, *_ in slices(events_of(run))] == [
        ("job 1", 0), ("job 2", 1), ("job 3", 0),
    ]  # fmt: skip


def test_more_slices_than_a_viewer_bears_are_refused_with_the_way_out(two, monkeypatch):
    monkeypatch.setattr(trace, "MOST", 2)

    with pytest.raises(QuestionError, match=r"the window holds 3 slices .* at most 2: choose a shorter window"):
        trace.trace(two, "", ALL)
    assert len(slices(events_of(two, Window(0, 5)))) == 2


def test_evalys_gets_its_columns_and_the_jobs_that_ran():
    run = made([(7, 0, 0, 10, 2), (9, 0, np.nan, np.nan, 99)], [(0, 0, 1, 0, 0.0, 10.0, 1.0)])
    text = "".join(evalys(run.table("jobs"), run.table("segments"), "four, cleaned.swf"))

    assert text.splitlines() == [
        "job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,starting_time,"
        "execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources",
        '7,"four, cleaned.swf",0.0,2,,1,0.0,10.0,10.0,0.0,10.0,1.0,0-1',
    ]


def test_what_a_spreadsheet_would_compute_is_told_as_text():
    assert [export.cell(text) for text in ("=1+1", "+A1", "-1", "@a", "\tb", "plain", 'say "x", y')] == [
        "'=1+1", "'+A1", "-1", "'@a", "\"'\tb\"", "plain", '"say ""x"", y"',
    ]  # fmt: skip
    assert "".join(evalys(*(made([(7, 0, 0, 10, 2)], [(0, 0, 1, 0, 0.0, 10.0, 1.0)]).table(t) for t in
                            ("jobs", "segments")), "=cmd|x")).splitlines()[1].startswith("7,'=cmd|x,")  # fmt: skip


def test_parquet_says_ids_and_words(two):
    from pyarrow import parquet as reader

    read = {name: reader.read_table(io.BytesIO(b"".join(parquet(two, name)))) for name in export_tables()}

    assert read["segments"]["job_id"].to_pylist() == [7, 8]
    assert read["segments"]["kind"].to_pylist() == ["run", "run"]
    assert (read["events"]["job_id"].to_pylist(), read["events"]["other_job_id"].to_pylist()) == ([8], [None])
    assert read["events"]["kind"].to_pylist() == ["backfill"]
    assert read["jobs"]["state"].to_pylist() == ["finished", "finished"]
    assert np.array_equal(read["series"]["time"].to_numpy(), two.table("series")["time"])


def export_tables():
    from shadowtime.dashboard.sharing.exporting import TABLES

    return TABLES


def test_only_a_backfill_names_another_job_in_parquet(two):
    """Of a migration `other` is the tier left, of an end the last task, of a rejection the reason."""
    from pyarrow import parquet as reader

    events = tables.empty(tables.EVENTS, 4)
    events["kind"][:] = (tables.BACKFILL, tables.MIGRATE, tables.END, tables.REJECT)
    events["other"][:] = (1, 0, 70, tables.PROCESSORS)
    run = SimpleNamespace(table={"jobs": two.table("jobs"), "events": events}.get)
    read = reader.read_table(io.BytesIO(b"".join(parquet(run, "events"))))

    assert read["other_job_id"].to_pylist() == [8, None, None, None]
    assert read["other"].to_pylist() == events["other"].tolist()


def test_the_command_line_says_all_of_the_question():
    spec = RunSpec(
        {"digest": "a" * 64, "case": "c 1"}, ({"name": "load", "parameters": {"rho": 0.9}},), {"processors": 10},
        "requested", "easy", {"extra": "first", "checked": True}, 3, "0",
    )  # fmt: skip

    assert shlex.split(command(spec, "-my trace.json")) == [
        "shadowtime", "simulate", "./-my trace.json#c 1", "-a", "easy", "-p", "extra=first", "-p", "checked=true",
        "--convert", "load:rho=0.9", "--processors", "10", "--estimates", "requested", "--seed", "3",
    ]  # fmt: skip
