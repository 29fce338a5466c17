"""GET /metrics: how this installation is doing, as Prometheus reads it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, Metric, generate_latest
from prometheus_client.registry import Collector

from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.kept import kept_bytes
from shadowtime.dashboard.context import Context
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.store.base import STATES
from shadowtime.workers.version import engine_version

blueprint = Blueprint("metrics", __name__)

QUEUED = "Work that waits for a worker: runs, batches of sweeps, exact bounds and parts of papers."

Values = Iterable[tuple[Mapping[str, str], float]]


@blueprint.get("/metrics")
def metrics() -> Response:
    """Runs by state, queue, workers, requests by route, live streams and free space, as Prometheus text.

    Requests are those that this process answered; all else is the same in every process.
    """
    return Response(generate_latest(Installation(context())), content_type=CONTENT_TYPE_PLAIN_0_0_4)


class Installation(Collector):
    """All metrics, read at every scrape."""

    def __init__(self, here: Context):
        self._here = here

    def collect(self) -> Iterator[Metric]:
        here, queue = self._here, self._here.queue.health()
        yield _gauge("build_info", "The engine's version; always 1.", [({"engine": engine_version()}, 1)])
        yield _gauge("runs", "Runs in the store by state.", _runs(here))
        yield _gauge("redis_up", "Whether Redis answers.", [({}, queue.redis)])
        yield _gauge("queue_length", QUEUED, [({}, queue.waiting)] if queue.redis else [])
        yield _gauge("workers", "Workers with a recent heartbeat.", [({}, queue.workers)] if queue.redis else [])
        yield _gauge("live_streams", "Open live streams of this process.", [({}, here.hub.open_streams)])
        yield _gauge("kept_bytes", "Encoded tables and pictures in the memory of this process.", [({}, kept_bytes())])
        yield _gauge("store_writable", "Whether the store can be written to.", [({}, here.store.check())])
        yield _gauge("store_bytes_free", "Free bytes where the store is.", _free(here))
        yield from here.requests.collect()


def _runs(here: Context) -> Values:
    try:
        counts = here.store.runs.counts_of_all()
    except DatabaseAway:  # `store_writable` is 0 then
        return []
    return [({"state": state}, counts.get(state, 0)) for state in STATES]


def _free(here: Context) -> Values:
    try:
        return [({}, shutil.disk_usage(here.settings.store).free)]
    except OSError:  # the store's folder is away
        return []


def _gauge(name: str, text: str, values: Values) -> Metric:
    family = Metric(f"shadowtime_{name}", text, "gauge")
    for labels, value in values:
        family.add_sample(family.name, dict(labels), float(value))
    return family
