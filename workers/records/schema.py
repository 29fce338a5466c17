"""Define the tables of the database of record.

Times are UTC texts of one length, `2025-03-01T12:00:00.123456Z`, so that they sort. JSON is stored as text:
PostgreSQL's own type would rewrite numbers. A row's `checksum` covers all its other columns but the `VOLATILE` ones.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Dialect, Float, ForeignKey, Index, Integer, MetaData, Table
from sqlalchemy import String as AnyString
from sqlalchemy import Text as AnyText
from sqlalchemy.types import TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "%(column_0_N_label)s",
        "fk": "%(table_name)s_%(column_0_N_name)s",
        "pk": "%(table_name)s_key",
    }
)


class _Text(TypeDecorator[str]):
    """A text. SQLite returns a number or bytes where a damaged file says so; as a text, these fail the checksum too."""

    impl: Any = AnyText
    cache_ok = True

    @property
    def python_type(self) -> type[str]:
        return str

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value if value is None or isinstance(value, str) else str(value)


class Text(_Text):
    """A text of any length."""

    cache_ok = True


class String(_Text):
    """A text of limited length."""

    impl, cache_ok = AnyString, True


DIGEST, TIME, WORD = String(64), String(32), String(64)

VOLATILE = ("progress", "worker", "lease", "is_cancel_requested", "touched", "traceback", "checksum")
"""Columns that change while work goes on and decide no result: no checksum covers them."""


def _table(name: str, *parts: Any) -> Table:
    return Table(name, metadata, *parts)


def keys(kind: Any, names: str) -> list[Column[Any]]:
    """Return the columns of the primary key of one kind; `names` with blanks between."""
    return [Column(name, kind, primary_key=True) for name in names.split()]


def filled(kind: Any, names: str) -> list[Column[Any]]:
    """Return columns that every row fills; `names` with blanks between."""
    return [Column(name, kind, nullable=False) for name in names.split()]


def optional(kind: Any, names: str) -> list[Column[Any]]:
    """Return columns that may be null; `names` with blanks between."""
    return [Column(name, kind) for name in names.split()]


facts = _table("facts", *keys(WORD, "name"), *filled(Text, "value"))
"""Facts about the whole store, such as the key of private runs."""

workloads = _table(
    "workloads", *keys(DIGEST, "digest"), *filled(Text, "label"), *filled(TIME, "added"), *filled(Text, "entry"),
    *filled(DIGEST, "source checksum"),
    Index("workloads_by_time", "added", "digest"),
)  # fmt: skip
"""`entry`: the facts as JSON; `source`: the blob of the gzipped file."""

runs = _table(
    "runs", *keys(DIGEST, "digest"), *filled(WORD, "status"), *filled(TIME, "accepted"), *filled(Text, "algorithm"),
    *filled(DIGEST, "workload"), *filled(Text, "name label"), *filled(BigInteger, "jobs"), *filled(Float, "took"),
    *filled(WORD, "priority"), *optional(Text, "client owner"), *filled(Integer, "attempt spared"),
    *optional(TIME, "started ended"), *filled(Boolean, "damaged"), *optional(Text, "error"),
    *filled(Text, "tags notes"), *filled(Boolean, "is_cancel_requested"), *optional(Text, "worker"),
    *optional(TIME, "lease"), *filled(Text, "progress spec"), *filled(DIGEST, "checksum"), *optional(Text, "traceback"),
    Index("runs_by_time", "accepted", "digest", "status", "algorithm", "owner", "label"),
    Index("runs_by_status", "status", "accepted", "digest", "algorithm", "owner", "label"),
    Index("runs_by_algorithm", "algorithm", "accepted", "digest", "status", "owner", "label"),
    Index("runs_by_name", "name", "accepted", "digest", "status", "algorithm", "owner", "label"),
    Index("runs_by_jobs", "jobs", "accepted", "digest", "status", "algorithm", "owner", "label"),
    Index("runs_by_took", "took", "accepted", "digest", "status", "algorithm", "owner", "label"),
    Index("runs_by_workload", "workload", "accepted", "digest"),
    Index("runs_by_load", "status", "client", "priority", "jobs"),
)  # fmt: skip
"""`tags`, `notes`: what people wrote about it, see `marks`.

`name`: that of the workload; `traceback`: of an error that ended it, with a checksum of its own;
`took`: seconds, -1 before it ended; `lease`: until when `worker` holds the run.

The index of each order holds what lists filter by, so that a search without a match reads it alone: of 100,000 runs in
15 ms instead of 80. `runs_by_load` holds what `run_lists.LOAD` counts at each new run."""

results = _table(
    "results", Column("digest", DIGEST, ForeignKey("runs.digest", ondelete="CASCADE"), primary_key=True),
    *filled(Text, "summary tables"), *filled(DIGEST, "checksum"),
)  # fmt: skip
"""Of finished runs. `summary`: as JSON, with the outline beside; `tables`: the blob of each table, as JSON by name."""

asked = _table(
    "asked", *keys(DIGEST, "words"), *keys(Integer, "place"), Column("number", Integer, nullable=False),
    Column("run", DIGEST, ForeignKey("runs.digest", ondelete="CASCADE"), nullable=False),
    Column("checksum", DIGEST, nullable=False),
    Index("asked_by_run", "run"),
)  # fmt: skip
"""Runs by the `words` of a request, a digest that covers the version of our sources: the run at each `place` of its
`number` of runs."""

questions = _table("questions", *keys(DIGEST, "digest"), *filled(Text, "spec"))
"""Questions of deleted public runs: a link to one can be computed again. The digest is the checksum."""

blobs = _table(
    "blobs", *keys(DIGEST, "digest"), *filled(BigInteger, "size"), *filled(TIME, "touched"),
    Index("blobs_by_touch", "touched"),
)  # fmt: skip
"""Blobs that are written, or about to be. One without a use is collected a grace time after it was touched."""

uses = _table(
    "uses", Column("blob", DIGEST, ForeignKey("blobs.digest"), primary_key=True), *keys(WORD, "kind"),
    *keys(DIGEST, "user"),
    Index("uses_by_user", "kind", "user"),
)  # fmt: skip
"""Which run or workload refers to a blob."""

links = _table(
    "links", *keys(WORD, "code"), *filled(Text, "target title"), *filled(TIME, "made"), *optional(Text, "owner"),
    *filled(WORD, "salt"), *filled(TIME, "revoked"), *filled(Text, "runs"), *filled(DIGEST, "checksum"),
)  # fmt: skip

reruns, bounds = (
    _table(
        name, *keys(DIGEST, "digest"), *filled(WORD, "status"), *filled(Text, "values"), *filled(DIGEST, "checksum"),
        Index(f"{name}_by_status", "status"),
    )
    for name in ("reruns", "bounds")
)  # fmt: skip

sweeps = _table(
    "sweeps", *keys(DIGEST, "digest"), *filled(WORD, "status"), *filled(TIME, "accepted"), *filled(Text, "label"),
    *optional(Text, "client"), *filled(Text, "values spec"), *filled(DIGEST, "checksum"),
    Index("sweeps_by_time", "accepted", "digest"),
    Index("sweeps_by_status", "status"),
)  # fmt: skip
"""`values`: the status as JSON; `spec`: the question, whose SHA-256 is the digest."""

batches = _table(
    "batches", Column("sweep", DIGEST, ForeignKey("sweeps.digest", ondelete="CASCADE"), primary_key=True),
    *keys(Integer, "batch"), *optional(Text, "worker"), *optional(TIME, "lease"), *optional(Integer, "round run"),
    *filled(Text, "lost"), *filled(DIGEST, "checksum"),
)  # fmt: skip
"""Batches of sweeps that workers have taken: until when a `worker` holds one, the `run` that it has begun in a `round`,
and how many workers were lost at each run, as JSON. Without a `lease` the worker has given the batch back."""

outcomes = _table(
    "outcomes", Column("sweep", DIGEST, ForeignKey("sweeps.digest", ondelete="CASCADE"), primary_key=True),
    *keys(Integer, "run"), *filled(BigInteger, "sequence"), *filled(Text, "line"), *filled(DIGEST, "checksum"),
    Index("outcomes_by_sequence", "sweep", "sequence"),
)  # fmt: skip
"""Outcomes of the runs of sweeps, by the number of the run, as JSON. Readers ask for those after a `sequence`."""

papers = _table(
    "papers", *keys(WORD, "name scale version"), *optional(Text, "status progress result"), *filled(DIGEST, "checksum"),
)  # fmt: skip
"""Studies of papers that an engine `version` was to recompute."""

cells = _table("cells", *keys(WORD, "name scale version key"), *filled(Text, "answer"), *filled(DIGEST, "checksum"))
"""Results of single cells of studies; `version`: of the engine and of the studies."""

notices = _table(
    "notices", *keys(WORD, "code"), *filled(WORD, "kind"), *filled(DIGEST, "subject"), *filled(Text, "owner"),
    *filled(WORD, "state"), *filled(TIME, "made due"), *filled(Text, "values"), *filled(DIGEST, "checksum"),
    Index("notices_by_subject", "subject"),
    Index("notices_by_state", "state", "due"),
    Index("notices_by_owner", "owner", "made"),
)  # fmt: skip
"""Notices that people asked for when a run or a sweep, the `subject`, ends. `due`: the earliest time of the next
try; `values`: address, link, number of tries and last error, as JSON."""

audit = _table(
    "audit", Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    *filled(TIME, "time"), *filled(Text, "fields"),
    Index("audit_by_time", "time"),
)  # fmt: skip

sessions = _table(
    "sessions", *keys(DIGEST, "digest"), *filled(Text, "person owner source scopes groups"),
    *filled(TIME, "created expires"), *filled(Text, "agent"), *filled(TIME, "touched"), *filled(DIGEST, "checksum"),
    Index("sessions_by_owner", "owner", "created"),
    Index("sessions_by_expiry", "expires"),
)  # fmt: skip
"""Browsers that are signed in. `digest`: of the random id, which is not recorded; `source`: the token or the identity
provider by which the person signed in; `scopes`, `groups`: with blanks between; `touched`: last use."""

tokens = _table(
    "tokens", *keys(WORD, "id"), *filled(DIGEST, "digest"), *filled(Text, "person scopes groups"),
    *filled(TIME, "created"), *optional(TIME, "expires revoked touched"), *filled(DIGEST, "checksum"),
    Index("tokens_by_digest", "digest", unique=True),
)  # fmt: skip
"""Tokens of persons. `digest`: SHA-256 of the token, which is not recorded; `touched`: last use."""
