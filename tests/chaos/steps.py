"""Let each step of each operation fail, in each way in which it may, and look at what is left.

An operation is done in a forked process, on a copy of a prepared store, once for each of its steps and each fault that
may happen there (`tests.chaos.injection`). Then this process opens the store as a worker does when it starts, and works
until everything that was accepted is done. What must hold:

- what was said to be done is done, and what is there is right, or has not begun;
- `store check` finds nothing, and no foreign key leads nowhere;
- everything accepted is done after at most 30 s, as a worker's clocks count them;
- a deletion on a full disk succeeds;
- the same, asked once more, is done;
- no temporary file and no blob stays that nothing needs.

python -m tests.chaos.steps [--only WORDS] [--how FAULT] [--every N] [--operations N] [--postgresql] prints a line of
JSON for each operation. It needs a process with a single thread: a fork while another thread is in SQLite leaves it
locked there.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import pickle
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import create_engine

from shadowtime.engine.errors import EngineError
from shadowtime.workers import processes
from shadowtime.workers.errors import Conflict, QueueAway
from shadowtime.workers.records import database
from shadowtime.workers.records.shelf import GRACE
from shadowtime.workers.redis_server import Server
from shadowtime.workers.store import disk, reserve
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps import batch
from shadowtime.workers.worker import warm
from tests.chaos.answers import bounds_apart, is_right
from tests.chaos.injection import FULL, KILL, POWER, Injector, Step
from tests.chaos.laboratory import Laboratory
from tests.chaos.operations import OPERATIONS, Operation
from tests.workers.records.postgres import server

DONE, REFUSED, WRONG = 0, 3, 4
"""How the forked process ends: it did what was asked; it said that it could not; it said something unforeseen."""
UNCOUNTED = 10_000_000
ENDED = ("finished", "failed", "cancelled")
PARSE = "a parse of it is damaged"


@dataclass
class Report:
    """What was done to one operation."""

    operation: str
    steps: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Trials by the kind of fault."""
    answered: Counter[str] = field(default_factory=Counter)
    """Those of them after which the request was answered nevertheless."""
    longest: float = 0.0
    """Seconds until everything accepted was done, at most."""
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Trials:
    """Everything that the trials of all operations share: a folder, a Redis, and a server of PostgreSQL or none."""

    def __init__(self, folder: Path, redis: str, postgres: str = ""):
        self.folder, self.url, self.postgres = folder, redis, postgres
        self.redis = Redis.from_url(redis)
        self.admin = create_engine(f"{postgres}/postgres", isolation_level="AUTOCOMMIT") if postgres else None

    def all_of(self, operation: Operation, how: str = "", every: int = 1, first: int = 0) -> Report:
        """Try each fault at each step of an operation, or each `every`-th of these from the `first` on."""
        began, report = time.monotonic(), Report(operation.name)
        prepared, copy = self.folder / "prepared", self.folder / "copy"
        dumped = self._prepare(prepared, operation)
        steps = self._steps(prepared, copy, dumped, operation)
        report.steps = len(steps)
        if self.postgres:
            places = [(n, variant) for n, step in enumerate(steps, 1) for variant in step.on_postgresql]
        else:
            places = [(n, variant) for n, step in enumerate(steps, 1) for variant in step.variants]
            places += [(len(steps) + 1, variant) for variant in (KILL, POWER)]
        places = [place for place in places if not how or place[1] == how]
        for at, variant in places[first % every :: every]:
            self._copy(prepared, copy, dumped)
            where = f"{operation.name}, step {at} of {len(steps)} ({_name(steps, at)}), {variant}"
            try:
                code, took = self._try(copy, operation, at, variant)
                report.answered[variant] += code == DONE
                report.longest = max(report.longest, took)
            except Exception as error:
                said = str(error) or traceback.format_exc(limit=-3)
                report.wrong.append(f"{where}: {type(error).__name__}: {said}")
            report.faults[variant] += 1
        shutil.rmtree(prepared, ignore_errors=True)
        shutil.rmtree(copy, ignore_errors=True)
        report.seconds = round(time.monotonic() - began, 1)
        return report

    def _prepare(self, prepared: Path, operation: Operation) -> dict[bytes, tuple[int, bytes]]:
        """Prepare the store in a process of its own; return the content of Redis."""
        shutil.rmtree(prepared, ignore_errors=True)
        self.redis.flushall()
        self._make("prepared", "template0")

        def prepare() -> int:
            prepared.mkdir()
            lab = Laboratory(prepared, self.url, self._base("prepared"))
            with lab.passing():
                operation.prepare(lab)
            lab.close()
            gc.collect()
            return DONE

        assert forked(prepare) == DONE, f"{operation.name} could not be prepared"
        return {key: (max(0, self.redis.pttl(key)), self.redis.dump(key)) for key in self.redis.scan_iter()}

    def _copy(self, prepared: Path, copy: Path, dumped: dict[bytes, tuple[int, bytes]]) -> None:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(prepared, copy)
        self._make("copy", "prepared")
        self.redis.flushall()
        for key, (left, content) in dumped.items():
            self.redis.restore(key, left, content)

    def _base(self, name: str) -> str:
        return f"{self.postgres}/{name}" if self.postgres else ""

    def _make(self, name: str, like: str) -> None:
        """Make a database of PostgreSQL like another one."""
        if self.admin is not None:
            with self.admin.connect() as connection:
                connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
                connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {like}")

    def _steps(self, prepared: Path, copy: Path, dumped: Any, operation: Operation) -> list[Step]:
        """Do it once without a fault; return its steps."""
        self._copy(prepared, copy, dumped)
        note = self.folder / "steps"
        assert self._attempt(copy, operation, UNCOUNTED, "", note) == DONE, f"{operation.name} fails without a fault"
        return pickle.loads(note.read_bytes())

    def _attempt(self, copy: Path, operation: Operation, at: int, how: str, note: Path | None = None) -> int:
        """Do it in a process of its own, with a fault; return how that ended."""

        def act() -> int:
            processes.worker_name.cache_clear()
            lab = Laboratory(copy, self.url, self._base("copy"))
            injector = Injector(copy, at, how)
            with lab.passing():
                if not operation.opens:
                    assert lab.queue
                injector.arm()
                with endured(operation.is_work):
                    operation.act(lab)
                injector.end()
            if note is not None:
                note.write_bytes(pickle.dumps(injector.steps))
            return DONE

        return forked(act)

    def _try(self, copy: Path, operation: Operation, at: int, how: str) -> tuple[int, float]:
        """One fault, and what is left of it; how the process ended, and the seconds until everything was done."""
        code = self._attempt(copy, operation, at, how)
        if how in (KILL, POWER):
            assert code in (DONE, -signal.SIGKILL), f"ended with {code}"
        elif how == FULL and operation.deletes:
            assert code == DONE, f"a deletion on a full disk ended with {code}"
        else:
            assert code in (DONE, REFUSED), f"ended with {code}"
        lab = Laboratory(copy, self.url, self._base("copy"))
        with lab.passing():
            try:
                lab.store.tidy()  # as each worker does when it starts
                sound(lab, may_parse_again=how == POWER)
                operation.look(lab, code == DONE and not operation.is_work)
                took = lab.settle()
                ended(lab)
                operation.look(lab, code == DONE or operation.is_work)
                is_answered = True
                try:
                    operation.act(lab)
                except Conflict:  # it has ended otherwise meanwhile
                    is_answered = False
                lab.settle()
                ended(lab)
                operation.look(lab, is_answered)
                clean(lab)
            finally:
                lab.close()
        return code, took


def sound(lab: Laboratory, *, may_parse_again: bool = False) -> None:
    """Nothing that the store holds is other than it was written, but for parses, which are not flushed to disk."""
    found = "; ".join(str(one) for one in faults(lab.store) if not (may_parse_again and PARSE in one.sentence))
    assert not found, found
    if lab.store.database.is_sqlite:
        with lab.store.database.read() as connection:
            astray = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        assert not astray, f"foreign keys: {astray}"
    assert (lab.store.path / reserve.NAME).stat().st_size >= reserve.SIZE, "the reserve is not there"


def ended(lab: Laboratory) -> None:
    """Everything accepted has ended once, and is right."""
    sound(lab)
    for run in lab.store.runs.list(limit=1000).rows:
        assert run.status.status in ENDED, f"run {run.id} is {run.status.status}"
        assert is_right(run) or run.status.status != "finished", f"run {run.id} has other results"


def clean(lab: Laboratory) -> None:
    """Nothing stays that is not needed."""
    lab.time += 2 * 86400.0
    lab.store.shelf.collect(GRACE if lab.store.database.is_sqlite else 0.0)  # another machine's clock stands still
    for name in ("", "tmp", "live", "spool"):
        disk.sweep(lab.store.path / name, time.time() + 1.0)
        left = [path.name for path in (lab.store.path / name).iterdir() if name or path.name.startswith(disk.TEMPORARY)]
        assert not left, f"{name or 'the store'} holds {left}"
    with lab.store.database.read() as connection:
        used = set(connection.exec_driver_sql("SELECT DISTINCT blob FROM uses").scalars())
        known = set(connection.exec_driver_sql("SELECT digest FROM blobs").scalars())
    there = set(lab.store.shelf.blobs.digests())
    assert there == used == known, f"{len(there)} blobs, {len(known)} known ones, {len(used)} used ones"


def forked(act: Any) -> int:
    """Call `act` in a process of its own; return how that ended."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = WRONG
        try:
            code = act()
        except (OSError, EngineError):
            code = REFUSED
        except BaseException:
            traceback.print_exc(limit=-8)
            sys.stderr.flush()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _name(steps: list[Step], at: int) -> str:
    return steps[at - 1].what if at <= len(steps) else "the answer"


@contextmanager
def endured(is_worker: bool) -> Iterator[None]:
    """A worker, which calls Redis itself, starts anew after an error of it."""
    try:
        yield
    except RedisError as error:
        if not is_worker:
            raise
        raise QueueAway from error


@contextmanager
def hurried() -> Iterator[None]:
    """Nothing waits for the disk, or for room on it: processes die here, not the machine."""
    before = os.fsync, disk.sync_all, batch.KEEP_PAUSE, database.PRAGMAS
    os.fsync, disk.sync_all, batch.KEEP_PAUSE = lambda file: None, lambda folder: None, 0.0
    database.PRAGMAS = ("synchronous = OFF", *before[3][1:])
    try:
        yield
    finally:
        os.fsync, disk.sync_all, batch.KEEP_PAUSE, database.PRAGMAS = before


def quietly(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the options of the command after silencing logs of what is meant to fail, and warming up."""
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warm()
    return options


def main() -> int:
    """Print what was done to each operation; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description="Let each step of each operation fail.")
    parser.add_argument("--only", default="", help="words of the operation's name")
    parser.add_argument("--how", default="", help="one kind of fault")
    parser.add_argument("--every", type=int, default=1, help="of all faults each so many-th")
    parser.add_argument("--operations", type=int, default=1, help="of all operations each so many-th")
    parser.add_argument("--postgresql", action="store_true", help="lose the connection to PostgreSQL at changes")
    options = quietly(parser)
    is_well = True
    with ExitStack() as stack:
        stack.enter_context(hurried())
        stack.enter_context(bounds_apart())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(Server(folder / "redis.sock", quiet=True))
        postgres = stack.enter_context(server()) if options.postgresql else ""
        trials = Trials(folder, redis.url, postgres)
        for number, operation in enumerate(OPERATIONS):
            if options.only in operation.name and number % options.operations == 0:
                report = trials.all_of(operation, options.how, options.every, number)
                print(json.dumps(vars(report)), flush=True)
                is_well &= not report.wrong
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
