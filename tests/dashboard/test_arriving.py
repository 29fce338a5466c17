"""A request on its way in: when it is whole, what is left for the next one, until when it must be there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.dashboard.serving.arriving import (
    BODY,
    FIRST,
    HEAD,
    IDLE,
    IN_MEMORY,
    LEAST,
    MOST_HEAD,
    Arriving,
    Limits,
    NotTaken,
    Room,
)

GET = b"GET /runs HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /api/runs HTTP/1.1\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"POST /api/runs HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
LIMITS = Limits(body=1000, client=2000, everybody=3000)


def arriving(room: Room | None = None, client: str = "a", folder: Path | None = None) -> Arriving:
    return Arriving(room or Room(LIMITS), client, folder, 0.0)


def content(one: Arriving) -> bytes:
    """All that the parser will read."""
    source = one.source()
    found = b"".join(iter(lambda: source.recv(7), b""))
    source.close()
    return found


@pytest.mark.parametrize(
    "request_",
    [
        GET,
        POST + b"12345",
        CHUNKED + b"3;a=b\r\nab\n\r\n2\r\n\r\n\r\n0\r\nX: y\r\n\r\n",
        CHUNKED + b"0\r\n\r\n",
    ],
)
@pytest.mark.parametrize("step", [1, 2, 3, 1000])
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_, step):
    one = arriving()
    for at in range(0, len(request_), step):
        assert not one.is_whole
        one.take(request_[at : at + step], 1.0)
    assert one.is_whole
    assert content(one) == request_


@given(st.lists(st.sampled_from([GET, POST + b"12345", POST + b"\r\n\r\n5"]), min_size=1, max_size=5), st.data())
def test_requests_that_follow_one_another_are_told_apart_however_they_are_cut(requests, data):
    sent, one, found = b"".join(requests), arriving(), []
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=6)))
    for first, last in zip([0, *cuts], [*cuts, len(sent)], strict=True):
        one.take(sent[first:last], 1.0)
        while one.is_whole:
            found.append(content(one))
            one.next(2.0)
    assert found == requests
    assert one.is_idle


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nContent-Length: 6",
        b"Content-Length: five",
        b"Content-Length: -1",
        b"Content-Length: 1001",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5",
    ],
)
def test_nothing_is_read_after_a_request_whose_end_is_in_doubt(head):
    one = arriving()
    one.take(b"POST / HTTP/1.1\r\n" + head + b"\r\n\r\n", 1.0)
    assert one.closes
    assert one.is_whole == (b"Transfer" not in head)


def test_chunks_without_a_size_end_the_body_for_the_parser_to_refuse():
    one = arriving()
    one.take(CHUNKED + b"zz\r\n", 1.0)
    assert one.is_whole and one.closes


def test_a_client_that_waits_for_leave_to_send_a_body_gets_it_once():
    one = arriving()
    one.take(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", 1.0)
    assert one.expects and not one.is_whole
    one.expects = False
    one.take(b"ab", 1.0)
    assert one.is_whole and not one.expects
    assert b"100-continue" not in content(one)  # else gunicorn would give leave, too


def test_heads_bodies_and_pauses_have_their_own_deadlines():
    one = arriving()
    assert one.deadline == FIRST
    one.take(POST[:10], 4.0)
    one.take(POST[10:20], 9.0)  # a byte now and then does not put it off
    assert one.deadline == 4.0 + HEAD
    one.take(POST[20:] + b"12", 10.0)
    assert one.deadline == 10.0 + BODY + 2 / LEAST
    one.take(b"345", 11.0)
    content(one)
    one.next(12.0)
    assert one.deadline == 12.0 + IDLE


def test_a_head_has_an_end():
    one = arriving()
    with pytest.raises(NotTaken) as refused:
        one.take(b"GET / HTTP/1.1\r\nX: " + b"x" * MOST_HEAD, 1.0)
    assert refused.value.status == 431


def test_chunks_are_as_limited_as_other_bodies():
    with pytest.raises(NotTaken) as refused:
        arriving().take(CHUNKED + b"7d1\r\n" + b"x" * 1001, 1.0)
    assert refused.value.status == 413


def test_bodies_on_their_way_are_limited_for_each_client_and_for_all_until_they_are_read():
    room = Room(LIMITS)
    head = b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"
    mine = [arriving(room, "a") for _ in range(3)]
    for one in mine[:2]:
        one.take(head + b"x" * 999, 1.0)
    with pytest.raises(NotTaken) as refused:
        mine[2].take(head + b"xyz", 1.0)
    assert refused.value.status == 429
    arriving(room, "b").take(head + b"x" * 1000, 1.0)
    with pytest.raises(NotTaken):
        arriving(room, "c").take(head + b"xyz", 1.0)
    mine[0].drop()
    mine[1].take(b"x", 1.0)
    content(mine[1])
    arriving(room, "a").take(head + b"x" * 1000, 1.0)
    arriving(room, "c").take(head + b"x" * 1000, 1.0)


def test_a_long_body_is_a_file_of_the_store_that_no_name_leads_to(tmp_path):
    size = IN_MEMORY + 1
    limits = Limits(size, size, size)
    one = arriving(Room(limits), folder=tmp_path)
    one.take(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size, 1.0)
    assert one.is_whole
    assert not list(tmp_path.iterdir())
    assert content(one).endswith(b"x" * size)
