"""Requests of this process, counted and timed by route: what `GET /metrics` shows, and a line each in JSON logs.

A route is the pattern (`/api/runs/<run_id>`), never the address: there are as many series as there are routes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import Counter, Histogram, Metric, disable_created_metrics

from shadowtime.workers import logs
from shadowtime.workers.audit import without_codes

log = logging.getLogger("shadowtime.requests")
disable_created_metrics()  # a second series for each, which nothing reads

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
"""Upper edges of durations [s]; one more holds the rest."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER, NOWHERE = "other", "nowhere"


class Requests:
    """All requests since this process began."""

    def __init__(self) -> None:
        self._answers = Counter(
            "shadowtime_http_requests", "Requests by method, route and status.", ["method", "route", "status"],
            registry=None,
        )  # fmt: skip
        self._seconds = Histogram(
            "shadowtime_http_request_seconds", "Seconds until an answer began, by method and route.",
            ["method", "route"], buckets=BUCKETS, registry=None,
        )  # fmt: skip

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """One more request."""
        self._answers.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """Yield their counts and durations for Prometheus; edges are written as in `BUCKETS`, 1 and not 1.0."""
        for family in (*self._answers.collect(), *self._seconds.collect()):
            for n, sample in enumerate(family.samples):
                if "le" in sample.labels:
                    edge = f"{float(sample.labels['le']):g}".replace("inf", "+Inf")
                    family.samples[n] = sample._replace(labels={**sample.labels, "le": edge})
            yield family


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
