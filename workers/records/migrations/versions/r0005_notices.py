"""Notices that people ask for when a run or a sweep ends."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "notices",
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=64), nullable=False),
        sa.Column("made", sa.String(length=32), nullable=False),
        sa.Column("due", sa.String(length=32), nullable=False),
        sa.Column("values", sa.Text(), nullable=False),
        sa.Column("checksum", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("notices_key")),
    )
    op.create_index("notices_by_owner", "notices", ["owner", "made"], unique=False)
    op.create_index("notices_by_state", "notices", ["state", "due"], unique=False)
    op.create_index("notices_by_subject", "notices", ["subject"], unique=False)
