"""A progress bar in one line of standard error."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 30
EVERY = 0.1
"""Seconds between two updates."""


class Bar:
    """How far a sweep is, rewritten in place.

    Parameters
    ----------
    total
        Runs in all, > 0.
    stream
        Where it is written; None: nowhere.

    Examples
    --------
    >>> import io
    >>> stream = io.StringIO()
    >>> with Bar(2, stream) as bar:
    ...     bar.update(2)
    >>> stream.getvalue().splitlines()[-1].split("|")[1]
    '██████████████████████████████'
    """

    def __init__(self, total: int, stream: TextIO | None = sys.stderr):
        self._total, self._stream = total, stream
        self._shown = 0.0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._stream is not None and self._shown:
            print(file=self._stream)

    def update(self, done: int, words: str = "") -> None:
        """Show that `done` runs have ended, with `words` beside the bar.

        Examples
        --------
        >>> Bar(2, None).update(1)
        """
        now = time.monotonic()
        if self._stream is None or (done < self._total and now - self._shown < EVERY):
            return
        self._shown = now
        full = WIDTH * done // self._total
        print(f"\r|{'█' * full}{' ' * (WIDTH - full)}| {words}   ", end="", file=self._stream, flush=True)
