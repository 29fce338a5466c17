"""Define the tasks that a worker calls: plain strings in, plain strings out."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from redis import Redis

from shadowtime.engine.errors import EngineError
from shadowtime.engine.kernel import code
from shadowtime.engine.schedule import Slice
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import Table, rows
from shadowtime.engine.workload.job import Workload
from shadowtime.workers import compiling, exact, logs, processes, rerun, small
from shadowtime.workers.connection import connect
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import check_figures, execute, load_workload
from shadowtime.workers.failures import is_passing, plugin_of, sentence_of, traceback_of
from shadowtime.workers.interpreted import Interpreter
from shadowtime.workers.live import Publisher
from shadowtime.workers.queue import RunQueue, TimedOut
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings, environment_of
from shadowtime.workers.store import Status, Store, store_of
from shadowtime.workers.store.base import progress_of
from shadowtime.workers.store.live_sink import LiveSink
from shadowtime.workers.time_limit import MARGIN, stop_after
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)

NEWS_EVERY = 0.1
"""Seconds between two messages of a run."""
CHECK_EVERY = 0.05
"""Seconds between two checks for a request to stop the run."""
STATUS_EVERY = 0.5
"""Seconds between two progress notes in its status file."""
JOBS = ("job_id", "release", "processors", "runtime", "requested", "weight", "user", "job_class", "priority")
"""Columns that are known before the simulation."""
UNANSWERED = "the process without compiled code did not end it"
ASKED_AGAIN = "cancelled, then asked for again"
"""Why the attempt of a run that was being cancelled is repeated."""


class Cancelled(Exception):
    """The run was cancelled."""


class Superseded(Exception):
    """The run was given to another worker, since this worker's lease expired."""


@cache
def environment() -> tuple[Settings, Store]:
    """Return this process's settings and store."""
    settings = Settings.from_environment()
    return settings, store_of(settings)


@cache
def connection_to(url: str) -> Redis:
    """Return a connection of this process to the queue, for all runs that it executes."""
    return connect(url, timeout=0.5)


def run_task(digest: str) -> str:
    """Execute the run of that digest, which the store holds; gives its status afterwards.

    Whatever happens is in the store when this returns; nothing is raised but what ends the process.
    """
    settings, store = environment()
    began = time.monotonic()
    with logs.about(digest):
        try:
            if is_better_uncompiled(store, digest):
                run_uncompiled(digest, settings, store)
            status = store.runs.begin(digest, processes.worker_name())
            if status is not None:
                _run(settings, store, digest, status)
            elif rerun.is_requested(store, digest):
                _run_again(settings, store, digest)
            ended = store.runs.get(digest).status
        except NotFound:
            return "unknown"  # unknown to this store, or deleted meanwhile
        if settings.log == "json":
            seconds = round(time.monotonic() - began, 3)
            logs.say(log, f"run {digest[:16]} {ended.status}", status=ended.status, seconds=seconds)
        return ended.status


def is_better_uncompiled(store: Store, digest: str) -> bool:
    """Return whether a run is small, needs code that is not compiled yet, and this process has loaded compiled code."""
    run = store.runs.get(digest)
    spec = run.spec
    if run.status.status != "queued" or not small.has_compiled_code():
        return False
    if run.status.progress["jobs"] > small.JOBS or not compiling.is_missing(spec.algorithm, spec.parameters):
        return False
    try:
        return small.is_small(load_workload(spec, store), spec.algorithm, spec.platform)
    except (EngineError, OSError, MemoryError):
        return False  # the attempt fails by the same error, and records it


def run_uncompiled(digest: str, settings: Settings, store: Store) -> None:
    """Execute a small run in a process without compiled code; what it leaves is executed here. One that exceeds the
    time limit has failed."""
    interpreter = Interpreter({**environment_of(settings), processes.WORKER: processes.worker_name()})
    attempt = store.runs.get(digest).status.attempt
    try:
        interpreter.execute([digest])
    except TimedOut as error:
        interpreter.close()
        if store.runs.fail(digest, sentence_of(error, settings), attempt):
            publisher = Publisher(connection_to(settings.redis_url), Names(store.identity))
            publisher.publish(digest, store.runs.get(digest).status)
    finally:
        interpreter.close()
    if store.runs.renew(digest, processes.worker_name()):  # that process has begun it, and has not ended it
        store.runs.requeue(digest, store.runs.get(digest).status.attempt, UNANSWERED, is_spared=True)


def part_task(part: str) -> str:
    """Execute a part of a recomputed paper; return its state."""
    from shadowtime.workers.papers import parts

    settings, store = environment()
    try:
        return parts.run_part(part, settings, store)
    except NotFound:
        return "unknown"


def piece_task(piece: str) -> str:
    """Execute a batch of a sweep; return its state."""
    from shadowtime.workers.sweeps import batch

    settings, store = environment()
    try:
        return batch.run_piece(batch.Piece.parse(piece), settings, store)
    except NotFound:
        return "unknown"


def bound_task(identity: str) -> str:
    """Prove the exact bound of a finished run of very many jobs; return its state."""
    _, store = environment()
    try:
        return exact.run_bound(identity, store)
    except NotFound:
        return "unknown"


def _run(settings: Settings, store: Store, digest: str, status: Status) -> None:
    """Execute a run and record how it ended."""
    connection = connection_to(settings.redis_url)
    names = Names(store.identity)
    publisher = Publisher(connection, names)
    publisher.publish(digest, status)
    reporter = Reporter(store, RunQueue(connection, names), publisher, digest, status, settings)
    try:
        try:
            _answer(settings, store, digest, reporter)
        finally:
            reporter.close()  # before the end is recorded, which deletes the live tables
    except Cancelled:
        if not store.runs.cancelled(digest):  # asked for again meanwhile; the next scan queues it
            store.runs.requeue(digest, status.attempt, ASKED_AGAIN, is_spared=True)
    except Superseded:
        log.warning("run %s was given to another worker; this result is discarded", digest[:16])
    except Exception as error:
        if is_passing(error):
            log.warning("attempt %d of run %s failed: %s", status.attempt, digest[:16], error)
            store.runs.requeue(digest, status.attempt, sentence_of(error, settings))  # the next scan queues it
        else:
            is_expected = isinstance(error, EngineError | MemoryError | TimedOut)
            if not is_expected:
                log.exception("run %s failed inside", digest[:16])
            trace = "" if is_expected and plugin_of(error) is None else traceback_of(error)
            store.runs.fail(digest, sentence_of(error, settings), status.attempt, trace)
    except BaseException as error:  # such as SystemExit and KeyboardInterrupt of a policy
        if plugin_of(error, innermost=True) is None:
            raise
        store.runs.fail(digest, sentence_of(error, settings), status.attempt, traceback_of(error))
    publisher.publish(digest, store.runs.get(digest).status, events=reporter.events)


def _run_again(settings: Settings, store: Store, digest: str) -> None:
    """Recompute a finished run and record the result; the run does not change."""
    try:
        rerun.recompute(store, digest)
    except Exception as error:
        if is_passing(error):
            log.warning("the re-run of %s is left to another attempt: %s", digest[:16], error)
            return
        if not isinstance(error, EngineError | MemoryError | TimedOut):
            log.exception("the re-run of %s failed inside", digest[:16])
        rerun.fail(store, digest, sentence_of(error, settings))


def _answer(settings: Settings, store: Store, digest: str, reporter: Reporter) -> None:
    """Answer the question of a run: from its spec in the store to its tables in the store."""
    began = time.perf_counter()
    spec = store.runs.get(digest).spec
    if spec.engine_version != engine_version():
        raise EngineError(
            f"queued for engine {spec.engine_version}, but this worker has {engine_version()}: submit it again"
        )
    workload = load_workload(spec, store)
    small.interpret(workload, spec.algorithm, spec.platform)
    compiled = 0.0
    if seconds := compiling.seconds(spec.algorithm, len(workload), spec.parameters):
        reporter.compile(seconds)
        compiled = -time.perf_counter()
        with code.turn():  # what another process compiles now is not compiled twice
            Simulation(workload, spec.algorithm, spec.parameters, platform=spec.platform, seed=spec.seed)
        compiled += time.perf_counter()
    reporter.expect(workload)
    with store.runs.spool(digest) as spool:
        load_s, most = time.perf_counter() - began - compiled, settings.max_segments
        with stop_after(reporter.time_left() + MARGIN, TimedOut):
            outcome = execute(spec, workload, reporter.hear, load_s=load_s, spool=spool, most_segments=most)
        outcome.summary["timing"]["compile_s"] += compiled
        reporter.check()
        reporter.close()
        check_figures(outcome.summary)
        if exact.needs_exact_bound(outcome.summary):
            exact.request(store, digest, outcome.summary)
        if not store.runs.finish(digest, reporter.status.attempt, outcome.tables(), outcome.summary):
            raise Superseded


class Reporter:
    """Receive a run slice by slice: write its live tables, publish its progress, and stop it when it must end.

    A thread of its own does this beside the compiled code: without the thread a run of 2 s was a fifth longer. A run
    that takes less than NEWS_EVERY writes nothing: its final tables exist as soon.
    """

    def __init__(
        self, store: Store, queue: RunQueue, publisher: Publisher, digest: str, status: Status, settings: Settings
    ):
        self.status = status
        self.events = 0
        self._store = store
        self._queue = queue
        self._publisher = publisher
        self._digest = digest
        self._settings = settings
        self._began = time.monotonic()
        self._simulates = self._said = self._noted = self._checked = self._began
        self._segments = 0
        self._pending: list[Slice] = []
        self._workload: Workload | None = None
        self._live: LiveSink | None = None
        self._teller = ThreadPoolExecutor(1, "reporter")
        self._told: Future[None] | None = None

    def expect(self, workload: Workload) -> None:
        """Start the clock of the simulation."""
        self._workload = workload
        self._simulates = self._said = time.monotonic()

    def compile(self, seconds: float) -> None:
        """Say that code is compiled, which takes about `seconds` and happens once on this machine."""
        self.status = self.status.but(progress={**self.status.progress, "compiling": seconds})
        self._store.runs.report(self._digest, self.status.attempt, self.status.progress)
        self._publisher.publish(self._digest, self.status)

    def hear(self, piece: Slice) -> None:
        """Receive a simulated slice.

        Raises
        ------
        Cancelled, TimedOut, Superseded
            When the run must end here.
        """
        self._pending.append(piece)
        self._segments += rows(piece.segments)
        self.events += rows(piece.events)
        now = time.monotonic()
        if now - self._checked >= CHECK_EVERY:
            self.check()
            self._checked = now
        if now - self._said >= NEWS_EVERY and self._is_free():
            self._said = now
            self._report(piece, now)

    def check(self) -> None:
        """Raise the error that must end the run."""
        if self._store.runs.is_cancel_requested(self._digest):
            raise Cancelled
        if time.monotonic() - self._began > self._settings.run_timeout:
            raise TimedOut

    def time_left(self) -> float:
        """Return the time that the run may still take [s]."""
        return max(0.0, self._settings.run_timeout - (time.monotonic() - self._began))

    def close(self) -> None:
        """Stop the thread: nothing more is written or published when this returns."""
        self._teller.shutdown()
        if self._live is not None:
            self._live.close()

    def _is_free(self) -> bool:
        """Return whether the last report has been handled; raise its error."""
        if self._told is None:
            return True
        if not self._told.done():
            return False
        self._told.result()
        return True

    def _report(self, piece: Slice, now: float) -> None:
        """Hand over what was simulated since the last message."""
        left = (now - self._simulates) * (piece.jobs - piece.jobs_done) / piece.jobs_done if piece.jobs_done else None
        progress = progress_of(piece.jobs, piece.jobs_done, self._segments, left, piece.planned)
        self.status = self.status.but(progress=progress)
        is_noted = now - self._noted >= STATUS_EVERY
        if is_noted:
            self._noted = now
        pending, self._pending = self._pending, []
        self._told = self._teller.submit(
            self._tell, pending, piece.open, self.status, piece.time, self.events, is_noted=is_noted
        )

    def _tell(
        self, pieces: list[Slice], still: Table, status: Status, simulated: float, events: int, *, is_noted: bool
    ) -> None:
        self._write(pieces, still)
        if is_noted and not self._store.runs.report(self._digest, status.attempt, status.progress):
            raise Superseded
        self._publisher.publish(self._digest, status, simulated=simulated, events=events)
        self._publisher.attempt(lambda: self._queue.note_progress(self._digest, status.progress))
        self._write_jobs()

    def _write_jobs(self) -> None:
        """Write the jobs once, after the first rectangles have been published: a first picture needs none."""
        if self._workload is None or self._live is None:
            return
        if self._workload.conversions:  # else readers get them from the cached parse of the workload
            known = self._workload.jobs
            self._live.replace("jobs", {name: known[name] for name in JOBS if name in known})
        self._workload = None

    def _write(self, pieces: list[Slice], still: Table) -> None:
        if self._live is None:
            self._live = self._store.runs.write_live(self._digest)
        for piece in pieces:
            self._live.append("segments", piece.segments)
            self._live.append("events", piece.events)
        self._live.replace("open", still)
