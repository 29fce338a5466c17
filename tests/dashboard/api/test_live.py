"""The stream of news as a browser reads it, sent by a hub without Redis."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from shadowtime.dashboard.api import answers, live
from shadowtime.dashboard.api.hub import Hub, Message
from tests.dashboard.api.conftest import make_site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = make_site(tmp_path_factory.mktemp("store"))
    context = made.server.extensions["shadowtime"]
    made.server.extensions["shadowtime"] = replace(context, hub=Hub(lambda hub: hub.say(True), most_streams=3))
    yield made
    context.intake.close()


@pytest.fixture
def hub(site):
    made = site.server.extensions["shadowtime"].hub
    made.say(True)
    return made


class Stream:
    """A response, event by event."""

    def __init__(self, site, query: str, **headers: str):
        self.response = site.client.get(f"/api/live?{query}", headers=headers)
        self.pieces = self.response.iter_encoded()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.response.close()

    def __iter__(self) -> Iterator[tuple[str, dict, str]]:
        """Name, value and id of each event."""
        for piece in self.pieces:
            for block in piece.decode().strip().split("\n\n"):
                fields = dict(line.split(": ", 1) for line in block.split("\n"))
                if "event" in fields:
                    yield fields["event"], json.loads(fields["data"]), fields.get("id", "")

    def next(self, name: str) -> tuple[dict, str]:
        """The next event of that name."""
        return next((value, position) for event, value, position in self if event == name)


def tell(hub, site, run, serial=1, **changes):
    """What a worker says."""
    status = site.store.runs.get(run).status.but(**changes)
    hub.publish(Message(f"1000-{serial}", answers.heard({"run": run, "seq": serial, **status.as_dict()})))


def test_first_comes_the_queue_then_each_run_as_it_stands(site, hub):
    runs = sorted(site.ask(seed=seed).json["id"] for seed in (1, 2))

    with Stream(site, f"runs={','.join(runs)}") as stream:
        events = iter(stream)
        assert stream.response.content_type.startswith("text/event-stream")
        assert stream.response.headers["Cache-Control"] == "no-store"
        assert next(events)[:2] == ("queue", {"redis": True})
        news = [next(events)[1] for _ in runs]

    assert [run["id"] for run in news] == runs
    listed = site.client.get(f"/api/runs/{runs[0]}").json
    assert news[0] == {key: listed[key] for key in news[0]}
    assert "client" not in news[0]


def test_what_a_worker_says_is_told_with_its_id(site, hub):
    run = site.ask(seed=3).json["id"]
    with Stream(site, f"runs={run}") as stream:
        stream.next("run")
        tell(hub, site, run, 7, status="running")

        value, position = stream.next("run")

    assert (value["id"], value["status"], value["seq"], position) == (run, "running", 7, "1000-7")


@pytest.mark.parametrize("how", ["header", "query"])
def test_who_comes_back_hears_only_what_is_new(site, hub, how):
    run = site.ask(seed=4).json["id"]
    tell(hub, site, run, 5, status="running")

    def come_back(last: str) -> Stream:
        if how == "query":
            return Stream(site, f"runs={run}&last={last}")
        return Stream(site, f"runs={run}", **{"Last-Event-ID": last})

    with come_back("1000-4") as stream:
        assert stream.next("run")[1] == "1000-5"
    with come_back("1000-5") as stream:
        tell(hub, site, run, 6, status="finished")
        assert stream.next("run")[1] == "1000-6"


def test_redis_going_and_coming_is_told(site, hub):
    with Stream(site, "runs=") as stream:
        assert stream.next("queue")[0] == {"redis": True}
        hub.say(False)
        assert stream.next("queue")[0] == {"redis": False}
        hub.say(True)
        assert stream.next("queue")[0] == {"redis": True}


def test_what_was_missed_while_redis_was_away_is_read_from_the_store(site, hub):
    run = site.ask(seed=5).json["id"]
    with Stream(site, f"runs={run}") as stream:
        stream.next("run")
        hub.say(False)
        stream.next("queue")
        site.finish(run)
        hub.say(True)

        assert stream.next("run")[0]["status"] == "finished"


def test_a_stream_says_that_it_lives(site, hub, monkeypatch):
    monkeypatch.setattr(live, "BEAT", 0.05)
    with Stream(site, "runs=") as stream:
        began = time.monotonic()
        assert [stream.next("queue")[0] for _ in range(3)] == [{"redis": True}] * 3

    assert time.monotonic() - began < 5


def test_a_run_that_is_not_there_is_not_told_of(site, hub):
    run = site.ask(seed=6).json["id"]

    with Stream(site, f"runs=0123456789abcdef,{run}") as stream:
        assert stream.next("run")[0]["id"] == run


def test_too_many_streams_are_refused(site, hub):
    with Stream(site, "runs="), Stream(site, "runs="), Stream(site, "runs="):
        refused = site.client.get("/api/live?runs=")

        assert (refused.status_code, list(refused.json)) == (429, ["error"])
    with Stream(site, "runs=") as stream:
        assert stream.response.status_code == 200


def test_too_many_runs_are_refused(site):
    many = ",".join(f"{n:016x}" for n in range(live.MOST_RUNS + 1))

    assert site.client.get(f"/api/live?runs={many}").status_code == 400
