"""Log as lines for people, or with SHADOWTIME_LOG=json as one JSON object a line.

A line that is logged while a run executes carries the run's id: `about` sets it, also for threads started inside it.
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
    """Set the run (or other queued work) that log lines inside the block belong to."""
    token = _run.set(digest[:16] if len(digest) == DIGEST else digest[:80])
    try:
        yield
    finally:
        _run.reset(token)


class JsonLines(logging.Formatter):
    """Format a record as one JSON object: `time` (UTC), `level`, `logger`, `process`, `message`, `run`, `error`."""

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
    """Log a line with more keys for machines."""
    log.info(message, extra={FIELDS: fields})


def configure(settings: Settings, stream: TextIO | None = None, *, level: int = logging.INFO) -> None:
    """Send this process's log lines to `stream` (standard output), in the configured format."""
    handler = logging.StreamHandler(stream or sys.stdout)
    handler.setFormatter(JsonLines() if settings.log == "json" else logging.Formatter("%(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)


def is_json(environment: Mapping[str, str] | None = None) -> bool:
    """Return whether logs are JSON, before the settings have been read."""
    given = os.environ if environment is None else environment
    return given.get("SHADOWTIME_LOG", "").strip().lower() == "json"
