"""A store of version 0.1.0 is taken over whatever happens meanwhile: kills, two at once, a full or read-only disk."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shadowtime.dashboard.cli import main, up
from shadowtime.workers import older_files
from shadowtime.workers.records.older import CannotTakeOver, common
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.integrity import faults
from tests.dashboard.cli.conftest import shadowtime  # noqa: F401 (a fixture)
from tests.whole import whole_or
from tests.workers.records import old_answers
from tests.workers.records.old_answers import ANSWERS, FAULT
from tests.workers.store.test_disk import fill, small  # noqa: F401 (a fixture)

ROOT = Path(__file__).resolve().parents[3]
KILLS = whole_or(12, 4)
OPENER = """
import logging, sys
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import disk
from tests.workers.records import old_answers

path, url, locks = sys.argv[1:]
if not locks:
    disk._lock = lambda descriptor, wait: None
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
print("ready", flush=True)
sys.stdin.readline()
store = RecordStore(path, url)
assert old_answers.answers(store) == old_answers.ANSWERS
print("done", flush=True)
"""

BEGINNER = """
import os, sys
from shadowtime.workers.records import older
from shadowtime.workers.records.store import RecordStore

older.runs.take_over = lambda *given: os._exit(9)
RecordStore(sys.argv[1])
"""


@pytest.fixture(autouse=True)
def logging_as_before():
    """`up` sends the log lines of its process to standard output."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def folder(tmp_path):
    return old_answers.unpack(tmp_path / "store")


def opener(folder: Path, url: str = "", *, locks: bool = True) -> subprocess.Popen:
    """A process that waits for a line, and then opens the store."""
    command = [sys.executable, "-c", OPENER, str(folder), url, "locks" * locks]
    process = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def begin(process: subprocess.Popen) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def is_complete(folder: Path, url: str, written: dict[str, str]) -> None:
    """The store answers as ever, and each folder was set aside once."""
    store = RecordStore(folder, url)
    assert old_answers.answers(store) == ANSWERS
    assert old_answers.set_aside(folder) == written
    assert [str(fault) for fault in faults(store)] == [FAULT]
    assert not list(folder.glob("index.sqlite*"))
    store.tidy()
    assert [str(fault) for fault in faults(store)] == [FAULT]
    store.database.close()


@pytest.mark.integration
def test_killed_at_any_time_the_next_start_continues(tmp_path):
    pristine, folder = old_answers.unpack(tmp_path / "pristine"), tmp_path / "store"
    written, draw = old_answers.as_written(pristine), random.Random(11)
    began = time.monotonic()
    shutil.copytree(pristine, folder)
    begin(process := opener(folder))
    assert process.stdout is not None and process.stdout.readline().startswith("Taking over")
    while older_files.are_there(folder):
        time.sleep(0.001)
    usual, kills, in_the_middle = time.monotonic() - began, 0, 0
    process.communicate(timeout=60)
    while in_the_middle < KILLS:
        assert kills < 10 * KILLS
        if not older_files.are_there(folder):
            is_complete(folder, "", written)
            shutil.rmtree(folder)
            shutil.copytree(pristine, folder)
        begin(process := opener(folder))
        began = time.monotonic()
        try:
            process.wait(timeout=draw.uniform(0.001, usual / 4))
            usual = time.monotonic() - began  # it was measured while the machine was busier, and this came to its end
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        kills += 1
        in_the_middle += older_files.are_there(folder) and (folder / "records.sqlite").exists()
        assert old_answers.as_written(folder) == written
    is_complete(folder, "", written)


@pytest.mark.integration
@pytest.mark.parametrize("server", ["", "postgresql"])
def test_each_step_may_fail(tmp_path, request, server):
    """Some of the steps, more in `make soak`; all of them in some minutes without `--every`."""
    every, least = (whole_or(30, 75), whole_or(8, 3)) if server else (whole_or(33, 80), whole_or(25, 8))
    command = [sys.executable, "-m", "tests.workers.records.migration_steps", str(tmp_path)]
    command += ["--postgres", request.getfixturevalue("postgres_server")] if server else []
    child = subprocess.run(
        [*command, "--every", str(every), "--first", "7"],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip

    assert child.returncode == 0, child.stderr
    done = json.loads(child.stdout)
    assert done.pop("steps") > 250 and sum(done.values()) >= least, done


@pytest.mark.integration
@pytest.mark.parametrize("locks", [True, False], ids=["locks", "no-locks"])
def test_two_processes_at_once_both_work(folder, url, locks):
    written = old_answers.as_written(folder)
    processes = [opener(folder, url, locks=locks) for _ in range(2)]
    for process in processes:
        begin(process)
    said = [process.communicate(timeout=120)[0].splitlines() for process in processes]

    assert [process.returncode for process in processes] == [0, 0], said
    assert [lines[-1] for lines in said] == ["done", "done"]
    if locks:  # a file system without them lets both do it
        waited, took_over = sorted(said, key=len)  # one that takes long says how far it is
        assert waited == ["done"] and took_over[0].startswith("Taking over"), "one takes it over, the other waits"
    is_complete(folder, url, written)


SENTENCE = r"the store .* is of an older version and cannot be taken over \(%s.*\); nothing is lost, and the next start"


def test_on_a_full_disk_nothing_is_lost_and_with_room_it_goes_through(small, url, shadowtime):  # noqa: F811
    folder = old_answers.unpack(small / "store")
    written, filler = old_answers.as_written(folder), fill(small)
    refused = 0
    for room in (0, 4, 64, 256, 512, 1024, 2048):
        os.truncate(filler, filler.stat().st_size - 1024 * room)
        try:
            RecordStore(folder, url).database.close()
        except CannotTakeOver as error:
            refused += 1
            assert error.args[0].count("\n") == 0 and "No space left on device" in error.args[0]
        assert old_answers.as_written(folder) == written
        fill_again(filler)
    if older_files.are_there(folder):
        answer = shadowtime("store", "check", "--store", folder)
        assert (answer.code, answer.out) == (1, "") and answer.err.count("\n") == 1
    filler.unlink()

    assert refused >= 3
    is_complete(folder, url, written)


def fill_again(filler: Path) -> None:
    with open(filler, "ab", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while True:
            file.write(bytes(65536))


@pytest.mark.parametrize("is_begun", [False, True], ids=["whole", "begun"])
def test_on_a_read_only_disk_it_is_refused_in_a_sentence(small, shadowtime, free_port, is_begun):  # noqa: F811
    folder = old_answers.unpack(small / "store")
    if is_begun:
        assert subprocess.run([sys.executable, "-c", BEGINNER, str(folder)], cwd=ROOT).returncode == 9
        assert (folder / "older-links").exists() and (folder / "runs").exists()
    written = old_answers.as_written(folder)
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    with pytest.raises(CannotTakeOver, match=SENTENCE % "Read-only file system"):
        RecordStore(folder)
    commands = [["store", what, "--store", folder] for what in ("check", "audit")]
    for command in (*commands, ["up", "--store", folder, "--port", free_port, "--redis", "redis://127.0.0.1:1/0"]):
        answer = shadowtime(*command)
        assert (answer.code, answer.out) == (1, ""), command
        assert answer.err.count("\n") == 1 and "cannot be taken over (Read-only file system" in answer.err
    assert old_answers.as_written(folder) == written
    subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)

    is_complete(folder, "", written)


def test_a_folder_that_may_not_be_written_to_is_refused_in_a_sentence(folder, monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "touch", refuse)  # tests may run as root, whom nothing is denied
    with pytest.raises(CannotTakeOver, match=SENTENCE % "Permission denied"):
        RecordStore(folder)


def test_up_takes_over_before_it_starts_anything_and_says_so(folder, capsys, monkeypatch, free_port):
    class Stopped(Exception):
        pass

    def stop(*_: object) -> None:
        assert not older_files.are_there(folder)
        raise Stopped

    monkeypatch.setattr(up, "Services", stop)
    monkeypatch.setattr(common, "TELL_EVERY", 0.0)
    command = ["up", "--store", str(folder), "--port", str(free_port), "--redis", "redis://127.0.0.1:1/0"]
    with pytest.raises(Stopped):
        main(command)
    first = capsys.readouterr()
    with pytest.raises(Stopped):
        main(command)
    second = capsys.readouterr()

    lines = first.out.splitlines()
    assert lines[0] == "Taking over 38 runs of an older version ..."
    assert [line for line in lines[1:] if "runs" in line] == [f"{n} of 38 runs are taken over" for n in (16, 32, 38)]
    assert len([line for line in lines[1:] if "workloads" in line]) == 10
    assert (first.err, second.out, second.err) == ("", "", "")
