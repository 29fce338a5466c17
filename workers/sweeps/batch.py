"""Execute one batch of a sweep in a worker: run after run, stored a few at a time."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, NamedTuple

from shadowtime.engine.errors import EngineError
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find
from shadowtime.engine.schedule import Slice
from shadowtime.engine.tables import rows
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import Outcome, check_figures, measure
from shadowtime.workers.failures import not_kept, plugin_of, sentence_of
from shadowtime.workers.kinds import PIECE
from shadowtime.workers.queue import TimedOut
from shadowtime.workers.records.batches import LeaseLost
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.records.sweeps import CANCELLED, RUNNING, Sweep
from shadowtime.workers.settings import Settings
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, VisibleStore
from shadowtime.workers.store.base import EXTRA_TABLES, MOST_ATTEMPTS, TABLES
from shadowtime.workers.sweeps import outcomes
from shadowtime.workers.sweeps.bench import Bench, Question
from shadowtime.workers.sweeps.lease import HeldBatch, own_prefix, shift_name
from shadowtime.workers.sweeps.progress import open_runs
from shadowtime.workers.time_limit import MARGIN, stop_after
from shadowtime.workers.version import engine_version

log = logging.getLogger(__name__)

LONGEST_SHIFT = 5.0
"""Seconds after which a worker leaves a batch, so that other work gets a turn; the batch is queued again."""
TOGETHER = 32
"""Runs that are stored at once."""
TOGETHER_SECONDS = 1.0
TOGETHER_SEGMENTS = 200_000
"""The same, for runs that take long or are large."""
KEEP_TRIES = 3
"""Attempts to store runs on a full or failing disk before they count as failed."""
KEEP_PAUSE = 1.0
"""Seconds before the second try, and as many more before each later one."""
LOOK_EVERY = 0.2
"""Seconds between two checks of the sweep's status."""
TAKEN = "taken"
"""State of a batch that another worker holds."""
LOST = "the worker stopped each time; the run may need more memory than there is, or its code ends the process"


Done = tuple[dict[str, Any], Question | None, Outcome | None]
"""The line of a run, its question, and its tables unless an earlier run was found."""


class SweepStopped(Exception):
    """The sweep was cancelled or deleted: the current run is stopped."""


class Piece(NamedTuple):
    """A batch in the queue: `sweep-<digest>-<batch>`."""

    digest: str
    batch: int

    @property
    def id(self) -> str:
        """Its id in the queue."""
        return f"{PIECE.prefix}{self.digest}-{self.batch}"

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Return the batch of an id; NotFound for any other text."""
        digest, _, batch = text.removeprefix(PIECE.prefix).partition("-")
        is_digest = len(digest) == 64 and not set(digest) - set("0123456789abcdef")
        if not (text.startswith(PIECE.prefix) and is_digest and batch.isascii() and batch.isdigit() and len(batch) < 8):
            raise NotFound("part of a sweep", text)
        return cls(digest, int(batch))


def run_piece(piece: Piece, settings: Settings, store: Store) -> str:
    """Execute a batch until it is complete, the shift is over, or the sweep is stopped; return which.

    Finished runs are in the store when this returns; a run without an outcome will be repeated.
    """
    sweep: Sweep = store.sweeps.get(piece.digest)
    if sweep.status.status != RUNNING:
        return sweep.status.status
    batches = store.sweeps.batches
    lease = batches.take(piece.digest, piece.batch, shift_name(), sweep.status.round)
    if lease is None:
        return TAKEN
    with HeldBatch(batches, lease) as held:
        return _Shift(settings, store, sweep, held).work()


def abandon(piece: Piece, store: VisibleStore) -> None:
    """Record that the process of a batch, a child of this one, has ended without giving the batch back."""
    store.sweeps.batches.abandon(piece.digest, piece.batch, own_prefix())


def spare(piece: Piece, store: VisibleStore) -> bool:
    """Record that a stop request ended the process of a batch, a child of this one, so that its current run does not
    count as failed. Return False when another process works on the batch already."""
    return bool(store.sweeps.batches.spare(piece.digest, piece.batch, own_prefix()))


class _Shift:
    """A worker's shift on a batch, which it holds.

    The run that is executed now is put on record when it has lasted for a while, and always once a worker was lost in
    this round of the batch: a write before each of thousands of short runs would cost as much as some of them.
    """

    def __init__(self, settings: Settings, store: Store, sweep: Sweep, held: HeldBatch):
        self._settings, self._store, self._sweep, self._held = settings, store, sweep, held
        self._spec = sweep.spec
        self._bench = Bench(self._spec, self._load)
        self._round = held.lease.round
        self._lost = {run: n for (of, run), n in held.lease.lost.items() if of == self._round}
        self._done: list[Done] = []
        self._began = self._saved = self._looked = time.monotonic()
        self._saver = ThreadPoolExecutor(1, "saver")
        self._saving: Future[None] | None = None
        self._state = RUNNING
        self._run_began = 0.0

    def work(self) -> str:
        try:
            with self._saver:
                return self._work()
        except LeaseLost as error:
            log.warning("%s: the results of this shift are discarded", error)
            return TAKEN

    def _work(self) -> str:
        try:
            for index in open_runs(self._store, self._sweep, len(self._spec), self._held.lease.batch):
                if self._current_state() != RUNNING:
                    return self._state
                if time.monotonic() - self._began > LONGEST_SHIFT:
                    return "shift over"
                attempts = self._attempts(index)
                if attempts >= MOST_ATTEMPTS:
                    self._fail(index, None, f"given up after {attempts} attempts: {LOST}")
                else:
                    self._answer(index)
                if self._is_much():
                    self._save()
        except SweepStopped:
            return self._state
        finally:
            self._save()
            self._saved_all()
        return "through"

    def _attempts(self, index: int) -> int:
        """Return how many workers were lost at a run. A worker whose run is unknown counts for each run at which
        another one was lost later: that was open then, and is the most likely reason."""
        return self._lost[index] + (None in self._lost) if index in self._lost else 0

    def _answer(self, index: int) -> None:
        """Record the outcome of one run: found, computed, or failed with a message."""
        self._run_began = time.monotonic()
        self._held.begin(index, is_recorded=bool(self._lost))
        question = None
        try:
            if self._spec.engine_version != engine_version():
                raise EngineError(
                    f"queued for engine {self._spec.engine_version}, but this worker has {engine_version()}: "
                    "submit it again"
                )
            question = self._bench.question(self._spec.cell(index))
            summary = self._found(question)
            outcome = None
            if summary is None:
                with self._store.runs.spool() as spool:  # what is mapped stays readable until it is kept
                    plain = Question(question.spec, question.workload, None)
                    with stop_after(self._settings.run_timeout + MARGIN, TimedOut):
                        outcome = self._bench.execute(plain, self._check_limits, spool, self._settings.max_segments)
                check_figures(outcome.summary)
                summary = self._with_tau(question, outcome.schedule, outcome.summary)
                check_figures(summary)
            keep = len(self._spec.seeds) == 1
            self._done.append((outcomes.finished(index, question, summary, keep), question, outcome))
        except (SweepStopped, LeaseLost, DatabaseAway):  # no outcome: the run is executed later, or elsewhere
            raise
        except BaseException as error:
            if not isinstance(error, Exception) and plugin_of(error, innermost=True) is None:
                raise
            if not isinstance(error, EngineError | MemoryError | TimedOut):
                log.exception("run %d of sweep %s failed inside", index, self._sweep.id)
            self._fail(index, question, sentence_of(error, self._settings))
        finally:
            self._held.end()

    def _found(self, question: Question) -> Mapping[str, Any] | None:
        """Return the stored summary of the same question, if any."""
        try:
            run = self._store.runs.get(question.spec.digest)
            if not run.status.is_finished or run.summary is None:
                return None
            counters = run.summary.get("counters", {})
            tables = {name: run.table(name) for name in TABLES} if question.tau else {}
            schedule = SimpleNamespace(counters=counters, **tables) if question.tau else None
            return self._with_tau(question, schedule, run.summary)
        except NotFound:
            return None

    def _with_tau(self, question: Question, schedule: Any, summary: Mapping[str, Any]) -> Mapping[str, Any]:
        """Recompute the summary of a stored run for another floor of the bounded stretch."""
        workload, spec = question.workload, question.spec
        if question.tau is None or question.tau == tau_of(workload):
            return summary
        platform = Platform.of(workload, spec.platform)
        metrics, proven = measure(
            schedule,
            workload,
            platform,
            question.tau,
            migrates=find(spec.algorithm).migrates,
            bounds=self._bench.bounds,
        )
        return {**summary, "metrics": metrics, "bounds": proven.values, "intervals": {}}

    def _fail(self, index: int, question: Question | None, reason: str) -> None:
        run = question.spec.id if question else None
        self._done.append((outcomes.failed(index, run, reason), question, None))

    def _is_much(self) -> bool:
        segments = sum(rows(outcome.schedule.segments) for _, _, outcome in self._done if outcome is not None)
        late = time.monotonic() - self._saved > TOGETHER_SECONDS
        return len(self._done) >= TOGETHER or late or segments > TOGETHER_SEGMENTS

    def _save(self) -> None:
        """Hand over finished runs to a thread that stores them, since the next runs need not wait for the disk."""
        if not self._done:
            return
        self._saved_all()
        now = time.monotonic()
        each = round((now - self._saved) / len(self._done), 4)
        self._saving = self._saver.submit(self._keep, self._done, each)
        self._done, self._saved = [], now

    def _saved_all(self) -> None:
        """Wait until the thread has stored everything; raise its error."""
        if self._saving is not None:
            saving, self._saving = self._saving, None
            saving.result()

    def _keep(self, done: list[Done], each: float) -> None:
        """Store runs and record their lines. A run that the store refuses fails after a few tries: else
        it would be recomputed for ever."""
        for attempt in range(1, KEEP_TRIES + 1):
            try:
                self._keep_all(done, each)
                return
            except OSError as error:
                log.warning("runs of sweep %s were not kept at try %d: %s", self._sweep.id, attempt, error)
                trouble = error
            if attempt < KEEP_TRIES:
                time.sleep(KEEP_PAUSE * attempt)
        reason = not_kept(trouble)
        lines = [
            line if outcome is None else outcomes.failed(line["index"], line["run"], reason)
            for line, _, outcome in done
        ]
        self._write_down(lines, each)

    def _keep_all(self, done: list[Done], each: float) -> None:
        """Store runs, then record their lines: in this order no outcome names a missing run."""
        kept = []
        for line, question, outcome in done:
            if outcome is not None and question is not None:
                kept.append((question.spec, _tables(outcome), outcome.summary))
            elif question is not None and "error" in line:
                _keep_failure(self._store, question.spec, len(question.workload), line["error"])
        self._store.runs.keep(kept, experiment=self._sweep.id)
        self._write_down([line for line, _, _ in done], each)

    def _write_down(self, lines: list[dict[str, Any]], each: float) -> None:
        found = [{**line, "round": self._round, "took": each} for line in lines]
        self._store.sweeps.outcomes.record(self._sweep.digest, found, self._held.lease)

    def _check_limits(self, piece: Slice) -> None:
        """Stop a run whose sweep was stopped, whose batch another worker holds, or that exceeds its limit of time."""
        if self._held.is_lost:
            raise LeaseLost(f"batch {self._held.lease.batch} of sweep {self._sweep.id} has another worker")
        if self._current_state() not in (RUNNING, "paused"):
            raise SweepStopped
        if time.monotonic() - self._run_began > self._settings.run_timeout:
            raise TimedOut

    def _current_state(self) -> str:
        """Return the status of the sweep, read at intervals."""
        now = time.monotonic()
        if now - self._looked >= LOOK_EVERY:
            self._looked = now
            try:
                self._state = self._store.sweeps.state(self._sweep.digest)
            except NotFound:
                self._state = CANCELLED
            except DatabaseAway as error:  # the run goes on: the database may answer again before it ends
                log.warning("the status of sweep %s is not known: %s", self._sweep.id, error)
        return self._state

    def _load(self, source: Mapping[str, Any]) -> Workload:
        """Return the workload of a run; a generated one is drawn, which is as quick as a look into the store."""
        if "generator" in source:
            return generate(source["generator"], source["parameters"], source["seed"])
        return self._store.workloads.load_source(source)


def _tables(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome.schedule, name) for name in (*TABLES, *EXTRA_TABLES)}


def _keep_failure(store: Store, spec: RunSpec, jobs: int, error: str) -> None:
    """Store a failed run with its message, so that it has a page like any other."""
    if store.runs.accept(spec, jobs=jobs, priority="low"):
        status = store.runs.begin(spec.digest)
        if status is not None:
            store.runs.fail(spec.digest, error, status.attempt)
