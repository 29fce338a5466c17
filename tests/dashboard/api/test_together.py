"""Several algorithms in one request: all are queued, or none."""

from __future__ import annotations

import io

import pytest

from shadowtime.workers import submit
from shadowtime.workers.admission import Limits
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.records.runs import Runs
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF
from tests.workers.samples import fake_queue, spec

THREE = [
    {"algorithm": "fcfs"},
    {"algorithm": "easy"},
    {"algorithm": "easy", "parameters": {}},
]


def queue_all(site, algorithms, **more):
    return site.client.post("/api/runs", json={"workload": site.workload(), "algorithms": algorithms, **more})


def counted(site) -> int:
    return sum(site.store.runs.counts().values())


def test_all_are_queued_and_listed_in_their_order(site):
    first = queue_all(site, THREE[:2], seed=11)
    again = queue_all(site, [*THREE[:2], THREE[0]], seed=11)
    algorithms = [site.client.get(f"/api/runs/{run['id']}").json["algorithm"] for run in first.json["runs"]]

    assert (first.status_code, again.status_code) == (202, 200)
    assert algorithms == ["fcfs", "easy"]
    assert again.json["runs"] == [*first.json["runs"], first.json["runs"][0]]
    assert site.ask(algorithm="easy", seed=11).json == first.json["runs"][1]


@pytest.mark.parametrize(
    ("algorithms", "words"),
    [
        ([*THREE[:2], {"algorithm": "demt"}], "demt: "),
        ([*THREE[:2], {"algorithm": "nosuch"}], "nosuch"),
        ([*THREE[:2], {"algorithm": "easy", "parameters": {"event_order": "backwards"}}], "easy: event_order"),
        ([*THREE[:2], {"algorithm": "easy", "seed": 3}], "each of the algorithms is an object with"),
        ([*THREE[:2], "easy"], "each of the algorithms is an object with"),
        ([], "a list of 1 to 100"),
        ({"algorithm": "easy"}, "a list of 1 to 100"),
        ([{}], "algorithm must be given"),
    ],
)
def test_where_one_is_refused_none_is_queued(site, algorithms, words):
    before = counted(site)
    answer = queue_all(site, algorithms, seed=12)

    assert answer.status_code == 400 and words in answer.json["error"]
    assert counted(site) == before


@pytest.mark.parametrize(
    "more", [{}, {"algorithm": "easy", "algorithms": THREE}, {"parameters": {}, "algorithms": THREE}]
)
def test_one_algorithm_or_several(site, more):
    answer = site.client.post("/api/runs", json={"workload": site.workload(), **more})

    assert answer.status_code == 400


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def test_a_limit_holds_for_all_together(store):
    queue = fake_queue()
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    asked = [(spec(seed), 10) for seed in range(3)]
    for limits in (Limits(runs=2), Limits(jobs=29), Limits(urgent=2)):
        with pytest.raises(TooMuch):
            submit.admit_all(store, queue, asked, client="anna", limits=limits, priority="high")
    assert store.runs.counts() == {} and queue.waiting() == []

    assert submit.admit_all(store, queue, asked, client="anna", limits=Limits(runs=3, jobs=30)) == [True] * 3
    assert submit.admit_all(store, queue, asked, client="anna", limits=Limits(runs=3, jobs=30)) == [False] * 3
    assert sorted(queue.waiting()) == sorted(one.digest for one, _ in asked)


def test_a_disk_that_fails_at_the_third_leaves_none_of_them(store, monkeypatch):
    queue, accept = fake_queue(), Runs._accept
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    submit.admit(store, queue, spec(0), 10)
    submit.admit(store, queue, spec(1), 10)
    store.runs.fail(spec(1).digest, "no more")
    queue.remove(spec(1).digest)

    def full(self, connection, row, status):
        if row["digest"] == spec(3).digest:
            raise OSError(28, "No space left on device")
        return accept(self, connection, row, status)

    monkeypatch.setattr(Runs, "_accept", full)
    with pytest.raises(OSError, match="No space"):
        submit.admit_all(store, queue, [(spec(seed), 10) for seed in range(1, 4)])

    assert {run.digest for run in store.runs.list().rows} == {spec(0).digest, spec(1).digest}
    failed = store.runs.get(spec(1).digest).status
    assert (failed.status, failed.error) == ("failed", "no more")
    assert queue.waiting() == [spec(0).digest]
