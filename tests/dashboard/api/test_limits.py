"""Too much is refused with 429, in a sentence, and with the seconds after which it may be asked again."""

from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest

from shadowtime.dashboard.api.turns import Pace, Turns
from shadowtime.dashboard.intake import desk
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.store.base import UNFINISHED
from tests.dashboard.api.conftest import make_site

ANNA, BEN = {"X-Forwarded-User": "anna"}, {"X-Forwarded-User": "ben"}
NAMED = {"user_header": "X-Forwarded-User", "proxies": ("127.0.0.1",)}


@pytest.fixture
def limited(tmp_path):
    """`limited(**settings)`: a server that is closed afterwards."""
    made = []

    def start(**settings):
        made.append(make_site(tmp_path / f"store{len(made)}", **settings))
        return made[-1]

    yield start
    for site in made:
        site.close()


def test_runs_of_one_client_are_limited(limited):
    made = limited(max_queued=2)

    answers = [made.ask(seed=seed) for seed in (1, 2, 3, 1)]

    assert [answer.status_code for answer in answers] == [202, 202, 429, 200]
    assert int(answers[2].headers["Retry-After"]) >= 1
    assert "2 of your runs may be queued or running" in answers[2].json["error"]


def test_a_client_is_a_user_where_there_is_one(limited):
    made = limited(max_queued=1, max_queued_site=2, **NAMED)
    workload = made.upload(headers=ANNA).json["id"]

    def ask(who, seed):
        question = {"workload": workload, "algorithm": "easy", "seed": seed}
        return made.client.post("/api/runs", json=question, headers=who)

    assert [ask(who, seed).status_code for who, seed in ((ANNA, 1), (ANNA, 2), (BEN, 3))] == [202, 429, 202]
    carl = ask({"X-Forwarded-User": "carl"}, 4)
    assert (carl.status_code, "2 runs may be queued or running on this site" in carl.json["error"]) == (429, True)


def test_jobs_and_urgent_runs_are_limited(limited):
    made = limited(max_jobs=9, max_urgent=1)

    urgent = [made.ask(seed=seed, priority="high").status_code for seed in (1, 2)]
    more = made.ask(seed=3)
    too_many = made.ask(seed=4)

    assert urgent == [202, 429]
    assert (more.status_code, too_many.status_code) == (202, 429)
    assert "9 jobs" in too_many.json["error"]
    assert {run.status.status for run in made.store.runs.list().rows} <= set(UNFINISHED)


def test_workloads_of_one_client_in_a_minute_are_limited(limited):
    made = limited(max_uploads=2, **NAMED)
    answers = [made.upload(headers=who) for who in (ANNA, ANNA, ANNA, BEN)]

    assert [answer.status_code for answer in answers] == [201, 200, 429, 200]
    assert 20 <= int(answers[2].headers["Retry-After"]) <= 30
    drawn = made.client.post("/api/workloads", json={"generator": "uniform"}, headers=ANNA)
    assert drawn.status_code == 429


def test_workloads_on_their_way_are_limited(limited):
    made = limited(max_uploads_site=1)
    turns = made.server.extensions["shadowtime"].turns
    with turns.one():
        refused = made.upload()
    taken = made.upload()

    assert (refused.status_code, taken.status_code) == (429, 201)
    assert refused.headers["Retry-After"]


def test_a_pace_is_regained_with_time():
    now = [0.0]
    pace = Pace(60, "things", clock=lambda: now[0])
    for _ in range(60):
        pace.take("anna")
    with pytest.raises(TooMuch, match="60 things a minute") as refusal:
        pace.take("anna")
    pace.take("ben")
    now[0] = 2.0

    assert 0.9 < refusal.value.retry_after <= 1.0
    pace.take("anna")
    pace.take("anna")
    with pytest.raises(TooMuch):
        pace.take("anna")


def test_nothing_is_limited_by_nothing():
    pace, turns = Pace(0, "things"), Turns(0, "things")
    for _ in range(1000):
        pace.take("anna")
    with turns.one(), turns.one():
        pass


def test_a_turn_is_given_back_when_it_fails():
    turns = Turns(1, "things go on")
    for _ in range(3):
        with pytest.raises(ValueError), turns.one():
            raise ValueError


def test_a_stored_run_is_found_however_many_ask_and_whatever_else_goes_on(limited, monkeypatch):
    made = limited(max_queued=1)
    run = made.finished_run()
    question = {"workload": made.workload(), "algorithm": "easy"}

    def ask(_: int) -> tuple[int, str]:
        answer = made.server.test_client().post("/api/runs", json=question)
        return answer.status_code, answer.json.get("id", answer.json)

    with ThreadPoolExecutor(200) as threads:
        assert set(threads.map(ask, range(200))) == {(200, run)}
    monkeypatch.setattr(desk, "MOST_WAITING", 0)
    assert ask(0) == (200, run)
    new = made.client.post("/api/runs", json={**question, "seed": 9})
    assert (new.status_code, bool(new.headers["Retry-After"])) == (429, True)


def test_a_finished_run_is_found_where_nothing_can_be_written(limited, monkeypatch):
    made = limited()
    run, workload = made.finished_run(), made.workload()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(made.store.runs), "accept_all", full)
    found = made.client.post("/api/runs", json={"workload": workload, "algorithm": "easy"})
    assert (found.status_code, found.json["id"]) == (200, run)


def test_a_store_whose_folder_is_gone_is_away(limited, tmp_path):
    made = limited()
    made.store.path.rename(tmp_path / "unmounted")
    file = {"file": (BytesIO(b"1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n"), "a.swf")}
    answer = made.client.post("/api/workloads", data=file)
    (tmp_path / "unmounted").rename(made.store.path)

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
    assert answer.json["error"] == "The folder of the store does not answer: nothing was kept."
    assert made.client.post("/api/workloads", data={"file": (BytesIO(b"1 0 0 10 1\n"), "a.swf")}).status_code != 503
