"""Workloads are kept as they were sent, known by their content, and read once; on both databases."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from shadowtime.engine.errors import InvalidWorkload, QuestionError, UnknownName
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.samples import samples
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.records import schema
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.records.sweeps import SweepStatus
from shadowtime.workers.records.workload_check import faults
from shadowtime.workers.records.workload_facts import question_digest
from shadowtime.workers.store import disk, open_store
from tests.conftest import FOUR_SWF
from tests.workers.records.workload_samples import CASES, drafts, equal
from tests.workers.samples import FOUR_DIGEST, spec
from tests.workers.sweeps.samples import asked

FOUR = FOUR_SWF.encode()


def test_a_file_is_known_by_its_content(workloads):
    entry, created = workloads.add(io.BytesIO(FOUR), "four.swf")
    again, created_again = workloads.add(io.BytesIO(gzip.compress(FOUR)), "other name.swf.gz")

    assert (created, created_again) == (True, False)
    assert entry.digest == again.digest == FOUR_DIGEST
    assert (entry.id, entry.kind, entry.jobs, entry.cases, entry.name) == (FOUR_DIGEST[:16], "rigid", 4, (), "four.swf")
    assert again.name == "four.swf"
    assert entry.machine == {"processors": 10}
    assert entry.size == len(FOUR)
    assert entry.preview["facts"]["jobs"] == 4
    assert workloads.get(entry.id) == workloads.get(entry.digest)


def test_source_is_given_back_byte_for_byte(workloads):
    plain, _ = workloads.add(io.BytesIO(FOUR), "four.swf")
    packed, _ = workloads.add(io.BytesIO(gzip.compress(FOUR + b";\n")), "five.swf.gz")

    assert workloads.open_source(plain.id).read() == FOUR
    assert workloads.open_source(packed.id).read() == FOUR + b";\n"


def test_the_same_bytes_are_one_blob_that_is_used(workloads, tmp_path):
    for content, name in ((FOUR, "four.swf"), (CASES, "cases.json")):
        entry, is_new = workloads.add(io.BytesIO(gzip.compress(content)), name)
        assert is_new and entry.size == len(content)
        assert not workloads.add(io.BytesIO(content), "again")[1]
        assert not workloads.add(io.BytesIO(gzip.compress(content)), "packed")[1]
    drawn, _ = workloads.generate("lublin", {"jobs": 20}, 7)
    with workloads.database.read() as connection:
        found = connection.execute(select(schema.workloads.c.digest, schema.workloads.c.source)).all()
        used = connection.execute(select(schema.uses.c.user, schema.uses.c.blob)).all()

    assert sorted(found) == sorted(used) and len(found) == 3 and drawn.digest in dict(found)
    assert sorted(workloads.shelf.blobs.digests()) == sorted(dict(found).values())
    for digest, blob in found:
        content = workloads.shelf.blobs.open(blob).read_bytes()
        assert hashlib.sha256(content).hexdigest() == blob
        assert hashlib.sha256(gzip.decompress(content)).hexdigest() == digest
    assert drafts(tmp_path) == [] and workloads.shelf.strays() == []


def test_a_case_is_named_or_counted(workloads):
    entry, _ = workloads.add(io.BytesIO(CASES), "cases.json")
    named = workloads.load(entry.id, "two/../../x")
    counted = workloads.load(entry.id, "1")

    assert (list(entry.cases), entry.jobs) == (["one", "two/../../x"], 1)
    assert len(named) == 3 and equal(named, counted)
    assert named.source == {"digest": entry.digest, "case": "two/../../x"}
    assert named.name == "cases.json#two/../../x"
    with pytest.raises(UnknownName):
        workloads.load(entry.id, "three")
    with pytest.raises(InvalidWorkload, match="2 cases"):
        workloads.load(entry.id)
    with pytest.raises(InvalidWorkload):
        workloads.load(workloads.add(io.BytesIO(FOUR), "four.swf")[0].id, "one")


def test_generated_workload_is_known_by_its_question(workloads):
    entry, created = workloads.generate("lublin", {"jobs": "20"}, 7)
    again, created_again = workloads.generate("LUBLIN", {"jobs": 20, "seed": 7}, 0)
    loaded = workloads.load(entry.id)

    assert (created, created_again) == (True, False)
    assert entry.digest == again.digest
    assert (entry.jobs, entry.name) == (20, "lublin:jobs=20")
    assert equal(loaded, generate("lublin", {"jobs": 20}, 7))
    assert json.loads(workloads.open_source(entry.id).read()) == loaded.source


def test_a_spec_names_a_generated_workload_that_need_not_be_stored(workloads, tmp_path):
    source = generate("lublin", {"jobs": 20}, 7).source
    loaded = workloads.load_source(source)

    assert equal(loaded, generate("lublin", {"jobs": 20}, 7))
    assert not (tmp_path / "parses").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"rubbish",
        b"\x1f\x8brubbish",
        gzip.compress(FOUR, mtime=0)[:-9],
        b"\0" * 99,
        b'{"kind": "metrics"}',
        b"{" * 9999,
    ],
)
def test_what_cannot_be_read_is_not_stored(workloads, tmp_path, content):
    with pytest.raises(InvalidWorkload):
        workloads.add(io.BytesIO(content), "x.swf")

    assert drafts(tmp_path) == [] and list(workloads.shelf.blobs.digests()) == []
    assert not workloads.list().rows


def test_limits_hold(workloads, tmp_path):
    bomb = gzip.compress(b";" + b" " * 50_000_000)

    with pytest.raises(InvalidWorkload, match="1 MB"):
        workloads.add(io.BytesIO(bomb), "bomb.swf.gz", Limits(unpacked=1_000_000))
    assert drafts(tmp_path) == [] and list(workloads.shelf.blobs.digests()) == []


@pytest.mark.parametrize(
    ("given", "shown"),
    [("../../etc/passwd", "passwd"), ("C:\\logs\\a.swf", "a.swf"), ("a\nb\x1b[31m.swf", "ab[31m.swf"),
     ("", "workload"), ("x" * 999, "x" * 200)],
)  # fmt: skip
def test_a_name_is_only_shown(workloads, given, shown):
    entry, _ = workloads.add(io.BytesIO(FOUR), given)

    assert entry.name == shown


@pytest.mark.parametrize("reference", ["", "four.swf", "../runs", FOUR_DIGEST[:15], "0" * 16, "0" * 64])
def test_unknown_workload_is_not_found(workloads, reference):
    workloads.add(io.BytesIO(FOUR), "four.swf")

    for ask in (workloads.get, workloads.load, workloads.open_source, workloads.delete):
        with pytest.raises(NotFound, match="no workload"):
            ask(reference)


def test_workload_in_use_is_not_deleted(workloads, uses):
    entry, _ = workloads.add(io.BytesIO(FOUR), "four.swf")
    uses[entry.digest] = "1,200 runs use"
    with pytest.raises(Conflict, match="cannot be deleted: 1,200 runs use it"):
        workloads.delete(entry.id)
    uses.clear()
    workloads.delete(entry.id)

    with pytest.raises(NotFound):
        workloads.get(entry.id)
    assert not workloads.list().rows
    assert list(workloads.shelf.blobs.digests()) == [], "its source is not kept for a grace time"


def test_an_unfinished_sweep_keeps_its_workload(tmp_path):
    store = open_store(tmp_path)
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    question = asked(store, workloads=[entry.id, "uniform:jobs=5"], loads=[0.5])
    store.sweeps.accept(question.spec, SweepStatus())
    with pytest.raises(Conflict, match="1 unfinished experiment uses it"):
        store.workloads.delete(entry.id)
    store.runs.accept(spec())
    with pytest.raises(Conflict, match="1 run and 1 unfinished experiment use it"):
        store.workloads.delete(entry.id)
    store.runs.cancel(spec().digest)
    store.runs.delete(spec().digest)
    store.sweeps.change(question.spec.digest, ("running",), "cancelled", status="cancelled")
    store.workloads.delete(entry.id)


def test_a_run_keeps_its_workload(tmp_path):
    store = open_store(tmp_path)
    store.workloads.add(io.BytesIO(FOUR), "Four jobs.swf")
    store.runs.accept(spec())
    assert len(store.runs.list(text="four").rows) == 1, "runs are listed by the name of their workload"
    with pytest.raises(Conflict, match="1 run uses it"):
        store.workloads.delete(FOUR_DIGEST)
    store.runs.cancel(spec().digest)
    store.runs.delete(spec().digest)
    store.workloads.delete(FOUR_DIGEST)

    assert not store.workloads.list().rows


def test_listing_shows_the_newest_first(workloads):
    workloads.add(io.BytesIO(FOUR), "four.swf")
    workloads.add(io.BytesIO(CASES), "cases.json")
    workloads.generate("lublin", {"jobs": 20}, 7)
    first = workloads.list(limit=2)
    second = workloads.list(limit=2, after=first.next)

    assert [entry.name for entry in first.rows] == ["lublin:jobs=20", "cases.json"]
    assert [entry.name for entry in second.rows] == ["four.swf"]
    assert second.next is None
    assert [entry.name for entry in workloads.list(text="Lublin rigid").rows] == ["lublin:jobs=20"]


def test_listing_goes_page_by_page(local):
    for seed in range(7):
        local.generate("uniform", {"jobs": 2}, seed)
    seen, after = [], None
    while True:
        page = local.list(limit=3, after=after)
        seen += [entry.digest for entry in page.rows]
        if (after := page.next) is None:
            break

    assert len(seen) == len(set(seen)) == 7
    assert seen == [entry.digest for entry in sorted(local.list().rows, key=lambda one: one.added, reverse=True)]


@pytest.mark.parametrize(
    "after",
    [
        "no position",
        "[",
        "{}",
        "[]",
        '["a"]',
        '[1, "a"]',
        '["a", 1]',
        '["a", "b", "c"]',
        '["a", "\\ud800"]',
        '["\\u0000", "a"]',
    ],
)
def test_a_page_after_no_position_is_refused(workloads, after):
    with pytest.raises(QuestionError, match="it must be the `next` of an earlier page"):
        workloads.list(after=after)


def test_a_case_may_have_any_name(workloads):
    names = ["a\0b", "\ud800", "\u202e", "%_\\", "größe 大"]
    jobs = [{"runtime": 5, "processors": 2}]
    cases = {"kind": "rigid", "cases": [{"name": name, "processors": 4, "jobs": jobs} for name in names]}
    entry, _ = workloads.add(io.BytesIO(json.dumps(cases).encode()), "cases.json")

    assert workloads.get(entry.id).cases == [*entry.cases] == ["0", "1", "2", "%_\\", "größe 大"]
    for case in entry.cases:
        assert len(workloads.load(entry.id, case)) == 1
    assert workloads.list(text="cases.json %_").rows and not workloads.list(text="%cases").rows


def test_the_label_of_a_run_is_the_name_of_its_workload(workloads):
    entry, _ = workloads.add(io.BytesIO(CASES), "cases.json")
    source = {"digest": entry.digest, "case": "one"}
    drawn = generate("lublin", {"jobs": 20}, 7).source

    def label(source):
        return workloads.labels([source])[0]

    strange = {"digest": "ab" * 32, "case": None}
    assert workloads.labels([source, strange, drawn, source]) == [
        (entry.digest, "cases.json#one"),
        ("ab" * 32, ""),
        (question_digest(drawn), "lublin"),
        (entry.digest, "cases.json#one"),
    ]
    workloads.generate("lublin", {"jobs": 20}, 7)
    assert label(drawn)[1] == "lublin:jobs=20"
    workloads.delete(entry.id)
    workloads.add(io.BytesIO(CASES), "again.json")
    assert label(source) == (entry.digest, "again.json#one")


def test_of_many_that_store_the_same_one_is_first(workloads):
    with ThreadPoolExecutor(8) as pool:
        contents = [FOUR if k % 2 else gzip.compress(FOUR) for k in range(16)]
        done = list(pool.map(lambda content: workloads.add(io.BytesIO(content), "four.swf"), contents))

    assert sum(created for _, created in done) == 1
    assert {entry.digest for entry, _ in done} == {FOUR_DIGEST}
    assert workloads.open_source(FOUR_DIGEST).read() == FOUR
    assert list(faults(workloads)) == []


def test_a_source_that_is_collected_before_it_is_used_is_stored_again(workloads, tmp_path, monkeypatch):
    put, puts = Shelf.put, []

    def collected(self, given):
        put(self, given)
        puts.append(given)
        if len(puts) == 1:
            self.collect(grace=-1.0)

    monkeypatch.setattr(Shelf, "put", collected)
    entry, created = workloads.add(io.BytesIO(FOUR), "four.swf")

    assert created and len(puts) == 2
    assert workloads.open_source(entry.id).read() == FOUR
    assert drafts(tmp_path) == []


def test_drafts_of_a_crashed_process_are_swept(tmp_path):
    store = open_store(tmp_path)
    left = disk.temporary(tmp_path / "tmp" / "workload")
    left.mkdir()
    (left / "source").write_bytes(b"half of a file")
    store.tidy()
    assert left.exists(), "it may still be on its way"
    os.utime(left, (0, 0))
    store.tidy()
    assert not left.exists()


def test_a_site_comes_back_with_its_machines_and_as_many_jobs_as_asked(workloads):
    site = samples()["site142"].content()
    entry, _ = workloads.add(io.BytesIO(site), "site.json")
    question = {"generator": "classed", "parameters": {"jobs": 9, "site": "bench"}, "seed": 3}
    drawn, _ = workloads.generate("classed", question["parameters"], 3)

    assert entry.kind == "classed" and entry.jobs == 20
    for _ in range(2):
        assert len(workloads.load(entry.id)) == 20
        seven = workloads.load(entry.id, "7")
        assert len(seven) == 7 and len(seven.site.machines) == 142
        assert workloads.load_source(dict(seven.source)).name == "site.json#7"
        assert len(workloads.load(drawn.id).site.machines) == 3
