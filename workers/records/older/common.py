"""What the take-over of every kind of record shares."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PREFIX = "older-"
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError, FileNotFoundError)
"""What a file that is not what was written raises when it is read."""


def set_aside(path: Path) -> None:
    """Rename a file or folder that was taken over to `older-<name>`, or `older-<name>-2` where that is taken."""
    free, number = path.with_name(PREFIX + path.name), 1
    while free.exists():
        number += 1
        free = path.with_name(f"{PREFIX}{path.name}-{number}")
    with suppress(FileNotFoundError):  # another process has done so meanwhile
        path.rename(free)
