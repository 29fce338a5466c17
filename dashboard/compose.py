"""The composition root: everything that one web process shares is made here, once, and its routes are added."""

from __future__ import annotations

from typing import Any

from flask import Flask

from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.access.provider import Provider
from shadowtime.dashboard.api import (
    access,
    caching,
    catalogue,
    compare,
    errors,
    example,
    exports,
    groups,
    health,
    links,
    live,
    measured,
    metrics,
    notices,
    openapi,
    papers,
    pictures,
    preview,
    priority,
    queries,
    recorded,
    reports,
    runs,
    session,
    signing_in,
    sweeps,
    viewer,
    waits,
    workloads,
)
from shadowtime.dashboard.api.body_limit import BoundedRequest
from shadowtime.dashboard.api.hub import Hub
from shadowtime.dashboard.api.turns import Pace, Turns
from shadowtime.dashboard.components.so_far import SoFar
from shadowtime.dashboard.context import EXTENSION, Context
from shadowtime.dashboard.intake.desk import Intake
from shadowtime.dashboard.intake.understood import Understood
from shadowtime.dashboard.serving.cache import cache_of
from shadowtime.workers.interpreted import Interpreter
from shadowtime.workers.settings import Settings, environment_of
from shadowtime.workers.store import Store


def compose(server: Flask, store: Store, queue: Any, settings: Settings) -> Context:
    """Add /api, /healthz and /metrics to `server`; return what they and the pages work with.

    queue
        A `workers.queue.RunQueue`.
    """
    seen = Guarded(store)
    intake = Intake(
        {
            "SHADOWTIME_STORE": str(settings.store),
            "SHADOWTIME_DATABASE": settings.database,
            "SHADOWTIME_BLOBS": settings.blobs,
            "SHADOWTIME_BLOB_CACHE": str(settings.blob_cache),
            "REDIS_URL": settings.redis_url,
        }
    )
    context = Context(
        store=seen,
        queue=queue,
        settings=settings,
        cache=cache_of(server, queue.names, settings.redis_url if settings.derived == "redis" else None),
        so_far=SoFar(seen),
        intake=intake,
        understood=Understood(lambda question: intake.ask("ask", question=question)["runs"]),
        interpreter=Interpreter(environment_of(settings)),
        hub=Hub(lambda hub: live.listen(settings.redis_url, queue.names, hub)),
        requests=measured.install(server, with_lines=settings.log == "json"),
        pace=Pace(settings.max_uploads, "workloads"),
        turns=Turns(settings.max_uploads_site, "workloads are loading"),
    )
    server.extensions[EXTENSION] = context
    server.request_class = BoundedRequest
    server.json.sort_keys = False  # type: ignore[attr-defined]  # metrics stand in the order in which people read them
    caching.install(server)
    credentials = access.install(server, settings, store)
    recorded.install(server, store, settings)
    errors.install(server)
    queries.install(server)
    rooms = (
        catalogue, compare, example, exports, groups, health, links, live, metrics, notices, openapi, papers,
        preview, priority, reports, runs, sweeps, waits, workloads,
    )  # fmt: skip
    for room in rooms:
        server.register_blueprint(room.blueprint)
    server.register_blueprint(pictures.blueprint())
    server.register_blueprint(session.blueprint())
    provider = Provider(server, settings, credentials) if settings.oidc_issuer else None
    server.register_blueprint(signing_in.blueprint(provider))
    server.register_blueprint(viewer.blueprint(seen))
    return context
