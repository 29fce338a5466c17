"""What pages offer to whom: marks of private runs, the chip of the header, one's own links."""

from __future__ import annotations

import json

import pytest

from tests.dashboard.api.named import callback, make

TOKEN = {"Authorization": "Bearer se cret"}
FRAME = "/_dash-layout"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with make(tmp_path_factory.mktemp("guarded"), token="se cret") as made:
        yield made


@pytest.fixture(scope="module")
def everybodys(tmp_path_factory):
    with make(tmp_path_factory.mktemp("open")) as made:
        yield made


def page(site, path, query="", **more):
    return site.client.post("/_dash-update-component", json=callback(path, query), **more).text


def box(text, name="new-private", key="id"):
    """Properties of the checkbox Private, or of what is around it."""

    def search(thing):
        if isinstance(thing, dict):
            if thing.get(key) == name:
                return thing
            thing = [*thing.values()]
        parts = thing if isinstance(thing, list) else []
        return next(filter(None, map(search, parts)), None)

    return search(json.loads(text))


def as_user(name):
    return {"environ_overrides": {"HTTP_X_FORWARDED_USER": name}}


def test_the_role_stands_at_the_root_of_every_page(named, guarded, everybodys):
    for path in ("/", "/runs", "/nowhere"):
        assert '<html data-role="editor" lang="en"' in everybodys.client.get(path).text
        assert '<html data-role="viewer" lang="en"' in guarded.client.get(path).text
        assert '<html data-role="editor" lang="en"' in guarded.client.get(path, headers=TOKEN).text
        assert '<html data-role="viewer" lang="en"' in named.client.get(path, **as_user("carl")).text


def test_the_header_says_who_one_is_where_people_are_told_apart(named, guarded, everybodys):
    assert "visitor-word" not in everybodys.client.get(FRAME).text
    assert '"Viewer"' in guarded.client.get(FRAME).text
    assert '"Editor"' in guarded.client.get(FRAME, headers=TOKEN).text
    assert '"anna"' in named.client.get(FRAME).text
    assert '"carl, viewer"' in named.client.get(FRAME, **as_user("carl")).text
    assert named.client.get(FRAME).headers["Cache-Control"] == "private, no-cache"


def test_private_is_offered_where_there_is_somebody_whose_it_would_be(named, everybodys):
    offered, not_offered = page(named, "/"), page(everybodys, "/")
    around = ("st-privatebox st-writes", "className")

    assert not box(offered)["disabled"] and not box(offered, *around)["hidden"]
    assert box(not_offered)["disabled"] and box(not_offered, *around)["hidden"]


def test_a_private_runs_question_is_asked_again_in_private(named, run):
    assert box(page(named, "/", f"?run={run}"))["checked"]
    assert not box(page(named, "/"))["checked"]


def test_a_private_run_wears_a_mark(named, run):
    public = named.ask(algorithm="fcfs").json["id"]
    named.finish(public)

    assert "st-icon-lock" in page(named, f"/runs/{run}")
    assert "st-icon-lock" not in page(named, f"/runs/{public}")
    assert "st-icon-lock" in page(named, "/compare", f"?runs={run},{public}")
    rows = page(named, "/runs")
    assert rows.count('"private":true') == 1 and rows.count('"private":false') == 1


def test_who_came_by_a_link_reads_and_is_offered_nothing_else(named, run):
    link = named.client.post("/api/links", json={"target": f"/runs/{run}"}).json
    ben = named.server.test_client()
    ben.get(link["url"], **as_user("ben"))
    shown = ben.post("/_dash-update-component", json=callback(f"/runs/{run}"), **as_user("ben")).text
    own = page(named, f"/runs/{run}")

    assert "Private, by link" in shown and "Export" in shown
    for offered in ('"id":"share"', '"id":"delete-run"', '"id":"change-run"'):
        assert offered in own and offered not in shown


def test_ones_own_links_are_listed_with_their_button(named, run):
    link = named.client.post("/api/links", json={"target": f"/runs/{run}?v=1&from=0", "title": "Mine"}).json
    own, others = page(named, "/links"), page(named, "/links", **as_user("ben"))

    assert f'"data-revoke":"{link["code"]}"' in own and "Mine" in own and "EASY on four" in own
    assert link["code"] not in others and "No links yet" in others


def test_a_viewer_is_told_why_instead(named, guarded):
    assert '"data-token":"ask"' in page(guarded, "/")
    assert "SHADOWTIME_EDITORS" in page(named, "/", **as_user("carl"))
