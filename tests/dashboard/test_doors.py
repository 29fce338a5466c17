"""Every route of the whole site, as it stands: none can forget the doors."""

from __future__ import annotations

import re

import pytest

from shadowtime.dashboard.api.access import FREE, READING, SAFE
from shadowtime.dashboard.app import create_app
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.dashboard.api.conftest import NO_REDIS

SAMPLE = {"code": "abcdefgh", "name": "measy", "path": "x", "filename": "x", "package_name": "dash"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = Settings(store=tmp_path_factory.mktemp("store"), redis_url=NO_REDIS, token="se cret")
    store = open_store(settings.store)
    made = create_app(store, open_queue(settings, store), settings).server
    yield made
    made.extensions["shadowtime"].intake.close()


def routes(server):
    """Method, path with something in its places, and endpoint."""
    for rule in server.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda place: SAMPLE.get(place[1], "0123456789abcdef"), rule.rule)
        for method in sorted(rule.methods - {"OPTIONS", "HEAD"}):
            yield method, path, rule.endpoint


def changing(server):
    return [route for route in routes(server) if route[0] not in SAFE]


def test_there_are_routes_to_be_guarded(server):
    assert len(changing(server)) >= 19
    assert {endpoint for _, _, endpoint in changing(server)} >= READING


def test_no_route_is_open_to_a_page_of_another_site(server):
    client = server.test_client()
    assert client.post("/api/session", json={"token": "se cret"}).status_code == 200
    let_in = [
        f"{method} {path}"
        for method, path, _ in changing(server)
        for said in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"})
        if client.open(path, method=method, headers=said).status_code != 403
    ]

    assert let_in == []


def test_no_route_that_changes_something_is_open_to_a_viewer(server):
    client = server.test_client()
    let_in = [
        f"{method} {path}"
        for method, path, endpoint in changing(server)
        if endpoint not in READING | FREE and client.open(path, method=method).status_code != 401
    ]

    assert let_in == []


def test_reading_changes_nothing_that_is_kept(server):
    root = server.extensions["shadowtime"].settings.store

    def kept():
        beside = ("index.sqlite", "probe")  # what is written to find out whether there is room
        return {path: path.stat().st_mtime_ns for path in root.rglob("*") if not path.name.startswith(beside)}

    before, client = kept(), server.test_client()
    for method, path, endpoint in routes(server):
        if (method in SAFE or endpoint in READING) and path != "/api/live":
            client.open(path, method=method)

    assert kept() == before


def test_no_route_answers_to_a_name_that_is_not_ours(server):
    client = server.test_client()
    let_in = [
        f"{method} {path}"
        for method, path, _ in routes(server)
        if client.open(path, method=method, headers={"Host": "evil.example"}).status_code != 403
    ]

    assert let_in == []


def test_every_answer_keeps_to_the_content_policy(server):
    client = server.test_client()
    loose = []
    for method, path, _ in routes(server):
        if path == "/api/live":
            continue
        policy = client.open(path, method=method).headers.get("Content-Security-Policy", "")
        rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
        if "unsafe" in rules.get("script-src", "unsafe") or "unsafe-eval" in policy or rules["object-src"] != "'none'":
            loose.append(f"{method} {path}")

    assert loose == []
