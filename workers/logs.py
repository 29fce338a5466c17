"""What processes say: lines for people, or with SHADOWTIME_LOG=json one JSON object a line for machines.

A line that is said while a run is at work names it: `about` says which, also to threads that are begun in it by hand.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from shadowtime.workers.settings import Settings

_run: ContextVar[str] = ContextVar("run", default="")
FIELDS = "fields"
"""Attribute of a record that holds more keys of its line."""
DIGEST = 64


@contextmanager
def about(digest: str) -> Iterator[None]:
    """Lines said inside are about the run of that digest, by its id; about other work, by what the queue calls it."""
    token = _run.set(digest[:16] if len(digest) == DIGEST else digest[:80])
    try:
        yield
    finally:
        _run.reset(token)


class JsonLines(logging.Formatter):
    """One object a line: `time` (UTC), `level`, `logger`, `process`, `message`, `run` where there is one, `error`."""

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": when.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if run := _run.get():
            line["run"] = run
        line.update(getattr(record, FIELDS, {}))
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def say(log: logging.Logger, message: str, **fields: Any) -> None:
    """A line with more keys, for machines."""
    log.info(message, extra={FIELDS: fields})


def configure(settings: Settings, stream: TextIO | None = None, *, level: int = logging.INFO) -> None:
    """Let this process's lines go to `stream` (standard output), in the form that is set."""
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(JsonLines() if settings.log == "json" else logging.Formatter("%(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)


def is_json(environment: Mapping[str, str] | None = None) -> bool:
    """Whether lines are for machines, where settings are not read yet."""
    given = os.environ if environment is None else environment
    return given.get("SHADOWTIME_LOG", "").strip().lower() == "json"
