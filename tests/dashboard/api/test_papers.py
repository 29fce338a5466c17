"""Papers through the API: listed, read, recomputed, stopped."""

from __future__ import annotations

import io
import zipfile

from shadowtime.dashboard.papers import PAGES
from shadowtime.workers.papers.kept import shipped, study_of
from shadowtime.workers.records import schema

SMALLEST = "one-workload"
"""The paper with the fewest figures: an archive draws all of them."""


def test_every_paper_is_listed_at_both_scales(site):
    listed = site.client.get("/api/papers").json["papers"]

    assert [(one["name"], one["scale"]) for one in listed][:2] == [("measy", "quick"), ("measy", "full")]
    assert {one["name"] for one in listed} == set(PAGES)
    assert listed[0]["claims"]["holds"] > 0 and listed[0]["url"] == "/papers/measy?scale=quick"


def test_a_paper_has_its_result_and_its_figures_as_numbers(site):
    found = site.client.get("/api/papers/measy").json
    table = site.client.get("/api/papers/measy/figures.csv", query_string={"figure": found["figures"][0]})

    assert found["result"]["studies"][0]["claims"] and found["shipped"] is True
    assert table.mimetype == "text/csv" and table.text.startswith("panel,line,point,value,low,high\n")
    assert "measy-quick-improvement.csv" in table.headers["Content-Disposition"]


def test_files_for_authors_are_served_and_unknown_ones_refused(site):
    path = f"/api/papers/{SMALLEST}"
    served = site.client.get(f"{path}/files/methods.txt")
    figures = site.client.get(path).json["figures"]
    packed = zipfile.ZipFile(io.BytesIO(site.client.get(f"{path}/files/{SMALLEST}.zip").data))

    assert served.mimetype == "text/plain" and "Shadowtime" in served.text
    assert {f"{key}.{form}" for key in figures for form in ("svg", "pdf")} <= set(packed.namelist())
    assert site.client.get(f"{path}/files/{figures[0]}.pdf").data.startswith(b"%PDF")
    assert site.client.get(f"{path}/files/other.pdf").status_code == 404
    assert site.client.get(f"{path}/files/methods.txt?theme=pink").status_code == 400


def test_what_is_not_there_is_refused_in_a_sentence(site):
    for path, code in (
        ("/api/papers/nothing", 404),
        ("/api/papers/measy?scale=huge", 400),
        ("/api/papers/measy?result=mine", 400),
        ("/api/papers/measy/figures.csv?figure=nothing", 404),
    ):
        answer = site.client.get(path)
        assert answer.status_code == code and answer.json["error"]
    for scale in (["full"], {}, "", 0, False):
        assert site.client.post("/api/papers/measy", json={"scale": scale}).status_code == 400
    assert site.client.post("/api/papers/measy/cancel", json={}).status_code == 409
    assert site.client.post("/api/papers/measy/cancel").status_code == 409


def test_recomputing_is_accepted_once_on_disk_and_can_be_stopped(site):
    first = site.client.post("/api/papers/pjs", json={"scale": "quick"})
    again = site.client.post("/api/papers/pjs", json={"scale": "quick"})

    assert (first.status_code, again.status_code) == (202, 200)
    assert site.client.get("/api/papers/pjs").json["status"] == "queued"
    assert study_of(site.store.papers, "pjs", "quick").status().parts == 1
    assert site.client.post("/api/papers/pjs/cancel", json={}).json["status"] == "cancelled"


def test_a_damaged_result_is_named_and_recomputed(site):
    study = study_of(site.store.papers, "synchpack", "quick")
    study.finish(shipped("synchpack", "quick"))
    with site.store.database.write() as connection:
        connection.execute(schema.papers.update().where(schema.papers.c.name == "synchpack").values(result="{}"))
    found = site.client.get("/api/papers/synchpack").json

    assert (found["status"], found["damaged"], found["shipped"]) == ("damaged", [study.engine], True)
    assert "not what was written" in found["error"] and found["result"]["studies"]
    assert len(site.client.get("/api/papers").json["papers"]) == 2 * len(PAGES)
    assert site.client.post("/api/papers/synchpack/cancel", json={}).status_code == 409
    again = site.client.post("/api/papers/synchpack", json={"scale": "quick"})
    assert (again.status_code, again.json["status"], again.json["damaged"]) == (202, "queued", [])
