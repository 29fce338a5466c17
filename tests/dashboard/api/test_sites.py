"""The machines of a run on a heterogeneous site."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.api.viewer_schemas import SCHEMAS
from shadowtime.engine.workload.samples import find_sample
from tests.dashboard.api.test_openapi import fits


def test_a_run_on_a_site_tells_its_machines(site):
    workload = site.upload(find_sample("bench3").content(), "bench3.json").json["id"]
    run = site.ask(workload=workload, algorithm="sjs").json["id"]

    known = site.client.get(f"/api/runs/{run}/site").json

    assert known["machines"] == ["fast", "old1", "old2"]
    assert known["classes"] == ["new", "old", "old"]
    assert known["clusters"] == [{"name": "pair", "machines": [1, 2]}]
    assert known["job_classes"][0] == "matvec"
    assert fits(known, SCHEMAS["Machines"], {})


def test_a_run_on_equal_machines_has_none(site, finished):
    answer = site.client.get(f"/api/runs/{finished}/site")

    assert answer.status_code == 404
    assert "alike" in answer.json["error"]


MACHINES = "machine;class;cluster\na1;u2;west\na2;u2;west\nb1;p2;\n"
EXPERIENCE = "job_class\tresource\tmean\nmatvec\tu2\t80\nmatvec\twest\t22\nstats\tb1\t76.5\n"


def forms(site, **given):
    return site.client.post("/api/sites", json=given)


def test_two_pasted_tables_are_a_site_in_all_its_forms(site):
    known = forms(site, machines=MACHINES, experience=EXPERIENCE).json

    assert known["facts"] == {"machines": 3, "classes": 2, "clusters": 1, "job_classes": 2, "outages": 0}
    assert known["times"] == {
        "job_classes": ["matvec", "stats"],
        "rows": [
            {"name": "u2", "machines": 2, "cluster": False, "least": [80.0, None]},
            {"name": "p2", "machines": 1, "cluster": False, "least": [None, 76.5]},
            {"name": "west", "machines": 2, "cluster": True, "least": [22.0, None]},
        ],
    }
    again = forms(site, text=json.dumps(known["site"])).json
    assert again == known
    assert forms(site, machines=known["machines"], experience=known["experience"]).json == known


def test_the_site_of_a_stored_workload_can_be_edited(site):
    made = forms(site, machines=MACHINES, experience=EXPERIENCE).json["site"]
    workload = site.upload(json.dumps(made), "mine.json").json["id"]

    assert forms(site, workload=workload).json["site"] == made
    assert forms(site, workload=f"{workload}#7").json["site"] == made


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "machines and experience"),
        ({"machines": "a,b\n1,2\n", "experience": EXPERIENCE}, "has no column machine"),
        ({"machines": MACHINES, "experience": EXPERIENCE.replace("76.5", "soon")}, "row 4: mean is 'soon'"),
        ({"text": "{"}, "no JSON"),
        ({"text": "[1]"}, "JSON object"),
        ({"sample": "four"}, "no site"),
        ({"machines": 3}, "must be a text"),
        ({"sample": "bench3", "text": "{}"}, "or as one of text, workload, sample"),
        ({"machines": MACHINES, "experience": EXPERIENCE, "sample": "bench3"}, "or as one of text, workload, sample"),
    ],
)
def test_what_is_no_site_is_refused_in_a_sentence(site, given, sentence):
    answer = forms(site, **given)

    assert answer.status_code == 400
    assert sentence in answer.json["error"]
