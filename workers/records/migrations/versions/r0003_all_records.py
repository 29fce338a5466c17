"""Runs, workloads, sweeps, papers, blobs and the audit log."""

from alembic import op

from shadowtime.workers.records.migrations.steps import (
    LARGE,
    REAL,
    TEXT,
    TIME,
    TRUTH,
    WHOLE,
    WORD,
    create,
    filled,
    number,
    optional,
    reference,
)

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    create("audit", "id", number(), *filled(TIME, "time"), *filled(TEXT, "fields"))
    op.create_index("audit_by_time", "audit", ["time"])
    create("blobs", "digest", *filled(WORD, "digest"), *filled(LARGE, "size"), *filled(TIME, "touched"))
    op.create_index("blobs_by_touch", "blobs", ["touched"])
    create(
        "cells", "name scale version key",
        *filled(WORD, "name scale version key"), *filled(TEXT, "answer"), *filled(WORD, "checksum"),
    )  # fmt: skip
    create("facts", "name", *filled(WORD, "name"), *filled(TEXT, "value"))
    create(
        "papers", "name scale version",
        *filled(WORD, "name scale version"), *optional(TEXT, "status progress result"), *filled(WORD, "checksum"),
    )  # fmt: skip
    create("questions", "digest", *filled(WORD, "digest"), *filled(TEXT, "spec"))
    create(
        "runs", "digest",
        *filled(WORD, "digest status"), *filled(TIME, "accepted"), *filled(TEXT, "algorithm"),
        *filled(WORD, "workload"), *filled(TEXT, "name label"), *filled(LARGE, "jobs"), *filled(REAL, "took"),
        *filled(WORD, "priority"), *optional(TEXT, "client owner"), *filled(WHOLE, "attempt spared"),
        *optional(TIME, "started ended"), *filled(TRUTH, "damaged"), *optional(TEXT, "error"),
        *filled(TEXT, "tags notes"), *filled(TRUTH, "is_cancel_requested"), *optional(TEXT, "worker"),
        *optional(TIME, "lease"), *filled(TEXT, "progress spec"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("runs_by_algorithm", "runs", ["algorithm", "accepted", "digest", "owner", "label"])
    op.create_index("runs_by_jobs", "runs", ["jobs", "accepted", "digest", "owner", "label"])
    op.create_index("runs_by_name", "runs", ["name", "accepted", "digest", "owner", "label"])
    op.create_index("runs_by_status", "runs", ["status", "accepted", "digest", "owner", "label"])
    by_time = ["accepted", "digest", "status", "algorithm", "owner", "label"]
    op.create_index("runs_by_time", "runs", by_time)
    op.create_index("runs_by_took", "runs", ["took", "accepted", "digest", "owner", "label"])
    op.create_index("runs_by_workload", "runs", ["workload"])
    create(
        "sweeps", "digest",
        *filled(WORD, "digest status"), *filled(TIME, "accepted"), *filled(TEXT, "label"), *optional(TEXT, "client"),
        *filled(TEXT, "values spec"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("sweeps_by_status", "sweeps", ["status"])
    op.create_index("sweeps_by_time", "sweeps", ["accepted", "digest"])
    create(
        "workloads", "digest",
        *filled(WORD, "digest"), *filled(TEXT, "label"), *filled(TIME, "added"), *filled(TEXT, "entry"),
        *filled(WORD, "source checksum"),
    )  # fmt: skip
    op.create_index("workloads_by_time", "workloads", ["added", "digest"])
    create(
        "batches", "sweep batch",
        *filled(WORD, "sweep"), *filled(WHOLE, "batch"), *optional(TEXT, "worker"), *optional(TIME, "lease"),
        *optional(WHOLE, "round run"), *filled(TEXT, "lost"), *filled(WORD, "checksum"),
        reference("batches", "sweep", "sweeps.digest", cascade=True),
    )  # fmt: skip
    create(
        "outcomes", "sweep run",
        *filled(WORD, "sweep"), *filled(WHOLE, "run"), *filled(LARGE, "sequence"), *filled(TEXT, "line"),
        *filled(WORD, "checksum"), reference("outcomes", "sweep", "sweeps.digest", cascade=True),
    )  # fmt: skip
    op.create_index("outcomes_by_sequence", "outcomes", ["sweep", "sequence"])
    create(
        "results", "digest",
        *filled(WORD, "digest"), *filled(TEXT, "summary tables"), *filled(WORD, "checksum"),
        reference("results", "digest", "runs.digest", cascade=True),
    )  # fmt: skip
    create("uses", "blob kind user", *filled(WORD, "blob kind user"), reference("uses", "blob", "blobs.digest"))
    op.create_index("uses_by_user", "uses", ["kind", "user"])
