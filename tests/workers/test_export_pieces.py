"""Tables that are written piece by piece: the same bytes as from tables that are held whole."""

from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.engine import generate, simulate, tables
from shadowtime.engine.output import notes, ordering
from shadowtime.engine.registry import find
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.workers import export
from shadowtime.workers.exports import parquet

CASES = {
    "fractional": (("fractional", {"jobs": 60, "load": 0.9}), "greedypm*/per/opt=min/minvt=600"),
    "two_tier": (("uniform", {"jobs": 60}), "measy"),
    "rigid": (("uniform", {"jobs": 150, "processors": 16}), "ss-easy"),
    "multitask": (("multitask", {"jobs": 20}), "tetris"),
}


@pytest.fixture(scope="module", params=CASES)
def schedule(request):
    (generator, parameters), algorithm = CASES[request.param]
    workload = generate(generator, parameters, seed=3)
    kinds = find(algorithm).kinds
    return simulate(workload if workload.kind in kinds else convert(workload, kinds[0]), algorithm)


def texts(schedule):
    """Return the four CSV tables."""
    jobs, segments, events = schedule.jobs, schedule.segments, schedule.events
    written = (
        export.jobs_csv(jobs, segments), export.segments_csv(jobs, segments),
        export.events_csv(jobs, segments, events), export.series_csv(schedule.series),
    )  # fmt: skip
    return ["".join(pieces) for pieces in written]


def test_csv_does_not_depend_on_the_pieces(schedule, monkeypatch):
    whole = texts(schedule)
    assert tables.rows(schedule.events) < notes.BATCH and tables.rows(schedule.segments) < tables.PART
    lanes = notes.lane_texts(*(schedule.segments[name] for name in ("job", "first", "last")), len(schedule.jobs["end"]))
    assert [row.split(",")[11] for row in whole[0].splitlines()[1:]] == lanes

    monkeypatch.setattr(tables, "PART", 11)
    monkeypatch.setattr(ordering, "PART", 11)
    monkeypatch.setattr(notes, "BATCH", 7)
    monkeypatch.setattr(export, "PIECE", 13)

    assert texts(schedule) == whole


def test_rectangles_out_of_order_are_sorted_first(schedule, monkeypatch):
    mixed = np.random.default_rng(1).permutation(tables.rows(schedule.segments))
    shuffled = SimpleNamespace(**vars(schedule) | {"segments": tables.take(schedule.segments, mixed)})
    monkeypatch.setattr(ordering, "PART", 11)

    assert ordering.ordered(schedule.segments) is schedule.segments
    assert texts(shuffled)[2] == texts(schedule)[2]
    assert np.all(np.diff(ordering.ordered(shuffled.segments)["start"]) >= 0)


@pytest.mark.parametrize("table", ["jobs", "segments", "events", "series"])
def test_parquet_has_the_bytes_of_a_table_written_at_once(schedule, table, monkeypatch):
    import pyarrow
    from pyarrow import parquet as writer

    monkeypatch.setattr(parquet, "GROUP", 64)
    run = SimpleNamespace(table=lambda name: getattr(schedule, name))
    ids = schedule.jobs["job_id"] if table in ("segments", "events") else np.zeros(0, "i8")
    once = io.BytesIO()
    whole = pyarrow.table(dict(parquet._columns(getattr(schedule, table), table, ids)))
    writer.write_table(whole, once, row_group_size=64)
    pieces = list(parquet.parquet(run, table))

    assert b"".join(pieces) == once.getvalue()
    assert len(pieces) == -(-whole.num_rows // 64) + 1
