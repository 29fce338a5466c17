"""Live tables are the same wherever they lie: in folders, or in Redis."""

from __future__ import annotations

import json
import zlib

import fakeredis
import pytest

from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import concatenate, rows, take
from shadowtime.workers import submit
from shadowtime.workers.connection import connect
from shadowtime.workers.errors import Damaged
from shadowtime.workers.execute import load_workload
from shadowtime.workers.redis_live import RedisLive
from shadowtime.workers.redis_server import Server
from shadowtime.workers.store.live import FolderLive, live_place
from tests.workers.live_samples import KEY, RUN, assert_same, in_redis, numbered
from tests.workers.samples import tables

REAL = pytest.param("real", marks=pytest.mark.integration)


@pytest.fixture
def server(free_port):
    with Server(free_port) as running:
        yield running


@pytest.fixture(params=["folder", "fake", REAL])
def place(request, tmp_path):
    """Where live tables may lie: each implementation."""
    if request.param == "folder":
        return FolderLive(tmp_path / "live")
    if request.param == "fake":
        return in_redis(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    server = request.getfixturevalue("server")
    return in_redis(connect(server.url))


def test_a_simulation_is_read_as_it_is_written(place, four_store):
    workload = load_workload(generated(four_store), four_store)
    reader, closed = place.tables(RUN), {"segments": [], "events": []}
    with place.writer(RUN) as writer:
        writer.replace("jobs", workload.jobs)
        for piece in Simulation(workload, "easy").slices(budget=100):
            still = piece.open
            for name, table in (("segments", piece.segments), ("events", piece.events)):
                closed[name].append(table)
                writer.append(name, table)
            writer.replace("open", still)

            assert_same(reader.whole("open"), still)
            assert reader.rows("segments") == sum(map(rows, closed["segments"]))

    assert len(closed["events"]) > 5
    assert_same(reader.whole("jobs"), workload.jobs)
    for name, pieces in closed.items():
        assert_same(reader.read(name), concatenate(pieces, pieces[0]))


def generated(store):
    entry, _ = store.workloads.generate("uniform", {"jobs": 500}, 3)
    return submit.question(store, {"workload": entry.id, "algorithm": "easy"})[0]


def test_windows(place):
    segments, _ = numbered(50)
    reader = place.tables(RUN)
    with place.writer(RUN) as writer:
        writer.append("segments", take(segments, slice(0, 20)))
        writer.append("segments", take(segments, slice(20, 50)))

    assert_same(reader.read("segments"), segments)
    for after, limit in ((0, 0), (0, 1), (0, 7), (19, 2), (45, 5), (45, 50), (50, 3), (99, 3), (49, None), (99, None)):
        stop = None if limit is None else after + limit
        assert_same(reader.read("segments", after, limit), take(segments, slice(after, stop)))
    assert reader.rows("segments") == 50
    reader.read("segments")["start"][:] = 0.0  # a copy that callers may change


def test_nothing_before_the_first_rows(place):
    reader = place.tables(RUN)

    assert reader.read("segments") == reader.whole("open") == {} and reader.rows("events") == 0
    place.clear(RUN)


def test_tables_without_rows(place):
    none = tables(0)
    with place.writer(RUN) as writer:
        writer.append("events", none["events"])
        writer.replace("open", none["segments"])
    reader = place.tables(RUN)

    assert_same(reader.read("events"), none["events"])
    assert_same(reader.whole("open"), none["segments"])
    assert reader.rows("events") == 0


def test_a_new_attempt_begins_anew_and_the_former_one_changes_nothing_more(place):
    segments, events = numbered(10)
    reader, former = place.tables(RUN), place.writer(RUN)
    former.append("segments", segments)
    former.replace("jobs", segments)
    place.clear(RUN)
    assert reader.rows("segments") == 0 and reader.whole("jobs") == {}
    later = place.writer(RUN)
    later.append("segments", take(segments, slice(3)))
    for _ in range(3):
        former.append("segments", segments)
    later.append("segments", take(segments, slice(3, 5)))

    assert_same(reader.read("segments"), take(segments, slice(5)))
    later.append("events", events)
    assert_same(reader.read("events"), events)


def test_the_end_of_a_run_deletes_its_tables_alone(place):
    segments, events = numbered(10)
    other = "e" * 64
    for digest in (RUN, other):
        with place.writer(digest) as writer:
            writer.append("segments", segments)
            writer.append("events", events)
            writer.replace("open", segments)
    place.clear(RUN)

    assert place.tables(RUN).read("segments") == place.tables(RUN).whole("open") == {}
    assert_same(place.tables(other).read("events"), events)
    assert_same(place.tables(other).whole("open"), segments)


@pytest.mark.parametrize("text", ["O", "V8", "S4", "f8,f8", "f3", "__import__('os').system('id')", 7, ["<f8"], None])
def test_a_column_of_no_numbers_is_refused(place, tmp_path, caplog, text):
    segments, _ = numbered(2)
    with place.writer(RUN) as writer:
        writer.append("segments", segments)
        writer.replace("open", segments)
    reader, layout = place.tables(RUN), json.dumps({"start": text}).encode()
    content = json.dumps({"start": [text, 1]}).encode() + b"\n" + bytes(64)
    whole = f"{zlib.crc32(content):08x}".encode() + content
    if isinstance(place, FolderLive):
        (tmp_path / "live" / RUN / "segments.rows").write_bytes(whole)
        (tmp_path / "live" / RUN / "open.columns").write_bytes(whole)
        for read, name in ((reader.read, "segments"), (reader.whole, "open")):
            with pytest.raises(Damaged, match="not what was written"):
                read(name)
    else:
        connection = place._connection
        token = connection.hget(KEY, "writer").decode()
        connection.hset(KEY, "segments", layout)
        connection.set(f"{KEY}:{token}:open", whole)

        assert reader.read("segments") == reader.whole("open") == {} and reader.rows("segments") == 0
        assert "are not read" in caplog.text


def test_the_choice(tmp_path):
    url = "redis://127.0.0.1:1/0"

    assert isinstance(live_place(tmp_path, "", url, str), FolderLive)
    assert isinstance(live_place(tmp_path, "s3://bucket", "", str), FolderLive)
    assert isinstance(live_place(tmp_path, "s3://bucket", url, str), RedisLive)
