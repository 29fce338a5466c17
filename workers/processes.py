"""Name worker processes, bind child processes to the process that started them, and limit their memory."""

from __future__ import annotations

import atexit
import ctypes
import gc
import logging
import os
import resource
import secrets
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from shadowtime.workers.units import GIGABYTE

log = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1
WORKER = "RUN_WORKER_NAME"
"""Variable with the name of the worker for which a process runs."""
AUTOGROUP = Path("/proc/self/autogroup")
"""The niceness of this process's session, on Linux that divides processors among sessions."""
AUTOGROUP_TRIES, AUTOGROUP_PAUSE = 200, 0.05
"""How often it is written at most, and seconds between two tries."""
RESERVED = 4 * GIGABYTE
"""Address space for mapped files, stacks and arenas of threads."""


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


def end_quickly() -> None:
    """End this process, and its forks, without a last search for cycles in memory, which takes Python 0.2 s."""
    atexit.register(gc.freeze)


def yield_to_others(niceness: int) -> None:
    """Let other processes go first on the processors: add `niceness` to that of this process.

    Linux may divide processors among sessions ("autogroup"). Then the niceness of a process counts only within its
    session, and `shadowtime up` starts each service in a session of its own. So if this process leads a session, the
    session gets the same niceness.
    """
    now = os.nice(niceness)
    if not niceness or os.getsid(0) != os.getpid() or not AUTOGROUP.exists():
        return
    for _ in range(AUTOGROUP_TRIES):
        try:
            AUTOGROUP.write_text(str(now))
            return
        except BlockingIOError:  # the system lets users change one session in 0.1 s
            time.sleep(AUTOGROUP_PAUSE)
        except OSError as error:  # in some containers it is read-only
            log.info("the session keeps its niceness: %s", error)
            return
    seconds = AUTOGROUP_TRIES * AUTOGROUP_PAUSE
    log.warning("the session keeps its niceness: the system refused to change it for %g s", seconds)


class StopRequest:
    """Whether a signal has asked this process to end; used as a `threading.Event` is.

    The lock of an Event would wait for itself if a second signal came while the handler of the first one held it.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._writing, False)

    @classmethod
    def of_signals(cls) -> StopRequest:
        """Return the request that SIGINT, SIGTERM and SIGHUP make from now on; a SIGHUP that this process was started
        to ignore, as under nohup, stays ignored."""
        request = cls()
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if sent != signal.SIGHUP or signal.getsignal(sent) != signal.SIG_IGN:
                signal.signal(sent, lambda number, frame: request.set())
        return request

    def set(self) -> None:
        """Ask for the end; from a handler or any thread."""
        self._is_set = True
        with suppress(BlockingIOError):  # full of earlier requests
            os.write(self._writing, b".")

    def is_set(self) -> bool:
        """Return whether the end was asked for."""
        return self._is_set

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is set, at most so many seconds; return whether it is."""
        requests = select.poll()
        requests.register(self._reading, select.POLLIN)
        requests.poll(None if seconds is None else 1000 * seconds)
        return self._is_set


def limit_memory(memory: int) -> None:
    """Limit the memory that this process may allocate from now on [bytes]; 0: no limit.

    RLIMIT_DATA limits what it allocates, to the byte. RLIMIT_AS limits its address space, which also counts mapped
    files and what threads reserve without using it, so that it is wider.
    """
    if not memory:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    statm = Path("/proc/self/statm")
    if statm.exists():  # only Linux reports the current size
        most = int(statm.read_text().split()[0]) * resource.getpagesize() + memory + RESERVED
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
