"""Lines of tables in which a quotation mark is opened and not closed: pyarrow's reader would read on over their end."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from shadowtime.engine.workload.sites.stream import OddLines

QUOTE, NEWLINE = ord('"'), ord("\n")


class ClosedLines:
    """The lines of a table as a file for pyarrow; those with an open quotation mark are left out and counted.

    As for pyarrow, a mark opens a value only where the value begins, and two marks within such a value are one sign.
    """

    closed = False

    def __init__(self, stream: io.BufferedReader[Any], delimiter: str, odd: OddLines, number: int):
        """Read from `stream`, whose next line has this number in its file."""
        self._stream, self._odd, self._number, self._rest = stream, odd, number, b""
        between, opened = re.escape(delimiter) + r"\r", r'"[^"]*+(?:""[^"]*+)*+'
        self._open = re.compile(rf'(?:(?:{opened}"|(?!"))[^{between}]*+[{between}])*+{opened}'.encode())
        self._may_precede = np.zeros(256, bool)
        self._may_precede[[*delimiter.encode(), *b'"\r\n']] = True

    def read(self, size: int) -> memoryview | bytes:
        """Return some of the next lines; none at the end."""
        while True:
            block, end = self._block(size)
            view = memoryview(block)[:end]
            lines = self._without_open(view) if block.find(b'"', 0, end) >= 0 else view
            self._number += int(np.count_nonzero(np.frombuffer(block, np.uint8, end) == NEWLINE))
            if lines or not (end or self._rest):
                return lines

    def _block(self, size: int) -> tuple[bytearray, int]:
        """Return the next bytes, and where the last whole line of them ends; what follows begins the next block.

        Copies of the whole lines would take 2 % of the time in which a table is read.
        """
        kept = len(self._rest)
        block = bytearray(max(size, 2 * kept))
        block[:kept] = self._rest
        with memoryview(block) as view:
            filled = kept + self._stream.readinto(view[kept:])
        end = block.rfind(b"\n", 0, filled) + 1 if filled == len(block) else filled
        self._rest = bytes(block[end:filled])
        return block, end

    def _without_open(self, block: memoryview) -> memoryview | bytes:
        """Return the lines without those that have an open mark."""
        text = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(text == NEWLINE)
        ends = ends if text[-1] == NEWLINE else np.append(ends, len(text))
        parts, kept = [], 0
        for at in self._suspects(text, ends):
            begin, end = (int(ends[at - 1]) + 1 if at else 0), int(ends[at]) + 1
            if self._open.fullmatch(line := bytes(block[begin:end])):
                self._odd.add_bytes(line.rstrip(), self._number + int(at))
                parts.append(block[kept:begin])
                kept = end
        return b"".join([*parts, block[kept:]]) if kept else block

    def _suspects(self, text: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Return the places of the lines that may have an open mark; no other line has one.

        Where a line has an even number of marks, and the first of each two follows a separator or another mark, each
        value that is opened is closed. The end of a line with an odd number stands in for the mark that is missing.
        """
        marks = np.flatnonzero(text == QUOTE)
        before = np.searchsorted(marks, ends)
        is_odd = np.diff(before, prepend=0) % 2 == 1
        opening = (np.insert(marks, before[is_odd], ends[is_odd]) if is_odd.any() else marks)[::2]
        stray = opening[~self._may_precede[text[opening - 1]]]
        return np.union1d(np.flatnonzero(is_odd), np.searchsorted(ends, stray))
