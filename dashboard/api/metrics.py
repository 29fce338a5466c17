"""GET /metrics: how this installation is doing, as Prometheus reads it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from flask import Blueprint, Response

from shadowtime.dashboard.api.context import Context, context
from shadowtime.dashboard.api.measured import BUCKETS
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.store.base import STATES
from shadowtime.workers.version import engine_version

blueprint = Blueprint("metrics", __name__)

MEDIA = "text/plain; version=0.0.4; charset=utf-8"

Labels = Mapping[str, Any]


@blueprint.get("/metrics")
def metrics() -> Response:
    """Runs by state, queue, workers, requests by route, live streams and free space, as Prometheus text.

    Requests are those that this process answered; all else is the same wherever it is asked.
    """
    return Response("".join(_lines(context())), content_type=MEDIA)


def _lines(here: Context) -> Iterator[str]:
    queue = here.queue.health()
    yield from _gauge("build_info", "The engine's version; always 1.", [({"engine": engine_version()}, 1)])
    yield from _gauge("runs", "Runs in the store by state.", _runs(here))
    yield from _gauge("redis_up", "Whether Redis answers.", [({}, int(queue.redis))])
    yield from _gauge("queue_length", "Runs that wait for a worker.", [({}, queue.waiting)] if queue.redis else [])
    yield from _gauge("workers", "Workers that were heard lately.", [({}, queue.workers)] if queue.redis else [])
    yield from _gauge("live_streams", "Open live streams of this process.", [({}, here.hub.open_streams)])
    yield from _gauge("store_writable", "Whether the store can be written to.", [({}, int(here.store.check()))])
    yield from _gauge("store_bytes_free", "Free bytes where the store is.", _free(here))
    answers = here.requests.answers()
    yield from _family(
        "http_requests_total", "counter", "Requests by method, route and status.",
        [("", {"method": m, "route": r, "status": s}, n) for (m, r, s), n in answers.items()],
    )  # fmt: skip
    yield from _family(
        "http_request_seconds", "histogram", "Seconds until an answer began, by method and route.", _histogram(here)
    )


def _runs(here: Context) -> list[tuple[Labels, float]]:
    try:
        counts = here.store.runs.counts()
    except DatabaseAway:  # `store_writable` says so
        return []
    return [({"state": state}, counts.get(state, 0)) for state in STATES]


def _free(here: Context) -> list[tuple[Labels, float]]:
    try:
        return [({}, shutil.disk_usage(here.settings.store).free)]
    except OSError:  # the store is away: nothing is said of it
        return []


def _histogram(here: Context) -> Iterator[tuple[str, Labels, float]]:
    for (method, route), durations in here.requests.durations().items():
        labels = {"method": method, "route": route}
        edges = [*(f"{edge:g}" for edge in BUCKETS), "+Inf"]
        for edge, count in zip(edges, accumulate(durations.counts), strict=True):
            yield "_bucket", {**labels, "le": edge}, count
        yield "_sum", labels, durations.seconds
        yield "_count", labels, sum(durations.counts)


def _gauge(name: str, text: str, values: list[tuple[Labels, float]]) -> Iterator[str]:
    return _family(name, "gauge", text, [("", labels, value) for labels, value in values])


def _family(name: str, kind: str, text: str, values: Any) -> Iterator[str]:
    yield f"# HELP shadowtime_{name} {text}\n# TYPE shadowtime_{name} {kind}\n"
    for suffix, labels, value in values:
        said = ",".join(f'{key}="{_escaped(str(label))}"' for key, label in labels.items())
        yield f"shadowtime_{name}{suffix}{{{said}}} {value}\n" if said else f"shadowtime_{name}{suffix} {value}\n"


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
