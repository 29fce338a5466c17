"""The audit log of the web process: a record of every request that changes something, also of refused ones.

`action` is the name of the route. Routes add what only they know by `visitors.note`: who signed in, to whom a new run
is visible.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.api.access import changes
from shadowtime.dashboard.api.measured import NOWHERE
from shadowtime.workers.audit import Audit, without_codes
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store

ALSO = frozenset({"sign-in.end"})
"""Endpoints that are opened by GET and change something all the same."""
LONGEST = 200
"""Letters of a path that are recorded."""


def install(server: Flask, store: Store, settings: Settings) -> None:
    """Record the changes that `server` makes from now on."""
    audit = Audit(settings.audit or store.database)

    @server.after_request
    def record(response: Response) -> Response:
        if changes() or (settings.oidc_issuer and request.endpoint in ALSO):
            visitor = visitors.here()
            known = {"who": visitor.name, **g.get("noted", {})}
            audit.write(
                **known,
                action=request.endpoint or NOWHERE,
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
