"""What a running run has written so far is read while it grows."""

from __future__ import annotations

import pytest

from shadowtime.engine.tables import take
from shadowtime.workers.errors import Damaged
from shadowtime.workers.store.live import LiveTables, LiveWriter
from tests.workers.samples import tables


def test_rows_from_the_nth_on(tmp_path):
    segments = tables(10)["segments"]
    segments["start"] += range(10)
    reader = LiveTables(tmp_path / "live")
    before = reader.read("segments")
    with LiveWriter(tmp_path / "live") as writer:
        writer.append("segments", take(segments, slice(0, 4)))
        first = reader.read("segments")
        writer.append("segments", take(segments, slice(4, 10)))
        second = reader.read("segments", after=4, limit=3)

    assert before == {}
    assert first["start"].tolist() == [1, 2, 3, 4]
    assert second["start"].tolist() == [5, 6, 7]
    assert {name: column.dtype for name, column in second.items()} == {n: c.dtype for n, c in segments.items()}
    assert reader.rows("segments") == 10
    assert len(reader.read("segments", after=99)["start"]) == 0


def test_a_piece_is_there_once_its_entry_of_the_index_is(tmp_path):
    with LiveWriter(tmp_path / "live") as writer:
        writer.append("segments", tables(3)["segments"])
        writer.append("segments", tables(4)["segments"])
    index = tmp_path / "live" / "segments.index"
    index.write_bytes(index.read_bytes()[:-3])

    assert LiveTables(tmp_path / "live").rows("segments") == 3
    assert len(LiveTables(tmp_path / "live").read("segments")["start"]) == 3


def test_each_altered_byte_is_noticed(tmp_path):
    with LiveWriter(tmp_path / "live") as writer:
        for _ in range(3):
            writer.append("segments", tables(2)["segments"])
        writer.replace("open", tables(2)["segments"])
    reader = LiveTables(tmp_path / "live")
    kept = {path: path.read_bytes() for path in (tmp_path / "live").iterdir()}
    assert len(kept) == 3
    for path, content in kept.items():
        for at in range(len(content)):
            path.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
            with pytest.raises(Damaged):
                reader.read("segments"), reader.rows("segments"), reader.whole("open")
        path.write_bytes(content)


def test_open_rectangles_are_replaced_whole(tmp_path):
    with LiveWriter(tmp_path / "live") as writer:
        nothing = LiveTables(tmp_path / "live").whole("open")
        writer.replace("open", tables(5, value=1.0)["segments"])
        writer.replace("open", tables(2, value=2.0)["segments"])

    assert nothing == {}
    still = LiveTables(tmp_path / "live").whole("open")
    assert still["start"].tolist() == [2.0, 2.0]
    assert {name: column.dtype for name, column in still.items()} == {
        name: column.dtype for name, column in tables()["segments"].items()
    }


def test_a_table_without_rows_is_whole_too(tmp_path):
    with LiveWriter(tmp_path / "live") as writer:
        writer.append("events", tables(0)["events"])
        writer.replace("open", tables(0)["segments"])
    reader = LiveTables(tmp_path / "live")

    assert reader.rows("events") == 0
    assert list(reader.whole("open")) == list(tables()["segments"])
    assert len(reader.whole("open")["start"]) == 0


def test_a_new_attempt_begins_anew(tmp_path):
    with LiveWriter(tmp_path / "live") as writer:
        writer.append("segments", tables(5)["segments"])
    with LiveWriter(tmp_path / "live") as writer:
        writer.append("segments", tables(1)["segments"])

    assert LiveTables(tmp_path / "live").rows("segments") == 1
