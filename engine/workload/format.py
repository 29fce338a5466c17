"""What a format of files is to the readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits


@dataclass(frozen=True)
class Format:
    """A kind of file that can be read."""

    slug: str
    title: str
    suffixes: tuple[str, ...]
    summary: str
    read: Callable[[Iterator[bytes], Limits], Workload] | None = None
    """Reads the pieces of an unpacked file; None for JSON instances, which the families read."""
    recognizes: Callable[[bytes], bool] | None = None
    """Whether the beginning of a text is that of such a file; None for the format of all other texts."""
