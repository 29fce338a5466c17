"""POST /api/example: both runs of the first page's comparison, once."""

from __future__ import annotations


def test_the_example_is_finished_before_it_is_answered(site):
    interpreter = site.server.extensions["shadowtime"].interpreter
    try:
        first, again = site.client.post("/api/example"), site.client.post("/api/example")
    finally:
        interpreter.close()

    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json == again.json
    ids = [run["id"] for run in first.json["runs"]]
    assert all(one in first.json["url"] for one in ids)
    assert [site.store.runs.get(one).status.status for one in ids] == ["finished", "finished"]
