"""Interrupt code that does not return within its time limit."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

MARGIN = 2.0
"""Seconds beyond its limit after which a run is interrupted wherever it is; one that returns stops at the limit."""


@contextmanager
def stop_after(seconds: float, error: type[Exception]) -> Iterator[None]:
    """Raise `error` when the block takes longer. An alarm that was set before keeps its time.

    Only Python code of the main thread is interrupted: elsewhere, and in compiled code, this does nothing.
    """
    began = time.monotonic()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier, _ = signal.getitimer(signal.ITIMER_REAL)
    if 0.0 < earlier <= seconds:
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise error

    before = signal.signal(signal.SIGALRM, stop) or signal.SIG_DFL
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        if earlier:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, earlier - (time.monotonic() - began)))
