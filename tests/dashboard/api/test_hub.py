"""News from one reader to many streams."""

from __future__ import annotations

import threading
import time

import pytest

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.hub import Hub, Message, Stream, order

A, B = "a" * 16, "b" * 16


def news(serial: int, run: str = A, **more) -> Message:
    return Message(f"1000-{serial}", {"id": run, **more})


def waited(stream: Stream) -> list[Message]:
    stream.due = time.monotonic() + 10.0
    stream.wait()
    return stream.take()


@pytest.fixture
def hub():
    made = Hub(lambda hub: hub.say(True), most_streams=2)
    with made.stream([]):
        pass
    return made


def test_a_stream_hears_of_its_runs_alone(hub):
    with hub.stream([A]) as stream:
        hub.publish(news(1, A))
        hub.publish(news(2, B))

        assert stream.take() == [news(1, A)]
        assert stream.take() == []


def test_a_closed_stream_is_told_nothing_and_nobody_remembers_it(hub):
    with hub.stream([A, B]) as closed, hub.stream([A]):
        pass
    hub.publish(news(1, A))

    assert closed.take() == []
    assert hub._following == {}


def test_a_message_is_written_once_for_all_who_hear_it():
    message = news(1, status="running")

    assert message.event is message.event
    assert message.event == b'id: 1000-1\nevent: run\ndata: {"id":"aaaaaaaaaaaaaaaa","status":"running"}\n\n'


def test_a_slow_reader_holds_the_latest_message_of_each_run(hub):
    with hub.stream([A, B]) as stream:
        for serial in range(1000):
            hub.publish(news(serial, A if serial % 2 else B))

        assert stream.take() == [news(998, B), news(999, A)]


def test_a_waiting_stream_is_woken(hub):
    with hub.stream([A]) as stream:
        threading.Timer(0.05, lambda: hub.publish(news(1))).start()

        assert waited(stream) == [news(1)]


def test_who_keeps_no_thread_for_a_stream_is_called(hub):
    calls = []
    with hub.stream([A]) as stream:
        stream.on_news = lambda: calls.append(stream.has_news)
        hub.publish(news(1, A))
        hub.publish(news(2, B))
        hub.say(False)

        assert calls == [True, True]
        assert stream.take() == [news(1, A)]
        assert not stream.has_news


def test_a_run_that_may_no_longer_be_seen_is_not_told_of_though_its_news_wait(hub):
    with hub.stream([A, B]) as stream:
        hub.publish(news(1, A))
        hub.publish(news(2, B))
        stream.runs -= {A}

        assert stream.take() == [news(2, B)]


def test_redis_going_and_coming_wakes_all(hub):
    with hub.stream([A]) as stream:
        for redis in (False, True):
            threading.Timer(0.05, hub.say, [redis]).start()
            began = time.monotonic()
            assert waited(stream) == []
            assert time.monotonic() - began < 5
            assert hub.redis is redis


def test_the_queue_is_listened_to_from_the_first_stream_on():
    calls = []
    hub = Hub(lambda hub: (calls.append(hub), hub.say(True)))
    assert not calls

    for _ in range(3):
        with hub.stream([A]):
            pass

    assert calls == [hub]


def test_streams_are_limited_and_a_closed_one_makes_room(hub):
    with hub.stream([A]), hub.stream([A]):
        with pytest.raises(Refusal, match="2 live streams are open") as refused, hub.stream([A]):
            pass
        assert refused.value.status == 429
    with hub.stream([A]):
        pass


def test_streams_of_one_client_are_limited_and_those_of_others_are_not():
    hub = Hub(lambda hub: hub.say(True))
    with hub.stream([A], "10.0.0.1", most=2), hub.stream([A], "10.0.0.1", most=2):
        with pytest.raises(Refusal, match="2 live streams of yours") as refused, hub.stream([A], "10.0.0.1", most=2):
            pass
        with hub.stream([A], "10.0.0.2", most=2), hub.stream([A], "10.0.0.1", most=0):
            assert hub.open_streams == 4
    with hub.stream([A], "10.0.0.1", most=1):
        assert hub.open_streams == 1

    assert refused.value.status == 429


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1000-2", (1000, 2)), ("1000", (1000, 0)), ("", (0, 0)), ("x-1", (0, 0)), ("1-x", (0, 0)), ("9" * 99, (0, 0)),
     ("-0", (0, 0)), ("1-", (1, 0)), ("\u0661-1", (0, 0)), ("\u00b2", (0, 0))],
)  # fmt: skip
def test_message_ids_are_ordered_and_rubbish_is_before_all(text, expected):
    assert order(text) == expected


def test_later_is_later():
    assert news(10).is_after("1000-9")
    assert not news(9).is_after("1000-9")
    assert news(0).is_after("rubbish")
