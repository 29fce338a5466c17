"""A damaged write-ahead log is noticed, whatever byte of it is altered, and a whole one is not."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from shadowtime.workers.records import damaged_log
from shadowtime.workers.records.database import FILE, Database, DatabaseAway, url_in

TRANSACTIONS = 6
HEADER, FRAME = 32, 24 + 4096

PLACES = {"page number": 3, "end": 7, "salt": 9, "checksum": 20, "page": 24 + 4000}
"""A byte of each part of a frame."""

WRITER = f"""
import os, sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA journal_mode = WAL")
base.execute("CREATE TABLE t (n INTEGER, text TEXT)")
if sys.argv[2:]:
    base.execute("PRAGMA wal_checkpoint(RESTART)")
for n in range({TRANSACTIONS}):
    base.execute("INSERT INTO t VALUES (?, ?)", (n, "x" * 3000))
os._exit(0)
"""


def logged(folder, *more):
    """A database whose process was killed after some transactions."""
    subprocess.run([sys.executable, "-c", WRITER, folder / FILE, *more], check=True)
    return folder / f"{FILE}-wal"


def is_noticed(folder):
    try:
        Database(url_in(folder)).close()
    except DatabaseAway as error:
        assert "all records were in it" in str(error)
    return damaged_log.kept(folder / FILE).exists()


@pytest.mark.parametrize("more", [(), ("restarted",)])
def test_a_whole_log_is_taken_over(tmp_path, more):
    logged(tmp_path, *more)

    assert not is_noticed(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as base:
        assert base.execute("SELECT count(*) FROM t").fetchone() == (TRANSACTIONS,)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("frame", [0, 1, 2, 4, -1])
def test_an_altered_frame(tmp_path, frame, place):
    log = logged(tmp_path)
    content = bytearray(log.read_bytes())
    n = (len(content) - HEADER) // FRAME
    at = (
        HEADER + FRAME * (frame % n) + {"page number": 3, "end": 7, "salt": 9, "checksum": 20, "page": 24 + 4000}[place]
    )
    content[at] ^= 0x04
    log.write_bytes(content)

    assert is_noticed(tmp_path) == (frame != -1), "the last transaction may never have ended"
    if frame != -1:
        assert damaged_log.kept(tmp_path / FILE).read_bytes() == content


def test_an_altered_header(tmp_path):
    log = logged(tmp_path)
    content = bytearray(log.read_bytes())
    content[13] ^= 0x80
    log.write_bytes(content)

    assert is_noticed(tmp_path)


def test_a_log_that_was_begun_anew_and_not_written_yet_is_whole(tmp_path):
    log = logged(tmp_path)

    assert not damaged_log.is_damaged(tmp_path / FILE, lambda: 0), "SQLite forgot frames that are whole"
    assert log.stat().st_size > 5 * FRAME


def test_a_database_that_is_opened_twice_in_a_process_keeps_its_locks(tmp_path):
    first, second = Database(url_in(tmp_path)), Database(url_in(tmp_path))
    with first.read() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM facts").all()
        Database(url_in(tmp_path)).close()
        held = locks(tmp_path / f"{FILE}-shm"), locks(tmp_path / FILE)

    assert all(held), "SQLite's locks on the index of the log, and on the database"
    second.close()
    first.close()


def locks(path):
    """The locks of this process on a file."""
    inode = path.stat().st_ino
    with open("/proc/locks") as file:
        return [line for line in file if f":{inode} " in line and f" {os.getpid()} " in line]
