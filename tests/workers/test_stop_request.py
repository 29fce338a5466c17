"""A request to stop, made by signals: it is heard by those who wait, and never waits for itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

from shadowtime.workers.processes import StopRequest

INTERRUPTED = """
import os, signal, sys
from shadowtime.workers.processes import StopRequest
request = StopRequest.of_signals()
set_it, depth = request.set, 0
def set_twice():
    global depth
    depth += 1
    if depth < 3:
        os.kill(os.getpid(), signal.SIGTERM)  # while the first handler is at work
    set_it()
request.set = set_twice
os.kill(os.getpid(), signal.SIGTERM)
sys.exit(0 if request.wait(30) and depth == 3 else 1)
"""


def test_waiting_ends_at_once_when_it_is_set_and_in_time_when_it_is_not():
    request = StopRequest()
    assert not request.is_set() and not request.wait(0.01)

    threading.Timer(0.05, request.set).start()
    began = time.monotonic()
    assert request.wait(30.0) and request.wait() and request.is_set()
    assert time.monotonic() - began < 10.0


def test_it_may_be_set_any_number_of_times():
    request = StopRequest()
    for _ in range(100_000):  # more than a pipe holds
        request.set()

    assert request.wait()


def test_several_threads_hear_the_same_request():
    request, heard = StopRequest(), []
    threads = [threading.Thread(target=lambda: heard.append(request.wait(30.0))) for _ in range(4)]
    for thread in threads:
        thread.start()
    request.set()
    for thread in threads:
        thread.join()

    assert heard == [True] * 4


def test_a_signal_that_comes_during_the_handler_of_another_does_not_hang():
    assert subprocess.run([sys.executable, "-c", INTERRUPTED], timeout=60).returncode == 0


def test_all_usual_signals_are_heard():
    before = {sent: signal.getsignal(sent) for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        for sent in before:
            request = StopRequest.of_signals()
            os.kill(os.getpid(), sent)
            assert request.wait(30.0)
    finally:
        for sent, handler in before.items():
            signal.signal(sent, handler)
