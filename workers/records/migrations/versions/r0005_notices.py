"""Notices that people ask for when a run or a sweep ends."""

from alembic import op

from shadowtime.workers.records.migrations.steps import TEXT, TIME, WORD, create, filled

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    create(
        "notices", "code",
        *filled(WORD, "code kind subject"), *filled(TEXT, "owner"), *filled(WORD, "state"), *filled(TIME, "made due"),
        *filled(TEXT, "values"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("notices_by_owner", "notices", ["owner", "made"])
    op.create_index("notices_by_state", "notices", ["state", "due"])
    op.create_index("notices_by_subject", "notices", ["subject"])
