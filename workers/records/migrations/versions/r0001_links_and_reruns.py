"""Links and re-runs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "links",
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("made", sa.String(length=32), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("revoked", sa.String(length=32), nullable=False),
        sa.Column("runs", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("links_key")),
    )
    op.create_table(
        "reruns",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("reruns_key")),
    )
    with op.batch_alter_table("reruns", schema=None) as batch_op:
        batch_op.create_index("reruns_by_status", ["status"], unique=False)
