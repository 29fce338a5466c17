"""Short links: made and opened by scripts, and their runs computed again."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from sqlalchemy import update

from shadowtime.workers import rerun
from shadowtime.workers.records import schema
from tests.dashboard.api.conftest import make_site


@pytest.fixture(scope="module")
def target(finished):
    return f"/runs/{finished}?v=1&from=0&to=200&job=2"


def made(site, target, **more):
    return site.client.post("/api/links", json={"target": target, **more})


def test_a_link_is_made_once_and_says_what_it_shows(site, finished, target):
    answer = made(site, target, title="Job 2 waits")

    assert answer.status_code == 201
    link = answer.json
    assert (link["url"], link["target"], link["title"]) == (f"/s/{link['code']}", target, "Job 2 waits")
    (run,) = link["runs"]
    assert (run["id"], run["status"], run["title"], run["jobs"]) == (finished, "finished", "EASY on four", 4)
    assert set(run["tables"]) == {"jobs", "segments", "events", "series", "rates", "bands"}
    assert run["metrics"]["makespan"] == 1110.0
    again = made(site, target, title="Job 2 waits")
    assert (again.status_code, again.json) == (200, link)
    assert site.client.get(f"/api/links/{link['code']}").json == link


def test_a_comparison_keeps_all_of_its_runs(site, finished):
    other = site.ask(algorithm="fcfs").json["id"]
    link = made(site, f"/compare?runs={finished},{other}&v=1&at=5").json

    assert [(run["id"], run["status"]) for run in link["runs"]] == [(finished, "finished"), (other, "queued")]
    assert link["runs"][1]["tables"] == {}


def test_a_link_to_a_link_is_the_link_itself(site, target):
    plain = made(site, target).json
    path, query = target.split("?")

    assert made(site, f"{path}?link={plain['code']}&{query}").json["code"] == plain["code"]


@pytest.mark.parametrize(
    ("question", "status", "sentence"),
    [
        ({}, 400, "target must be given"),
        ({"target": "/nowhere"}, 400, "is no page of this site"),
        ({"target": "/s/aaaaaaaa"}, 400, "is no page of this site"),
        ({"target": "https://elsewhere.example/runs"}, 400, "is no page of this site"),
        ({"target": "//elsewhere.example/runs"}, 400, ""),
        ({"target": "/runs/0000000000000000"}, 404, "no run '0000000000000000'"),
        ({"target": "/runs", "title": "x" * 200}, 400, "at most 120 characters"),
        ({"target": 5}, 400, "target must be a text"),
        ({"target": "/runs", "colour": "red"}, 400, "unknown key 'colour'"),
    ],
)
def test_a_wrong_link_is_refused_in_a_sentence(site, question, status, sentence):
    refused = site.client.post("/api/links", json=question)

    assert refused.status_code == status and sentence in refused.json["error"]


def test_a_revoked_link_is_unknown_also_where_its_row_is_damaged(site, target):
    code = made(site, target, title="revoked and damaged").json["code"]
    site.client.delete(f"/api/links/{code}")
    with site.store.database.write() as connection:
        connection.execute(update(schema.links).where(schema.links.c.code == code).values(title="x"))

    assert site.client.delete(f"/api/links/{code}").status_code == 404


def test_an_unknown_code_is_404(site):
    for path in ("/api/links/aaaaaaaa", "/api/links/AAAAAAAA", "/api/links/aaaaaaaa/rerun"):
        assert site.client.get(path).status_code == 404


def test_a_rerun_is_asked_for_and_compared(site, finished, target):
    code = made(site, target).json["code"]
    assert [run["status"] for run in site.client.get(f"/api/links/{code}/rerun").json["runs"]] == [None]

    asked = site.client.post(f"/api/links/{code}/rerun")
    assert asked.status_code == 202 and asked.json["url"] is None
    assert [(run["of"], run["title"], run["status"]) for run in asked.json["runs"]] == [
        (finished, "EASY on four", "queued")
    ]

    rerun.recompute(site.store, site.store.runs.get(finished).digest)  # what a worker does
    found = site.client.get(f"/api/links/{code}/rerun").json
    assert (found["runs"][0]["same"], found["runs"][0]["differs"], found["url"]) == (True, [], target)


def test_making_a_link_is_writing_and_opening_it_is_not(tmp_path):
    guarded = make_site(tmp_path, token="se cret")
    allowed = {"Authorization": "Bearer se cret"}
    link = guarded.client.post("/api/links", json={"target": "/runs"}, headers=allowed).json

    assert guarded.client.post("/api/links", json={"target": "/runs"}).status_code == 401
    assert guarded.client.post(f"/api/links/{link['code']}/rerun").status_code == 401
    assert guarded.client.get(f"/api/links/{link['code']}").status_code == 200
    guarded.close()


def pixels(message: bytes) -> np.ndarray:
    """The picture of a PNG that `dashboard.picture` wrote."""
    assert message[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, {}
    while at < len(message):
        size, kind = struct.unpack(">I4s", message[at : at + 8])
        content = message[at + 8 : at + 8 + size]
        assert struct.unpack(">I", message[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + content)
        found[kind] = content
        at += 12 + size
    width, height = struct.unpack(">II", found[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 3)


def test_a_picture_shows_the_jobs_of_the_window(site, finished):
    from shadowtime.dashboard.look import theme

    answer = site.client.get(f"/api/picture.png?runs={finished}")
    whole = pixels(answer.data)
    part = pixels(site.client.get(f"/api/picture.png?runs={finished}&from=100&to=110").data)

    assert (answer.content_type, whole.shape) == ("image/png", (630, 1200, 3))
    assert "max-age=86400" in answer.headers["Cache-Control"]
    hue = theme.rgb(theme.tokens(theme.LIGHT)[f"job-{theme.job_hue(3)}"])
    assert tuple(whole[200, 600]) == hue  # job 3, on lanes 0-3 from 110 to 1110
    assert tuple(whole[500, 600]) == theme.rgb(theme.tokens(theme.LIGHT)["surface"])
    assert tuple(part[315, 600]) == theme.rgb(theme.tokens(theme.LIGHT)[f"job-{theme.job_hue(2)}"])


def test_a_picture_is_refused_in_a_sentence(site):
    queued = site.ask(seed=77).json["id"]

    assert site.client.get("/api/picture.png").status_code == 400
    assert site.client.get("/api/picture.png?runs=../x").status_code == 400
    assert site.client.get("/api/picture.png?runs=0000000000000000").status_code == 404
    assert "is queued" in site.client.get(f"/api/picture.png?runs={queued}").json["error"]
