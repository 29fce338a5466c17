"""The audit log, and what no log ever says."""

from __future__ import annotations

import io
import json
import logging
import stat

import pytest

from shadowtime.dashboard.api.access import READING
from shadowtime.dashboard.app import create_app
from shadowtime.workers import audit
from shadowtime.workers.audit import Audit, without_codes
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.dashboard.api.conftest import NO_REDIS, make_site
from tests.dashboard.test_doors import changing, routes

SECRET = "s3cret-t0ken-that-no-one-may-read"
CODE = "abcdefghijklmnop"
OF_SESSIONS = {"session.enter": 400, "session.leave": 204, "session.leave_one": 404, "session.leave_all": 204}
PROXY = {"user_header": "X-Forwarded-User", "proxies": ("127.0.0.1",), "editors": ("anna",)}


def lines(made):
    return [json.loads(line) for line in audit.lines(made.store.database, [])]


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Anna sends, queues and deletes; Carl, who may only read, tries to."""
    made = make_site(tmp_path_factory.mktemp("audited"), **PROXY)
    anna = {"X-Forwarded-User": "anna", "X-Forwarded-For": "192.0.2.7"}
    workload = made.upload(headers=anna).json["id"]
    run = made.client.post("/api/runs", json={"workload": workload, "algorithm": "easy"}, headers=anna).json["id"]
    made.client.get(f"/api/runs/{run}", headers=anna)
    made.client.post("/api/preview", json={"generator": "uniform"}, headers=anna)
    made.client.delete(f"/api/runs/{run}", headers={"X-Forwarded-User": "carl"})
    made.client.delete(f"/api/runs/{run}", headers=anna)
    yield made, workload, run
    made.close()


def test_every_change_says_who_did_what_when_and_from_where(asked):
    made, workload, run = asked
    entries = lines(made)

    assert [(line["who"], line["method"], line["path"], line["status"]) for line in entries] == [
        ("anna", "POST", "/api/workloads", 201),
        ("anna", "POST", "/api/runs", 202),
        ("carl", "DELETE", f"/api/runs/{run}", 403),
        ("anna", "DELETE", f"/api/runs/{run}", 409),
    ]
    assert [line.get("id") for line in entries] == [workload, run, None, None]
    assert (entries[0]["address"], entries[0]["role"], entries[2]["role"]) == ("192.0.2.7", "editor", "viewer")
    assert all(line["time"].endswith("Z") for line in entries)


def test_every_route_that_changes_something_is_told_of(tmp_path):
    settings = Settings(store=tmp_path / "store", redis_url=NO_REDIS, token=SECRET, audit=tmp_path / "who.jsonl")
    store = open_store(settings.store)
    server = create_app(store, open_queue(settings, store), settings).server
    client = server.test_client()
    expected = []
    for method, path, endpoint in changing(server):
        client.open(path, method=method)
        if endpoint not in READING:
            expected.append((method, OF_SESSIONS.get(endpoint, 401)))

    entries = [json.loads(line) for line in settings.audit.read_text().splitlines()]
    assert [(line["method"], line["status"]) for line in entries] == expected


def test_what_somebody_sends_is_one_line(tmp_path):
    path = tmp_path / "audit.jsonl"
    Audit(path).write(who="anna", path='/x\n{"who": "ben"}')
    Audit(path).write(who="carl")

    assert [json.loads(line)["who"] for line in path.read_text().splitlines()] == ["anna", "carl"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "no one else on the machine reads it"


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path, caplog):
    made = make_site(tmp_path / "store", audit=tmp_path / "missing" / "audit.jsonl")

    assert made.client.delete("/api/runs/0123456789abcdef").status_code == 404
    assert "audit" in caplog.text
    made.close()


def test_an_entry_that_the_database_does_not_take_stops_nobody(tmp_path, caplog):
    with make_site(tmp_path / "store") as made:
        with made.store.database.write() as connection:
            connection.exec_driver_sql("DROP TABLE audit")

        assert made.client.delete("/api/runs/0123456789abcdef").status_code == 404
        assert "the audit log in the database was not written to" in caplog.text


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/s/abcdefghijkl", "/s/abcd…"),
        ("/s/abcdefghijkl/", "/s/abcd…/"),
        ("/api/links/abcdefghijkl/rerun", "/api/links/abcd…/rerun"),
        ("/api/notices/abcdefghijklmnop", "/api/notices/abcd…"),
        ("/api/links", "/api/links"),
        ("/api/runs/0123456789abcdef", "/api/runs/0123456789abcdef"),
    ],
)
def test_of_a_link_only_the_beginning_is_told(path, logged):
    assert without_codes(path) == logged


def test_no_log_says_a_token_a_cookie_or_a_link(tmp_path, caplog, capfd):
    settings = Settings(store=tmp_path, redis_url=f"redis://:{SECRET}@127.0.0.1:7299/0", token=SECRET, log="json")
    caplog.set_level(logging.DEBUG)
    store = open_store(settings.store)
    server = create_app(store, open_queue(settings, store), settings).server
    server.config["PROPAGATE_EXCEPTIONS"] = False
    by_header, by_cookie, wrong = server.test_client(), server.test_client(), server.test_client()
    by_cookie.post("/api/session", json={"token": SECRET})
    cookie = by_cookie.get_cookie(f"shadowtime-{store.identity}").value
    file = {"file": (io.BytesIO(SECRET.encode()), f"{SECRET}.swf")}
    by_header.post("/api/workloads", data=file, headers={"Authorization": f"Bearer {SECRET}"})
    for method, path, _ in routes(server):
        path = path.replace("abcdefgh", CODE)
        if path == "/api/live":
            continue
        by_header.open(path, method=method, headers={"Authorization": f"Bearer {SECRET}"})
        by_cookie.open(path, method=method, query_string={"token": SECRET})
        wrong.open(path, method=method, headers={"Authorization": f"Bearer {SECRET}x", "Cookie": f"a={SECRET}"})
    server.extensions["shadowtime"].intake.close()

    said = caplog.text + "".join(str(getattr(record, "fields", "")) for record in caplog.records)
    said += "".join(capfd.readouterr()) + "".join(audit.lines(store.database, []))
    assert len(said) > 1000
    assert SECRET not in said and cookie not in said
    assert CODE not in said
