"""Record sweeps: one row each, with its question and its status.

The outcomes of its runs and the leases of its batches are rows of their own (`records.outcomes`, `records.batches`).
Counts, points and open work are computed from the outcomes, and the runs themselves are stored like any others.

A row has a checksum, and the digest of the question names the sweep. A damaged sweep is named in lists and shows no
figure; its runs stay.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, select

from shadowtime.workers.digest import Identified
from shadowtime.workers.errors import Conflict, Damaged, NotFound, TooMuch
from shadowtime.workers.records import checksum, notices
from shadowtime.workers.records.batches import Batches
from shadowtime.workers.records.database import Database, alone, insert_ignoring, rows, upsert
from shadowtime.workers.records.listing import Where, count, find, words_in
from shadowtime.workers.records.outcomes import RunOutcomes, lock_name
from shadowtime.workers.records.printable import printable
from shadowtime.workers.records.run_lists import require_workloads
from shadowtime.workers.records.schema import sweeps as table
from shadowtime.workers.sweeps.spec import SweepSpec

RUNNING, PAUSED, FINISHED, CANCELLED = "running", "paused", "finished", "cancelled"
SWEEP_STATES = (RUNNING, PAUSED, FINISHED, CANCELLED)
UNFINISHED = (RUNNING, PAUSED)
KIND = "sweep"
_STATE = select(table.c.status).where(table.c.digest == bindparam("of"))


@dataclass(frozen=True)
class SweepStatus:
    """How a sweep stands; replaced as a whole. Times in UTC."""

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
    """Number of runs by outcome, once it is finished; before, they are counted from the outcomes."""
    priority: str = "low"
    client: str | None = None
    """The client, for limits; never shown."""

    @property
    def is_unfinished(self) -> bool:
        return self.status in UNFINISHED

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SweepStatus:
        """Read a status; keys of later versions are ignored."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})


class Quota(NamedTuple):
    """How many sweeps may be unfinished at a time; 0 means any number."""

    client: str
    """Whose sweep one becomes that is accepted, resumed or repeated."""
    most: int = 0
    """Of this client."""
    most_of_all: int = 0


@dataclass(frozen=True)
class Sweep(Identified):
    """One sweep as it stood when it was read."""

    digest: str
    status: SweepStatus
    question: str
    """Canonical JSON, whose SHA-256 is the digest."""

    @property
    def spec(self) -> SweepSpec:
        """Parse the question."""
        return SweepSpec.from_json(self.question)


class Sweeps:
    """All sweeps of a database."""

    def __init__(self, database: Database, with_room: Callable[[Callable[[], None]], None] = lambda act: act()):
        """`with_room` calls a deletion, again with more room if the disk is full."""
        self.outcomes = RunOutcomes(database)
        self.batches = Batches(database)
        self._database = database
        self._with_room = with_room

    def accept(self, spec: SweepSpec, status: SweepStatus, quota: Quota | None = None) -> bool:
        """Record the question. False: it was here already, and was not cancelled.

        Raises
        ------
        NotFound
            When a file whose jobs it needs was deleted meanwhile.
        TooMuch
            When the quota has no room for it.
        """
        with self._database.write() as connection:
            new = replace(status, accepted=self._database.now(connection))
            if insert_ignoring(connection, table, [row_of(spec.digest, spec.json, new)]):
                require_workloads(connection, spec.workloads)
                _keep_to(connection, quota)
                return True
            with suppress(Conflict):
                again = {"status": RUNNING, "ended": None}
                _change(connection, spec.digest, (CANCELLED,), "", again, quota)
                return True
        return False

    def get(self, reference: str) -> Sweep:
        """Return a sweep; NotFound for an unknown id, Damaged for a row that is not what was written."""
        with self._database.read() as connection:
            digest = find(connection, table, KIND, reference)
            return _sweep(_row(connection, select(table).where(table.c.digest == digest), digest))

    def state(self, digest: str) -> str:
        """Return the state of a sweep, unchecked: quicker than `get`, for work that asks several times a second."""
        with self._database.read() as connection:
            found = connection.execute(_STATE, {"of": digest}).scalar()
        if found is None:
            raise NotFound(KIND, digest[:16])
        return str(found)

    def change(
        self, digest: str, states: Sequence[str], what: str, quota: Quota | None = None,
        of_round: int | None = None, **changes: Any,
    ) -> SweepStatus:  # fmt: skip
        """Replace the status of a sweep that is in one of `states`; this sets or clears the time of its end.

        Raises
        ------
        Conflict
            When it is in another, or in another round than `of_round`, saying that it cannot be `what`.
        TooMuch
            When it had ended, runs again, and the quota has no room for it.
        """
        with self._database.write() as connection:
            if "status" in changes:
                changes["ended"] = self._database.now(connection) if changes["status"] == FINISHED else None
            return _change(connection, digest, states, what, changes, quota, of_round)

    def delete(self, reference: str) -> None:
        """Delete a sweep, but not its runs. Conflict while it is unfinished; a damaged one can be deleted."""
        self._with_room(lambda: self._delete(reference))

    def _delete(self, reference: str) -> None:
        with self._database.write() as connection:
            digest = find(connection, table, KIND, reference)
            alone(connection, lock_name(digest))  # in the order of a writer of outcomes: else each could wait for both
            with suppress(Damaged):
                status = _sweep(_locked(connection, digest)).status
                if status.is_unfinished:
                    raise Conflict(f"sweep {digest[:16]} is {status.status}: cancel it first")
            notices.forget(connection, digest)
            connection.execute(delete(table).where(table.c.digest == digest))

    def damaged(self) -> Sequence[str]:
        """Return the ids of the sweeps whose row is not what was written."""
        return self._select()[1]

    def list(self, text: str = "") -> Sequence[Sweep]:
        """List sweeps, newest first; each word of `text` is part of the name, the workloads or the id."""
        newest_first = (table.c.accepted.desc(), table.c.digest.desc())
        return self._select(words_in(table.c.label, printable(text)), newest_first)[0]

    def running(self) -> Sequence[Sweep]:
        """Return the sweeps that workers must continue, oldest first."""
        return self._select([table.c.status == RUNNING])[0]

    def using(self, workload: str) -> int:
        """Return the number of unfinished sweeps that refer to a workload."""
        unfinished = self._select([table.c.status.in_(UNFINISHED)])[0]
        return sum(any(one.get("digest") == workload for one in sweep.spec.workloads) for sweep in unfinished)

    def count_unfinished(self, client: str | None = None) -> int:
        """Count the unfinished sweeps of one client, or of all."""
        with self._database.read() as connection:
            return _unfinished(connection, client)

    def digests(self) -> Sequence[str]:
        """Return the digests of all sweeps, also of damaged ones."""
        with self._database.read() as connection:
            return connection.execute(select(table.c.digest).order_by(table.c.digest)).scalars().all()

    def _select(self, where: Where = (), order: Sequence[Any] = ()) -> tuple[Sequence[Sweep], Sequence[str]]:
        """Return the sweeps for which all conditions hold, oldest first by default, and the ids of damaged ones."""
        query = select(table).where(*where).order_by(*(order or (table.c.accepted, table.c.digest)))
        with self._database.read() as connection:
            found = rows(connection, query)
        whole, damaged = [], []
        for row in found:
            try:
                whole.append(_sweep(row))
            except Damaged:
                damaged.append(str(row["digest"])[:16])
        return whole, damaged


def row_of(digest: str, question: str, status: SweepStatus) -> dict[str, Any]:
    """Return the row of a sweep; `question` is its canonical JSON."""
    words = (status.name, *status.workloads, digest, status.status)
    return checksum.sealed(
        table,
        {
            "digest": digest,
            "status": status.status,
            "accepted": status.accepted,
            "label": printable(" ".join(words)).lower(),
            "client": status.client,
            "values": json.dumps(asdict(status), ensure_ascii=False),
            "spec": question,
        },
    )


def is_whole(row: Mapping[str, Any]) -> bool:
    """Return whether a row is what was written, and its question is the one that the digest names."""
    return checksum.is_intact(table, row) and hashlib.sha256(row["spec"].encode()).hexdigest() == row["digest"]


def _sweep(row: Mapping[str, Any]) -> Sweep:
    if not is_whole(row):
        raise Damaged(
            f"experiment {str(row['digest'])[:16]} is damaged (its row is not what was written); delete it and queue "
            "it again"
        )
    return Sweep(row["digest"], SweepStatus.from_dict(json.loads(row["values"])), row["spec"])


def _change(
    connection: Connection,
    digest: str,
    states: Sequence[str],
    what: str,
    changes: Mapping[str, Any],
    quota: Quota | None = None,
    of_round: int | None = None,
) -> SweepStatus:
    sweep = _sweep(_locked(connection, digest))
    if sweep.status.status not in states or of_round not in (None, sweep.status.round):
        raise Conflict(f"sweep {sweep.id} is {sweep.status.status}: it cannot be {what}")
    changed = replace(sweep.status, **changes)
    begins = changed.is_unfinished and not sweep.status.is_unfinished
    if begins and quota is not None:
        changed = replace(changed, client=quota.client)
    upsert(connection, table, row_of(digest, sweep.question, changed))
    if begins:
        _keep_to(connection, quota)
    return changed


def _keep_to(connection: Connection, quota: Quota | None) -> None:
    """Refuse a sweep that this transaction recorded as unfinished, where it is one too many."""
    if quota is None or not (quota.most or quota.most_of_all):
        return
    alone(connection, "unfinished sweeps")  # else two simultaneous calls would each count without the other
    for most, client, words in (
        (quota.most, quota.client, "of your sweeps are unfinished, the limit here"),
        (quota.most_of_all, None, "sweeps are unfinished, the limit of this site"),
    ):
        if 0 < most < _unfinished(connection, client):
            raise TooMuch(f"{most:,} {words}; some must end before more are accepted")


def _unfinished(connection: Connection, client: str | None) -> int:
    where = [table.c.status.in_(UNFINISHED)]
    return count(connection, table, where if client is None else [*where, table.c.client == client])


def _locked(connection: Connection, digest: str) -> dict[str, Any]:
    """Return the row of a sweep, which no other transaction can change until this one ends."""
    return _row(connection, select(table).where(table.c.digest == digest).with_for_update(), digest)


def _row(connection: Connection, query: Select, digest: str) -> dict[str, Any]:
    found = rows(connection, query)
    if not found:  # deleted meanwhile
        raise NotFound(KIND, digest[:16])
    return found[0]
