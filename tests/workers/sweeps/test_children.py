"""Processes of a local sweep: none is left, however the sweep ends, and only the run that ends its process fails."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from shadowtime.workers.sweeps import children, local

pytestmark = pytest.mark.usefixtures("interruptible")


def answer(index: int) -> dict:
    """The line of a quick run."""
    return {"index": index}


def slow(index: int) -> dict:
    time.sleep(0.2)
    return answer(index)


def numbers(work, runs: int = 12, processes: int = 2) -> list[int]:
    """Return the numbers of the runs in the order in which they ended."""
    return [line["index"] for line in local._lines(work, local.batches(range(runs), processes), processes)]


def processes_of(parent: int) -> list[int]:
    """Return the children of a process."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def soon(condition, seconds: float = 10.0) -> bool:
    """Wait until a condition holds."""
    ends = time.monotonic() + seconds
    while not condition() and time.monotonic() < ends:
        time.sleep(0.02)
    return condition()


def test_each_run_is_answered_once():
    before = processes_of(os.getpid())

    assert sorted(numbers(answer, 100)) == list(range(100))
    assert processes_of(os.getpid()) == before


@pytest.mark.parametrize("delays", [(0.6,), (0.6, 0.602)])
def test_an_interrupt_ends_every_process_at_once_and_a_later_sweep_runs(delays):
    """Also where Ctrl-C is pressed again while processes end."""
    before = processes_of(os.getpid())
    for delay in delays:
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        try:
            numbers(slow, 400)
        finally:
            took = time.monotonic() - began
            time.sleep(0.3)  # the second interrupt comes here at the latest

    assert took < 3.0
    assert processes_of(os.getpid()) == before and not multiprocessing.active_children()
    assert sorted(numbers(answer)) == list(range(12))


def test_an_interrupt_while_processes_start_waits_until_they_can_be_ended(monkeypatch):
    start = multiprocessing.context.ForkProcess.start

    def interrupted(process):
        start(process)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(multiprocessing.context.ForkProcess, "start", interrupted)
    before = processes_of(os.getpid())
    with pytest.raises(KeyboardInterrupt):
        numbers(slow)

    assert processes_of(os.getpid()) == before


def test_a_sweep_that_is_not_read_to_its_end_leaves_no_process():
    before = processes_of(os.getpid())
    with closing(local._lines(slow, local.batches(range(400), 2), 2)) as lines:
        next(lines)

    assert processes_of(os.getpid()) == before


def test_children_leave_interrupts_to_their_parent():
    def interrupted(index):
        os.kill(os.getpid(), signal.SIGINT)
        return answer(index)

    assert sorted(numbers(interrupted)) == list(range(12))


ORPHANED = """
import sys, time
from shadowtime.workers.sweeps import children
if "portable" in sys.argv:
    children.end_with_parent = lambda: None
def slow(index):
    time.sleep(0.5)
    return {"index": index}
with children.Children(slow, 3) as started:
    for first in (0, 100, 200):
        started.free().give(range(first, first + 100))
    print(*(child.process.pid for child in started._all), flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("how", ["linux", "portable"])
def test_processes_end_when_their_parent_is_killed(how):
    command = [sys.executable, "-c", ORPHANED, how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        running = all(map(is_running, pids))
        parent.kill()

        assert running and len(pids) == 3
        assert soon(lambda: not any(map(is_running, pids)))


def test_only_the_run_that_ends_its_process_fails():
    def deadly(index):
        if index in (3, 40):
            os._exit(7)
        return answer(index)

    found = list(local._lines(deadly, local.batches(range(100), 2), 2))
    failed = {line["index"]: line["error"] for line in found if "error" in line}

    assert sorted(line["index"] for line in found) == list(range(100))
    assert failed == {3: local.LOST, 40: local.LOST}


def test_a_run_that_loses_its_process_once_is_repeated_alone(tmp_path):
    def deadly_once(index):
        if index == 5 and not (tmp_path / "seen").exists():
            (tmp_path / "seen").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(index)

    assert sorted(numbers(deadly_once)) == list(range(12))


def test_a_signal_handler_is_called_after_the_block():
    seen = []
    before = signal.signal(signal.SIGTERM, lambda *given: seen.append("called"))
    try:
        with children.deferred_signals():
            os.kill(os.getpid(), signal.SIGTERM)
            assert seen == []
    finally:
        signal.signal(signal.SIGTERM, before)

    assert seen == ["called"]
