"""Exact bounds of runs of very many jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "bounds",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("bounds_key")),
    )
    with op.batch_alter_table("bounds", schema=None) as batch_op:
        batch_op.create_index("bounds_by_status", ["status"], unique=False)
