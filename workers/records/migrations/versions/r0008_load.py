"""An index for the load of runs, which each new run counts."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the index."""
    op.create_index("runs_by_load", "runs", ["status", "client", "priority", "jobs"])
