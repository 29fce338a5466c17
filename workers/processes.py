"""Name worker processes, and bind child processes to the process that started them."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import socket
import sys
from functools import cache

_PR_SET_PDEATHSIG = 1
WORKER = "RUN_WORKER_NAME"
"""Variable with the name of the worker for which a process runs."""


@cache
def worker_name() -> str:
    """Return the name of this worker, under which it holds leases; processes that it forks afterwards have it, too."""
    return os.environ.get(WORKER) or f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def end_with_parent() -> None:
    """Let the system kill this process when its parent process ends for any reason.

    Only Linux supports this; elsewhere the process continues, and the work is done twice.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
