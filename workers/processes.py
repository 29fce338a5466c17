"""Processes that do not outlive those who need them."""

from __future__ import annotations

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Ask the system to kill this process when the one that started it is gone, however that went.

    Linux alone can; elsewhere it goes on, and whoever took its place does the work once more.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
