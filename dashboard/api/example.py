"""POST /api/example: the comparison of the first page, as finished runs."""

from __future__ import annotations

import io

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.sharing import example, urls
from shadowtime.workers import submit
from shadowtime.workers.admission import limits_of

blueprint = Blueprint("example", __name__)


@blueprint.post("/api/example")
def run() -> tuple[Response, int]:
    """Queue the example of the first page under two schedulers: 202, or 200 when both runs are known.

    While no worker is ready, the runs are executed at once, without compiled code, before this answers.
    """
    here = context()
    here.pace.take(visitors.here().client)
    entry, _ = here.store.workloads.add(io.BytesIO(example.swf()), example.NAME)
    question = {"workload": entry.id, "algorithms": [{"algorithm": slug} for slug in example.ALGORITHMS]}
    asked = submit.questions(here.store, question)
    is_new = submit.admit_all(
        here.store, here.queue, asked, client=visitors.here().client, limits=limits_of(here.settings)
    )
    waiting = [spec.digest for spec, _ in asked if here.store.runs.get(spec.digest).status.is_unfinished]
    if waiting and not here.queue.health().workers:
        here.interpreter.execute(waiting)
    runs = tuple(spec.id for spec, _ in asked)
    url = urls.compare(urls.Comparison(runs=runs))
    return jsonify(runs=[{"id": run, "url": urls.run(run)} for run in runs], url=url), 202 if any(is_new) else 200
