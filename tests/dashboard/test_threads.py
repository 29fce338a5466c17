"""Threads that compute answers, a few at a time."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from shadowtime.dashboard.intake import desk
from shadowtime.dashboard.serving.answer import Answer
from shadowtime.dashboard.serving.arriving import Arriving, Limits, Room
from shadowtime.dashboard.serving.connection import Answering, Connection
from shadowtime.dashboard.serving.threads import STUCK, Threads, let_others_compute

PATIENCE = 20.0
LIMIT = 8


class Request:
    """Does something, and counts as computing until it may end."""

    def __init__(self, threads: Threads, act: Callable[[], None] = lambda: None, patience: float = 0.0):
        self.has_begun, self.may_end, self.has_ended = threading.Event(), threading.Event(), threading.Event()
        self._act = act
        threads.submit(self._run, patience)

    def _run(self) -> None:
        self.has_begun.set()
        self._act()
        self.may_end.wait(PATIENCE)
        self.has_ended.set()

    def end(self) -> None:
        self.may_end.set()
        assert self.has_ended.wait(PATIENCE)


def test_only_a_few_requests_are_computed_at_a_time():
    threads = Threads(LIMIT, 2)
    first, second, third, fourth = (Request(threads) for _ in range(4))
    assert first.has_begun.wait(PATIENCE) and second.has_begun.wait(PATIENCE)
    assert not third.has_begun.wait(0.1) and threads.is_full
    first.end()
    assert third.has_begun.wait(PATIENCE)
    assert not fourth.has_begun.wait(0.1)
    for one in (second, third, fourth):
        one.end()
    assert not threads.is_full


def test_threads_are_used_again():
    threads, seen = Threads(LIMIT, 1), set()
    for _ in range(20):
        Request(threads, lambda: seen.add(threading.get_ident())).end()
    assert len(seen) <= 2


def test_those_that_can_wait_let_others_go_first_until_they_are_due():
    threads, order = Threads(LIMIT, 1), []
    first = Request(threads)
    assert first.has_begun.wait(PATIENCE)
    waits = [Request(threads, partial(order.append, patience), patience) for patience in (60.0, 0.0, 30.0, 0.1)]
    time.sleep(0.15)
    waits.append(Request(threads, partial(order.append, "later")))
    for one in waits:
        one.may_end.set()
    first.end()
    assert all(one.has_ended.wait(PATIENCE) for one in waits)
    assert order == [0.0, 0.1, "later", 30.0, 60.0]


@pytest.mark.parametrize("line, can_wait", [
    ("GET / HTTP/1.1", False), ("POST /_dash-update-component HTTP/1.1", False), ("GET /api/runs HTTP/1.1", False),
    ("GET /api/live?runs=0123456789abcdef HTTP/1.1", True), ("POST /api/runs HTTP/1.1", True),
])  # fmt: skip
def test_live_streams_and_submissions_let_pages_and_questions_go_first(line, can_wait):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        arriving = Arriving(Room(Limits(10, 10, 10)), "", None, 0.0)
        arriving.take(f"{line}\r\nHost: here\r\n\r\n".encode(), 0.0)
        assert (Answer(Connection(ours, "", "", arriving), arriving.source()).patience > 0) == can_wait


def test_another_one_is_computed_while_one_waits():
    threads, goes_on, is_back = Threads(LIMIT, 1), threading.Event(), threading.Event()

    def wait() -> None:
        with let_others_compute():
            goes_on.wait(PATIENCE)
        is_back.set()

    waiting = Request(threads, wait)
    other, later = Request(threads), Request(threads)
    assert other.has_begun.wait(PATIENCE)
    goes_on.set()
    assert is_back.wait(PATIENCE), "it waits for others"
    other.end()
    assert not later.has_begun.wait(0.1), "two compute beside the one that came back"
    waiting.end()
    assert later.has_begun.wait(PATIENCE)
    later.end()


def test_there_are_no_more_threads_than_are_allowed():
    threads, goes_on = Threads(3, 1), threading.Event()

    def wait() -> None:
        with let_others_compute():
            goes_on.wait(PATIENCE)

    requests = [Request(threads, wait) for _ in range(5)]
    assert all(one.has_begun.wait(PATIENCE) for one in requests[:3])
    assert not requests[3].has_begun.wait(0.1)
    goes_on.set()
    for one in requests:
        one.end()


def test_requests_that_wait_for_something_unknown_stop_no_others():
    threads = Threads(LIMIT, 2)
    stuck = [Request(threads), Request(threads)]
    assert all(one.has_begun.wait(PATIENCE) for one in stuck)
    others = [Request(threads) for _ in range(3)]
    threads.allow_more(time.monotonic())
    assert not others[0].has_begun.wait(0.1), "they have only just begun"
    threads.allow_more(time.monotonic() + 2 * STUCK)
    for one in others:  # they follow one another, without a further call
        assert one.has_begun.wait(PATIENCE)
        one.end()
    for one in stuck:
        one.end()
    first, second, third = (Request(threads) for _ in range(3))
    assert first.has_begun.wait(PATIENCE) and second.has_begun.wait(PATIENCE)
    assert not third.has_begun.wait(0.1), "there are more than before"
    for one in (first, second, third):
        one.end()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_task_that_fails_takes_no_thread_from_the_others():
    def fail() -> None:
        raise SystemExit("failed on purpose")

    threads = Threads(2, 1)
    requests = [Request(threads, fail) for _ in range(5)]
    assert all(one.has_begun.wait(PATIENCE) for one in requests)
    Request(threads).end()


def test_nothing_begins_after_a_stop():
    threads = Threads(LIMIT, 1)
    first, second = Request(threads), Request(threads)
    assert first.has_begun.wait(PATIENCE)
    threads.stop()
    first.end()
    assert not second.has_begun.wait(0.1)


def test_other_threads_may_wait_too():
    with let_others_compute(), let_others_compute():
        pass


def test_a_question_to_a_child_process_lets_others_be_answered(monkeypatch):
    threads, answers = Threads(LIMIT, 1), threading.Event()

    class Child:
        def ask(self, question, timeout):
            assert answers.wait(PATIENCE)
            return {"answer": question["question"]}

    monkeypatch.setattr(desk.Intake, "_take", lambda self: Child())
    heard: list[str] = []
    asking = Request(threads, lambda: heard.append(desk.Intake().ask("runs")))
    Request(threads).end()
    assert not heard
    answers.set()
    asking.end()
    assert heard == ["runs"]


def test_a_client_that_does_not_read_lets_others_be_answered():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Connection(ours, "", "", Arriving(Room(Limits(10, 10, 10)), "", None, 0.0))
        threads, size = Threads(LIMIT, 1), 10_000_000
        slow = Request(threads, lambda: Answering(ours).sendall(b"x" * size))
        Request(threads).end()
        read = 0
        while read < size:
            read += len(theirs.recv(1 << 20))
        slow.end()
