"""What a web process prepares once someone visits it; until then it stays small."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

MONITORS = ("/healthz", "/metrics")
"""What monitors ask for: not a visit."""


class FirstVisit:
    """A WSGI application that calls `begin` before it answers its first visitor."""

    def __init__(self, application: Callable[..., Iterable[bytes]], begin: Callable[[], None]):
        self._application = application
        self._begin: list[Callable[[], None]] = [begin]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if self._begin and environ["PATH_INFO"] not in MONITORS:
            try:
                begin = self._begin.pop()
            except IndexError:  # another thread answers the first visitor at the same moment
                pass
            else:
                begin()
        return self._application(environ, start_response)
