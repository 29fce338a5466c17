"""The status of a page: 200 where it exists, else 404, with a page that says so either way."""

from __future__ import annotations

import pytest

from shadowtime.dashboard import app as site
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import PAGES
from shadowtime.workers.errors import Damaged, NotFound


@pytest.fixture
def client(lab):
    return site.create_app(lab.store, lab.queue, lab.settings).server.test_client()


@pytest.fixture
def run(four, finish):
    return finish(four, "easy").digest[:16]


@pytest.mark.parametrize("path", ["/" + "/".join(parts) for parts in PAGES])
def test_pages_without_an_id_exist(client, path):
    assert client.get(path).status_code == 200


def test_what_is_stored_has_a_page(client, four, run):
    for path in (
        f"/runs/{run}", f"/waits?runs={run}", f"/workloads/{four}", f"/fidelity?workload={four}", "/papers/measy",
        "/algorithms/easy", "/algorithms/fractional",
    ):  # fmt: skip
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere", "/runs/13189c2c62a84589", "/runs/not-an-id", "/workloads/13189c2c62a84589",
        "/experiments/13189c2c62a84589", "/papers/none", "/algorithms/none", "/s/none",
        "/compare?runs=13189c2c62a84589,13189c2c62a84580", "/waits?runs=13189c2c62a84589",
        "/fidelity?workload=13189c2c62a84589",
    ],
)  # fmt: skip
def test_what_is_not_there_is_404_and_still_a_page(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert answer.mimetype == "text/html" and "<footer>" in answer.text


def test_a_comparison_exists_with_all_its_runs(client, lab, four, finish, run):
    other = finish(four, "fcfs").digest[:16]

    assert client.get(f"/compare?runs={run},{other}").status_code == 200
    lab.store.runs.delete(other)
    assert client.get(f"/compare?runs={run},{other}").status_code == 404
    assert client.get(f"/runs/{other}").status_code == 404


def test_the_icon_that_browsers_ask_for_is_there(client):
    answer = client.get("/favicon.ico", follow_redirects=True)

    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")


@pytest.mark.parametrize(("error", "status"), [(Damaged("its record is damaged"), 200), (NotFound("run", "it"), 404)])
def test_what_is_damaged_exists(client, lab, run, monkeypatch, error, status):
    def get(reference):
        raise error

    monkeypatch.setattr(lab.store.runs, "get", get)
    assert client.get(urls.run(run)).status_code == status
