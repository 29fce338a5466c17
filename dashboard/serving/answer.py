"""The answer to one request while it is made; that of a live stream in parts, as there is news."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.serving.arriving import Source
from shadowtime.dashboard.serving.connection import Answering, Connection

if TYPE_CHECKING:
    from shadowtime.dashboard.api.hub import Stream


PATIENT = (b"GET /api/live", b"POST /api/")
"""How requests begin that let others go first: live streams, and what programs send to have something made."""
PATIENCE = 1.0
"""Seconds for which they do."""


class Answer:
    """What a thread needs to begin an answer, and to go on with it."""

    def __init__(self, connection: Connection, source: Source):
        self.connection, self.source = connection, source
        self.sock = Answering(connection.sock)
        self.patience = PATIENCE if source.head.startswith(PATIENT) else 0.0
        """Seconds for which it lets others go first, each time that a thread is needed."""
        self.request: Any = None
        self.response: Any = None
        self.parts: Any = None
        """What the application returned; None before."""
        self.environ: dict[str, Any] = {}
        self.began = datetime.now()
        self.stream: Stream | None = None
        """The stream that it follows; None for any other answer."""
        self.waits = False
        """All that there is has been written; more comes with the next news."""
        self.is_left = False
        """Its client has closed the connection."""
