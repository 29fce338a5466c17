"""GET /api/picture.png: a small picture of a view, for previews of links."""

from __future__ import annotations

import math

import numpy as np
from flask import Blueprint, Response, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.body import check_window, seconds
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.kept import Kept
from shadowtime.dashboard.api.live import run_ids
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import Conflict
from shadowtime.workers.store import Run

MOST = 6
KEPT_BYTES = 16_000_000
"""Of pictures kept in memory: some 300."""
FOR_A_DAY = "public, max-age=86400"


def blueprint() -> Blueprint:
    """The route, with the pictures that were drawn last."""
    routes = Blueprint("pictures", __name__)
    kept = Kept(KEPT_BYTES)

    @routes.get("/api/picture.png")
    def picture() -> Response:
        """Finished runs under one another as a PNG of 1200 x 630: `runs`, and the window of a view.

        `from`, `to` and `nodes` are those of a link; `theme` is light or dark.
        """
        references = run_ids(request.args.get("runs", ""))
        if not 1 <= len(references) <= MOST:
            raise Refusal(400, f"runs must name one to {MOST} runs, with commas between.")
        runs = [context().store.runs.get(reference) for reference in references]
        for run in runs:
            if not run.status.is_finished:
                raise Conflict(f"run {run.id} is {run.status.status}; only a finished run has a picture")
        seconds("from"), seconds("to")
        view = urls.View.parse(request.query_string.decode("ascii", "replace"))
        if view.start is not None and view.end is not None:
            check_window(view.start, view.end)
        scheme = "dark" if request.args.get("theme") == "dark" else "light"
        key = ",".join(run.digest for run in runs)
        window = urls.View(view.start, view.end, view.nodes).query()
        response = Response(kept.of(key, f"{window} {scheme}", lambda: _drawn(runs, view, scheme)))
        response.content_type = "image/png"
        response.headers["Cache-Control"] = FOR_A_DAY
        return response

    return routes


def _drawn(runs: list[Run], view: urls.View, scheme: str) -> bytes:
    from shadowtime.dashboard.picture import Drawn, picture

    tables = [(run.table("jobs"), run.table("segments")) for run in runs]
    drawn = [
        Drawn(segments, jobs["job_id"], _lanes(run, segments))
        for run, (jobs, segments) in zip(runs, tables, strict=True)
    ]
    if view.start is None or view.end is None:
        begins = [float(jobs["release"].min(initial=math.inf)) for jobs, _ in tables]
        ends = [float(segments["end"].max(initial=-math.inf)) for _, segments in tables]
        start = min(begins) if math.isfinite(min(begins)) else 0.0
        window = (start, max(max(ends), start + 1.0))
    else:
        window = (view.start, view.end)
    most = max(one.lanes for one in drawn) - 1
    nodes = (min(view.nodes[0], most), min(view.nodes[1], most)) if view.nodes else None
    return picture(drawn, window, nodes, scheme)


def _lanes(run: Run, segments: dict[str, np.ndarray]) -> int:
    """Rows of the picture: where no processor beyond the nodes was used, nodes are lanes."""
    platform = run.spec.platform
    lanes = platform.get("processors") or platform.get("nodes", 1) * platform.get("cores_per_node", 1)
    used = int(segments["last"].max(initial=-1)) + 1
    return max(1, used if "nodes" in platform and used <= platform["nodes"] else max(int(lanes), used))
