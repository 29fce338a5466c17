"""The whole site behind a proxy that names its users: Anna and Ben write, everybody else reads."""

from __future__ import annotations

from shadowtime.dashboard.app import create_app
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.dashboard.api.conftest import NO_REDIS, Site

NAMED = {"user_header": "X-Forwarded-User", "proxies": ("127.0.0.1",), "editors": ("anna", "ben")}


def make(folder, **settings) -> Site:
    """The whole site, pages too."""
    chosen = Settings(store=folder, redis_url=NO_REDIS, **settings)
    store = open_store(folder)
    server = create_app(store, open_queue(chosen, store), chosen).server
    server.testing = True
    return Site(server, server.test_client(), store)


def named_site(folder) -> Site:
    """As Anna sees it."""
    made = make(folder, **NAMED)
    made.client.environ_base["HTTP_X_FORWARDED_USER"] = "anna"
    return made


def as_ben(named, path, method="GET", **more):
    return named.client.open(path, method=method, environ_overrides={"HTTP_X_FORWARDED_USER": "ben"}, **more)


def asked_of(server, run):
    """Every route that names a run, with that run in it."""
    for rule in server.url_map.iter_rules():
        if "run_id" in rule.arguments:
            for method in sorted(rule.methods - {"OPTIONS", "HEAD"}):
                yield method, rule.rule.replace("<run_id>", run)


def callback(path, query=""):
    """What a browser asks for the page at an address."""
    return {
        "output": "..page.children...title.data...page-name.data..",
        "outputs": [
            {"id": "page", "property": "children"},
            {"id": "title", "property": "data"},
            {"id": "page-name", "property": "data"},
        ],
        "inputs": [
            {"id": "url", "property": "pathname", "value": path},
            {"id": "kept-form", "property": "data", "value": ""},
        ],
        "state": [{"id": "url", "property": "search", "value": query}],
        "changedPropIds": ["url.pathname"],
    }
