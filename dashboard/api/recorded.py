"""The audit log of the web process: a record of every request that changes something, also of refused ones."""

from __future__ import annotations

from flask import Flask, Response, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.api.access import changes
from shadowtime.dashboard.api.measured import NOWHERE
from shadowtime.workers.audit import Audit, without_codes
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store

LONGEST = 200
"""Letters of a path that are recorded."""


def install(server: Flask, store: Store, settings: Settings) -> None:
    """Record the changes that `server` makes from now on."""
    audit = Audit(settings.audit or store.database)

    @server.after_request
    def record(response: Response) -> Response:
        if changes():
            visitor = visitors.here()
            audit.write(
                who=visitor.name,
                role=visitor.role,
                address=visitor.address,
                method=request.method,
                route=request.url_rule.rule if request.url_rule else NOWHERE,
                path=without_codes(request.path)[:LONGEST],
                status=response.status_code,
                **_made(response),
            )
        return response


def _made(response: Response) -> dict[str, str]:
    """The id of what the request is about, where the answer names one; several ids with commas between."""
    said = response.get_json(silent=True) if response.is_json else None
    if not isinstance(said, dict):
        return {}
    ids = [run.get("id") for run in said.get("runs") or [said]]
    return {"id": ",".join(ids)} if ids and all(isinstance(one, str) for one in ids) else {}
