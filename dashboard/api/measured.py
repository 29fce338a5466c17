"""Requests of this process, counted and timed by route: what `GET /metrics` tells, and a line each in JSON logs.

A route is the pattern (`/api/runs/<run_id>`), never the address: there are as many series as there are routes.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from flask import Flask, Response, g, request

from shadowtime.workers import logs
from shadowtime.workers.audit import without_codes

log = logging.getLogger("shadowtime.requests")

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
"""Upper edges of durations [s]; one more holds the rest."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER, NOWHERE = "other", "nowhere"


@dataclass
class Durations:
    """How long requests of one kind took until their answer began."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds


class Requests:
    """All requests since this process began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str, int], int] = defaultdict(int)
        self._durations: dict[tuple[str, str], Durations] = defaultdict(Durations)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """One more request."""
        with self._lock:
            self._answers[method, route, status] += 1
            self._durations[method, route].add(seconds)

    def answers(self) -> dict[tuple[str, str, int], int]:
        """How many by method, route and status."""
        with self._lock:
            return dict(sorted(self._answers.items()))

    def durations(self) -> dict[tuple[str, str], Durations]:
        """How long they took, by method and route."""
        with self._lock:
            return {key: Durations([*one.counts], one.seconds) for key, one in sorted(self._durations.items())}


def install(server: Flask, *, with_lines: bool = False) -> Requests:
    """Count what `server` answers from now on; `with_lines`: and log each."""
    requests = Requests()

    @server.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @server.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        method = request.method if request.method in METHODS else OTHER
        route = request.url_rule.rule if request.url_rule else NOWHERE
        requests.add(method, route, response.status_code, seconds)
        if with_lines:
            run = (request.view_args or {}).get("run_id")
            # The path alone: a query or a header may hold private data.
            logs.say(
                log,
                f"{method} {without_codes(request.path)[:200]} {response.status_code}",
                method=method,
                route=route,
                status=response.status_code,
                seconds=round(seconds, 6),
                **({"run": str(run)[:16]} if run else {}),
            )
        return response

    return requests
