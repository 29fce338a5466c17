"""The machines of a run on a heterogeneous site for the viewer; and a site that is edited, in all its forms."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body, caching
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.viewer.machines import described
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.workers.store import Run, VisibleStore

FORMS = ("machines", "experience", "text", "workload", "sample")
PATIENCE = 60.0


def routes_of(store: VisibleStore, site_of: Callable[[Run], Site | None]) -> Blueprint:
    """The route over `store`; `site_of` a run is None where its machines are alike."""
    routes = Blueprint("sites", __name__)

    @routes.get("/api/runs/<run_id>/site")
    def site(run_id: str) -> ResponseReturnValue:
        """Machines by lane with their classes, clusters as lists of lanes, job classes in their order."""
        found = site_of(store.runs.get(run_id))
        if found is None:
            raise Refusal(404, "This run has no site: all its machines are alike.")
        response = jsonify(described(found))
        response.headers["Cache-Control"] = caching.FOR_A_DAY
        return response

    @routes.post("/api/sites")
    def forms() -> ResponseReturnValue:
        """A site in all its forms: as two tables, as JSON, and what it holds. Nothing is stored."""
        given = body.json_object(FORMS)
        for name in FORMS:
            body.text(given, name)
        forms = [name for name in FORMS[2:] if given.get(name) is not None]
        if len(forms) + any(given.get(name) is not None for name in FORMS[:2]) != 1:
            raise Refusal(400, f"A site is given as machines and experience, or as one of {', '.join(FORMS[2:])}.")
        return jsonify(context().intake.ask("site", timeout=PATIENCE, **given))

    return routes
