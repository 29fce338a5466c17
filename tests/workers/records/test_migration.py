"""A store that version 0.1.0 wrote answers today's version as it answered its own; on both databases."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack

import pytest

from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.version import engine_version
from tests.dashboard.cli.conftest import shadowtime  # noqa: F401 (a fixture)
from tests.workers.records import old_answers
from tests.workers.records.old_answers import ANSWERS, AUDIT, FAULT, SPECIAL


@pytest.fixture
def folder(tmp_path):
    return old_answers.unpack(tmp_path / "store")


@pytest.fixture
def store(folder, url):
    """The store, taken over."""
    opened = RecordStore(folder, url)
    yield opened
    opened.database.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared(request, tmp_path_factory):
    """A store for several tests, and the digest of each file before it was taken over."""
    folder = old_answers.unpack(tmp_path_factory.mktemp("shared") / "store")
    written = old_answers.as_written(folder)
    with ExitStack() as stack:
        stack.enter_context(pytest.MonkeyPatch.context()).delenv("SHADOWTIME_DATABASE", raising=False)
        server = request.getfixturevalue("postgres_server") if request.param == "postgresql" else ""
        url = stack.enter_context(old_answers.new_database(server)) if server else ""
        store = RecordStore(folder, url)
        yield store, url, written
        store.database.close()


def test_every_answer_is_the_same(shared):
    store, _, written = shared
    found = old_answers.answers(store)

    assert found.keys() == ANSWERS.keys()
    for what, said in ANSWERS.items():
        assert found[what] == said, what
    assert old_answers.leaves(found) == old_answers.leaves(ANSWERS) > 5000
    assert old_answers.set_aside(store.path) == written, "what was taken over is kept"
    assert not (store.path / "index.sqlite").exists()
    assert [str(fault) for fault in faults(store)] == [FAULT]


def test_a_bucket_gives_the_same_answers(folder, bucket):
    assert old_answers.answers(RecordStore(folder, blobs=bucket)) == ANSWERS
    assert not (folder / "blobs").exists()


def test_the_owner_of_the_private_run_sees_it_and_others_do_not(shared):
    runs = shared[0].runs
    own = [run.digest for run in runs.list(limit=1000, owners=("ada",)).rows]
    others = [run.digest for run in runs.list(limit=1000, owners=("bob",)).rows]

    assert own == ANSWERS["newest first"]
    assert others == ANSWERS["newest first, public"] == [one for one in own if one != SPECIAL["private"]]


def test_a_deleted_run_is_unknown_but_for_its_question(shared):
    with pytest.raises(NotFound):
        shared[0].runs.get(SPECIAL["deleted"])
    assert shared[0].runs.question(SPECIAL["deleted"]).digest == SPECIAL["deleted"]


def test_links_lead_where_they_led_and_a_revoked_one_nowhere(shared):
    links = shared[0].links
    for name in ("link", "link of two runs", "link of the deleted run", "secret link"):
        assert links.read(SPECIAL[name]).target == ANSWERS["links"][SPECIAL[name]]["target"]
    assert links.read(SPECIAL["secret link"]).is_secret
    with pytest.raises(NotFound):
        links.read(SPECIAL["revoked link"])


def test_the_audit_log_is_printed(shared, shadowtime, monkeypatch):  # noqa: F811
    if not shared[0].database.is_sqlite:  # a command without it is refused, since the blobs are of another database
        monkeypatch.setenv("SHADOWTIME_DATABASE", shared[1])

    answer = shadowtime("store", "audit", "--store", shared[0].path)

    assert [json.loads(line) for line in answer.out.splitlines()] == AUDIT and len(AUDIT) == 3


def test_a_workload_that_is_opened_has_the_facts_of_todays_reader(store):
    for digest, said in ANSWERS["workloads"].items():
        expected = json.loads(json.dumps(said["entry"]))
        # The facts name the version whose reader found them: when a workload is opened, today's reads it again.
        expected["engine_version"] = engine_version()
        if expected["kind"] == "moldable":  # today's reader also counts the moldable jobs that it rejects
            expected["preview"]["facts"]["rejected"] = 0
        assert json.loads(json.dumps(store.workloads.get(digest).as_dict())) == expected


def test_lost_workers_of_a_sweep_still_count(store):
    sweep = store.sweeps.get(SPECIAL["sweep paused"])
    taken = store.sweeps.batches.take(sweep.digest, 2, "worker", sweep.status.round)

    # As version 0.1.0 did: who takes the batch counts the worker that was lost over the run that it had begun.
    assert taken.lost == Counter({(2, 4): 1, (2, 5): 1})
    assert store.sweeps.batches.take(sweep.digest, 1, "worker", sweep.status.round).lost == Counter()


def test_a_second_start_changes_nothing(store, folder, url):
    before, files = old_answers.records(store), times(folder)
    again = RecordStore(folder, url)

    assert old_answers.records(again) == before and times(folder) == files
    assert [str(fault) for fault in faults(again)] == [FAULT]


def test_folders_that_come_back_are_taken_over_beside_the_others(store, folder, url):
    before, written = old_answers.records(store), old_answers.as_written(folder)
    old_answers.unpack(folder)  # as a copy of the older version's store that was put back would
    again = RecordStore(folder, url)

    assert old_answers.records(again) == before
    assert old_answers.set_aside(folder) == written | {
        f"{name}-2{rest}": digest
        for path, digest in written.items()
        for name, slash, rest in [path.partition("/")]
        for rest in [slash + rest]
    }


def test_what_was_set_aside_is_deleted_when_all_is_well(store, folder, url, shadowtime, monkeypatch):  # noqa: F811
    monkeypatch.setenv("SHADOWTIME_DATABASE", url)
    command = ("store", "check", "--delete-older", "--store", folder)
    refused, kept = shadowtime(*command), old_answers.set_aside(folder)
    store.runs.delete(SPECIAL["damaged"])
    deleted = shadowtime(*command)

    assert (refused.code, refused.out, bool(kept)) == (1, f"{FAULT}\n", True)
    assert refused.err == "38 runs, 10 workloads, 2 sweeps: 1 fault found\n"
    assert (deleted.code, deleted.out) == (0, "")
    assert deleted.err.splitlines() == [
        "37 runs, 10 workloads, 2 sweeps: no faults",
        *(f"older-{name} is deleted" for name in old_answers.NAMES),
    ]
    assert not list(folder.glob("older-*"))
    left = old_answers.answers(RecordStore(folder, url))
    assert left["workloads"] == ANSWERS["workloads"], "blobs are there without the files they were linked with"
    assert left["runs"] == {one: said for one, said in ANSWERS["runs"].items() if one != SPECIAL["damaged"]}


def times(folder):
    """Size and time of each file and folder that was set aside, and of each blob."""
    paths = [path for name in ("older-*", "blobs") for top in folder.glob(name) for path in (top, *top.rglob("*"))]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in paths}
