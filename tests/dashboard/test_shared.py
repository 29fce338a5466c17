"""Short links in the site: where they lead, what they are shown as elsewhere, and what remains of deleted runs."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers.records.links import of_values
from shadowtime.workers.store import open_store
from tests.dashboard.reading import said, shown


@pytest.fixture
def site(lab):
    """The server over `lab`; its intake is closed afterwards."""
    server = create_app(lab.store, lab.queue, lab.settings).server
    yield server.test_client()
    server.extensions["shadowtime"].intake.close()


def head(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r'<meta property="([^"]+)" content="([^"]*)">', text)}


def test_a_link_leads_to_its_view_and_names_itself(lab, four, finish, site):
    run = finish(four, "easy").id
    link, _ = shared.make(lab.store, f"/runs/{run}?v=1&from=0&to=110&job=2")
    answer = site.get(f"/s/{link.code}")

    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/runs/{run}?link={link.code}&v=1&from=0&to=110&job=2"
    assert urls.View.parse(answer.headers["Location"].partition("?")[2]) == urls.View(0, 110, job=2)


def test_a_link_is_shown_elsewhere_with_title_sentence_and_picture(lab, four, finish, site):
    runs = [finish(four, name).id for name in ("fcfs", "easy")]
    link, _ = shared.make(lab.store, f"/compare?runs={','.join(runs)}&v=1&from=0&to=200", 'Jobs "2" & <3>')
    page = site.get(f"/s/{link.code}", follow_redirects=True)
    found = head(page.text)

    assert found["og:title"] == 'Jobs "2" & <3>'
    assert found["og:description"].startswith("FCFS and EASY on four. FCFS: 4 jobs, mean turnaround")
    assert found["og:image"] == f"http://localhost/api/picture.png?runs={runs[0]},{runs[1]}&v=1&from=0&to=200"
    assert found["og:url"].startswith("http://localhost/compare?link=")
    assert site.get(found["og:image"]).content_type == "image/png"
    assert "<3>" not in page.text and "<title>Jobs &quot;2&quot; &amp; &lt;3&gt; · Shadowtime</title>" in page.text


def test_a_page_of_a_run_is_shown_as_the_run(lab, four, finish, ask, site):
    found = head(site.get(f"/runs/{finish(four, 'easy').id}").text)
    assert found["og:title"] == "EASY on four"
    assert "mean turnaround" in found["og:description"] and "× optimal" in found["og:description"]

    queued = head(site.get(f"/runs/{ask(four, 'fcfs').id}").text)
    assert (queued["og:description"], "og:image" in queued) == ("FCFS: queued.", False)
    for path in ("/", "/runs", "/runs/0000000000000000", "/compare?runs=x", "/nowhere", "/runs?link=zzzzzzzz"):
        assert head(site.get(path).text) == {}


def test_a_link_to_a_deleted_run_keeps_its_question(lab, four, finish, site):
    spec = finish(four, "easy")
    link, _ = shared.make(lab.store, f"/runs/{spec.id}?v=1&job=2", "Why 2 waits")
    lab.store.runs.delete(spec.id)
    assert site.get(f"/s/{link.code}").status_code == 200
    result, _ = shown(lab, f"/s/{link.code}")

    text = said(result.children)
    assert "Why 2 waits This link shows a run that was deleted. You can run it again:" in text
    assert "EASY on four, on 10 processors: 4 jobs Run again" in text


def test_a_link_that_nobody_made_says_so(lab, site):
    assert site.get("/s/zzzzzzzz").status_code == 404
    result, name = shown(lab, "/s/zzzzzzzz")

    assert name == "unknown" and "Link not found No link has the address /s/zzzzzzzz" in said(result.children)


def test_the_view_of_other_runs_is_the_same_view():
    target = "/compare?runs=aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb&baseline=bbbbbbbbbbbbbbbb&v=1&at=5"

    assert shared.renamed(target, {"b" * 16: "c" * 16}) == target.replace("b" * 16, "c" * 16)
    assert shared.without("/runs/x?link=abc&v=1&at=5#top", "link") == "/runs/x?v=1&at=5#top"
    assert shared.without("/runs?link=abc", "link") == "/runs"


KEPT = Path(__file__).parent / "kept" / "links"
"""Links that released versions wrote; neither they nor what they must show are ever changed."""
EXPECTED = {
    "xwi76fyk": (
        "Job 2 waits for ten processors", ["easy"],
        urls.View(0, 200, nodes=(2, 8), job=2, colour="stretch", at=53, find="size > 4"),
    ),
    "ck7ipxkv": ("", ["fcfs", "easy"], urls.View(3, 120, job=4, colour="wait", at=5.5)),
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(path.stem for path in KEPT.glob("*.json")))
def test_links_of_released_versions_show_what_they_were_made_for(code, tmp_path):
    link = of_values(code, json.loads((KEPT / f"{code}.json").read_bytes()))
    title, algorithms, view = EXPECTED[code]

    assert (link.title, [kept.question.algorithm for kept in link.runs]) == (title, algorithms)
    assert [kept.id for kept in link.runs] == shared.runs_of(link.target)
    assert urls.View.parse(link.target.partition("?")[2]) == view
    assert all(kept.jobs == 4 and len(kept.tables) == 5 for kept in link.runs)
    assert open_store(tmp_path).links.make(link.target, link.title, link.runs)[0].code == code
