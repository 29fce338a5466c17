"""The web process: the API and the pages on one Flask server, made by a function, without globals.

gunicorn -c python:shadowtime.dashboard.serving.gunicorn 'shadowtime.dashboard.app:server()'
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dash import Dash, Input, Output, State
from dash.exceptions import DependencyException
from flask import Flask, Response, redirect, request

from shadowtime.dashboard import manual
from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.security import hashed, protect
from shadowtime.dashboard.components import algorithm_callbacks, as_json, chart, group_callbacks, health, search
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.first_view import first_view
from shadowtime.dashboard.components.frame import frame
from shadowtime.dashboard.compose import compose
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.pages import (
    algorithm,
    algorithms,
    compare,
    experiment,
    experiment_new,
    experiments,
    fidelity,
    glossary,
    links,
    new,
    paper,
    papers,
    run,
    runs,
    sessions,
    shared_link,
    sites,
    unknown,
    waits,
    workload,
)
from shadowtime.dashboard.serving.existence import exists
from shadowtime.dashboard.serving.site import Site
from shadowtime.dashboard.sharing import previews, shared, urls
from shadowtime.workers.errors import Damaged
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, store_of

ASSETS = Path(__file__).resolve().parent.parent / "assets"
PAGES = {
    "new": new,
    "runs": runs,
    "run": run,
    "compare": compare,
    "waits": waits,
    "fidelity": fidelity,
    "glossary": glossary,
    "workload": workload,
    "links": links,
    "sessions": sessions,
    "shared": shared_link,
    "algorithms": algorithms,
    "algorithm": algorithm,
    "sites": sites,
    "experiments": experiments,
    "experiment_new": experiment_new,
    "experiment": experiment,
    "papers": papers,
    "paper": paper,
    "unknown": unknown,
}

callbacks = Callbacks()

SCHEME = (
    "var s;try{s=localStorage.getItem('mantine-color-scheme-value')}catch{}"  # a frame may have no storage
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)"
)
"""Sets the theme before the first paint; Mantine reads the same key. The content policy admits it by its hash."""

INDEX = f"""<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
<head>
{{%metas%}}
<title>{{%title%}}</title>
<script>{SCHEME}</script>
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
{{%css%}}
</head>
<body>
{{%app_entry%}}
<footer>{{%config%}}{{%scripts%}}{{%renderer%}}</footer>
</body>
</html>
"""


def create_app(store: Store, queue: Any, settings: Settings | None = None) -> Dash:
    """The whole site on `store` and `queue`; `app.server` is the Flask server."""
    settings = settings or Settings()
    app = Site(
        "dashboard",
        server=Flask("dashboard", static_folder=None),
        assets_folder=str(ASSETS),
        include_assets_files=False,
        index_string=INDEX,
        title="Shadowtime",
        update_title=None,
        suppress_callback_exceptions=True,
        meta_tags=[{"name": "viewport", "content": "width=device-width, initial-scale=1"}],
    )
    as_json.install()
    context = compose(app.server, store, queue, settings)
    app.layout = frame
    for part in (algorithm_callbacks, chart, group_callbacks, health, search, *PAGES.values()):
        if hasattr(part, "callbacks"):
            part.callbacks.register(app, context)
    callbacks.register(app, context)
    app.bundles.serve(app.server)
    app.server.register_blueprint(manual.blueprint())
    app.server.add_url_rule("/favicon.ico", "favicon", lambda: redirect("/assets/favicon.svg"))  # what browsers ask for
    app.server.register_error_handler(DependencyException, no_file)
    app.preview = lambda: previews.preview(context, *address()) if visitors.may_read() else None
    app.first_view = lambda: first_view(context, *address()) if visitors.may_read() else ""
    app.exists = lambda: not visitors.may_read() or exists(context, *address())
    shared.register(app.server, context.store, app.index)
    protect(
        app.server,
        lambda: [hashed(SCHEME), *app.csp_hashes()],
        lambda: settings.embed_origins if may_be_framed(context, *address()) else (),
    )
    return app


def no_file(_: DependencyException) -> Response:
    """A file of Dash's that is not there: 404, where Dash would answer 500."""
    return Response("There is no such file here.", 404, mimetype="text/plain")


def may_be_framed(context: Context, path: str, query: str) -> bool:
    """Return whether pages of other sites may show the page at an address in a frame: not where a run is private."""
    if not context.settings.embed_origins or not urls.is_embedded(path, query):
        return False
    try:
        return not any(one.is_private for one in context.store.runs.get_all(shared.runs_of(f"{path}?{query}")))
    except (Damaged, OSError):  # what cannot be read may be private
        return False


def address() -> tuple[str, str]:
    """Path and query of the requested page."""
    return request.path, request.query_string.decode("ascii", "replace")


def server() -> Flask:
    """What gunicorn serves: the site on the store and the queue of the environment."""
    from shadowtime.engine.registry import families
    from shadowtime.workers import laboratory
    from shadowtime.workers.queue import open_queue

    families()  # a plug-in that cannot be loaded ends the process before it serves
    settings = Settings.from_environment()
    store = store_of(settings)
    laboratory.require_blobs(store, settings)
    return create_app(store, open_queue(settings, store), settings).server


callbacks.browser(
    "keptForm", Output("kept-form", "data"), Input("url", "pathname"), State("url", "search"), waits=False
)


@callbacks(
    Output("page", "children"),
    Output("title", "data"),
    Output("page-name", "data"),
    Input("url", "pathname"),
    Input("kept-form", "data"),
    State("url", "search"),
    waits=False,
)
def show(context: Context, pathname: str | None, kept: str | None, search: str | None) -> tuple[Any, str, str]:
    """The page behind the address, its title and its name; kept: the form of a new run as this tab left it."""
    shown, name = page(context, pathname, search, kept)
    return shown.children, shown.title, shown.page or name


def page(context: Context, pathname: str | None, query: str | None, kept: str | None = None) -> tuple[Shown, str]:
    """The page behind an address, and its name."""
    place = urls.place(pathname)
    asked = urls.query(query)
    if kept and place.page == "new":
        asked = {**asked, "form": kept}
    return PAGES[place.page].layout(context, place.item, asked), place.page
