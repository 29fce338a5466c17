"""Store sweeps as folders: a question, a status, and journals with the outcome of each run.

sweeps/<digest>/spec.json status.json batches/<number>.jsonl

The status has a checksum, and so has each line of a journal. A sweep whose status is damaged is named in the list and
shown by no number; its runs stay.

The outcome of a run is a line in the journal of its batch. Counts, points and open work are computed from the journals,
and the runs themselves are stored like any others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from shadowtime.workers.errors import Conflict, Damaged, NotFound
from shadowtime.workers.store import disk, reserve, seal
from shadowtime.workers.store.base import utc_now
from shadowtime.workers.store.listing import alone, digests, find
from shadowtime.workers.sweeps.spec import SweepSpec

RUNNING, PAUSED, FINISHED, CANCELLED = "running", "paused", "finished", "cancelled"
SWEEP_STATES = (RUNNING, PAUSED, FINISHED, CANCELLED)
SPEC, STATUS, BATCHES = "spec.json", "status.json", "batches"


@dataclass(frozen=True)
class SweepStatus:
    """Content of `status.json` of a sweep; replaced as a whole. Times in UTC."""

    status: str = RUNNING
    """Accepted sweeps run at once; `finished` also where some of the runs failed."""
    name: str = ""
    workloads: Sequence[str] = ()
    """Names shown to people, in the order of the question."""
    accepted: str = ""
    ended: str | None = None
    round: int = 1
    """Increased each time that failed runs are repeated: failures of an earlier round do not count."""
    batch: int = 1
    """Runs in one batch of work."""
    runs_total: int = 0
    points_total: int = 0
    algorithms: Sequence[str] = ()
    """Facts about the question for listings."""
    counts: Mapping[str, int] | None = None
    """Number of runs by outcome, once it is finished; before, the journals hold it."""
    priority: str = "low"
    client: str | None = None
    """The client, for limits; never shown."""

    @property
    def is_unfinished(self) -> bool:
        return self.status in (RUNNING, PAUSED)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SweepStatus:
        """Read a status; keys of later versions are ignored."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})


@dataclass(frozen=True)
class Sweep:
    """One sweep as it stood when it was read."""

    digest: str
    status: SweepStatus
    path: Path

    @property
    def id(self) -> str:
        return self.digest[:16]

    @property
    def spec(self) -> SweepSpec:
        """Read the question from disk."""
        try:
            return SweepSpec.from_json((self.path / SPEC).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise NotFound("sweep", self.id) from None

    def journal(self, batch: int) -> Path:
        """Return the file of a batch's lines."""
        return self.path / BATCHES / f"{batch:06}.jsonl"


class FileSweeps:
    """All sweeps below one folder."""

    def __init__(self, root: Path):
        self.root = root
        self._known: dict[str, tuple[tuple[int, int], SweepStatus]] = {}

    def accept(self, spec: SweepSpec, status: SweepStatus) -> bool:
        """Write the question to disk. False: it was here already, and was not cancelled."""
        path = self.root / spec.digest
        if not path.is_dir():
            with disk.new_directory(path) as draft:
                disk.write_new(draft / SPEC, spec.json.encode())
                disk.write_new(draft / STATUS, _text(replace(status, accepted=utc_now())))
                (draft / BATCHES).mkdir()
                if disk.put_directory(draft, path):
                    return True
        with suppress(Conflict):
            self.change(spec.digest, (CANCELLED,), "", status=RUNNING, ended=None)
            return True
        return False

    def get(self, reference: str) -> Sweep:
        """Return a sweep; NotFound for an unknown id."""
        digest = self._find(reference)
        return Sweep(digest, self._status(digest), self.root / digest)

    def change(self, digest: str, states: Sequence[str], what: str, **changes: Any) -> SweepStatus:
        """Replace the status of a sweep that is in one of `states`.

        Raises
        ------
        Conflict
            When it is in another, saying that it cannot be `what`.
        """
        with self._alone(digest):
            status = self._status(digest)
            if status.status not in states:
                raise Conflict(f"sweep {digest[:16]} is {status.status}: it cannot be {what}")
            changed = replace(status, **changes)
            disk.replace_file(self.root / digest / STATUS, _text(changed))
            return changed

    def delete(self, reference: str) -> None:
        """Delete a sweep, but not its runs. Conflict while it is unfinished; a damaged one can be deleted."""
        digest = self._find(reference)
        reserve.with_room(self.root.parent, lambda: self._delete(digest))

    def _delete(self, digest: str) -> None:
        with self._alone(digest):
            with suppress(Damaged):
                if self._status(digest).is_unfinished:
                    raise Conflict(f"sweep {digest[:16]} is {self._status(digest).status}: cancel it first")
            disk.remove_directory(self.root / digest)

    def damaged(self) -> list[str]:
        """Return the ids of the sweeps whose status is not what was written."""
        found, whole = [], {sweep.digest for sweep in self._all()}
        for digest in sorted(digests(self.root) - whole):
            try:
                self._status(digest)
            except Damaged:
                found.append(digest[:16])
            except NotFound:  # deleted meanwhile
                continue
        return found

    def list(self, text: str = "") -> Sequence[Sweep]:
        """List sweeps, newest first; each word of `text` is part of the name, the workloads or the id."""
        words = text.lower().split()
        found = [sweep for sweep in self._all() if all(word in _label(sweep) for word in words)]
        return sorted(found, key=lambda sweep: (sweep.status.accepted, sweep.digest), reverse=True)

    def running(self) -> Sequence[Sweep]:
        """Return the sweeps that workers must continue, oldest first."""
        found = [sweep for sweep in self._all() if sweep.status.status == RUNNING]
        return sorted(found, key=lambda sweep: (sweep.status.accepted, sweep.digest))

    def count_unfinished(self, client: str | None = None) -> int:
        """Count the unfinished sweeps of one client, or of all."""
        left = (sweep.status for sweep in self._all() if sweep.status.is_unfinished)
        return sum(client in (None, status.client) for status in left)

    def _all(self) -> Iterator[Sweep]:
        """Yield all sweeps; a status is read again if its file has changed."""
        for digest in digests(self.root):
            path = self.root / digest
            with suppress(NotFound, FileNotFoundError):  # a damaged one is not found either
                file = (path / STATUS).stat()
                stamp = file.st_mtime_ns, file.st_ino
                known = self._known.get(digest)
                if known is None or known[0] != stamp:
                    known = self._known[digest] = stamp, self._status(digest)
                yield Sweep(digest, known[1], path)

    def _find(self, reference: str) -> str:
        return find(self.root, "sweep", reference)

    def _status(self, digest: str) -> SweepStatus:
        try:
            return read_status(self.root / digest)
        except FileNotFoundError:
            raise NotFound("sweep", digest[:16]) from None
        except ValueError as error:
            raise Damaged(
                f"experiment {digest[:16]} is damaged ({STATUS}: {error}); delete it and queue it again"
            ) from None

    def _alone(self, digest: str) -> AbstractContextManager[None]:
        """Hold the exclusive lock of this sweep."""
        return alone(self.root, "sweep", digest)


def read_status(path: Path) -> SweepStatus:
    """Return the status of the sweep in a folder.

    Raises
    ------
    FileNotFoundError, ValueError
        When there is none, or it is not what was written.
    """
    values = seal.opened((path / STATUS).read_bytes())
    if values.get("status") not in SWEEP_STATES or not isinstance(values.get("batch"), int) or values["batch"] < 1:
        raise ValueError("it holds no status")
    return SweepStatus.from_dict(values)


def _text(status: SweepStatus) -> bytes:
    return seal.sealed(asdict(status))


def _label(sweep: Sweep) -> str:
    return f"{sweep.status.name} {' '.join(sweep.status.workloads)} {sweep.digest} {sweep.status.status}".lower()
