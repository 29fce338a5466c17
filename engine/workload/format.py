"""The registry entry of a file format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits


@dataclass(frozen=True)
class Format:
    """A file format that can be read."""

    slug: str
    title: str
    suffixes: tuple[str, ...]
    summary: str
    read: Callable[[Iterator[bytes], Limits], Workload] | None = None
    """Reads the pieces of an uncompressed file; None for JSON instances, which the families read."""
    recognizes: Callable[[bytes], bool] | None = None
    """Returns whether a file that begins with these bytes has this format; None for the fallback format."""
