"""Groups of the jobs of a run, as scripts get them."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def run(site):
    return site.finished_run()


def test_groups_of_a_run(site, run):
    found = site.client.get(f"/api/runs/{run}/groups?points=20").json

    assert (found["by"], found["known"]) == ("size_class", ["size_class", "area_class"])
    assert [line["group"] for line in found["groups"]] == ["1", "2–8", "9–32"]
    assert [line["jobs"] for line in found["groups"]] == [0, 3, 1]
    assert len(found["edges"]) == 21 and [len(line) for line in found["use"]] == [20, 20, 20]
    rows = site.client.get(f"/api/runs/{run}/groups.csv?by=area_class").text.splitlines()
    assert rows[0] == "area_class,jobs,ended,processor_seconds,share,mean_wait,mean_flow,mean_bounded_stretch"
    assert len(rows) == 5


def test_distributions_within_classes(site, run):
    found = site.client.get(f"/api/runs/{run}/classes?of=flow").json

    assert [(one["class"], one["jobs"]) for one in found["classes"]] == [("2–8", 3), ("9–32", 1)]
    assert found["classes"][1]["values"] == [109.0] and found["classes"][1]["shares"] == [1.0]


def test_a_run_that_goes_on_has_no_groups(site):
    waiting = site.ask(seed=3).json["id"]
    answer = site.client.get(f"/api/runs/{waiting}/groups")
    assert answer.status_code == 409 and "only finished runs have groups" in answer.json["error"]
