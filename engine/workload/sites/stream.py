"""The pieces of a text as a stream of lines of bounded length, and the count of those that are no records."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.site_log import left_out


class Pieces(io.RawIOBase):
    """The pieces of a text as a stream; counts its lines and their length."""

    def __init__(self, pieces: Iterator[bytes], limits: Limits):
        self._pieces, self._limits, self._rest, self.lines, self._line = pieces, limits, memoryview(b""), 0, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._check(piece)
            self._rest = memoryview(piece)
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _check(self, piece: bytes) -> None:
        """Raise InvalidWorkload for a line that is too long."""
        breaks = np.flatnonzero(np.frombuffer(piece, np.uint8) == 10)
        edges = np.concatenate([[-1 - self._line], breaks, [len(piece)]])
        longest = int(np.diff(edges).max()) - 1
        if longest > self._limits.line:
            number = self.lines + 1 + int(np.argmax(np.diff(edges) - 1 > self._limits.line))
            raise InvalidWorkload(f"line {number:,} has more than {self._limits.line:,} characters, the limit here.")
        self.lines += len(breaks)
        self._line = len(piece) - 1 - int(breaks[-1]) if len(breaks) else self._line + len(piece)


class OddLines:
    """Counts the lines that are no records, and keeps the begin of the first and its number where that is known."""

    count, number, first = 0, 0, ""

    def add(self, line: str, number: int = 0) -> None:
        """Count one line."""
        if not self.count:
            self.number, self.first = number, line[:60]
        self.count += 1

    def add_bytes(self, line: bytes, number: int) -> None:
        """Count one line; a blank one does not count."""
        if line.strip():
            self.add(line[:60].decode(errors="replace"), number)

    def sentences(self, noun: str) -> Iterator[str]:
        """Yield the sentence that so many lines were left out since they are no `noun`; nothing for none."""
        what = f"is no {noun}" if self.count == 1 else f"are no {noun}s"
        return left_out(self.count, "line", f" that {what} (line {self.number:,} begins {self.first!r})")


class OddRows:
    """Counts the lines of a table that have another number of columns, and those with an open quotation mark."""

    def __init__(self) -> None:
        self.of_other_width, self.unclosed = OddLines(), OddLines()

    def skip(self, row: Any) -> str:
        """Count a line for which pyarrow's CSV reader finds no record, and return what that reader is to do with it."""
        self.of_other_width.add(str(row.text))
        return "skip"

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each reason for which lines were left out, with their number and the first of them."""
        wide, unclosed = self.of_other_width, self.unclosed
        yield from left_out(wide.count, "line", f" with another number of columns (the first begins {wide.first!r})")
        where = f"line {unclosed.number:,} begins {unclosed.first!r}"
        yield from left_out(unclosed.count, "line", f" with a quotation mark that is not closed ({where})")
