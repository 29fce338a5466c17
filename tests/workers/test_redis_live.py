"""Whatever happens to Redis, the run goes on, its live tables stay within bounds, and no wrong row is read."""

from __future__ import annotations

import json
import logging
import threading
import time

import fakeredis
import numpy as np
import pytest
from redis.exceptions import ConnectionError, TimeoutError

from shadowtime.engine.tables import rows, take
from shadowtime.workers import redis_live
from shadowtime.workers.connection import connect
from shadowtime.workers.redis_live import EXPIRY
from shadowtime.workers.redis_server import Server
from tests.workers.live_samples import KEY, RUN, Away, assert_same, in_redis, numbered


@pytest.fixture
def redis():
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture
def place(redis):
    return in_redis(redis)


@pytest.fixture
def writer(place):
    return place.writer(RUN)


@pytest.fixture
def server(free_port):
    with Server(free_port) as running:
        yield running


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Redis is asked again at once."""
    monkeypatch.setattr(redis_live, "RETRY_AFTER", 0.0)


def test_every_key_is_the_stores_and_expires(redis):
    segments, events = numbered(5)
    writer = in_redis(redis).writer(RUN)
    writer.append("segments", segments)
    writer.append("events", events)
    writer.replace("open", segments)
    for key in redis.scan_iter():
        redis.expire(key, 5)
    writer.append("events", events)
    keys = redis.keys()

    assert len(keys) == len(segments) + len(events) + 2
    assert all(key.startswith(KEY.encode()) for key in keys)
    assert {redis.ttl(key) for key in keys} <= {EXPIRY - 1, EXPIRY}
    in_redis(redis).clear(RUN)
    assert redis.keys() == []


@pytest.mark.integration
def test_tables_of_a_worker_that_is_lost_expire(server, monkeypatch):
    monkeypatch.setattr(redis_live, "EXPIRY", 1)
    segments, _ = numbered(5)
    place = in_redis(connect(server.url))
    with place.writer(RUN) as writer:
        writer.append("segments", segments)
        writer.replace("open", segments)
    assert place.tables(RUN).rows("segments") == 5
    time.sleep(1.2)

    assert place.tables(RUN).read("segments") == {} and connect(server.url).keys() == []


def test_a_former_attempt_writes_nothing_more(redis, place):
    segments, events = numbered(5)
    former, later = place.writer(RUN), place.writer(RUN)
    former.append("segments", segments)
    later.append("segments", segments)
    before = {key: redis.ttl(key) for key in redis.scan_iter()}
    former.append("events", take(events, slice(0)))
    former.replace("open", events)

    assert len(before) == len(segments) + 1
    assert {key: redis.ttl(key) for key in redis.scan_iter()} == before
    assert place.tables(RUN).read("events") == place.tables(RUN).whole("open") == {}


def test_a_large_slice_is_sent_in_pieces_of_whole_rows(monkeypatch, place):
    monkeypatch.setattr(redis_live, "PIECE", 1000)
    segments, _ = numbered(500)
    with place.writer(RUN) as writer:
        writer.append("segments", segments)
        writer.replace("open", segments)

    assert_same(place.tables(RUN).read("segments"), segments)
    assert_same(place.tables(RUN).whole("open"), segments)


def test_what_takes_too_long_waits_so_that_the_run_does_not(redis, monkeypatch):
    monkeypatch.setattr(redis_live, "PIECE", 1000)
    monkeypatch.setattr(redis_live, "LONGEST", 0.05)
    monkeypatch.setattr(redis_live, "RETRY_AFTER", 60.0)
    segments, events = numbered(500)
    slow = Away(redis, lambda: time.sleep(0.02))
    place, writer = in_redis(redis), in_redis(slow).writer(RUN)
    writer.append("segments", take(segments, slice(400)))
    sent, requests = place.tables(RUN).rows("segments"), slow.requests
    for first in range(400, 500, 10):
        writer.append("segments", take(segments, slice(first, first + 10)))
        writer.replace("open", segments)
    assert 0 < sent < 400 and place.tables(RUN).whole("open") == {}
    assert slow.requests == requests
    monkeypatch.setattr(redis_live, "LONGEST", 60.0)
    writer._patience = redis_live.Patience()
    writer.append("events", events)

    assert_same(place.tables(RUN).read("segments"), segments)
    assert_same(place.tables(RUN).whole("open"), segments)


def test_a_row_is_there_once_all_its_columns_are(redis, place):
    segments, _ = numbered(3)
    with place.writer(RUN) as writer:
        writer.append("segments", segments)
    token = redis.hget(KEY, "writer").decode()
    share = f"{KEY}:{token}:segments:share"
    redis.set(share, redis.get(share)[:-3])

    assert place.tables(RUN).rows("segments") == 2
    assert_same(place.tables(RUN).read("segments"), take(segments, slice(2)))


def test_a_full_run_stays_as_it_is_and_does_not_expire(redis, monkeypatch, caplog):
    segments, events = numbered(10)
    size = sum(values.nbytes for values in segments.values())
    monkeypatch.setattr(redis_live, "MOST", 4 * size)
    place, now = in_redis(redis), time.monotonic()
    writer = place.writer(RUN)
    with caplog.at_level(logging.INFO):
        for _ in range(9):
            writer.append("segments", segments)
            writer.append("events", take(events, slice(0)))
            writer.replace("open", take(segments, slice(3)))
    writer.append("events", events)
    writer.replace("open", take(segments, slice(1)))
    reader = place.tables(RUN)

    assert reader.rows("segments") == 30 and reader.rows("events") == 0 and rows(reader.whole("open")) == 3
    assert caplog.text.count("end here") == 1
    redis.expire(KEY, 5)
    monkeypatch.setattr(redis_live.time, "monotonic", lambda: now + 100.0)
    writer.append("segments", segments)
    assert redis.ttl(KEY) > EXPIRY - 10 and reader.rows("segments") == 30


def test_a_whole_table_that_is_too_large_is_left_out(monkeypatch, place, writer):
    monkeypatch.setattr(redis_live, "MOST_WHOLE", 2000)
    segments, _ = numbered(100)
    writer.replace("open", take(segments, slice(5)))
    writer.replace("open", segments)
    writer.append("segments", segments)

    assert place.tables(RUN).whole("open") == {}, "an older one would be no longer true"
    assert place.tables(RUN).rows("segments") == 100
    writer.replace("open", take(segments, slice(4)))
    assert rows(place.tables(RUN).whole("open")) == 4


@pytest.mark.integration
def test_whole_rows_are_read_while_they_are_written(server):
    segments, _ = numbered(30_000)
    place, read, wrong = in_redis(connect(server.url)), [], []
    is_over = threading.Event()

    def look():
        while not is_over.is_set():
            table = place.tables(RUN).read("segments")
            read.append(rows(table))
            lengths = {len(values) for values in table.values()}
            same = all((values == np.arange(len(values)) % 100).all() for values in table.values())
            if len(lengths) > 1 or not same:
                wrong.append(lengths)

    readers = [threading.Thread(target=look) for _ in range(2)]
    for one in readers:
        one.start()
    for _ in range(3):  # attempts
        with place.writer(RUN) as writer:
            for first in range(0, rows(segments), 300):
                writer.append("segments", take(segments, slice(first, first + 300)))
        place.clear(RUN)
    is_over.set()
    for one in readers:
        one.join()

    assert not wrong and len(set(read)) > 10


def test_an_outage_in_the_middle_costs_nothing_but_time(redis, caplog):
    segments, events = numbered(90)
    away = Away(redis, lambda: None)
    place, writer = in_redis(redis), in_redis(away).writer(RUN)
    writer.append("segments", take(segments, slice(30)))
    away.fails = lambda: ConnectionError("it is away")
    writer.append("segments", take(segments, slice(30, 60)))
    writer.append("events", events)
    writer.replace("open", take(segments, slice(5)))
    assert place.tables(RUN).rows("segments") == 30
    away.fails = lambda: None
    writer.append("segments", take(segments, slice(60, 90)))

    assert_same(place.tables(RUN).read("segments"), segments)
    assert_same(place.tables(RUN).read("events"), events)
    assert rows(place.tables(RUN).whole("open")) == 5
    assert caplog.text.count("does not answer") == 1


def test_a_write_that_was_done_though_its_answer_was_lost_is_not_done_twice(redis):
    segments, _ = numbered(60)
    away = Away(redis, lambda: None)
    place, writer = in_redis(redis), in_redis(away).writer(RUN)
    writer.append("segments", take(segments, slice(20)))
    script = writer._script

    def lost(*args):
        script(*args)
        raise TimeoutError("no answer in time")

    writer._script = lost
    writer.append("segments", take(segments, slice(20, 40)))
    assert place.tables(RUN).rows("segments") == 40
    writer._script = script
    writer.append("segments", take(segments, slice(40, 60)))  # finds it, and begins again
    writer.replace("open", segments)

    assert_same(place.tables(RUN).read("segments"), segments)


@pytest.mark.parametrize("lose", ["flushall", "a column", "the hash"])
def test_rows_that_redis_lost_are_sent_again(redis, lose, place, writer):
    segments, events = numbered(60)
    writer.append("segments", take(segments, slice(40)))
    writer.append("events", events)
    writer.replace("jobs", segments)
    token = redis.hget(KEY, "writer").decode()
    if lose == "flushall":
        redis.flushall()
    else:
        redis.delete(f"{KEY}:{token}:segments:start" if lose == "a column" else KEY)
    writer.append("segments", take(segments, slice(40, 60)))
    assert place.tables(RUN).rows("segments") == 0, "no rows are better than those from the middle"
    writer.replace("open", take(segments, slice(2)))

    assert_same(place.tables(RUN).read("segments"), segments)
    assert_same(place.tables(RUN).read("events"), events)
    assert_same(place.tables(RUN).whole("jobs"), segments)
    assert rows(place.tables(RUN).whole("open")) == 2


def test_redis_is_not_asked_for_a_second_after_it_did_not_answer(monkeypatch, redis):
    monkeypatch.setattr(redis_live, "RETRY_AFTER", 60.0)
    segments, _ = numbered(10)
    away = Away(redis)
    place = in_redis(away)
    writer, reader = place.writer(RUN), place.tables(RUN)
    for _ in range(5):
        writer.append("segments", segments)
        writer.replace("open", segments)
    assert away.requests == 1
    for _ in range(5):
        assert reader.read("segments") == place.tables(RUN).whole("open") == {} and reader.rows("segments") == 0
        place.clear(RUN)
    assert away.requests == 2


def test_keys_of_other_kinds_are_no_tables(redis, place):
    redis.set(KEY, "rubbish")
    assert place.tables(RUN).read("segments") == {} and place.tables(RUN).rows("segments") == 0
    redis.delete(KEY)
    redis.hset(KEY, mapping={"writer": "*:../", "segments": '{"start": "<f8"}'})
    assert place.tables(RUN).read("segments") == place.tables(RUN).whole("open") == {}
    for layout in ("rubbish", "[]", "7", "[" * 100_000, json.dumps({str(n): "<f8" for n in range(1000)})):
        redis.hset(KEY, mapping={"writer": "0" * 16, "segments": layout})
        redis.set(f"{KEY}:{'0' * 16}:open", layout)
        assert place.tables(RUN).read("segments") == place.tables(RUN).whole("open") == {}
    place.clear(RUN)
    assert redis.hgetall(KEY) == {}


@pytest.mark.integration
def test_a_server_that_is_killed_and_comes_back_empty(server, free_port):
    segments, _ = numbered(40_000)
    place = in_redis(connect(server.url))
    writer = place.writer(RUN)
    writer.append("segments", take(segments, slice(30_000)))
    server.process.kill()
    server.process.wait()
    writer.append("segments", take(segments, slice(30_000, 40_000)))
    writer.replace("open", segments)
    assert place.tables(RUN).read("segments") == {}
    with Server(free_port):
        writer.replace("open", take(segments, slice(3)))
        writer.replace("open", take(segments, slice(3)))

        assert_same(place.tables(RUN).read("segments"), segments)
        assert rows(place.tables(RUN).whole("open")) == 3


@pytest.mark.integration
def test_a_full_server_takes_whole_rows_or_none(server, caplog):
    segments, _ = numbered(20_000)
    connection = connect(server.url)
    place = in_redis(connection)
    writer = place.writer(RUN)
    writer.append("segments", segments)
    connection.config_set("maxmemory", 1_000_000)
    writer.append("segments", segments)
    writer.replace("open", segments)

    assert_same(place.tables(RUN).read("segments"), segments)
    assert caplog.text.count("does not answer") == 1
    connection.config_set("maxmemory", 0)
    writer.replace("open", take(segments, slice(2)))
    assert place.tables(RUN).rows("segments") == 40_000
