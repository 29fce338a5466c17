"""Sending files and generators' questions."""

from __future__ import annotations

import gzip
import hashlib
import io

import pytest
from sqlalchemy import select

from shadowtime.workers.records import schema
from tests.conftest import FOUR_SWF
from tests.workers.spoiling import spoil_row

DIGEST = hashlib.sha256(FOUR_SWF.encode()).hexdigest()


def test_a_file_is_kept_and_the_same_bytes_are_found(site):
    first, again = site.upload(), site.upload(name="other.swf")

    assert first.status_code == 201
    assert first.json["id"] == DIGEST[:16] == "7551e48cece1b8a0"
    assert {key: first.json[key] for key in ("kind", "jobs", "cases")} == {"kind": "rigid", "jobs": 4, "cases": []}
    assert first.json["report"] == ["4 records, 4 jobs kept."]
    assert (again.status_code, again.json["id"], again.json["name"]) == (200, DIGEST[:16], "four.swf")


def test_an_archive_is_known_by_what_is_in_it(site):
    sent = site.upload(gzip.compress(FOUR_SWF.encode()), "four.swf.gz")

    assert sent.json["id"] == DIGEST[:16]


def test_a_name_is_never_a_path(site):
    sent = site.upload(FOUR_SWF + "; other bytes\n", "../../etc/pass\x07wd.swf")

    assert sent.json["name"] == "passwd.swf"


def test_a_generated_workload_is_kept(site):
    question = {"generator": "uniform", "parameters": {"jobs": 20}, "seed": 3}

    first, again = (site.client.post("/api/workloads", json=question) for _ in range(2))

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json["jobs"] == 20
    assert first.json["id"] == again.json["id"]
    assert first.json["source"]["seed"] == 3


def test_a_stored_workload_is_listed_and_looked_at(site):
    digest = site.upload().json["digest"]

    listed = site.client.get("/api/workloads?q=four").json

    assert digest in [entry["digest"] for entry in listed["workloads"]]
    for reference in (digest, digest[:16]):
        assert site.client.get(f"/api/workloads/{reference}").json["jobs"] == 4


def test_a_listing_goes_on_where_it_stopped(site):
    for seed in range(3):
        site.client.post("/api/workloads", json={"generator": "uniform", "parameters": {"jobs": 2}, "seed": seed})

    page = site.client.get("/api/workloads?limit=2").json
    rest = site.client.get("/api/workloads", query_string={"limit": 200, "after": page["next"]}).json

    ids = [entry["id"] for entry in page["workloads"] + rest["workloads"]]
    assert len(page["workloads"]) == 2
    assert len(ids) == len(set(ids)) >= 3
    assert rest["next"] is None


def test_a_damaged_workload_is_named_and_sent_again(site):
    digest = site.client.post("/api/workloads", json={"generator": "uniform", "seed": 77}).json["digest"]
    assert site.client.get("/api/workloads").json["damaged"] == []
    spoil_row(site.store, "workloads", digest, entry="{}")
    with site.store.database.read() as connection:
        asked = select(schema.workloads.c.source).where(schema.workloads.c.digest == digest)
        site.store.shelf.blobs.remove(connection.execute(asked).scalar_one())

    listed = site.client.get("/api/workloads").json
    refused = site.client.get(f"/api/workloads/{digest}")
    again = site.client.post("/api/workloads", json={"generator": "uniform", "seed": 77})

    assert listed["damaged"] == [digest[:16]] and digest not in [entry["digest"] for entry in listed["workloads"]]
    assert (refused.status_code, refused.json["error"]) == (
        409,
        f"workload {digest[:16]} is damaged: neither its facts nor its source is what was written "
        "(its file is missing); send it again",
    )
    assert again.status_code == 200 and site.client.get("/api/workloads").json["damaged"] == []


def test_a_workload_is_forgotten_unless_a_run_needs_it(site):
    run = site.ask().json["id"]
    needed = site.store.runs.get(run).spec.workload["digest"][:16]
    other = site.client.post("/api/workloads", json={"generator": "uniform", "seed": 99}).json["id"]

    assert site.client.delete(f"/api/workloads/{other}").status_code == 204
    assert site.client.get(f"/api/workloads/{other}").status_code == 404
    refused = site.client.delete(f"/api/workloads/{needed}")
    assert (refused.status_code, list(refused.json)) == (409, ["error"])


def test_refused_files_store_nothing(site):
    before = len(site.client.get("/api/workloads?limit=200").json["workloads"])
    packed = gzip.compress(FOUR_SWF.encode() * 50)
    bad = {
        "empty.swf": b"",
        "rubbish.swf": bytes(range(256)) * 20,
        "short.swf": b"1 2 3\n",
        "cut.swf.gz": packed[: len(packed) // 2],
        "no.json": b'{"kind": "allocation"}',
        "comments.swf": b"; MaxProcs: 10\n",
    }

    for name, content in bad.items():
        refused = site.upload(content, name)
        assert refused.status_code == 400, name
        assert list(refused.json) == ["error"]
        assert "\n" not in refused.json["error"]

    assert len(site.client.get("/api/workloads?limit=200").json["workloads"]) == before


def test_what_stands_beside_a_file_is_little(site):
    for more in ({f"{n}": "x" for n in range(20)}, {"note": "x" * 150_000}):
        refused = site.client.post("/api/workloads", data={"file": (io.BytesIO(b"x"), "a.swf"), **more})
        assert refused.status_code == 400 and "more beside the file" in refused.json["error"]


def test_a_file_beyond_the_limit_is_413(site):
    for length in (100_001, 300_000):
        refused = site.upload(b"; a comment\n" * (length // 12 + 1), "large.swf")

        assert refused.status_code == 413
        assert "100 kB" in refused.json["error"]


@pytest.mark.parametrize("path", ["/api/workloads", "/api/workloads/columns"])
def test_a_length_beyond_the_limit_is_413_also_where_the_disk_has_less_room(site, path):
    refused = site.client.post(
        path, content_type="multipart/form-data; boundary=b", environ_overrides={"CONTENT_LENGTH": "100000000000000000"}
    )

    assert refused.status_code == 413, refused.json


def test_a_body_that_tells_no_length_is_limited_too(site):
    boundary = b"--b\r\nContent-Disposition: form-data; name=file; filename=x.swf\r\n\r\n"
    body = io.BytesIO(boundary + b"; a comment\n" * 30_000 + b"\r\n--b--\r\n")

    refused = site.client.post(
        "/api/workloads",
        input_stream=body,
        content_type="multipart/form-data; boundary=b",
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    )

    assert refused.status_code == 413


def test_what_is_no_file_and_no_question_is_refused(site):
    post = site.client.post
    cases = [
        (415, post("/api/workloads", data=b"1 2 3", content_type="text/plain")),
        (415, post("/api/workloads")),
        (400, post("/api/workloads", data={"other": "x"}, content_type="multipart/form-data")),
        (400, post("/api/workloads", data=b"rubbish", content_type="multipart/form-data; boundary=b")),
        (400, post("/api/workloads", data=b"rubbish", content_type="multipart/form-data")),
        (400, post("/api/workloads", json={"generator": "lubin"})),
        (400, post("/api/workloads", json={"generator": "lublin", "parameters": {"jobs": -1}})),
        (400, post("/api/workloads", json={"generator": "lublin", "parameters": [1]})),
        (400, post("/api/workloads", json={"generator": 5})),
        (400, post("/api/workloads", json={"generator": "lublin", "seed": -1})),
        (400, post("/api/workloads", json={"generator": "lublin", "seed": True})),
        (400, post("/api/workloads", json={})),
        (400, post("/api/workloads", json={"generator": "lublin", "size": 4})),
        (400, post("/api/workloads", data=b"{", content_type="application/json")),
    ]

    for status, answer in cases:
        assert (answer.status_code, list(answer.json)) == (status, ["error"]), answer.json


def test_columns_of_a_table_are_chosen_when_it_is_sent(site):
    text, case = b"when,took,wide\n0,1,4\n60,2,2\n", "submit=when,runtime=took:minutes,size=wide"
    refused = site.upload(text, "odd.csv")
    shown = site.client.post("/api/workloads/columns", data={"file": (io.BytesIO(text), "odd.csv"), "case": case})
    sent = site.client.post("/api/workloads", data={"file": (io.BytesIO(text), "odd.csv"), "case": case})

    assert refused.status_code == 400 and "among when, took, wide; add #submit=NAME." in refused.json["error"]
    assert shown.json["fields"]["runtime"] == {"column": "took", "unit": "minutes"}
    assert (shown.json["missing"], shown.json["first"][1]) == ("", {"submit": 60.0, "runtime": 120.0, "size": 2.0})
    assert (sent.status_code, sent.json["jobs"], sent.json["cases"]) == (201, 2, [case])
    other = site.client.post("/api/workloads/columns", data={"file": (io.BytesIO(FOUR_SWF.encode()), "four.swf")})
    assert other.status_code == 400
    assert other.json["error"].startswith("four.swf is no table whose columns can be chosen: its format has columns")


def test_a_table_that_is_stored_with_another_choice_of_columns_is_read_as_it_is_sent(site):
    text = b"submit,runtime,cores\n0,1,4\n60,2,2\n"

    def send(**choice):
        return site.client.post("/api/workloads", data={"file": (io.BytesIO(text), "jobs.csv"), **choice})

    first, hours = send(case="runtime=runtime:minutes"), send(case="runtime=runtime:hours")
    assert (first.status_code, send(case="runtime=runtime:minutes").status_code) == (201, 200)
    name = first.json["id"]
    otherwise = hours.json["id"]
    assert (hours.status_code, otherwise) == (200, f"{name}#runtime=runtime:hours")
    assert (hours.json["source"]["case"], hours.json["report"]) != (first.json["source"]["case"], first.json["report"])
    assert send(case="runtime=runtime:minutes").json == first.json
    plain = send()
    assert plain.status_code == 409
    assert plain.json["error"].startswith(f"jobs.csv is stored already as {name}, read with 'runtime=runtime:minutes'")
    run = site.client.post(
        "/api/runs", json={"workload": otherwise, "algorithm": "fcfs", "platform": {"processors": 8}}
    )
    assert run.status_code == 202
    assert site.client.get(f"/api/runs/{run.json['id']}").json["workload"]["case"] == "runtime=runtime:hours"


def test_with_a_key_a_table_with_pseudonyms_is_kept_in_place_of_the_file(site):
    text = b"id,submit,runtime,cores,user,project,comment\n1,0,60,4,ann,secret,for ann\n2,5,60,4,bob,secret,x\n"
    sent = site.client.post("/api/workloads", data={"file": (io.BytesIO(text), "ann.csv"), "key": "0123456789"})
    short = site.client.post("/api/workloads", data={"file": (io.BytesIO(text), "ann.csv"), "key": "0123"})

    assert (sent.status_code, sent.json["jobs"]) == (201, 2)
    assert sent.json["name"] == f"pseudonyms-{sent.json['digest'][:8]}.csv"
    with site.store.workloads.open_source(sent.json["digest"]) as file:
        stored = file.read()
    assert stored.count(b"user-") == 2 and stored.count(b"account-") == 2
    for name in (b"ann", b"bob", b"secret", b"comment", b"0123456789"):
        assert name not in stored and name.decode() not in sent.get_data(as_text=True)
    assert (short.status_code, "needs at least 8" in short.json["error"]) == (400, True)
