"""Define the contract of a whole store, and of its parts beside workloads and runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from shadowtime.workers.store.base import Runs, VisibleRuns, Workloads

if TYPE_CHECKING:
    from shadowtime.workers.records.asked import Asked
    from shadowtime.workers.records.database import Database
    from shadowtime.workers.records.notices import Notices
    from shadowtime.workers.records.papers import Papers
    from shadowtime.workers.records.sessions import Sessions
    from shadowtime.workers.records.tokens import Tokens


class VisibleLinks(Protocol):
    """Short codes for pages with a view, as one visitor may use them."""

    def make(self, target: str, title: str = "", runs: Sequence[Any] = ()) -> tuple[Any, bool]:
        """Create the `Link` to a path of this site; False: it was here already. `runs` are those it shows
        (`LinkedRun`)."""
        ...

    def read(self, code: str) -> Any:
        """Return the `Link` of a code; NotFound for one that is unknown or was revoked."""
        ...

    def revoke(self, code: str) -> None:
        """Revoke a code for good. NotFound as for `read`."""
        ...


class Links(VisibleLinks, Protocol):
    """All short codes."""

    def make(
        self, target: str, title: str = "", runs: Sequence[Any] = (), *, owner: str | None = None, secret: bool = False
    ) -> tuple[Any, bool]:
        """Create as `VisibleLinks` does; a `secret` one opens private runs of its `owner`."""
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

    def requested(self) -> Sequence[str]:
        """Return the digests of the runs whose re-run is queued."""
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
    """Sweeps by their digest: question, status, and the outcome of each run."""

    @property
    def outcomes(self) -> Any:
        """The recorded outcomes of runs, a `RunOutcomes`."""
        ...

    @property
    def batches(self) -> Any:
        """The batches that workers hold, a `Batches`."""
        ...

    def accept(self, spec: Any, status: Any, quota: Any = None) -> bool:
        """Record a `SweepSpec`. False: it was here already, and was not cancelled; TooMuch beyond a `Quota`."""
        ...

    def get(self, reference: str) -> Any:
        """Return the `Sweep`; NotFound for an unknown id."""
        ...

    def state(self, digest: str) -> str:
        """Return the state of a sweep; quicker than `get`."""
        ...

    def change(self, digest: str, states: Sequence[str], what: str, quota: Any = None, **changes: Any) -> Any:
        """Replace the status of a sweep that is in one of `states`; Conflict when it is in another, TooMuch beyond a
        `Quota`."""
        ...

    def delete(self, reference: str) -> None:
        """Delete a sweep, but not its runs; Conflict while it is unfinished."""
        ...

    def list(self, text: str = "") -> Sequence[Any]:
        """List sweeps, newest first."""
        ...

    def damaged(self) -> Sequence[str]:
        """Return the ids of the sweeps whose row is not what was written."""
        ...

    def running(self) -> Sequence[Any]:
        """Return the sweeps that workers must continue, oldest first."""
        ...

    def count_unfinished(self, client: str | None = None) -> int: ...


class VisibleStore(Protocol):
    """The parts of a store as one visitor may use them; hashable, since caches tell stores apart by it."""

    @property
    def workloads(self) -> Workloads: ...
    @property
    def runs(self) -> VisibleRuns: ...
    @property
    def links(self) -> VisibleLinks: ...
    @property
    def reruns(self) -> Reruns: ...
    @property
    def sweeps(self) -> Sweeps: ...
    @property
    def papers(self) -> Papers: ...
    @property
    def asked(self) -> Asked: ...

    def key(self) -> bytes:
        """Return the key for the salts of private runs: never shown, and constant for the life of the store."""
        ...

    def check(self) -> bool:
        """Return whether the store can be written to now, by writing a little."""
        ...

    def require_room(self) -> None:
        """Raise OSError where the disk is full, over quota or read-only."""
        ...

    def __hash__(self) -> int: ...


class Store(VisibleStore, Protocol):
    """All parts of a store."""

    @property
    def runs(self) -> Runs: ...
    @property
    def links(self) -> Links: ...
    @property
    def bounds(self) -> Bounds: ...
    @property
    def notices(self) -> Notices: ...
    @property
    def database(self) -> Database: ...
    @property
    def tokens(self) -> Tokens: ...
    @property
    def sessions(self) -> Sessions: ...

    @property
    def identity(self) -> str:
        """Short hexadecimal text that names the store where several share a server; constant for its life."""
        ...

    def tidy(self) -> None:
        """Remove what crashed processes left, and blobs that nothing uses."""
        ...
