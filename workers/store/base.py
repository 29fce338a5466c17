"""The contract of a store: what is kept, how it is named, and what may happen to it.

A run goes `queued -> running -> finished | failed | cancelled`; a lost worker puts `running` back to `queued`,
and one that failed or was cancelled is queued again when it is asked for again. `status` is the truth about a
run: a queue may lose what it holds, and everything that was accepted is run nevertheless.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, Protocol

import numpy as np

from shadowtime.engine.tables import BANDS, RATES, Table
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store.live import LiveTables, LiveWriter
from shadowtime.workers.store.status import MOST_ATTEMPTS, STATES, UNFINISHED, Status, progress_of, utc_now

__all__ = ["MOST_ATTEMPTS", "STATES", "UNFINISHED", "Status", "progress_of", "utc_now"]

TABLES = ("jobs", "segments", "events", "series")
EXTRA_TABLES = {"rates": RATES, "bands": BANDS}
"""Tables that only some families have; of a run without one, it is read as empty."""
PRIORITIES = ("high", "default", "low")


class Run(Protocol):
    """One run as it stood when it was read. Tables and summary are there once it is finished."""

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
        """`jobs`, `segments`, `events` or `series`, mapped into memory; NotFound unless finished.

        Raises
        ------
        Damaged
            When it is not what was written; the run counts as failed from now on.
        """
        ...


@dataclass(frozen=True)
class Page:
    """Some rows of a listing, and what to ask for the next ones."""

    rows: Sequence[Any]
    next: str | None = None


@dataclass(frozen=True)
class WorkloadEntry:
    """What is known of a stored workload without reading its jobs: its `manifest.json`."""

    digest: str
    """Of the file's bytes after decompression, or of a generator's canonical question."""
    name: str
    source: Mapping[str, Any]
    """Its identity in a run's spec: {"digest", "case"} or {"generator", "parameters", "seed"}."""
    kind: str
    jobs: int
    """What the reader kept; of the first case, where there are cases."""
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
    """Whose reader said so."""

    @property
    def id(self) -> str:
        return self.digest[:16]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Workloads(Protocol):
    """Files that were sent, and workloads that were generated. Ids: 64 hexadecimal digits, or the first 16."""

    def add(self, stream: BinaryIO, name: str, limits: Limits | None = None) -> tuple[WorkloadEntry, bool]:
        """Keep a file and what its reader made of it; False: it was here already. Refused: nothing is stored."""
        ...

    def generate(self, slug: str, parameters: Mapping[str, Any] | None, seed: int) -> tuple[WorkloadEntry, bool]:
        """Keep what a generator makes."""
        ...

    def get(self, reference: str) -> WorkloadEntry:
        """NotFound for an unknown id."""
        ...

    def load(self, reference: str, case: str | None = None) -> Workload:
        """The jobs, from the cached parse; read again where this engine has not read it yet."""
        ...

    def load_source(self, source: Mapping[str, Any]) -> Workload:
        """The workload that a run's spec names; a generated one need not be stored."""
        ...

    def open_source(self, reference: str) -> BinaryIO:
        """The bytes as they were sent, decompressed."""
        ...

    def delete(self, reference: str) -> None:
        """Conflict while a run refers to it."""
        ...

    def list(self, *, text: str = "", limit: int = 50, after: str | None = None) -> Page:
        """Entries, newest first."""
        ...


class Runs(Protocol):
    """Runs by their digest; every change is whole, and only one process makes it."""

    def accept(
        self,
        spec: RunSpec,
        *,
        jobs: int = 0,
        priority: str = "default",
        client: str | None = None,
        owner: str | None = None,
    ) -> bool:
        """The question is on disk when this returns. False: it was here already, neither failed nor cancelled.

        A private one (`spec.salt`) has an `owner`, and no other has.
        """
        ...

    def get(self, reference: str) -> Run:
        """NotFound for an unknown id."""
        ...

    def begin(self, digest: str) -> Status | None:
        """`queued -> running`; None when it is not queued (any more)."""
        ...

    def report(self, digest: str, attempt: int, progress: Mapping[str, Any]) -> bool:
        """Progress of a running attempt; False when this attempt is not the one that runs."""
        ...

    def finish(
        self, digest: str, attempt: int, tables: Mapping[str, Mapping[str, np.ndarray]], summary: Mapping[str, Any]
    ) -> bool:
        """`running -> finished`: tables and summary first, the status last; False as for `report`."""
        ...

    def keep(self, done: Sequence[tuple[RunSpec, Mapping[str, Mapping[str, np.ndarray]], Mapping[str, Any]]]) -> None:
        """Keep runs that have ended elsewhere, many at once: spec, tables and summary each."""
        ...

    def fail(self, digest: str, sentence: str, attempt: int | None = None) -> bool:
        """`queued | running -> failed`; where `attempt` is given, only of that one."""
        ...

    def cancel(self, digest: str) -> Status:
        """`queued -> cancelled`; of a running one it is wanted from now on. Conflict when it has ended."""
        ...

    def is_cancel_wanted(self, digest: str) -> bool: ...

    def cancelled(self, digest: str) -> bool:
        """`running -> cancelled`, where it was wanted."""
        ...

    def put_back(self, digest: str, attempt: int, why: str, *, is_spared: bool = False) -> Status | None:
        """The worker of a running attempt is lost: queued again, cancelled where that was wanted, or failed after
        too many attempts with a sentence that ends in `why`; None when that attempt does not run (any more). An
        attempt that `is_spared` does not count: its worker was asked to stop."""
        ...

    def verify(self, reference: str) -> Status:
        """Look whether all that was kept of a run is what was written; a finished one that is not has failed then."""
        ...

    def delete(self, reference: str) -> None:
        """Conflict while it is queued or running."""
        ...

    def question(self, reference: str) -> RunSpec:
        """What a run asked, also one that was deleted; NotFound for an id that never was."""
        ...

    def live(self, digest: str) -> LiveTables:
        """What a running run has written so far; may be lost, and is gone once it is finished."""
        ...

    def write_live(self, digest: str) -> LiveWriter:
        """Where a running run writes what it has so far."""
        ...

    def spool(self, digest: str | None = None) -> FileSpool:
        """Where a running run (or None: one that is computed beside the store's) puts what it cannot hold; removed
        when the run ends or is lost."""
        ...

    def listed(self, *states: str) -> Sequence[str]:
        """Digests of all runs in these states, oldest first, as the index has them: quick, and perhaps a moment late
        in saying that one has ended."""
        ...

    def asked(self, *states: str) -> Mapping[str, tuple[str, int]]:
        """Algorithm and number of jobs of the same, by digest."""
        ...

    def unfinished(self, among: Container[str] | None = None) -> Sequence[tuple[str, Status]]:
        """All that is queued or running, or those of them that are `among`, oldest first."""
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
        """Runs, newest first; `workload` is the id of a stored one, `text` is looked for in names and ids.

        Of private runs, those of `owners` alone; None: all.
        """
        ...

    def counts(self, text: str = "", owners: Sequence[str] | None = None) -> Mapping[str, int]:
        """How many runs there are in each state; `text` and `owners` as for `list`."""
        ...

    def load(self, client: str | None = None, priority: str | None = None) -> tuple[int, int]:
        """How many runs have not ended, and how many jobs are in them; of one client, of one priority, or of all."""
        ...

    def usual_seconds(self) -> float | None:
        """What the latest finished runs took on average [s]; None before there are any."""
        ...

    def seconds_per_job(self, algorithm: str) -> float | None:
        """What a job cost in the latest finished runs of an algorithm [s], those of too few jobs left aside."""
        ...


class Links(Protocol):
    """Short codes for pages with a view."""

    def make(
        self, target: str, title: str = "", runs: Sequence[Any] = (), *, owner: str | None = None, secret: bool = False
    ) -> tuple[Any, bool]:
        """The `Link` to a path of this site; False: it was here already. `runs` are what it shows (`LinkedRun`)."""
        ...

    def read(self, code: str) -> Any:
        """The `Link` of a code; NotFound for one that is unknown or was revoked."""
        ...

    def revoke(self, code: str) -> None:
        """Let a code lead nowhere, for good. NotFound as for `read`."""
        ...

    def all(self) -> Iterator[Any]:
        """Every `Link` that leads somewhere."""
        ...


class Reruns(Protocol):
    """Whether finished runs, computed once more, gave the same tables; by digest of the run."""

    def ask(self, digest: str) -> Any:
        """One more is wanted; gives its `Rerun`."""
        ...

    def get(self, digest: str) -> Any:
        """The latest `Rerun`; None when nobody ever asked."""
        ...

    def put(self, digest: str, rerun: Any) -> Any:
        """Say how it stands."""
        ...

    def waiting(self) -> int:
        """How many have no answer yet."""
        ...


class Sweeps(Protocol):
    """Sweeps by their digest: what is asked, how it stands, and journals of what came of the runs."""

    def accept(self, spec: Any, status: Any) -> bool:
        """A `SweepSpec` is on disk when this returns. False: it was here already, and was not cancelled."""
        ...

    def get(self, reference: str) -> Any:
        """The `Sweep`; NotFound for an unknown id."""
        ...

    def change(self, digest: str, states: Sequence[str], what: str, **changes: Any) -> Any:
        """Replace the status of one that is in one of `states`; Conflict when it is in another."""
        ...

    def delete(self, reference: str) -> None:
        """Its runs stay; Conflict while it is not through."""
        ...

    def list(self, text: str = "") -> Sequence[Any]:
        """Newest first."""
        ...

    def running(self) -> Sequence[Any]:
        """Those that workers have to go on with, oldest first."""
        ...

    def count_unfinished(self, client: str | None = None) -> int: ...


class Store(Protocol):
    """A place for all of it."""

    @property
    def workloads(self) -> Workloads: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def links(self) -> Links: ...
    @property
    def reruns(self) -> Reruns: ...
    @property
    def sweeps(self) -> Sweeps: ...

    def key(self) -> bytes:
        """What the salts of private runs are made with: never shown, the same as long as the store is."""
        ...

    def check(self) -> bool:
        """It can be written to now."""
        ...

    def reindex(self) -> None:
        """Make listings say again what is there, and remove what crashed processes left."""
        ...
