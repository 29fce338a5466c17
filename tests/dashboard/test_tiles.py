"""The viewer's columns: whatever goes in comes back to the last bit, and little goes over the wire."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.dashboard.viewer import tiles
from shadowtime.engine import generate, simulate
from shadowtime.engine.tables import EVENTS, JOBS, SEGMENTS, SERIES, Table, empty, rows
from tests.reading_tiles import decode

SCHEMAS = {"jobs": JOBS, "segments": SEGMENTS, "events": EVENTS, "series": SERIES}


def bits(values: np.ndarray) -> np.ndarray:
    """What two columns must share to be the same: bit patterns, with one pattern for all that is missing."""
    if values.dtype != np.float64:
        return values
    return np.where(np.isnan(values), np.nan, values).view("i8")


def assert_same(table: Table, back: Table) -> None:
    assert list(table) == list(back)
    for name, values in table.items():
        assert back[name].dtype == values.dtype, name
        np.testing.assert_array_equal(bits(back[name]), bits(values), err_msg=name)


def round_trip(table: Table, name: str) -> Table:
    header, back = decode(tiles.encode(table, tiles.HINTS[name]))
    assert header["rows"] == rows(table)
    return back


@pytest.fixture(scope="module")
def schedule():
    return simulate(generate("lublin", {"jobs": 3000}, seed=3), "easy")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_tables_of_a_run_come_back(schedule, name):
    table = getattr(schedule, name)

    assert_same(table, round_trip(table, name))


@pytest.mark.parametrize("name", SCHEMAS)
def test_an_empty_table_comes_back(name):
    assert_same(empty(SCHEMAS[name]), round_trip(empty(SCHEMAS[name]), name))


@pytest.mark.parametrize("name", SCHEMAS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_table_comes_back(name, data):
    n = data.draw(st.integers(0, 12))
    ranges = {"i4": (-(2**31), 2**31 - 1), "i8": (-(2**53), 2**53), "u1": (0, 255)}
    table = {}
    for column, dtype in SCHEMAS[name].items():
        kind = dtype.str[1:]
        one = st.floats(allow_infinity=True) if kind == "f8" else st.integers(*ranges[kind])
        near = st.integers(0, 9).map(float if kind == "f8" else int)
        table[column] = np.array(data.draw(st.lists(st.one_of(one, near), min_size=n, max_size=n)), dtype)

    assert_same(table, round_trip(table, name))


@pytest.mark.parametrize("step", [1.0, 0.5, 0.1, 0.001, 1 / 3, np.pi])
def test_times_of_any_kind_are_exact(schedule, step):
    table = {**schedule.segments, "start": schedule.segments["start"] * step, "end": schedule.segments["end"] * step}

    assert_same(table, round_trip(table, "segments"))


def test_whole_seconds_cost_about_four_bytes_a_segment(schedule):
    message = tiles.encode(schedule.segments, tiles.HINTS["segments"])

    assert len(message) < 6 * rows(schedule.segments)


def test_doubles_are_written_once_an_instant():
    rng = np.random.default_rng(1)
    instants = np.sort(rng.random(500)) * 1e6
    table = empty(SEGMENTS, 20_000)
    begins = np.sort(rng.integers(0, 480, 20_000))
    table["start"], table["end"] = instants[begins], instants[begins + rng.integers(1, 20, 20_000)]

    message = tiles.encode(table, tiles.HINTS["segments"])

    assert len(message) < 4 * rows(table)
    assert_same(table, decode(message)[1])


def test_a_negative_zero_stays_one():
    table = {"start": np.array([0.0, -0.0, 1.0]), "end": np.array([-0.0, 2.0, np.inf])}

    assert_same(table, decode(tiles.encode(table, tiles.SEGMENT_HINTS))[1])


def test_a_column_of_one_value_has_no_bytes(schedule):
    header, _ = decode(tiles.encode(schedule.segments, tiles.HINTS["segments"]))

    share = next(entry for entry in header["columns"] if entry["name"] == "share")
    assert share == {"name": "share", "type": "f8", "constant": 1.0}


def test_the_header_carries_what_is_said_beside_the_table(schedule):
    message = tiles.encode(schedule.series, status="finished", attempt=2)

    (length,) = struct.unpack("<I", message[4:8])
    header = json.loads(message[8 : 8 + length])
    assert message[:4] == tiles.MAGIC
    assert (header["status"], header["attempt"], header["rows"]) == ("finished", 2, rows(schedule.series))


def test_what_is_no_message_is_refused():
    with pytest.raises(ValueError, match="begins with"):
        decode(b"nothing of the kind")


def test_the_same_table_gives_the_same_bytes(schedule):
    assert tiles.encode(schedule.segments) == tiles.encode(schedule.segments)
