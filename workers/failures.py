"""Why a run failed, in one sentence for people; the traceback stays in the log."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

from shadowtime.engine.errors import EngineError
from shadowtime.workers.queue import TimedOut
from shadowtime.workers.settings import Settings
from shadowtime.workers.units import GIGABYTE
from shadowtime.workers.version import plugin_folders

FULL = "the store is full: the result could not be kept"
ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


MOST_FRAMES, MOST_LETTERS = 30, 8000
"""Of a traceback that is kept."""


def traceback_of(error: BaseException) -> str:
    """Return where an unexpected error came from, for the owner of the run: its last frames, from where Shadowtime
    called a plug-in."""
    plugins = _plugins_of(error)
    first = next((n for n, plugin in enumerate(plugins) if plugin), 0)
    is_alone = error.__cause__ is None and error.__context__ is None  # the limit holds for a chain of errors, too
    frames = min(MOST_FRAMES, len(plugins) - first) if is_alone else MOST_FRAMES
    return "".join(traceback.format_exception(error, limit=-frames))[-MOST_LETTERS:]


def _plugins_of(error: BaseException) -> list[str | None]:
    """Return of each frame of an error, the outermost first, the package of its plug-in; None for no plug-in."""
    folders = plugin_folders()
    paths = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    return [
        next((name for name, folder in folders.items() if path == folder or folder in path.parents), None)
        for path in paths
    ]


def plugin_of(error: BaseException, *, innermost: bool = False) -> str | None:
    """Return the package of a plug-in whose code raised an error, or called what raised it; None for no plug-in.

    innermost: only where the error was raised in the plug-in itself.
    """
    plugins = _plugins_of(error)
    return next((plugin for plugin in (plugins[-1:] if innermost else reversed(plugins)) if plugin), None)


def not_kept(error: OSError) -> str:
    """Return the message for a result that the store could not write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    return f"the result could not be kept ({error.strerror or type(error).__name__})"


def is_passing(error: BaseException) -> bool:
    """Return whether an error says nothing about the run itself, so that another attempt may succeed: the database, the
    server of the blobs or the disk failed. What a plug-in raises is its run's own."""
    return isinstance(error, OSError) and error.errno not in ROOM and plugin_of(error) is None


def sentence_of(error: BaseException, settings: Settings) -> str:
    """Return the message for the error that ended a run."""
    match error:
        case EngineError():
            return str(error)
        case TimedOut():
            where = f" in the plug-in {plugin}" if (plugin := plugin_of(error)) else ""
            return f"stopped after {settings.run_timeout:,g} s{where}, the limit of a run here (SHADOWTIME_RUN_TIMEOUT)"
        case MemoryError():
            limit = f": {settings.run_memory / GIGABYTE:,g} GB (SHADOWTIME_RUN_MEMORY)" if settings.run_memory else ""
            return f"needs more memory than a run may have here{limit}"
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return FULL
    if plugin := plugin_of(error):
        return f"the plug-in {plugin} raised {type(error).__name__}; its traceback is for the owner of the run"
    return f"internal error ({type(error).__name__}); the worker's log says where"
