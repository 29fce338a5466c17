"""What is derived from a finished run is computed once, and kept as JSON."""

import fakeredis
import pytest
import redis
from flask import Flask

from shadowtime.dashboard.serving.cache import Json, JsonMemory, JsonRedis, cache_of, remembered
from tests.workers.samples import NAMES


@pytest.fixture
def cache():
    return cache_of(Flask("test"), NAMES)


def test_the_second_question_is_answered_from_the_cache(cache):
    calls = []

    def make():
        calls.append(1)
        return {"data": [1, 2.5, "×"]}

    first = remembered(cache, "13189c2c62a84589", "figure", make)

    assert remembered(cache, "13189c2c62a84589", "figure", make) == first == {"data": [1, 2.5, "×"]}
    assert len(calls) == 1


def test_another_run_has_another_answer(cache):
    remembered(cache, "a" * 16, "figure", lambda: 1)

    assert remembered(cache, "b" * 16, "figure", lambda: 2) == 2


def test_both_back_ends_write_json():
    assert isinstance(JsonMemory.serializer, Json) and isinstance(JsonRedis.serializer, Json)
    assert Json().dumps({"a": [1]}) == b'{"a":[1]}'
    with pytest.raises(ValueError, match="decode"):
        Json().loads(b"\x80\x04K\x01.")


def test_redis_keeps_text():
    server = fakeredis.FakeServer()
    client = fakeredis.FakeRedis(server=server)
    back_end = JsonRedis(host=client, default_timeout=0)
    back_end.set("key", {"n": 3})

    assert client.get("key") == b'{"n":3}'
    assert back_end.get("key") == {"n": 3}


def test_without_the_cache_it_is_computed(cache, monkeypatch):
    def away(*_):
        raise redis.ConnectionError("away")

    monkeypatch.setattr(cache, "get", away)

    assert remembered(cache, "a" * 16, "figure", lambda: 7) == 7
