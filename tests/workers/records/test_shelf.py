"""The collector deletes what nothing uses, and never what is used: in any order of steps, and after any crash."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import delete, select

from shadowtime.workers.records import shelf as module
from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.database import Database
from shadowtime.workers.records.schema import blobs, uses
from shadowtime.workers.records.shelf import Shelf, release
from shadowtime.workers.utc import utc_text
from tests.workers.records.shelves import CONTENTS, drafts_of, empty, forget, known, used, write_and_use

GRACE = 100.0
USERS = ("a", "b", "c")
EXAMPLES = int(os.environ.get("SHELF_EXAMPLES") or 40)


class Crash(BaseException):
    """The process ends here."""


@dataclass
class Process:
    """One that acts: at which point it crashes, and what others do at another one."""

    crash: int | None = None
    at: int = 0
    others: list[tuple[Callable[[], None], int | None]] = field(default_factory=list)
    points: int = 0


class Points:
    """The places between two steps. A process is a thread here; one at a time acts."""

    def __init__(self) -> None:
        self._acting: list[Process] = []

    def run(self, act: Callable[[], None], process: Process) -> None:
        """Let a process act until its end or its crash."""
        self._acting.append(process)
        try:
            with ThreadPoolExecutor(1) as thread, suppress(Crash):
                thread.submit(act).result()
        finally:
            self._acting.pop()

    def reach(self, *, alone: bool = False) -> None:
        """Pass a point; `alone`: inside a transaction, during which no other can write."""
        if not self._acting:
            return
        process = self._acting[-1]
        at, process.points = process.points, process.points + 1
        if at == process.crash:
            raise Crash
        if at >= process.at and not alone:
            others, process.others = process.others, []
            for act, crash in others:
                self.run(act, Process(crash))


class SteppedBlobs(FolderBlobs):
    """Blobs in a folder, with points around each step."""

    def __init__(self, root: Path, points: Points):
        super().__init__(root)
        self.points = points

    def put(self, drafts):
        for draft in drafts:
            self.points.reach()
            super().put([draft])
        self.points.reach()

    def remove(self, digest):
        self.points.reach(alone=True)
        super().remove(digest)
        self.points.reach(alone=True)


class SteppedDatabase:
    """A database with points before and after each commit, and a clock that is set."""

    def __init__(self, database: Database, points: Points):
        self.base = database
        self.points = points
        self.time = datetime(2030, 1, 1, tzinfo=UTC)

    def read(self):
        return self.base.read()

    @contextmanager
    def write(self):
        with self.base.write() as connection:
            yield connection
            self.points.reach(alone=True)
        self.points.reach()

    def now(self, connection, plus=timedelta()):
        self.time += timedelta(microseconds=1)
        return utc_text(self.time + plus)


class Collecting(RuleBasedStateMachine):
    """Runs that come and go, a collector, crashes and clocks, in any order."""

    database: Database

    def __init__(self) -> None:
        super().__init__()
        empty(self.database)
        self.folder = Path(tempfile.mkdtemp(prefix="shadowtime-shelf-"))
        self.points = Points()
        self.stepped = SteppedDatabase(self.database, self.points)
        self.blobs = SteppedBlobs(self.folder / "blobs", self.points)
        self.shelf = Shelf(self.stepped, self.blobs)

    def act(self, what: str, user: str, contents: list[bytes], seconds: float) -> None:
        if what == "write":
            write_and_use(self.shelf, self.folder, user, contents)
        elif what == "announce":
            self.shelf.put(drafts_of(self.folder, contents))
        elif what == "forget":
            forget(self.shelf, user)
        elif what == "release":
            with self.stepped.write() as connection:
                release(connection, "run", user)
        elif what == "collect":
            self.shelf.collect(GRACE)
        elif what == "collect later":
            self.stepped.time += timedelta(seconds=2 * GRACE)
            self.shelf.collect(GRACE)
        elif what == "adopt":
            self.shelf.adopt(self.shelf.strays())
        else:
            self.stepped.time += timedelta(seconds=seconds)

    WHAT = (
        "write",
        "write",
        "write",
        "announce",
        "forget",
        "forget",
        "release",
        "collect",
        "collect later",
        "adopt",
        "wait",
    )
    STEP = st.tuples(
        st.sampled_from(WHAT),
        st.sampled_from(USERS),
        st.lists(st.sampled_from(CONTENTS), min_size=1, max_size=3),
        st.sampled_from([1.0, GRACE / 2, 2 * GRACE, -10 * GRACE]),
    )
    CRASH = st.none() | st.integers(0, 12)

    @rule(step=STEP, crash=CRASH, at=st.integers(0, 6), others=st.lists(st.tuples(STEP, CRASH), max_size=3))
    def processes_act(self, step, crash, at, others):
        acts = [(partial(self.act, *other), their_crash) for other, their_crash in others]
        self.points.run(partial(self.act, *step), Process(crash, at, acts))

    @rule(user=st.sampled_from(USERS))
    def an_older_database_is_restored(self, user):
        with self.database.write() as connection:
            connection.execute(delete(uses).where(uses.c.user == user))
            is_used = select(uses.c.blob).where(uses.c.blob == blobs.c.digest).exists()
            connection.execute(delete(blobs).where(~is_used))

    @invariant()
    def what_is_used_is_intact(self):
        for digest in used(self.database):
            assert self.blobs.open(digest).read_bytes() in CONTENTS

    def teardown(self):
        self.stepped.time += timedelta(seconds=2 * GRACE)
        self.shelf.collect(GRACE)
        strays = self.shelf.strays()
        assert set(strays) == set(self.blobs.digests()) - set(known(self.database))
        self.shelf.adopt(strays)
        self.stepped.time += timedelta(seconds=2 * GRACE)
        self.shelf.collect(GRACE)
        assert used(self.database) == known(self.database) == sorted(self.blobs.digests())
        assert self.shelf.strays() == []
        shutil.rmtree(self.folder)


def test_no_order_of_steps_and_no_crash_loses_a_used_blob(database, monkeypatch):
    monkeypatch.setattr(module, "GRACE", GRACE)

    class Here(Collecting):
        pass

    Here.database = database
    examples = EXAMPLES if database.is_sqlite else EXAMPLES // 2
    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_threads_write_forget_and_collect_at_once(database, tmp_path):
    shelf, began = Shelf(database, FolderBlobs(tmp_path / "blobs")), time.monotonic()
    contents, done = [bytes([number]) * 1000 for number in range(10)], Counter()

    def goes_on() -> bool:
        """For 2 s; on a busy machine until enough has happened."""
        is_enough = done["used"] > 10 and done["collected"] > 10
        return time.monotonic() < began + (2.0 if is_enough else 60.0)

    def work(number: int) -> None:
        folder, chance = tmp_path / str(number), random.Random(number)
        folder.mkdir()
        while goes_on():
            user, what = f"{number}-{chance.randrange(2)}", chance.random()
            if what < 0.4:
                some = chance.sample(contents, 2)
                attempts = write_and_use(shelf, folder, user, some, 10)
                assert attempts, "ten times collected before it was used"
                for content in some:
                    assert shelf.blobs.open(hashlib.sha256(content).hexdigest()).read_bytes() == content
                done.update(used=1, again=attempts - 1)
            elif what < 0.5:
                forget(shelf, user)
            elif what < 0.7:
                with database.write() as connection:
                    release(connection, "run", user)
            elif what < 0.95:
                done.update(collected=len(shelf.collect(0.0)))
            else:
                shelf.adopt(shelf.strays())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))

    assert done["used"] > 10 and done["collected"] > 10, done
    for digest in used(database):
        assert shelf.blobs.open(digest).read_bytes() in contents
    shelf.adopt(shelf.strays())
    shelf.collect(-1.0)
    assert used(database) == known(database) == sorted(shelf.blobs.digests())
