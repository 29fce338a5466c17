"""Runs by the words of the requests that led to them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "asked",
        sa.Column("words", sa.String(length=64), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(length=64), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.digest"], name=op.f("asked_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("words", "place", name=op.f("asked_key")),
    )
    op.create_index("asked_by_run", "asked", ["run"], unique=False)
