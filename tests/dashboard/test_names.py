"""Names that a person gave (of files, cases, machines, classes, sweeps, links), in every answer of the whole site."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from shadowtime.engine.output.cells import FORMULA, NUMBER
from tests.dashboard.api.conftest import Site
from tests.dashboard.api.named import callback, make
from tests.dashboard.evil import EVIL, MARK, filled

FILE_NAME = re.compile(r'attachment; filename="[0-9a-z.-]+"', re.ASCII)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with make(tmp_path_factory.mktemp("store"), max_uploads=0) as made:
        yield made


@pytest.fixture(scope="module")
def ids(site: Site) -> dict[str, str]:
    return filled(site)


def addresses(site, ids):
    """Every route that reads and leads somewhere, and those of queries that say more."""
    for rule in site.server.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda place: ids.get(place[1], "x"), rule.rule)
        if "GET" in rule.methods and not path.startswith(("/api/live", "/_dash", "/assets", "/docs")):
            yield path
    run = ids["run_id"]
    yield from (f"/api/runs/{run}/export?format={form}" for form in ("perfetto", "evalys", "spec", "command", "json"))
    yield f"/api/compare/jobs.csv?runs={run},{ids['second']}"
    yield f"/api/compare/report.html?runs={run},{ids['second']}"
    yield from (
        f"/runs/{run}",
        f"/compare?runs={run},{ids['second']}",
        f"/s/{ids['code']}",
        f"/workloads/{ids['tiers']}",
    )
    yield from (f"/workloads/{ids['machines']}", f"/experiments/{ids['sweep_id']}", f"/runs?q={EVIL}", "/runs", "/")


def test_every_answer_keeps_names_where_they_belong(site, ids):
    kinds = set()
    for path in addresses(site, ids):
        answer = site.client.get(path)
        if answer.status_code not in (200, 302, 404):
            continue
        kinds.add(answer.mimetype)
        for name, value in answer.headers:
            assert MARK not in value and "\u00e9" not in value, f"{path}: {name}"
        said = answer.headers.get("Content-Disposition")
        assert said is None or FILE_NAME.fullmatch(said), f"{path}: {said}"
        if answer.mimetype == "text/html":
            assert f"<b {MARK}" not in answer.text, path
            for part in () if path.startswith("/api/") else ("_dash-config", "_dash-renderer"):
                assert answer.text.count(f'id="{part}"') == (answer.status_code != 302), path
        if answer.mimetype == "text/csv":
            for cell in (cell for row in csv.reader(io.StringIO(answer.text)) for cell in row):
                assert NUMBER.fullmatch(cell) or not cell.startswith(FORMULA), f"{path}: {cell}"

    assert {"text/html", "text/csv", "application/json"} <= kinds


def test_the_names_are_there_where_people_read_them(site, ids):
    runs = site.client.get("/api/runs").json["runs"]
    page = site.client.get(f"/runs/{ids['run_id']}").text
    rows = list(csv.DictReader(io.StringIO(site.client.get(f"/api/runs/{ids['run_id']}/export?format=evalys").text)))

    assert len(runs) == 4
    assert f"&lt;b {MARK}=" in page
    assert rows[0]["workload_name"].startswith("'=1+1")
    assert all(row["execution_time"][0].isdigit() for row in rows)


def test_pages_hold_them_as_text(site, ids):
    """What a page is made of is sent as data: a name never becomes a component, or a piece of HTML."""
    for path in (
        f"/runs/{ids['run_id']}",
        "/runs",
        f"/workloads/{ids['workload_id']}",
        f"/experiments/{ids['sweep_id']}",
    ):
        shown = site.client.post("/_dash-update-component", json=callback(path)).json

        assert MARK in json.dumps(shown), path
        assert not dangerous(shown), path


def dangerous(node) -> bool:
    """Something that a browser reads as HTML: components that do, and addresses that are scripts."""
    if isinstance(node, dict):
        if node.get("type") in ("Markdown", "DangerouslySetInnerHTML", "Iframe"):
            return True
        if any(str(node.get(name, "")).lower().strip().startswith("javascript:") for name in ("href", "src")):
            return True
        return any(map(dangerous, node.values()))
    return isinstance(node, list) and any(map(dangerous, node))


def test_refusals_hold_them_as_text(site, ids):
    for ask in (
        {"workload": EVIL, "algorithm": "easy"},
        {"workload": ids["workload_id"], "algorithm": EVIL},
        {"workload": ids["workload_id"], "algorithm": "easy", "parameters": {EVIL: 1}},
        {"workload": ids["workload_id"], "algorithm": "easy", "conversions": [EVIL]},
        {"workload": ids["workload_id"], "algorithm": "easy", "estimates": EVIL},
    ):
        refused = site.client.post("/api/runs", json=ask)
        assert refused.status_code in (400, 404) and refused.content_type == "application/json"
        assert refused.headers["X-Content-Type-Options"] == "nosniff"
