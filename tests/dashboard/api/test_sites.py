"""The machines of a run on a heterogeneous site."""

from __future__ import annotations

from engine.workload import find_sample


def test_a_run_on_a_site_tells_its_machines(site):
    workload = site.upload(find_sample("bench3").content(), "bench3.json").json["id"]
    run = site.ask(workload=workload, algorithm="sjs").json["id"]

    known = site.client.get(f"/api/runs/{run}/site").json

    assert known["machines"] == ["fast", "old1", "old2"]
    assert known["classes"] == ["new", "old", "old"]
    assert known["clusters"] == [{"name": "pair", "machines": [1, 2]}]
    assert known["job_classes"][0] == "matvec"


def test_a_run_on_equal_machines_has_none(site, finished):
    answer = site.client.get(f"/api/runs/{finished}/site")

    assert answer.status_code == 404
    assert "alike" in answer.json["error"]
