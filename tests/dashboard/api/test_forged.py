"""Runs whose records are not those of their id: never shown, whatever route or page asks for them."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import delete, insert, select

from shadowtime.workers.records import schema
from shadowtime.workers.records.checksum import sealed
from shadowtime.workers.records.database import rows
from tests.dashboard.api.named import asked_of, callback, make

FORGED = "f" * 64


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with make(tmp_path_factory.mktemp("store"), max_uploads=0) as made:
        yield made


@pytest.fixture(scope="module")
def genuine(site):
    run = site.ask().json["id"]
    site.finish(run)
    return run


def put(site, genuine, spec=None):
    """A copy of the genuine run under another id, with checksums that are right, and perhaps another question."""
    database = site.store.database
    with database.write() as connection:
        for table in (schema.runs, schema.results):
            (row,) = rows(connection, select(table).where(table.c.digest.startswith(genuine)))
            changed = {**row, "digest": FORGED, **({"spec": spec(row["spec"])} if spec and "spec" in row else {})}
            connection.execute(insert(table).values(sealed(table, changed)))


FORGERIES = {
    "a copy": None,
    "another question": lambda text: json.dumps({**json.loads(text), "seed": 9}),
    "canonical": lambda text: text.replace('"seed":0', '"seed":9'),
}


@pytest.fixture(params=FORGERIES)
def forged(site, genuine, request):
    """A run that a person put into the database under an id of their choice."""
    put(site, genuine, FORGERIES[request.param])
    yield FORGED
    with site.store.database.write() as connection:
        connection.execute(delete(schema.runs).where(schema.runs.c.digest == FORGED))


def query_of(path: str) -> str:
    return "?format=evalys" if path.endswith("/export") else ""


def test_no_route_shows_it(site, genuine, forged):
    reading = [path for run in (forged, forged[:16]) for method, path in asked_of(site.server, run) if method == "GET"]
    shown = [path for path in reading if site.client.get(path + query_of(path)).status_code not in (404, 409)]

    assert len(reading) > 40 and shown == []


def test_no_list_page_picture_or_comparison_does(site, genuine, forged):
    listed = [one["id"] for one in site.client.get("/api/runs").json["runs"]]
    ids = site.client.get(f"/api/runs?ids={forged},{genuine}").json["runs"]
    page = site.client.post("/_dash-update-component", json=callback(f"/runs/{forged}")).json["response"]
    first = site.client.get(f"/runs/{forged}").text

    assert forged[:16] not in listed and [one["id"] for one in ids] == [genuine]
    assert site.client.get(f"/api/picture.png?runs={forged}").status_code in (404, 409)
    assert site.client.get(f"/api/compare?runs={genuine},{forged}").status_code in (404, 409)
    assert site.client.post("/api/links", json={"target": f"/runs/{forged}"}).status_code in (404, 409)
    assert "EASY on" not in json.dumps(page) and "EASY on" not in first


@pytest.mark.parametrize("name", ["0" * 63, "0" * 65, "F" * 64, "g" * 64, "..", "%2e%2e", "0" * 16 + "\n", "０" * 16])
def test_what_is_no_id_is_none(site, genuine, name):
    for method, path in asked_of(site.server, name):
        assert site.client.open(path + query_of(path), method=method).status_code in (404, 405)


def test_asking_the_genuine_question_gives_the_genuine_run(site, genuine, forged):
    answer = site.ask()

    assert (answer.status_code, answer.json["id"]) == (200, genuine)
    assert site.client.get(f"/api/runs/{genuine}/jobs.csv").status_code == 200
