"""Requests whose runs are stored: found in the records, also by a web process that has just started."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from shadowtime.dashboard.intake.desk import Intake
from shadowtime.workers.records.asked import Asked
from shadowtime.workers.records.schema import asked
from tests.dashboard.api.conftest import make_site
from tests.dashboard.api.named import as_ben, named_site


@pytest.fixture
def first(tmp_path):
    """A web process that has finished a run and two of one request."""
    with make_site(tmp_path) as made:
        yield made


@pytest.fixture
def restarted(first, tmp_path, monkeypatch):
    """Start another web process on the same store, none of whose questions reaches the intake."""

    def start():
        def ask(*_, **__):
            raise AssertionError("the intake was asked")

        monkeypatch.setattr(Intake, "ask", ask)
        return make_site(tmp_path)

    return start


def test_after_a_restart_200_at_a_time_find_a_stored_run_without_the_intake(first, restarted):
    run, workload = first.finished_run(), first.workload()
    with restarted() as made:

        def ask(_):
            question = {"algorithm": "easy", "workload": workload}
            answer = made.server.test_client().post("/api/runs", json=question)
            return answer.status_code, answer.json.get("id")

        with ThreadPoolExecutor(200) as threads:
            assert set(threads.map(ask, range(200))) == {(200, run)}


def test_several_of_one_request_are_found_in_their_order(first, restarted):
    several = {"workload": first.workload(), "algorithms": [{"algorithm": name} for name in ("sjf", "easy", "fcfs")]}
    answer = first.client.post("/api/runs", json=several)
    for one in answer.json["runs"]:
        first.finish(one["id"])
    assert first.client.post("/api/runs", json=several).json == answer.json
    with restarted() as made:
        again = made.client.post("/api/runs", json=several)
        assert (again.status_code, again.json) == (200, answer.json)


def rows(site):
    with site.store.database.read() as connection:
        return connection.execute(select(asked.c.words, asked.c.run)).all()


def test_a_run_that_waits_was_deleted_or_whose_row_is_damaged_is_understood_again(first):
    run = first.ask().json["id"]
    assert first.ask().status_code == 200, "it waits"
    first.finish(run)
    with first.store.database.write() as connection:
        connection.execute(update(asked).values(place=1))
    assert first.ask().json["id"] == run
    assert first.client.delete(f"/api/runs/{run}").status_code == 204
    assert rows(first) == []
    again = first.ask()
    assert (again.status_code, again.json["id"]) == (202, run)
    assert len(rows(first)) == 1


def test_other_words_find_a_run_that_waits_also_where_the_disk_takes_none_of_them(first, monkeypatch):
    run = first.ask().json["id"]
    assert first.ask(seed=0).json["id"] == run and len(rows(first)) == 2

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Asked, "record", full)
    again = first.ask(parameters={})
    assert (again.status_code, again.json["id"]) == (200, run)
    assert len(rows(first)) == 2


def test_what_was_refused_is_not_recorded(first):
    assert first.ask(priority="soon").status_code == 400
    assert first.ask(algorithm="none").status_code == 400
    assert rows(first) == []


def test_another_version_of_the_sources_understands_anew(first, monkeypatch):
    first.finished_run()
    monkeypatch.setattr("shadowtime.dashboard.intake.understood.sources_version", lambda: "another")
    monkeypatch.setattr(Intake, "ask", lambda *_, **__: pytest.fail("asked"))
    first.server.extensions["shadowtime"].understood._kept.clear()

    with pytest.raises(pytest.fail.Exception):
        first.ask()


def test_private_runs_are_found_by_their_owner_alone(tmp_path):
    with named_site(tmp_path) as made:
        run = made.finished_run(private=True)
        question = {"workload": made.workload(), "algorithm": "easy", "private": True}
        assert made.client.post("/api/runs", json=question).json["id"] == run
        bens = as_ben(made, "/api/runs", "POST", json=question)
        assert (bens.status_code, bens.json["id"] != run) == (202, True)
