"""`shadowtime store`: what is wrong is found, a copy can be opened, old runs go."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from shadowtime.workers import audit
from shadowtime.workers.records import schema
from shadowtime.workers.records.links import LinkedRun
from shadowtime.workers.records.sweeps import SweepStatus
from shadowtime.workers.store import open_store
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.utc import utc_text
from tests.workers.samples import spec, summary, tables
from tests.workers.spoiling import change_row, spoil_row, spoil_table

FOUR = b"; MaxProcs: 10\n1 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
SWEEP = SweepSpec(
    workloads=({"generator": "uniform", "parameters": {"jobs": 10}, "seed": None},),
    seeds=(1,),
    conversions=(),
    loads=(),
    platform={},
    estimates=None,
    tau=None,
    variants=({"algorithm": "easy", "parameters": {}},),
    engine_version="0.1.0",
)


@pytest.fixture
def store(tmp_path):
    """Two finished runs, a failed and a queued one, a deleted one's question, a workload, a link, a sweep, a re-run."""
    made = open_store(tmp_path / "store")
    made.workloads.add(io.BytesIO(FOUR), "one.swf")
    made.runs.keep([(spec(seed), tables(), summary(spec(seed))) for seed in (0, 1, 2)])
    made.runs.delete(spec(2).digest)
    for seed in (3, 4):
        made.runs.accept(spec(seed))
    made.runs.fail(spec(3).digest, "it stopped")
    made.links.make(f"/runs/{spec().id}", runs=[LinkedRun(spec().json)])
    made.sweeps.accept(SWEEP, SweepStatus())
    made.sweeps.outcomes.record(SWEEP.digest, [{"index": 0, "status": "finished", "run": None}])
    made.sweeps.batches.take(SWEEP.digest, 0, "worker", 1)
    made.reruns.request(spec().digest)
    return made


@pytest.fixture
def check(shadowtime, store):
    """`shadowtime store check` of that store."""
    return lambda *more: shadowtime("store", "check", "--store", store.path, *more)


def damage(path, place=40):
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


def source(store):
    """The file of the workload."""
    with store.database.read() as connection:
        return store.shelf.blobs.open(connection.execute(select(schema.workloads.c.source)).scalar_one())


def test_a_whole_store_is_said_to_be_whole(check):
    answer = check()

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "4 runs, 1 workload, 1 sweep: no faults\n"


PLACES = {
    "workload: facts": ("parses/*/*/*/facts.json", "it is read from its source again"),
    "workload: parse": ("parses/*/*/*/jobs.table", "it is read from its source again"),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_damaged_file_is_one_line(check, store, place):
    pattern, sentence = PLACES[place]
    damage(min(store.path.glob(pattern)), 12)
    answer = check()

    assert answer.code == 1
    (line,) = answer.out.splitlines()
    assert line.startswith(place.split(":")[0]) and sentence in line


@pytest.mark.parametrize("name", ["jobs", "events", "series"])
def test_a_damaged_table_is_one_line(check, store, name):
    spoil_table(store, spec().digest, name)
    answer = check()

    assert answer.code == 1 and len(answer.out.splitlines()) == 2, "both runs have the same tables"
    assert f"run {spec().id}: the table {name} is not what was written\n" in answer.out


ALTERED = {
    "spec": ("runs", {"spec": "{}"}, f"run {spec().id}: the configuration of run {spec().id} is damaged"),
    "status": ("runs", {"status": "queued"}, f"run {spec().id}: What was kept of this run is damaged (its record is"),
    "summary": ("results", {"summary": "{}"}, f"run {spec().id}: its figures are not what was written"),
}


@pytest.mark.parametrize("what", ALTERED)
def test_an_altered_run_is_named(check, store, what):
    table, changes, sentence = ALTERED[what]
    spoil_row(store, table, spec().digest, **changes)
    answer = check()

    assert answer.code == 1 and answer.out.startswith(sentence)


def test_an_altered_question_of_a_deleted_run_is_one_line(check, store):
    spoil_row(store, "questions", spec(2).digest, spec="{}")

    assert check().out == f"question {spec(2).id}: it is not what was asked: its SHA-256 is not its name\n"


@pytest.mark.parametrize(
    ("table", "column"),
    [("links", "target"), ("links", "runs"), ("reruns", "values"), ("sweeps", "label"), ("sweeps", "spec")],
)
def test_each_altered_row_is_one_line(check, store, table, column):
    with store.database.write() as connection:
        connection.execute(schema.metadata.tables[table].update().values({column: "[]x"}))
    answer = check()

    assert answer.code == 1
    assert answer.out.startswith(table.removesuffix("s")) and answer.out.endswith("its row is not what was written\n")
    assert answer.err.endswith(": 1 fault found\n")


def test_files_that_are_missing_are_found(check, store):
    source(store).unlink()
    store.shelf.blobs.remove(store.runs.get(spec().digest).tables["jobs"])
    answer = check()

    assert answer.code == 1
    assert [line.partition(" ")[0] for line in answer.out.splitlines()] == ["workload", "run", "run"]
    assert answer.err.endswith(": 3 faults found\n")


def test_a_source_that_is_another_file_is_found(check, store):
    source(store).write_bytes(gzip.compress(FOUR.replace(b"100", b"200")))

    assert "its source is damaged (blob" in check().out


def test_an_altered_workload_is_one_line_until_it_is_made_again(check, store):
    with store.database.write() as connection:
        connection.execute(schema.workloads.update().values(label="x"))
    answer = check()

    assert answer.code == 1 and len(answer.out.splitlines()) == 1
    assert answer.out.endswith("its row is not what was written; it is made again from its source\n")
    assert len(store.workloads.list().rows) == 1 and check().code == 0


def test_the_option_for_the_index_of_older_versions_is_still_taken(check):
    assert check("--repair-index").code == 0


def age(store, seed, days):
    """Let a run have ended so many days ago."""
    ended = utc_text(datetime.now(UTC) - timedelta(days=days))
    change_row(store, spec(seed).digest, ended=ended, accepted=ended)


@pytest.fixture
def prune(shadowtime, store):
    """`shadowtime store prune` of that store."""
    return lambda *more: shadowtime("store", "prune", "--store", store.path, *more)


def there(store):
    return {run.spec.seed for run in store.runs.list().rows}


def test_old_runs_go_and_their_questions_stay(prune, store):
    for seed in (0, 3, 4):
        age(store, seed, 40)
    answer = prune("--older-than", 30)

    assert answer.code == 0
    assert sorted(line.split()[0] for line in answer.out.splitlines()) == sorted([spec(0).id, spec(3).id])
    assert answer.err.startswith("2 runs deleted, ")
    assert there(store) == {1, 4}  # a queued one never goes, however old
    assert store.runs.question(spec(0).id) == spec(0)


def test_what_is_pruned_is_in_the_audit_log(prune, store):
    age(store, 0, 40)
    prune("--older-than", 30, "--dry-run")
    assert list(audit.lines(store.database, [])) == []
    prune("--older-than", 30)

    [entry] = [json.loads(line) for line in audit.lines(store.database, [])]
    assert (entry["role"], entry["action"], entry["object"]) == ("command line", "delete run", f"run {spec(0).id}")
    assert entry["who"] and entry["time"]


def test_a_dry_run_says_the_same_and_keeps_all(prune, store):
    age(store, 0, 40)
    dry = prune("--older-than", 30, "--dry-run")
    kept = there(store)
    wet = prune("--older-than", 30)

    assert kept == {0, 1, 3, 4} and there(store) == {1, 3, 4}
    assert dry.out == wet.out and dry.err.startswith("1 run would be deleted, ")


def test_runs_that_a_link_shows_may_be_kept(prune, store):
    for seed in (0, 1):
        age(store, seed, 40)
    prune("--older-than", 30, "--keep-linked")

    assert there(store) == {0, 3, 4}


@pytest.mark.parametrize("given", [["--older-than", "-1"], ["--older-than", "soon"], []])
def test_a_wrong_age_is_refused(prune, given):
    assert prune(*given).code == 2


def test_a_folder_that_is_no_store_is_not_made_one(shadowtime, tmp_path):
    answer = shadowtime("store", "check", "--store", tmp_path / "nothing")

    assert answer.code == 2 and not (tmp_path / "nothing").exists()


def test_a_backup_is_a_whole_store(shadowtime, store, tmp_path):
    answer = shadowtime("store", "backup", tmp_path / "copy", "--store", store.path)
    again = shadowtime("store", "backup", tmp_path / "copy", "--store", store.path)
    checked = shadowtime("store", "check", "--store", tmp_path / "copy")

    assert answer.code == 0 and "5 blobs" in answer.err
    assert again.code == 2 and "not empty" in again.err
    assert (checked.code, checked.err) == (0, "4 runs, 1 workload, 1 sweep: no faults\n")


def test_what_is_kept_of_an_older_version_goes_only_when_all_is_well(check, store):
    older = store.path / "older-runs"
    (older / "x").mkdir(parents=True)
    spoil_row(store, "results", spec().digest, summary="{}")
    refused = check("--delete-older")
    kept = older.exists()
    store.runs.verify(spec().digest)
    store.runs.delete(spec().digest)
    deleted = check("--delete-older")

    assert (refused.code, kept) == (1, True)
    assert deleted.code == 0 and not older.exists() and "older-runs is deleted" in deleted.err
