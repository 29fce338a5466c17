"""Progress of a command on standard error: one line that is rewritten on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

BETWEEN = 10.0
"""Least seconds between two lines where standard error is a file or a pipe."""
ERASE = "\r\x1b[K"
"""Back to the start of the line, and clear it."""


class Progress:
    """How far a command is."""

    def __init__(self) -> None:
        self.rewrites = sys.stderr.isatty()
        self.latest = ""
        self._printed = ""
        self._at = float("-inf")

    def show(self, sentence: str) -> None:
        """Show a sentence in place of the one before."""
        self.latest = sentence
        if self.rewrites:
            print(f"{ERASE}{sentence}", end="", file=sys.stderr, flush=True)
            self._printed = sentence
        elif time.monotonic() - self._at >= BETWEEN:
            self._line()

    def end(self) -> None:
        """Leave the latest sentence as a line."""
        if self.rewrites and self._printed:
            print(file=sys.stderr)
        elif self.latest != self._printed:
            self._line()

    def clear(self) -> None:
        """Leave nothing of the line on a terminal."""
        if self.rewrites:
            print(ERASE, end="", file=sys.stderr, flush=True)

    def _line(self) -> None:
        print(self.latest, file=sys.stderr, flush=True)
        self._printed, self._at = self.latest, time.monotonic()
