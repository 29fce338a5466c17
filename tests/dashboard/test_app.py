"""The site as one server: its page, its content policy, and that browser code and callbacks know each other."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from shadowtime.dashboard import app as site
from shadowtime.dashboard.access.security import hashed
from shadowtime.workers.store import open_store
from tests.dashboard.inline import inline_scripts

ASSETS = Path(site.ASSETS)


@pytest.fixture
def made(lab):
    return site.create_app(lab.store, lab.queue, lab.settings)


def test_the_theme_stands_before_the_first_paint(made):
    answer = made.server.test_client().get("/runs")
    html = answer.get_data(as_text=True)

    assert html.index(site.SCHEME) < html.index("<link rel")
    assert site.SCHEME in inline_scripts(html)


def test_the_policy_runs_the_inline_scripts_of_a_page_and_no_others(made):
    answer = made.server.test_client().get("/runs")
    rules = dict(rule.strip().split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split(";"))
    scripts = inline_scripts(answer.get_data(as_text=True))

    assert len(scripts) == 2
    assert sorted(rules["script-src"].split()) == sorted(["'self'", *map(hashed, scripts)])


def test_every_address_gets_a_page_and_the_routes_stay_theirs(made):
    client = made.server.test_client()

    assert client.get("/runs").status_code == 200
    assert client.get("/healthz").get_json()["redis"] is True
    assert client.get("/api/runs/0123456789abcdef").status_code == 404
    assert client.get("/assets/base.css").status_code == 200


def test_every_callback_of_the_browser_is_written(made):
    made.server.test_client().get("/_dash-dependencies")
    named = {
        entry["clientside_function"]["function_name"]
        for entry in made._callback_list
        if entry.get("clientside_function")
    }
    code = "".join(path.read_text(encoding="utf-8") for path in ASSETS.rglob("*.js"))

    assert named
    assert [name for name in sorted(named) if not re.search(rf"^  (async )?{name}[(:]", code, re.MULTILINE)] == []


def test_no_callback_needs_an_inline_script(made):
    assert made._inline_scripts == []


def test_the_layout_is_plain_json(made):
    layout = made.server.test_client().get("/_dash-layout").get_json()

    assert json.dumps(layout).count('"id": "page"') == 1


def test_two_sites_in_one_process_know_nothing_of_each_other(lab, tmp_path):
    other = open_store(tmp_path / "other")
    one = site.create_app(lab.store, lab.queue, lab.settings)
    two = site.create_app(other, lab.queue, replace(lab.settings, store=tmp_path / "other"))
    entry, _ = lab.store.workloads.generate("uniform", {"jobs": 5}, 0)

    assert one.server.test_client().get(f"/api/workloads/{entry.id}").status_code == 200
    assert two.server.test_client().get(f"/api/workloads/{entry.id}").status_code == 404


def test_no_page_fetches_from_elsewhere():
    for path in (*ASSETS.glob("*.css"), *ASSETS.rglob("*.js")):
        text = re.sub(r"http://www\.w3\.org/\S+", "", path.read_text(encoding="utf-8"))

        assert not re.search(r"""(url\(|import |fetch\(|src=)["'`(]?\s*https?:""", text), path.name


def test_fonts_come_with_their_licences():
    for font in ("Inter", "JetBrainsMono"):
        assert (ASSETS / "fonts" / f"{font}.woff2").stat().st_size < 200_000
        assert "SIL OPEN FONT LICENSE" in (ASSETS / "fonts" / f"{font}-OFL.txt").read_text(encoding="utf-8").upper()
    assert "MIT" in (ASSETS / "icons-LICENSE.txt").read_text(encoding="utf-8")


def test_what_has_not_changed_is_not_sent_again_and_pages_are_asked_for_each_time(made):
    client = made.server.test_client()
    first = client.get("/_dash-dependencies")
    again = client.get("/_dash-dependencies", headers={"If-None-Match": first.headers["ETag"]})
    page = client.get("/algorithms")  # Dash writes another number into each
    assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
    assert (page.headers["Cache-Control"], "ETag" in page.headers) == ("private, no-cache", False)
