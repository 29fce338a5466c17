"""Serve a page with nothing but the viewer, over given runs: for benchmarks and for tests of the viewer."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask, send_from_directory
from werkzeug.serving import WSGIRequestHandler, make_server

from shadowtime.dashboard.access.security import protect
from shadowtime.dashboard.api import errors, viewer
from shadowtime.dashboard.bundles import AHEAD, STYLES, Bundles

ASSETS = Path(__file__).resolve().parent.parent / "assets"
VIEWER = "gantt/element.js"
"""The viewer without the live feed: it looks for news itself."""

ROOM = 640
"""CSS pixels that linked schedules share."""

PAGE = """<!doctype html>
<html lang="en" data-mantine-color-scheme="{scheme}">
<head><meta charset="utf-8"><title>viewer</title><link rel="icon" href="/assets/favicon.svg">{styles}{scripts}</head>
<body><div class="st-columns">
<main class="st-column"><div class="st-headline"><h1>{run}</h1></div>
{viewers}</main>
<aside class="st-aside"><section id="job-panel"></section></aside>
</div></body></html>"""


def app_of(store: Any, *, extra: str = "") -> Flask:
    """Return a server of `/runs/<id>` and of the viewer's data.

    `/runs/<id>,<id>` shows several, linked.
    """
    app = Flask(__name__, static_folder=None)
    protect(app)
    errors.install(app)
    app.register_blueprint(viewer.blueprint(store))

    bundles = Bundles(ASSETS, {AHEAD: (), VIEWER: (AHEAD,), "api/table-worker.js": ()})
    bundles.serve(app)

    @app.get("/assets/<path:name>")
    def assets(name: str):
        return send_from_directory(ASSETS, name)

    @app.get("/runs/<run_id>")
    def page(run_id: str):
        from flask import request

        script = "".join(f'<script defer src="{bundles.address(entry)}"></script>' for entry in (AHEAD, VIEWER))
        styles = f'<link rel="stylesheet" href="{bundles.address(STYLES)}">'
        scheme = request.args.get("scheme", "light")
        shown = run_id.split(",")
        more = extra if len(shown) == 1 else f'{extra} group="all" height="{ROOM // len(shown)}"'
        viewers = "".join(f'<shadowtime-gantt run="{one}"{more}></shadowtime-gantt>' for one in shown)
        return PAGE.format(scheme=scheme, styles=styles, scripts=script, run=run_id, viewers=viewers)

    return app


class _KeptAlive(WSGIRequestHandler):
    """Keep connections open, as the real server does."""

    protocol_version = "HTTP/1.1"


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[str]:
    """Yield the address of `app`, served by threads of this process until the block ends."""
    server = make_server("127.0.0.1", port, app, threaded=True, request_handler=_KeptAlive)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


class SeveralRuns:
    """A store of made-up runs."""

    def __init__(self, *known: OneRun):
        self.known = {run.id: run for run in known}
        self.runs = self
        self.workloads = known[0]

    def get(self, reference: str) -> OneRun:
        """Return the run of that id."""
        return self.known[reference[:16]]


class OneRun:
    """The part of a store that the viewer uses, for tables that were never simulated."""

    def __init__(
        self,
        tables: Mapping[str, Any],
        platform: Mapping[str, int],
        clock: Mapping[str, Any] | None = None,
        digit: str = "5",
    ):
        from shadowtime.workers.store import Status

        self.digest = digit * 64
        self.id = self.digest[:16]
        self.status = Status("finished")
        self.summary = None
        self.clock = clock
        self.tables = tables
        self.spec = _Spec(platform)
        self.runs = self.workloads = self

    def get(self, reference: str) -> Any:
        """Return the run, or (as a store of workloads) its workload: a rigid one."""
        return self if reference == self.id else _Entry(self.clock)

    def table(self, name: str) -> Any:
        """Return one of its four tables."""
        return self.tables[name]


class _Spec:
    def __init__(self, platform: Mapping[str, int]):
        self.platform = platform
        self.workload = {"digest": "6" * 64, "case": None}
        self.conversions: tuple = ()
        self.algorithm = "easy"


class _Entry:
    kind = "rigid"
    machine: Mapping[str, Any] = {}

    def __init__(self, clock: Mapping[str, Any] | None):
        self.clock = clock
