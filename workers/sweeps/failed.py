"""Say in one line why a run of a local sweep failed, and log the traceback of each reason once."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Iterator
from typing import Any

from shadowtime.engine import registry
from shadowtime.engine.errors import EngineError
from shadowtime.engine.runner.makers import Scripted
from shadowtime.workers.failures import plugin_of, traceback_of
from shadowtime.workers.sweeps import outcomes

log = logging.getLogger(__name__)

LONGEST = 300
"""Letters of a sentence."""
MOST_TRACEBACKS = 20
"""Tracebacks that a sweep logs; messages that name a job or a time are reasons of their own."""
TRACEBACK = "traceback"
"""Key of a line that `logged` takes out."""


def line_of(error: BaseException, index: int, run: str | None, slug: str) -> dict[str, Any]:
    """Return the line of a run that an error ended, with the traceback of an error that is not Shadowtime's own."""
    message = " ".join(str(error).split())
    if isinstance(error, EngineError | MemoryError):
        return outcomes.failed(index, run, message or "needs more memory than there is")
    what = f"{type(error).__name__}: {message}" if message else type(error).__name__
    source = source_of(error, slug)
    sentence = f"{source} raised {what}" if source else f"internal error ({what})"
    return {**outcomes.failed(index, run, sentence[:LONGEST]), TRACEBACK: traceback_of(error)}


def source_of(error: BaseException, slug: str) -> str | None:
    """Return the plug-in or the registered policy whose code raised an error, or called what raised it."""
    if plugin := plugin_of(error):
        return f"the plug-in {plugin}"
    names = {frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)}
    return f"the policy {slug}" if names & _modules_of(slug) else None


def logged(lines: Iterable[dict[str, Any]], known: set[str]) -> Iterator[dict[str, Any]]:
    """Yield lines without tracebacks; log the traceback of each reason that is not `known`, and add it there."""
    for line in lines:
        trace = line.pop(TRACEBACK, None)
        if trace and line["error"] not in known and len(known) < MOST_TRACEBACKS:
            known.add(line["error"])
            log.error("run %s of the sweep failed: %s\n%s", line["run"] or line["index"], line["error"], trace)
        yield line


def _modules_of(slug: str) -> set[str]:
    """Return the modules outside Shadowtime that define an algorithm."""
    maker = registry.find(slug).runner
    made = maker.policy if isinstance(maker, Scripted) else type(maker)
    classes = made.__mro__ if isinstance(made, type) else (made,)
    names = {getattr(one, "__module__", "") or "" for one in classes}
    return {name for name in names if name.partition(".")[0] not in ("", "shadowtime", "builtins", "abc", "functools")}
