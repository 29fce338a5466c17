"""Workloads beside each other, as scripts get them."""

from __future__ import annotations

import pytest


def test_profiles_of_workloads(site):
    four = site.workload()
    other = site.upload("; MaxProcs: 4\n1 0 -1 9 2 -1 -1 2 9 -1 1 -1 -1 -1 -1 -1 -1 -1\n", "half.swf").json["id"]

    found = site.client.get(f"/api/workloads/profiles?workloads={four},{other}&of=size").json
    assert [(one["name"], one["jobs"]) for one in found["workloads"]] == [("four", 4), ("half", 1)]
    assert found["workloads"][0]["values"] == [0.4, 0.4, 0.6, 1.0] and found["workloads"][1]["values"] == [0.5]
    assert "divided by the processors" in found["rule"]


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("", 400, "workloads must name 1 to 6 different workloads, but it names 0."),
        ("workloads=a,a", 400, "but it names 2."),
        (f"workloads={'0' * 16}", 404, "no workload"),
        (f"workloads={'0' * 16}&of=color", 400, "of = 'color', but it must be one of size, runtime, area, gap."),
    ],
)
def test_wrong_profiles_are_named(site, query, status, said):
    answer = site.client.get(f"/api/workloads/profiles?{query}")
    assert answer.status_code == status and said in answer.json["error"]
