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
import os, signal, sys, threading
from shadowtime.workers.processes import StopRequest
request = {kind}()
handlers = most = 0
def at_each_line(frame, event, argument):
    os.kill(os.getpid(), signal.SIGTERM)
    return at_each_line
def stop(number, frame):
    global handlers, most
    handlers, most = handlers + 1, max(most, handlers + 1)
    if handlers == 1:
        sys.settrace(at_each_line)
    request.set()
    if handlers == 1:
        sys.settrace(None)
    handlers -= 1
signal.signal(signal.SIGTERM, stop)
os.kill(os.getpid(), signal.SIGTERM)
sys.exit(0 if request.wait(30) and most > 1 else 1)
"""
"""A signal at each line of the handler of another one."""


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
    program = INTERRUPTED.format(kind="StopRequest")

    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_all_usual_signals_are_heard():
    before = {sent: signal.getsignal(sent) for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        for sent in before:
            signal.signal(sent, signal.SIG_DFL)  # the tests may have been started with nohup
            request = StopRequest.of_signals()
            os.kill(os.getpid(), sent)
            assert request.wait(30.0)
    finally:
        for sent, handler in before.items():
            signal.signal(sent, handler)


def test_a_hangup_that_was_ignored_before_stays_ignored():
    before = {sent: signal.getsignal(sent) for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        request = StopRequest.of_signals()
        os.kill(os.getpid(), signal.SIGHUP)
        assert not request.wait(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        assert request.wait(30.0)
    finally:
        for sent, handler in before.items():
            signal.signal(sent, handler)
