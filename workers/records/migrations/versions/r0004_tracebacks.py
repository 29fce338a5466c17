"""Where a run failed in code that is not the product's own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("runs", sa.Column("traceback", sa.Text(), nullable=True))
