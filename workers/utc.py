"""Read the clock."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Return this instant as `2025-03-01T12:00:00.123456Z`: fine enough to order runs by arrival."""
    return utc_text(now())


def now() -> datetime:
    """Return this instant."""
    return datetime.now(UTC)


def utc_text(time: datetime) -> str:
    """Return an instant as text of that form."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
