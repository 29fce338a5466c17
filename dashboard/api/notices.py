"""Notices: who is notified by a webhook or e-mail when a run or a sweep ends."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.guard import NOT_READ
from shadowtime.dashboard.access.notices import refuse_ended
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body, routes
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.notices.address import is_webhook
from shadowtime.workers.records.notices import RUN, SWEEP, Notice

blueprint = Blueprint("notices", __name__)


@blueprint.delete("/api/notices/<code>")
def withdraw(code: str) -> tuple[str, int]:
    """Withdraw a notice: 204. Only its owner may."""
    context().store.notices.withdraw(code)
    return "", 204


def _listing(kind: str, **named: str) -> Response:
    one = _subject(kind, *named.values())
    settings = context().settings
    return jsonify(
        notices=[described(known) for known in context().store.notices.of(one.digest)],
        webhooks=bool(settings.notice_secret),
        mail=bool(settings.notice_smtp),
    )


def _ask(kind: str, **named: str) -> tuple[Response, int]:
    here = context()
    one = _subject(kind, *named.values())
    if kind == RUN:
        here.store.runs.check_change(one.digest)  # before the body is read
        if one.is_private and not visitors.may_read():
            raise Refusal(403, NOT_READ)
    asked = body.json_object(("address",), needed=("address",))
    refuse_ended(kind, one.id, one.status.status, is_unfinished=one.status.is_unfinished)
    page = urls.run(one.id) if kind == RUN else urls.experiment(one.id)
    address = body.text(asked, "address") or ""
    link = f"{_site()}{page}" if is_webhook(address) or visitors.has_known_host() else ""
    made, is_new = here.store.notices.ask(here.settings, kind, one.digest, address, link)
    return jsonify(described(made)), 201 if is_new else 200


for _kind, _folder, _argument in ((RUN, "runs", "run_id"), (SWEEP, "sweeps", "sweep_id")):
    _path = f"/api/{_folder}/<{_argument}>/notices"
    routes.add(
        blueprint, _path, f"of_{_kind}",
        f"Return the visitor's notices of a {_kind}, and whether this server sends webhooks and e-mail.",
        _listing, _kind,
    )  # fmt: skip
    routes.add(
        blueprint, _path, f"ask_{_kind}",
        f"Ask for a notice when a {_kind} ends: 201; the same again is found: 200; 409 for one that has ended.",
        _ask, _kind, method="POST",
    )  # fmt: skip


def described(notice: Notice) -> dict[str, Any]:
    """A notice in an answer."""
    names = ("code", "address", "state", "made", "tries", "error")
    due = notice.due if notice.tries and notice.state == "waiting" else None
    return {**{name: getattr(notice, name) for name in names}, "due": due}


def _subject(kind: str, reference: str) -> Any:
    store = context().store
    return store.runs.get(reference) if kind == RUN else store.sweeps.get(reference)


def _site() -> str:
    """The address of this site as the visitor reached it; a page of ours names it with the scheme of its proxy."""
    return request.headers.get("Origin", "").rstrip("/") or visitors.origin()
