"""Links and re-runs."""

from alembic import op

from shadowtime.workers.records.migrations.steps import TEXT, TIME, WORD, create, filled, optional

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    create(
        "links", "code",
        *filled(WORD, "code"), *filled(TEXT, "target title"), *filled(TIME, "made"), *optional(TEXT, "owner"),
        *filled(WORD, "salt"), *filled(TIME, "revoked"), *filled(TEXT, "runs"), *filled(WORD, "checksum"),
    )  # fmt: skip
    create(
        "reruns", "digest",
        *filled(WORD, "digest status"), *filled(TEXT, "values"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("reruns_by_status", "reruns", ["status"])
