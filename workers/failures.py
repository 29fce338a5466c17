"""Why a run failed, in one sentence for people; the traceback stays in the log."""

from __future__ import annotations

import errno

from shadowtime.engine.errors import EngineError
from shadowtime.workers.queue import TimedOut
from shadowtime.workers.settings import Settings
from shadowtime.workers.units import GIGABYTE

FULL = "the store is full: the result could not be kept"
ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


def not_kept(error: OSError) -> str:
    """Return the message for a result that the store could not write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return f"the result could not be kept ({error.strerror or type(error).__name__})"


def is_passing(error: BaseException) -> bool:
    """Return whether an error says nothing about the run itself, so that another attempt may succeed: the database, the
    server of the blobs or the disk failed."""
    return isinstance(error, OSError) and error.errno not in ROOM


def too_many_rectangles(settings: Settings) -> str:
    """Return the message for a run that was stopped because its schedule has too many rectangles."""
    return f"ended after {settings.max_segments:,} rectangles, the limit of a run here"


def sentence_of(error: BaseException, settings: Settings) -> str:
    """Return the message for the error that ended a run."""
    match error:
        case EngineError():
            return str(error)
        case TimedOut():
            return f"stopped after {settings.run_timeout:,g} s, the limit of a run here"
        case MemoryError():
            limit = f": {settings.run_memory / GIGABYTE:,g} GB" if settings.run_memory else ""
            return f"needs more memory than a run may have here{limit}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return FULL
    return f"internal error ({type(error).__name__}); the worker's log says where"
