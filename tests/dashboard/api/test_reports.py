"""Finished runs as one HTML file, from a server."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison


@pytest.fixture(scope="module")
def fcfs(site) -> str:
    return site.finished_run(algorithm="fcfs")


def test_a_run_is_sent_as_a_file(site, finished):
    answer = site.client.get(urls.api_report(finished))

    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{finished}-report.html"'
    assert "immutable" not in answer.headers["Cache-Control"]
    assert f'<shadowtime-gantt run="{finished}"' in answer.text and "EASY on four" in answer.text


def test_a_comparison_begins_with_its_baseline(site, finished, fcfs):
    asked = Comparison(runs=(finished, fcfs), baseline=fcfs)
    answer = site.client.get(urls.api_compared_report(asked) + "&from=0&to=60")

    assert answer.headers["Content-Disposition"] == f'attachment; filename="{fcfs}-{finished}-report.html"'
    assert answer.text.index(f'run="{fcfs}"') < answer.text.index(f'run="{finished}"')
    assert "The schedules show 0\u202fs to 1\u202fmin" in answer.text


def test_refusals(site, finished, fcfs):
    waiting = site.ask(seed=1).json["id"]

    for path, status in (
        (f"/api/runs/{waiting}/report.html", 409),
        (f"/api/runs/{finished}/report.html?from=x", 400),
        (f"/api/runs/{finished}/report.html?from=&to=", 400),
        (f"/api/runs/{finished}/report.html?from=5&to=5", 400),
        ("/api/runs/0123456789abcdef/report.html", 404),
        (f"/api/compare/report.html?runs={finished}", 400),
        (f"/api/compare/report.html?runs={finished},{waiting}", 409),
    ):
        refused = site.client.get(path)
        assert (refused.status_code, list(refused.json)) == (status, ["error"]), path


def test_runs_of_different_jobs_are_aligned_by_id_where_that_is_asked(site, finished):
    other = site.upload("; MaxProcs: 10\n1 0 -1 7 6 -1 -1 6 7 -1 1 -1 -1 -1 -1 -1 -1 -1\n", "one.swf").json["id"]
    run = site.client.post("/api/runs", json={"workload": other, "algorithm": "easy"}).json["id"]
    site.finish(run)
    path = f"/api/compare/report.html?runs={finished},{run}"

    assert site.client.get(path).status_code == 409
    assert "aligned by job id" in site.client.get(f"{path}&align=id").text
