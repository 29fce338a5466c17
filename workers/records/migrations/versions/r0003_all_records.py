"""Runs, workloads, sweeps, papers, blobs and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("audit_key")),
    )
    op.create_index("audit_by_time", "audit", ["time"], unique=False)
    op.create_table(
        "blobs",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("touched", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("blobs_key")),
    )
    op.create_index("blobs_by_touch", "blobs", ["touched"], unique=False)
    op.create_table(
        "cells",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("scale", sa.String(length=64), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("name", "scale", "version", "key", name=op.f("cells_key")),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("facts_key")),
    )
    op.create_table(
        "papers",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("scale", sa.String(length=64), nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("progress", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("name", "scale", "version", name=op.f("papers_key")),
    )
    op.create_table(
        "questions",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("questions_key")),
    )
    op.create_table(
        "runs",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("accepted", sa.String(length=32), nullable=False),
        sa.Column("algorithm", sa.Text(), nullable=False),
        sa.Column("workload", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("jobs", sa.BigInteger(), nullable=False),
        sa.Column("took", sa.Float(), nullable=False),
        sa.Column("priority", sa.String(length=64), nullable=False),
        sa.Column("client", sa.Text(), nullable=True),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("spared", sa.Integer(), nullable=False),
        sa.Column("started", sa.String(length=32), nullable=True),
        sa.Column("ended", sa.String(length=32), nullable=True),
        sa.Column("damaged", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("is_cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease", sa.String(length=32), nullable=True),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("runs_key")),
    )
    op.create_index("runs_by_algorithm", "runs", ["algorithm", "accepted", "digest", "owner", "label"], unique=False)
    op.create_index("runs_by_jobs", "runs", ["jobs", "accepted", "digest", "owner", "label"], unique=False)
    op.create_index("runs_by_name", "runs", ["name", "accepted", "digest", "owner", "label"], unique=False)
    op.create_index("runs_by_status", "runs", ["status", "accepted", "digest", "owner", "label"], unique=False)
    by_time = ["accepted", "digest", "status", "algorithm", "owner", "label"]
    op.create_index("runs_by_time", "runs", by_time, unique=False)
    op.create_index("runs_by_took", "runs", ["took", "accepted", "digest", "owner", "label"], unique=False)
    op.create_index("runs_by_workload", "runs", ["workload"], unique=False)
    op.create_table(
        "sweeps",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("accepted", sa.String(length=32), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("client", sa.Text(), nullable=True),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("sweeps_key")),
    )
    op.create_index("sweeps_by_status", "sweeps", ["status"], unique=False)
    op.create_index("sweeps_by_time", "sweeps", ["accepted", "digest"], unique=False)
    op.create_table(
        "workloads",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("added", sa.String(length=32), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("workloads_key")),
    )
    op.create_index("workloads_by_time", "workloads", ["added", "digest"], unique=False)
    op.create_table(
        "batches",
        sa.Column("sweep", sa.String(length=64), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease", sa.String(length=32), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("lost", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["sweep"], ["sweeps.digest"], name=op.f("batches_sweep"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sweep", "batch", name=op.f("batches_key")),
    )
    op.create_table(
        "outcomes",
        sa.Column("sweep", sa.String(length=64), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["sweep"], ["sweeps.digest"], name=op.f("outcomes_sweep"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sweep", "run", name=op.f("outcomes_key")),
    )
    op.create_index("outcomes_by_sequence", "outcomes", ["sweep", "sequence"], unique=False)
    op.create_table(
        "results",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("tables", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["digest"], ["runs.digest"], name=op.f("results_digest"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("results_key")),
    )
    op.create_table(
        "uses",
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["blob"], ["blobs.digest"], name=op.f("uses_blob")),
        sa.PrimaryKeyConstraint("blob", "kind", "user", name=op.f("uses_key")),
    )
    op.create_index("uses_by_user", "uses", ["kind", "user"], unique=False)
