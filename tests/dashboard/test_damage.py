"""A damaged run says so on its page, in the list and over HTTP, and offers to be computed again."""

from __future__ import annotations

import io

import pytest
from flask import Flask

from shadowtime.dashboard.components import form_answers, run_list
from shadowtime.dashboard.components.run_list import Asked
from shadowtime.dashboard.compose import compose
from shadowtime.dashboard.pages import run as run_page
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from tests.dashboard.conftest import FOUR_SWF
from tests.dashboard.reading import said, shown
from tests.workers.spoiling import change_row, drop_outline, spoil_row, spoil_table

NO_REDIS = "redis://127.0.0.1:7299/0"


def break_column(store, run_id: str, table: str) -> None:
    """Turn a bit of the last value of a table."""
    spoil_table(store, store.runs.get(run_id).digest, table)


@pytest.fixture
def damaged(lab, four, finish) -> str:
    """Id of a finished run of which a bit of the jobs has turned."""
    run_id = finish(four, "easy").id
    break_column(lab.store, run_id, "jobs")
    return run_id


def test_the_page_of_a_damaged_run_says_so_and_offers_to_run_it_again(lab, damaged):
    result, name = shown(lab, urls.run(damaged))
    text = said(result.children)

    assert name == "run"
    assert "Damaged." in text and "What was kept of this run is damaged (the table jobs " in text
    assert "Run again" in text
    assert "Damaged data are not shown." in said(run_page.grids(lab, None, damaged)[0])


@pytest.mark.parametrize("damage", ["its figures", "the table series"])
def test_the_list_says_why_a_damaged_run_has_no_figures(lab, four, finish, damage):
    spec = finish(four, "easy")
    if damage == "its figures":
        spoil_row(lab.store, "results", spec.digest, summary="{}")
    else:
        drop_outline(lab.store, spec.digest)  # then the list reads the table
        break_column(lab.store, spec.id, "series")
    (row,) = run_list.listing(lab, Asked())["rows"]

    assert (row["id"], row["state"], row["ratio"]) == (spec.id, "failed", None)
    assert f"What was kept of this run is damaged ({damage} " in row["sentence"]


def test_a_run_that_cannot_be_asked_again_here_says_that_it_is_damaged(lab, damaged):
    change_row(lab.store, lab.store.runs.get(damaged).digest, spec="{}")
    result, _ = shown(lab, urls.run(damaged))

    assert "This run is damaged" in said(result.children)
    assert "it is not what was submitted" in said(result.children)


@pytest.fixture
def client(lab):
    """A client of a server on the same store."""
    settings = Settings(store=lab.settings.store, redis_url=NO_REDIS)
    server = Flask("api")
    server.testing = True
    compose(server, lab.store, open_queue(settings, lab.store), settings)
    yield server.test_client()
    server.extensions["shadowtime"].intake.close()


def test_over_http_a_damaged_run_is_refused_then_failed_then_queued_again(lab, damaged, client):
    refused = client.get(f"/api/runs/{damaged}/jobs")
    run = client.get(f"/api/runs/{damaged}").json
    listed = client.get("/api/runs").json["runs"]
    workload = client.post("/api/workloads", data={"file": (io.BytesIO(FOUR_SWF.encode()), "four.swf")}).json["id"]
    again = client.post("/api/runs", json={"workload": workload, "algorithm": "easy"})

    assert refused.status_code == 409 and "is damaged (the table jobs " in refused.json["error"]
    assert (run["status"], run["damaged"], run["summary"]) == ("failed", True, None)
    assert run["error"] == refused.json["error"]
    assert [one["damaged"] for one in listed] == [True]
    assert (again.status_code, again.json["id"]) == (202, damaged)
    assert client.get(f"/api/runs/{damaged}").json["damaged"] is False


@pytest.mark.parametrize(
    "route", ["segments", "series", "view", "jobs.csv", "export?format=parquet&table=segments", "summary.json"]
)
def test_no_route_answers_from_damaged_tables(lab, four, finish, client, route):
    run_id = finish(four, "fcfs").id
    digest = lab.store.runs.get(run_id).digest
    for table in ("jobs", "segments", "series"):
        break_column(lab.store, run_id, table)
    spoil_row(lab.store, "results", digest, summary="{}")
    answer = client.get(f"/api/runs/{run_id}/{route}")

    assert answer.status_code == 409
    assert "is damaged (" in answer.json["error"]


def test_a_comparison_with_a_damaged_run_does_not_fail(lab, four, finish, client):
    whole, broken = finish(four, "fcfs").id, finish(four, "easy").id
    break_column(lab.store, broken, "jobs")
    address = f"/compare?runs={whole},{broken}"
    first, second = shown(lab, address), shown(lab, address)

    assert "This run is damaged" in said(first[0].children) and broken in said(first[0].children)
    assert "This run is damaged" not in said(second[0].children)
    assert lab.store.runs.get(broken).status.damaged
    assert client.get(f"/api/compare?runs={whole},{broken}").status_code in (200, 409)


def test_a_damaged_workload_says_so_on_its_page_and_in_the_form(lab, four):
    entry = lab.store.workloads.get(four)
    spoil_row(lab.store, "workloads", entry.digest, entry="{}", added="")
    for path in lab.store.shelf.blobs.root.iterdir():
        path.chmod(0o644)
        path.write_bytes(b"no source")
    result, _ = shown(lab, urls.workload(four))
    card, _ = form_answers.trace_card(lab, None)
    refused, _ = form_answers.trace_card(lab, {"id": four})

    assert "This workload is damaged" in said(result.children) and four in said(result.children)
    assert f"1 stored workload damaged, not offered: {four}" in said(card)
    assert f"workload {four} is damaged" in said(refused).replace("Workload", "workload")


def test_a_workload_that_is_sent_again_is_whole(lab, four):
    test_a_damaged_workload_says_so_on_its_page_and_in_the_form(lab, four)
    lab.store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")

    assert list(lab.store.workloads.damaged()) == []
    assert "damaged" not in said(form_answers.trace_card(lab, None)[0])
