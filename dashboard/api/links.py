"""Short links: made, looked up, and their runs computed again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.components import naming
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers import rerun
from shadowtime.workers.admission import limits_of
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.links import Link, LinkedRun

blueprint = Blueprint("links", __name__)


@blueprint.post("/api/links")
def make() -> tuple[Response, int]:
    """A short, permanent link to a page with its view: 201; the same again is found: 200.

    `target` is a path of this site with its query, as the address bar has it; `title` is optional.
    """
    asked = body.json_object(("target", "title"), needed=("target",))
    link, is_new = shared.make(context().store, body.text(asked, "target") or "", body.text(asked, "title") or "")
    visible_to = "who has the link" if link.is_secret else "public"
    visitors.note(visibility=visible_to, runs=",".join(kept.id for kept in link.runs))
    return jsonify(described(link)), 201 if is_new else 200


@blueprint.get("/api/links")
def listing() -> Response:
    """Return the links that the visitor may revoke, newest first: their own, those to runs of their groups, and those
    without a known owner."""
    return jsonify(links=[described(link) for link in context().store.links.mine()])


@blueprint.delete("/api/links/<code>")
def revoke(code: str) -> tuple[str, int]:
    """Revoke a link: 204. Only its owner may, and members of the group whose runs it opens."""
    context().store.links.revoke(code)
    return "", 204


@blueprint.get("/api/links/<code>")
def one(code: str) -> Response:
    """What a link stands for, and the runs that it shows, also those that were deleted since."""
    return jsonify(described(context().store.links.read(code)))


@blueprint.post("/api/links/<code>/rerun")
def again(code: str) -> tuple[Response, int]:
    """Have the runs of a link computed again by today's engine: 202; 403 unless private ones are the visitor's or of
    their groups. What is stored stays as it is."""
    here = context()
    link = here.store.links.read(code)
    visitor, limits = visitors.here(), limits_of(here.settings)
    owners = [here.store.links.owner_to_rerun(kept) for kept in link.runs]
    for kept, owner in zip(link.runs, owners, strict=True):
        rerun.request(here.store, here.queue, kept, client=visitor.client, limits=limits, owner=owner)
    return jsonify(compared(link)), 202


@blueprint.get("/api/links/<code>/rerun")
def looked(code: str) -> Response:
    """How the re-run of a link's runs stands: `same` is true where every table is the same to the last bit."""
    return jsonify(compared(context().store.links.read(code)))


def described(link: Link) -> dict[str, Any]:
    """A link in an answer."""
    return {
        "code": link.code,
        "url": urls.shared(link.code),
        "target": link.target,
        "title": link.title,
        "made": link.made,
        "private": link.is_secret,
        "damaged": link.is_damaged,
        "runs": [_run(kept) for kept in link.runs],
    }


def _run(kept: LinkedRun) -> dict[str, Any]:
    store, spec = context().store, kept.question
    try:
        status = store.runs.get(kept.id).status.status
    except NotFound:
        status = "deleted"
    return {
        "id": kept.id, "status": status, "title": _title(kept), "algorithm": spec.algorithm, "jobs": kept.jobs,
        "metrics": dict(kept.metrics), "tables": dict(kept.tables), "engine_version": spec.engine_version,
    }  # fmt: skip


def _title(kept: LinkedRun) -> str:
    spec = kept.question
    return f"{naming.run_words(spec)} on {naming.workload_words(context().store, spec)}"


def compared(link: Link) -> dict[str, Any]:
    """How the re-runs stand; `url` is the view of them, once all are there."""
    here = context()
    answers = [(kept, rerun.answer_of(here.store, here.queue, kept)) for kept in link.runs]
    ids = {kept.id: answer.id for kept, answer in answers}
    is_there = all(answer.status == "finished" for _, answer in answers)
    return {
        "code": link.code,
        "url": shared.renamed(link.target, ids) if is_there else None,
        "runs": [
            {"of": kept.id, "title": _title(kept), **asdict(answer), "differs": list(answer.differs)}
            for kept, answer in answers
        ],
    }
