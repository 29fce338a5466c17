"""Define the contract of a store: what it keeps, under which names, and how that may change.

A run goes `queued -> running -> finished | failed | cancelled`; a lost worker puts `running` back to `queued`, and a
failed or cancelled run is queued again when it is submitted again. `status` is the truth about a run: a queue may lose
its content, and every accepted run is executed nevertheless.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, Protocol

import numpy as np

from shadowtime.engine.tables import BANDS, RATES, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store.live import LiveTables, LiveWriter
from shadowtime.workers.store.status import MOST_ATTEMPTS, STATES, UNFINISHED, Status, progress_of
from shadowtime.workers.utc import utc_now

__all__ = ["MOST_ATTEMPTS", "STATES", "UNFINISHED", "Status", "progress_of", "utc_now"]

TABLES = ("jobs", "segments", "events", "series")
EXTRA_TABLES = {"rates": RATES, "bands": BANDS}
"""Tables of some families only; without one, a run's table reads as empty."""
PRIORITIES = ("high", "default", "low")


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
    def is_private(self) -> bool: ...
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
class WorkloadEntry:
    """Facts about a stored workload that need no reading of its jobs: its `manifest.json`."""

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

    @property
    def id(self) -> str:
        return self.digest[:16]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Workloads(Protocol):
    """Uploaded files and generated workloads. Ids: 64 hexadecimal digits, or the first 16."""

    def add(self, stream: BinaryIO, name: str, limits: Limits | None = None) -> tuple[WorkloadEntry, bool]:
        """Store a file and its parsed form; return the entry, and False if it was here already. A refused file is not
        stored."""
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

    def open_source(self, reference: str) -> BinaryIO:
        """Open the bytes as uploaded, decompressed."""
        ...

    def delete(self, reference: str) -> None:
        """Delete a workload; Conflict while a run refers to it."""
        ...

    def list(self, *, text: str = "", limit: int = 50, after: str | None = None) -> Page:
        """List entries, newest first."""
        ...


class Runs(Protocol):
    """Runs by their digest; every change is atomic, and only one process makes it."""

    def accept(
        self,
        spec: RunSpec,
        *,
        jobs: int = 0,
        priority: str = "default",
        client: str | None = None,
        owner: str | None = None,
    ) -> bool:
        """Write the question to disk before returning. False: it was here already, neither failed nor cancelled.

        A private run (`spec.salt`) has an `owner`; a public run has none.
        """
        ...

    def get(self, reference: str) -> Run:
        """Return a run; NotFound for an unknown id."""
        ...

    def begin(self, digest: str) -> Status | None:
        """Set `queued -> running`; return None when it is not queued (any more)."""
        ...

    def report(self, digest: str, attempt: int, progress: Mapping[str, Any]) -> bool:
        """Record the progress of a running attempt; return False when another attempt runs."""
        ...

    def finish(
        self, digest: str, attempt: int, tables: Mapping[str, Mapping[str, np.ndarray]], summary: Mapping[str, Any]
    ) -> bool:
        """Set `running -> finished`: tables and summary first, the status last; return False as `report`."""
        ...

    def keep(self, done: Sequence[tuple[RunSpec, Mapping[str, Mapping[str, np.ndarray]], Mapping[str, Any]]]) -> None:
        """Store many runs that have been executed elsewhere: spec, tables and summary each."""
        ...

    def fail(self, digest: str, sentence: str, attempt: int | None = None) -> bool:
        """Set `queued | running -> failed`; with `attempt`, only if that attempt is current."""
        ...

    def cancel(self, digest: str) -> Status:
        """Set `queued -> cancelled`, or record the request for a running run. Conflict when it has ended."""
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

    def delete(self, reference: str) -> None:
        """Delete a run; Conflict while it is queued or running."""
        ...

    def question(self, reference: str) -> RunSpec:
        """Return the question of a run, even of a deleted one; NotFound for an unknown id."""
        ...

    def live(self, digest: str) -> LiveTables:
        """Return the live tables of a running run; they may be lost, and are deleted once it is finished."""
        ...

    def write_live(self, digest: str) -> LiveWriter:
        """Return the writer of a run's live tables."""
        ...

    def spool(self, digest: str | None = None) -> FileSpool:
        """Where a running run (or None: one that is computed beside the store's) puts what it cannot hold; removed
        when the run ends or is lost."""
        ...

    def listed(self, *states: str) -> Sequence[str]:
        """Return the digests of all runs in these states, oldest first, from the index: quick, but an ended run may
        still be listed for a moment."""
        ...

    def algorithms_and_jobs(self, *states: str) -> Mapping[str, tuple[str, int]]:
        """Return algorithm and number of jobs of the runs in these states, by digest."""
        ...

    def unfinished(self, among: Container[str] | None = None) -> Sequence[tuple[str, Status]]:
        """Return all queued or running runs, or those of them that are `among`, oldest first."""
        ...

    def list(
        self,
        *,
        status: Sequence[str] = (),
        algorithm: str | None = None,
        workload: str | None = None,
        text: str = "",
        limit: int = 50,
        after: str | None = None,
        owners: Sequence[str] | None = None,
    ) -> Page:
        """List runs, newest first; `workload` is the id of a stored one, `text` is searched in names and ids.

        Of private runs, those of `owners` alone; None: all.
        """
        ...

    def counts(self, text: str = "", owners: Sequence[str] | None = None) -> Mapping[str, int]:
        """Return the number of runs in each state; `text` and `owners` as for `list`."""
        ...

    def load(self, client: str | None = None, priority: str | None = None) -> tuple[int, int]:
        """Return the number of unfinished runs and of jobs in them; of one client, of one priority, or of all."""
        ...

    def usual_seconds(self) -> float | None:
        """Return the mean duration of the latest finished runs [s]; None before there are any."""
        ...

    def seconds_per_job(self, algorithm: str) -> float | None:
        """Return the seconds a job in the latest finished runs of an algorithm, without runs of too few jobs."""
        ...


class Links(Protocol):
    """Short codes for pages with a view."""

    def make(
        self, target: str, title: str = "", runs: Sequence[Any] = (), *, owner: str | None = None, secret: bool = False
    ) -> tuple[Any, bool]:
        """Create the `Link` to a path of this site; False: it was here already. `runs` are those it shows
        (`LinkedRun`)."""
        ...

    def read(self, code: str) -> Any:
        """Return the `Link` of a code; NotFound for one that is unknown or was revoked."""
        ...

    def revoke(self, code: str) -> None:
        """Revoke a code for good. NotFound as for `read`."""
        ...

    def all(self) -> Sequence[Any]:
        """Return every `Link` that is not revoked; `is_damaged` marks those whose rows were altered."""
        ...


class Reruns(Protocol):
    """Re-runs of finished runs, which test that the tables are reproduced; by digest of the run."""

    def request(self, digest: str) -> Any:
        """Request a re-run; return its `Rerun`."""
        ...

    def get(self, digest: str) -> Any:
        """Return the latest `Rerun`; None without one."""
        ...

    def put(self, digest: str, rerun: Any) -> Any:
        """Store the state of a re-run."""
        ...

    def waiting(self) -> int:
        """Return the number of re-runs that are queued."""
        ...


class Bounds(Protocol):
    """Exact bounds that are proven after a run, by the digest of the run."""

    def put(self, digest: str, bound: Any) -> Any:
        """Store a request or an answer, a `Bound`."""
        ...

    def get(self, digest: str) -> Any:
        """Return the `Bound`; None if none was requested."""
        ...

    def requested(self) -> Sequence[str]:
        """Return the digests of the runs whose bound is to be proven."""
        ...

    def lose(self, digest: str, most: int, sentence: str) -> Any:
        """Count a lost process of a request; after `most` it has failed with the sentence."""
        ...

    def forget(self, digest: str) -> None: ...


class Sweeps(Protocol):
    """Sweeps by their digest: question, status, and journals with the outcome of each run."""

    def accept(self, spec: Any, status: Any) -> bool:
        """Write a `SweepSpec` to disk. False: it was here already, and was not cancelled."""
        ...

    def get(self, reference: str) -> Any:
        """Return the `Sweep`; NotFound for an unknown id."""
        ...

    def change(self, digest: str, states: Sequence[str], what: str, **changes: Any) -> Any:
        """Replace the status of a sweep that is in one of `states`; Conflict when it is in another."""
        ...

    def delete(self, reference: str) -> None:
        """Delete a sweep, but not its runs; Conflict while it is unfinished."""
        ...

    def list(self, text: str = "") -> Sequence[Any]:
        """List sweeps, newest first."""
        ...

    def damaged(self) -> Sequence[str]:
        """Return the ids of the sweeps whose status is not what was written."""
        ...

    def running(self) -> Sequence[Any]:
        """Return the sweeps that workers must continue, oldest first."""
        ...

    def count_unfinished(self, client: str | None = None) -> int: ...


class Store(Protocol):
    """The parts of a store."""

    @property
    def workloads(self) -> Workloads: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def links(self) -> Links: ...
    @property
    def reruns(self) -> Reruns: ...
    @property
    def bounds(self) -> Bounds: ...
    @property
    def sweeps(self) -> Sweeps: ...

    @property
    def identity(self) -> str:
        """Short hexadecimal text that names the store where several share a server; constant for its life."""
        ...

    def key(self) -> bytes:
        """Return the key for the salts of private runs: never shown, and constant for the life of the store."""
        ...

    def check(self) -> bool:
        """Return whether the store can be written to now, by writing a little."""
        ...

    def reindex(self) -> None:
        """Bring the index up to date, and remove what crashed processes left."""
        ...
