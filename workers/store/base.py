"""Define the contract of a store: what it keeps, under which names, and how that may change.

A run goes `queued -> running -> finished | failed | cancelled`; a lost worker puts `running` back to `queued`, and a
failed or cancelled run is queued again when it is submitted again. `status` is the truth about a run: a queue may lose
its content, and every accepted run is executed nevertheless.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol, TypedDict, Unpack

import numpy as np

from shadowtime.engine.tables import BANDS, RATES, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.workers.digest import Identified
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store.status import MOST_ATTEMPTS, STATES, UNFINISHED, Status, progress_of
from shadowtime.workers.utc import utc_now

if TYPE_CHECKING:
    from shadowtime.workers.records.marks import Marks
    from shadowtime.workers.store.live import LiveSource
    from shadowtime.workers.store.live_sink import LiveSink

__all__ = ["MOST_ATTEMPTS", "STATES", "UNFINISHED", "Status", "progress_of", "utc_now"]

TABLES = ("jobs", "segments", "events", "series")
EXTRA_TABLES = {"rates": RATES, "bands": BANDS}
"""Tables of some families only; without one, a run's table reads as empty."""
PRIORITIES = ("high", "default", "low")
SORTS = ("accepted", "algorithm", "workload", "jobs", "seconds", "status")
"""Orders of a list of runs."""


class Run(Protocol):
    """One run as it stood when it was read. Tables and summary exist once it is finished."""

    @property
    def digest(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def id(self) -> str: ...
    @property
    def spec(self) -> RunSpec: ...
    @property
    def summary(self) -> dict[str, Any] | None: ...
    @property
    def outline(self) -> list[float] | None:
        """Return the utilization over time [lanes] as a few means; None where an older version recorded the run."""
        ...

    @property
    def is_private(self) -> bool: ...
    @property
    def traceback(self) -> str:
        """Return the traceback of the unexpected error that ended the run; it is shown to its owner alone."""
        ...

    @property
    def tables(self) -> Mapping[str, str]:
        """Return the digest of the content of each table by name."""
        ...

    @property
    def marks(self) -> Marks: ...
    def table(self, name: str) -> Table:
        """Return `jobs`, `segments`, `events` or `series`, mapped into memory; NotFound unless finished.

        Raises
        ------
        Damaged
            When it is not what was written; the run counts as failed from now on.
        """
        ...


@dataclass(frozen=True)
class Page:
    """Some rows of a listing, and the position of the next ones."""

    rows: Sequence[Any]
    next: str | None = None


@dataclass(frozen=True)
class WorkloadEntry(Identified):
    """Facts about a stored workload that need no reading of its jobs."""

    digest: str
    """Of the file's bytes after decompression, or of a generator's canonical question."""
    name: str
    source: Mapping[str, Any]
    """Its identity in a run's spec: {"digest", "case"} or {"generator", "parameters", "seed"}."""
    kind: str
    jobs: int
    """The reader's report; of the first case, where there are cases."""
    cases: Sequence[str] = ()
    report: Sequence[str] = ()
    machine: Mapping[str, float] = field(default_factory=dict)
    clock: Mapping[str, Any] | None = None
    has_estimates: bool = False
    preview: Mapping[str, Any] = field(default_factory=dict)
    """Facts and small histograms: what `engine.workload.preview` gives."""
    size: int = 0
    """Bytes after decompression."""
    added: str = ""
    engine_version: str = ""
    """Engine version of the reader."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Workloads(Protocol):
    """Uploaded files and generated workloads. Ids: 64 hexadecimal digits, or the first 16."""

    def add(
        self, stream: BinaryIO, name: str, limits: Limits | None = None, case: str | None = None
    ) -> tuple[WorkloadEntry, bool]:
        """Store a file and its parsed form; return the entry, and False if it was here already. A refused file is not
        stored. `case` chooses the columns of a table, and is then its only case. Where the table is here with another
        choice, that stays, and the entry that is returned tells of the reading with `case`.

        Raises Conflict: for a table that is here with a choice, and is sent without one.
        """
        ...

    def generate(self, slug: str, parameters: Mapping[str, Any] | None, seed: int) -> tuple[WorkloadEntry, bool]:
        """Store the workload that a generator makes."""
        ...

    def get(self, reference: str) -> WorkloadEntry:
        """Return an entry; NotFound for an unknown id."""
        ...

    def load(self, reference: str, case: str | None = None) -> Workload:
        """Return the jobs from the cached parse; parse the source again if this engine version has not."""
        ...

    def load_source(self, source: Mapping[str, Any]) -> Workload:
        """Return the workload that a run's spec names; a generated one need not be stored."""
        ...

    def names(self, source: Mapping[str, Any], column: str) -> tuple[str, ...]:
        """Return the texts of the codes in a column of the jobs that a run's spec names; none where the log has only
        numbers. The jobs are not read where they are parsed already."""
        ...

    def open_source(self, reference: str) -> BinaryIO:
        """Open the bytes as uploaded, decompressed."""
        ...

    def delete(self, reference: str) -> None:
        """Delete a workload; Conflict while a run refers to it."""
        ...

    def list(self, *, text: str = "", limit: int = 50, after: str | None = None) -> Page:
        """List entries, newest first, without damaged ones."""
        ...

    def damaged(self) -> Sequence[str]:
        """Return the ids of the workloads whose facts and source are not what was written."""
        ...


class Sender(TypedDict, total=False):
    """Who asks for a run: `priority` is one of `PRIORITIES`; a private run has an `owner`, a public run has none."""

    priority: str
    client: str | None
    owner: str | None


class Listing(TypedDict, total=False):
    """Which runs are listed; `workload` is the id of a stored one.

    `text` is searched in names, titles, tags (`tag:x`) and ids; runs with a word of `without` are left out.
    `sort` is one of `SORTS`, greatest first unless `ascending`.
    """

    status: Sequence[str]
    algorithm: str | None
    workload: str | None
    text: str
    without: str
    limit: int
    after: str | None
    sort: str
    ascending: bool


class Load(NamedTuple):
    """Numbers of unfinished runs and of the jobs in them, of one client and of all."""

    runs: int
    jobs: int
    urgent: int
    """Runs of the client with the priority `high`."""
    runs_of_all: int
    jobs_of_all: int


LoadCheck = Callable[[Load, int, int], None]
"""Called with a load, and the numbers of runs and of jobs by which it has grown; raises an error if it is too much."""


class VisibleRuns(Protocol):
    """Runs as one visitor may use them; of the others none is known."""

    def accept(self, spec: RunSpec, *, jobs: int = 0, **sender: Unpack[Sender]) -> bool:
        """Record the question before returning. False: it was here already, neither failed nor cancelled."""
        ...

    def accept_all(
        self,
        asked: Sequence[tuple[RunSpec, int]],
        *,
        words: str | None = None,
        check: LoadCheck | None = None,
        needs_jobs: bool = False,
        **sender: Unpack[Sender],
    ) -> Sequence[bool]:
        """Accept several questions, each with its number of jobs, in one transaction; see `accept`. `words` is the
        digest of the request's words, by which `Asked` finds them again; it is recorded with runs that are new.

        With `needs_jobs`, NotFound where a file whose jobs a run needs was deleted meanwhile; it cannot be deleted from
        then on. `check` is called with `load` as it is with these runs, and the numbers of runs and jobs that are added
        to it; no other request adds to it meanwhile. What `check` raises leaves none of them accepted."""
        ...

    def get(self, reference: str) -> Run:
        """Return a run; NotFound for an unknown id."""
        ...

    def get_all(self, references: Sequence[str]) -> Sequence[Run]:
        """Return the runs of these ids, without unknown ones."""
        ...

    def cancel(self, digest: str) -> Status:
        """Set `queued -> cancelled`, or record the request for a running run. Conflict when it has ended."""
        ...

    def delete(self, reference: str) -> None:
        """Delete a run; Conflict while it is queued or running."""
        ...

    def check_change(self, reference: str) -> None:
        """Raise NotFound for an unknown run."""
        ...

    def mark(self, reference: str, changes: Mapping[str, Any]) -> Marks:
        """Change what people wrote about a run: title, tags, notes, starred."""
        ...

    def question(self, reference: str) -> RunSpec:
        """Return the question of a run, even of a deleted one; NotFound for an unknown id."""
        ...

    def live(self, digest: str) -> LiveSource:
        """Return the live tables of a running run; they may be lost, and are deleted once it is finished."""
        ...

    def listed(self, *states: str) -> Sequence[str]:
        """Return the digests of all runs in these states, oldest first."""
        ...

    def algorithms_and_jobs(self, *states: str) -> Mapping[str, tuple[str, int]]:
        """Return algorithm and number of jobs of the runs in these states, by digest."""
        ...

    def unfinished(self, among: Collection[str] | None = None) -> Sequence[tuple[str, Status]]:
        """Return all queued or running runs, or those of them that are `among`, oldest first."""
        ...

    def list(self, **asked: Unpack[Listing]) -> Page:
        """List runs, newest first."""
        ...

    def counts(self, text: str = "", *, without: str = "") -> Mapping[str, int]:
        """Return the number of runs in each state; `text` as for `list`."""
        ...

    def counts_of_all(self) -> Mapping[str, int]:
        """Return the number of all runs in each state, also of those that the visitor does not see."""
        ...

    def load(self, client: str) -> Load:
        """Return how many runs are unfinished, and how many jobs are in them, of one client and of all."""
        ...

    def usual_seconds(self) -> float | None:
        """Return the mean duration of the latest finished runs [s]; None before there are any."""
        ...

    def seconds_per_job(self, algorithm: str) -> float | None:
        """Return the seconds a job in the latest finished runs of an algorithm, without runs of too few jobs."""
        ...


class Runs(VisibleRuns, Protocol):
    """Runs by their digest; every change is atomic, and only one process makes it."""

    def begin(self, digest: str, worker: str = "") -> Status | None:
        """Set `queued -> running`, held by `worker` for a few seconds; return None when it is not queued (any more)."""
        ...

    def renew(self, digest: str, worker: str) -> bool:
        """Extend the lease of a running run; return False when `worker` does not hold it (any more)."""
        ...

    def leases(self) -> Sequence[tuple[str, int, str | None]]:
        """Return digest, attempt and lease of the running runs. A lease changes each time that it is renewed."""
        ...

    def report(self, digest: str, attempt: int, progress: Mapping[str, Any]) -> bool:
        """Record the progress of a running attempt; return False when another attempt runs."""
        ...

    def finish(
        self, digest: str, attempt: int, tables: Mapping[str, Mapping[str, np.ndarray]], summary: Mapping[str, Any]
    ) -> bool:
        """Set `running -> finished`: tables and summary first, the status last; return False as `report`."""
        ...

    def keep(
        self,
        kept: Sequence[tuple[RunSpec, Mapping[str, Mapping[str, np.ndarray]], Mapping[str, Any]]],
        experiment: str = "",
    ) -> None:
        """Store many runs that have been executed elsewhere, as of an `experiment`: spec, tables and summary each."""
        ...

    def fail(self, digest: str, sentence: str, attempt: int | None = None, traceback: str = "") -> bool:
        """Set `queued | running -> failed`; with `attempt`, only if that attempt is current."""
        ...

    def is_cancel_requested(self, digest: str) -> bool: ...

    def cancelled(self, digest: str) -> bool:
        """Set `running -> cancelled`, if that was requested."""
        ...

    def requeue(self, digest: str, attempt: int, why: str, *, is_spared: bool = False) -> Status | None:
        """Requeue a running attempt whose worker was lost; cancel it if that was requested, or fail it after too many
        attempts with a message that ends in `why`. Return None when that attempt does not run (any more). With
        `is_spared` the attempt does not count: its worker was asked to stop."""
        ...

    def verify(self, reference: str) -> Status:
        """Check all stored files of a run against their checksums; a finished run that differs becomes failed."""
        ...

    def write_live(self, digest: str) -> LiveSink:
        """Return the writer of a run's live tables."""
        ...

    def spool(self, digest: str | None = None) -> FileSpool:
        """Where a running run (or None: one that is computed beside the store's) puts what it cannot hold; removed
        when the run ends or is lost."""
        ...

    def list(self, *, owners: Sequence[str] | None = None, **asked: Unpack[Listing]) -> Page:
        """List runs as `VisibleRuns` does. Of private runs, those of `owners` alone; None: all."""
        ...

    def counts(self, text: str = "", owners: Sequence[str] | None = None, without: str = "") -> Mapping[str, int]:
        """Return the number of runs in each state; `owners` as for `list`."""
        ...
