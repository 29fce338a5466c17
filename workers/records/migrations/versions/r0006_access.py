"""Sessions of browsers and tokens of persons."""

from alembic import op

from shadowtime.workers.records.migrations.steps import TEXT, TIME, WORD, create, filled, optional

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables."""
    create(
        "sessions", "digest",
        *filled(WORD, "digest"), *filled(TEXT, "person owner source scopes groups"), *filled(TIME, "created expires"),
        *filled(TEXT, "agent"), *filled(TIME, "touched"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("sessions_by_owner", "sessions", ["owner", "created"])
    op.create_index("sessions_by_expiry", "sessions", ["expires"])
    create(
        "tokens", "id",
        *filled(WORD, "id digest"), *filled(TEXT, "person scopes groups"), *filled(TIME, "created"),
        *optional(TIME, "expires revoked touched"), *filled(WORD, "checksum"),
    )  # fmt: skip
    op.create_index("tokens_by_digest", "tokens", ["digest"], unique=True)
