"""Why a run failed, in one sentence for people; the traceback stays in the log."""

from __future__ import annotations

import errno

from engine.errors import EngineError
from workers.queue import TimedOut
from workers.settings import GIGABYTE, Settings


def sentence_of(error: BaseException, settings: Settings) -> str:
    """What is said of the error that ended a run."""
    match error:
        case EngineError():
            return str(error)
        case TimedOut():
            return f"stopped after {settings.run_timeout:,g} s, the limit of a run here"
        case MemoryError():
            limit = f": {settings.run_memory / GIGABYTE:,g} GB" if settings.run_memory else ""
            return f"needs more memory than a run may have here{limit}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return "the store is full: the result could not be kept"
    return f"internal error ({type(error).__name__}); the worker's log says where"
