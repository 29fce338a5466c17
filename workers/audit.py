"""Log who did what, when, and from which address: one JSON object a line, append only.

Secrets are never logged: no token, no cookie, no query, and only the first characters of a link's code.
"""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import Any

from shadowtime.workers.store.base import utc_now

log = logging.getLogger(__name__)

NAME = "audit.jsonl"
_CODE = re.compile(r"^(/s/|/api/links/)([^/]{4})[^/]+")


class Audit:
    """The file of one installation; several processes may add to it at once."""

    def __init__(self, path: Path):
        self.path = path

    def write(self, **fields: Any) -> None:
        """Append a line. A line that cannot be written is reported in the log: the action itself has been done."""
        line = json.dumps({"time": utc_now(), **fields}, ensure_ascii=False).encode() + b"\n"
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(file, line)  # one call: lines of several processes never mix
            finally:
                os.close(file)
        except OSError as error:
            log.error("the audit log %s was not written to: %s", self.path, error)


def without_codes(path: str) -> str:
    """Return a path that may be logged: the code of a link is cut, since it opens the link."""
    return _CODE.sub(r"\1\2…", path)
