"""Exact bounds of runs of very many jobs."""

from alembic import op

from shadowtime.workers.records.migrations.steps import TEXT, WORD, create, filled

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    create("bounds", "digest", *filled(WORD, "digest status"), *filled(TEXT, "values"), *filled(WORD, "checksum"))
    op.create_index("bounds_by_status", "bounds", ["status"])
