"""`shadowtime store`: what is wrong is found, the index is written again, old runs go."""

from __future__ import annotations

import gzip
import io
import os
from datetime import UTC, datetime, timedelta

import pytest

from shadowtime.workers.records import schema
from shadowtime.workers.records.links import LinkedRun
from shadowtime.workers.store import open_store
from shadowtime.workers.store.sweeps import SweepStatus
from shadowtime.workers.sweeps.spec import SweepSpec
from tests.workers.samples import rewrite, spec, summary, tables

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
    (made.sweeps.get(SWEEP.digest).path / "batches" / "000001.jsonl").write_text('{"begin": 0}\n{"torn')
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


def test_a_whole_store_is_said_to_be_whole(check):
    answer = check()

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "4 runs, 1 workload, 1 sweep: all is well\n"


PLACES = {
    "run: spec": ("runs/*/spec.json", "is not the name of its folder"),
    "run: status": ("runs/*/status.json", "status.json is missing or no status"),
    "run: summary": ("runs/*/summary.json", "summary.json is not what was written"),
    "run: column": ("runs/*/events/time.npy", "events/time.npy does not hold what was written"),
    "run: manifest": ("runs/*/series/manifest.json", "series/manifest.json does not hold what was written"),
    "workload: source": ("workloads/*/source.swf.gz", ""),
    "workload: manifest": ("workloads/*/manifest.json", ""),
    "workload: facts": ("workloads/*/parsed/*/*/workload.json", "it is read from its source again"),
    "workload: parse": ("workloads/*/parsed/*/*/jobs/runtime.npy", "it is read from its source again"),
    "sweep: spec": ("sweeps/*/spec.json", "is not the name of its folder"),
    "sweep: status": ("sweeps/*/status.json", "status.json is damaged"),
    "sweep: journal": ("sweeps/*/batches/*.jsonl", "batches/000001.jsonl line 1 is not what was written"),
    "question: file": ("deleted/*.json", "its SHA-256 is not its name"),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_damaged_file_is_one_line(check, store, place):
    pattern, sentence = PLACES[place]
    path = min(store.path.glob(pattern))
    quotes = place in ("run: status", "sweep: status", "sweep: journal")
    damage(path, 0 if quotes else 12)
    answer = check()

    assert answer.code == 1
    lines = [line for line in answer.out.splitlines() if not line.startswith("index")]
    assert len(lines) == 1 and lines[0].startswith(place.split(":")[0]) and sentence in lines[0], answer.out


@pytest.mark.parametrize(("table", "column"), [("links", "target"), ("links", "runs"), ("reruns", "values")])
def test_each_altered_row_is_one_line(check, store, table, column):
    with store.database.write() as connection:
        connection.execute(schema.metadata.tables[table].update().values({column: "[]x"}))
    answer = check()

    assert answer.code == 1
    assert answer.out.startswith(table.removesuffix("s")) and answer.out.endswith("its row is not what was written\n")
    assert answer.err.endswith(": 1 fault found\n")


def test_files_that_are_missing_are_found(check, store):
    next(store.path.glob("workloads/*/source.swf.gz")).unlink()
    next(store.path.glob("runs/*/jobs/job_id.npy")).unlink()
    next(store.path.glob("sweeps/*/status.json")).unlink()
    answer = check()

    assert answer.code == 1
    assert [line.partition(" ")[0] for line in answer.out.splitlines()] == ["workload", "run", "sweep"]
    assert answer.err.endswith(": 3 faults found\n")


def test_a_source_that_is_another_file_is_found(check, store):
    next(store.path.glob("workloads/*/source.swf.gz")).write_bytes(gzip.compress(FOUR.replace(b"100", b"200")))

    assert "source.swf.gz is not what was sent" in check().out


def test_an_index_that_lags_behind_is_written_again(check, store):
    store.index.remove("runs", spec().digest)
    lagging, repaired = check(), check("--repair-index")

    assert lagging.code == 1
    assert "index index.sqlite: 1 runs are listed wrongly" in lagging.out
    assert (repaired.code, repaired.out) == (0, "")
    assert spec().id in [run.id for run in store.runs.list().rows]


def test_an_index_that_is_no_database_is_found_and_written_again(check, store):
    store.index.path.write_bytes(b"no database at all " * 500)
    for name in ("-wal", "-shm"):
        store.index.path.with_name(f"index.sqlite{name}").unlink(missing_ok=True)
    found, repaired = check(), check("--repair-index")

    assert found.code == 1 and "index index.sqlite: it cannot be read (file is not a database)" in found.out
    assert (repaired.code, repaired.out) == (0, "")
    assert len(store.runs.list().rows) == 4


def age(store, seed, days):
    """Let a run have ended so many days ago."""
    path = store.runs.get(spec(seed).digest).path / "status.json"
    ended = (datetime.now(UTC) - timedelta(days=days)).isoformat().replace("+00:00", "Z")
    rewrite(path, ended=ended, accepted=ended)
    os.utime(path, ns=(0, 10**18 + days))


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
    assert answer.err.startswith("2 runs went, ")
    assert there(store) == {1, 4}  # a queued one never goes, however old
    assert store.runs.question(spec(0).id) == spec(0)


def test_a_dry_run_says_the_same_and_keeps_all(prune, store):
    age(store, 0, 40)
    dry = prune("--older-than", 30, "--dry-run")
    kept = there(store)
    wet = prune("--older-than", 30)

    assert kept == {0, 1, 3, 4} and there(store) == {1, 3, 4}
    assert dry.out == wet.out and dry.err.startswith("1 run would go, ")


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
