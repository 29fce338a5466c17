"""Files that are sent and workloads that are generated."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import answers, body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.uploads import check_length, received
from shadowtime.dashboard.components import workload_beside
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.sharing import profiles

blueprint = Blueprint("workloads", __name__)

QUESTION = ("generator", "parameters", "seed")


@blueprint.post("/api/workloads")
def add() -> tuple[Response, int]:
    """Keep a file (multipart `file`, `case`, `key`), several of a Slurm site (`file` each), or what a generator makes.

    Answers 201, or 200 when it is here already. The id of a table that is here with another choice of columns is
    `id#case`; 409 for one that is here with a choice, and comes without.
    """
    here = context()
    check_length(request, here.settings.max_upload, here.settings.store)
    here.pace.take(visitors.here().client)
    with here.turns.one():
        kept = _received(here)
    known = answers.workload(here.store.workloads.get(kept["digest"]))
    if reading := kept.get("reading"):
        known = {"id": f"{known['id']}#{reading['cases'][0]}", **reading}
    return jsonify(known), 201 if kept["is_new"] else 200


def _received(here: Context) -> dict[str, Any]:
    """Digest of what was sent or drawn, and whether it is new."""
    if request.mimetype == "multipart/form-data":
        with received(request, here.settings.max_upload, here.settings.store) as upload:
            values = {"path": upload.path, "name": upload.name, "case": upload.case, "key": upload.key}
            return here.intake.ask("add", **values, **({"others": upload.others} if upload.others else {}))
    if request.is_json:
        question = body.json_object(QUESTION, needed=("generator",))
        return here.intake.ask(
            "draw",
            generator=body.text(question, "generator"),
            parameters=body.mapping(question, "parameters"),
            seed=body.whole(question, "seed"),
        )
    raise Refusal(415, "Send a file as multipart/form-data, or a generator with its parameters as application/json.")


@blueprint.post("/api/workloads/columns")
def columns() -> Response:
    """How a table (multipart `file`, `case`) would be read: its columns, fields and first lines; nothing is kept."""
    here = context()
    if request.mimetype != "multipart/form-data":
        raise Refusal(415, "Send a table as multipart/form-data.")
    check_length(request, here.settings.max_upload, here.settings.store)
    here.pace.take(visitors.here().client)
    with here.turns.one(), received(request, here.settings.max_upload, here.settings.store) as upload:
        if upload.others:
            raise Refusal(400, "One file at a time.")
        return jsonify(here.intake.ask("columns", path=upload.path, name=upload.name, case=upload.case))


@blueprint.get("/api/workloads")
def listing() -> Response:
    """Stored workloads, newest first; `next` leads to those after them; ids of `damaged` ones."""
    workloads = context().store.workloads
    page = workloads.list(
        text=request.args.get("q", "")[:200],
        limit=body.parameter("limit", 50, 1, 200),
        after=request.args.get("after") or None,
    )
    return jsonify(
        workloads=[answers.workload(entry) for entry in page.rows], next=page.next, damaged=workloads.damaged()
    )


@blueprint.get("/api/workloads/<workload_id>")
def one(workload_id: str) -> Response:
    """What is known of a workload: kind, jobs, cases, machine, clock, histograms, and what its reader did."""
    return jsonify(answers.workload(context().store.workloads.get(workload_id)))


@blueprint.delete("/api/workloads/<workload_id>")
def forget(workload_id: str) -> tuple[str, int]:
    """Delete a workload; 409 while a run refers to it."""
    context().store.workloads.delete(workload_id)
    return "", 204


@blueprint.get("/api/workloads/profiles")
def profiled() -> Response:
    """The distribution of a quantity of the jobs of one to six `workloads`, on a scale that machines share.

    `values`, and the share of the jobs at or below each; `quantiles` at `shares_of_quantiles`; `rule` says how
    the scale is made. Of a workload with cases, the first.
    """
    ids = [text.strip() for text in request.args.get("workloads", "").split(",") if text.strip()]
    if not 1 <= len(set(ids)) == len(ids) <= profiles.MOST:
        raise Refusal(400, f"workloads must name 1 to {profiles.MOST} different workloads, but it names {len(ids)}.")
    of = request.args.get("of", next(iter(profiles.OF)))
    if of not in profiles.OF:
        raise Refusal(400, f"of = {of[:40]!r}, but it must be one of {', '.join(profiles.OF)}.")
    found = workload_beside.spread(context(), ids, of)
    return jsonify(of=of, rule=profiles.OF[of].rule, shares_of_quantiles=profiles.SHARES, workloads=found)
