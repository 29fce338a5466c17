"""Workloads are kept as they were sent, known by their content, and read once."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload, UnknownName
from shadowtime.engine.registry import generators
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read as read_workload
from shadowtime.engine.workload.samples import samples
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.store import manifest, open_store
from shadowtime.workers.store import workloads as module
from tests.conftest import FOUR_SWF
from tests.workers.samples import FOUR_DIGEST, spec

FOUR = FOUR_SWF.encode()
CASES = json.dumps(
    {
        "kind": "rigid",
        "cases": [
            {"name": "one", "processors": 4, "jobs": [{"runtime": 5, "processors": 2}]},
            {"name": "two/../../x", "processors": 8, "jobs": [{"runtime": 5, "processors": 2}] * 3},
        ],
    }
).encode()


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


def equal(one, other) -> bool:
    return (
        (one.kind, one.name, dict(one.machine), one.report, one.clock, one.has_estimates, dict(one.source))
        == (other.kind, other.name, dict(other.machine), other.report, other.clock, other.has_estimates,
            dict(other.source))
        and list(one.jobs) == list(other.jobs)
        and all(np.array_equal(one.jobs[name], other.jobs[name], equal_nan=True) for name in one.jobs)
        and all(one.jobs[name].dtype == other.jobs[name].dtype for name in one.jobs)
        and list(one.parts) == list(other.parts)
        and all(np.array_equal(one.parts[name], other.parts[name]) for name in one.parts)
    )  # fmt: skip


def test_a_file_is_known_by_its_content(store):
    entry, created = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    again, created_again = store.workloads.add(io.BytesIO(gzip.compress(FOUR)), "other name.swf.gz")

    assert (created, created_again) == (True, False)
    assert entry.digest == again.digest == FOUR_DIGEST
    assert (entry.id, entry.kind, entry.jobs, entry.cases, entry.name) == (FOUR_DIGEST[:16], "rigid", 4, (), "four.swf")
    assert again.name == "four.swf"
    assert entry.machine == {"processors": 10}
    assert entry.size == len(FOUR)
    assert entry.preview["facts"]["jobs"] == 4
    assert store.workloads.get(entry.id) == store.workloads.get(entry.digest)


def test_source_is_given_back_byte_for_byte(store):
    plain, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    packed, _ = store.workloads.add(io.BytesIO(gzip.compress(FOUR + b";\n")), "five.swf.gz")

    assert store.workloads.open_source(plain.id).read() == FOUR
    assert store.workloads.open_source(packed.id).read() == FOUR + b";\n"


def test_folders_are_named_by_what_they_hold(store, tmp_path):
    store.workloads.add(io.BytesIO(FOUR), "four.swf")
    store.workloads.add(io.BytesIO(CASES), "cases.json")
    store.workloads.generate("lublin", {"jobs": 20}, 7)
    folders = list((tmp_path / "workloads").iterdir())

    assert len(folders) == 3
    for folder in folders:
        (source,) = folder.glob("source.*.gz")
        assert hashlib.sha256(gzip.decompress(source.read_bytes())).hexdigest() == folder.name
        assert (folder / "manifest.json").exists()
    assert {next(folder.glob("source.*")).name for folder in folders} == {"source.swf.gz", "source.json.gz"}


def test_cached_parse_is_what_the_reader_gives(store, monkeypatch):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    monkeypatch.setattr(module.reading, "read", None)
    loaded = store.workloads.load(entry.id)

    assert equal(loaded, read_workload(io.BytesIO(FOUR), "four.swf"))


@pytest.mark.parametrize("sample", samples().values(), ids=lambda sample: sample.slug)
def test_cached_parse_of_every_sample_is_what_the_reader_gives(store, sample):
    entry, _ = store.workloads.add(io.BytesIO(sample.content()), sample.file)
    for case in entry.cases or (None,):
        store.workloads.load(entry.id, case)

        assert equal(
            store.workloads.load(entry.id, case), read_workload(io.BytesIO(sample.content()), entry.name, case)
        )


@pytest.mark.parametrize("generator", generators())
def test_cached_draw_of_every_generator_is_what_it_makes(store, generator):
    entry, _ = store.workloads.generate(generator, {"jobs": 30}, 7)

    assert equal(store.workloads.load(entry.id), generate(generator, {"jobs": 30}, 7))


def test_damaged_parse_is_made_again(store, tmp_path):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    before = store.workloads.load(entry.id)
    (column,) = (tmp_path / "workloads" / entry.digest / "parsed").glob("*/whole/jobs/release.npy")
    column.write_bytes(column.read_bytes()[:-8])

    assert equal(store.workloads.load(entry.id), before)


def test_lost_parse_is_made_again(store, tmp_path):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    before = store.workloads.load(entry.id)
    shutil.rmtree(tmp_path / "workloads" / entry.digest / "parsed")
    after = store.workloads.load(entry.id)

    assert equal(before, after)
    assert list((tmp_path / "workloads" / entry.digest / "parsed").glob("*/whole/jobs/release.npy"))


def test_parse_of_another_engine_is_not_taken(store, tmp_path, monkeypatch):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    for number in range(4):
        for room in (module, manifest):
            monkeypatch.setattr(room, "engine_version", lambda number=number: f"9.9.{number}+00000000")
        store.workloads.load(entry.id)
    newer = store.workloads.get(entry.id)
    parses = {path.name for path in (tmp_path / "workloads" / entry.digest / "parsed").iterdir()}

    assert newer.engine_version == "9.9.3+00000000"
    assert newer.added == entry.added
    assert "9.9.3+00000000" in parses and len(parses) == 2


def test_a_case_is_named_or_counted(store):
    entry, _ = store.workloads.add(io.BytesIO(CASES), "cases.json")
    named = store.workloads.load(entry.id, "two/../../x")
    counted = store.workloads.load(entry.id, "1")

    assert (list(entry.cases), entry.jobs) == (["one", "two/../../x"], 1)
    assert len(named) == 3 and equal(named, counted)
    assert named.source == {"digest": entry.digest, "case": "two/../../x"}
    assert named.name == "cases.json#two/../../x"
    with pytest.raises(UnknownName):
        store.workloads.load(entry.id, "three")
    with pytest.raises(InvalidWorkload, match="2 cases"):
        store.workloads.load(entry.id)
    with pytest.raises(InvalidWorkload):
        store.workloads.load(store.workloads.add(io.BytesIO(FOUR), "four.swf")[0].id, "one")


def test_generated_workload_is_known_by_its_question(store):
    entry, created = store.workloads.generate("lublin", {"jobs": "20"}, 7)
    again, created_again = store.workloads.generate("LUBLIN", {"jobs": 20, "seed": 7}, 0)
    loaded = store.workloads.load(entry.id)

    assert (created, created_again) == (True, False)
    assert entry.digest == again.digest
    assert (entry.jobs, entry.name) == (20, "lublin:jobs=20")
    assert equal(loaded, generate("lublin", {"jobs": 20}, 7))
    assert json.loads(store.workloads.open_source(entry.id).read()) == loaded.source


def test_a_spec_names_a_generated_workload_that_need_not_be_stored(store, tmp_path):
    source = generate("lublin", {"jobs": 20}, 7).source
    loaded = store.workloads.load_source(source)

    assert equal(loaded, generate("lublin", {"jobs": 20}, 7))
    assert not list((tmp_path / "workloads").iterdir())


@pytest.mark.parametrize(
    "content",
    [b"", b"rubbish", b"\x1f\x8brubbish", gzip.compress(FOUR)[:-9], b"\0" * 99, b'{"kind": "metrics"}', b"{" * 9999],
)
def test_what_cannot_be_read_is_not_stored(store, tmp_path, content):
    with pytest.raises(InvalidWorkload):
        store.workloads.add(io.BytesIO(content), "x.swf")

    assert not list((tmp_path / "workloads").iterdir())
    assert not store.workloads.list().rows


def test_limits_hold(store, tmp_path):
    bomb = gzip.compress(b";" + b" " * 50_000_000)

    with pytest.raises(InvalidWorkload, match="1 MB"):
        store.workloads.add(io.BytesIO(bomb), "bomb.swf.gz", Limits(unpacked=1_000_000))
    assert not list((tmp_path / "workloads").iterdir())


@pytest.mark.parametrize(
    ("given", "shown"),
    [("../../etc/passwd", "passwd"), ("C:\\logs\\a.swf", "a.swf"), ("a\nb\x1b[31m.swf", "ab[31m.swf"),
     ("", "workload"), ("x" * 999, "x" * 200)],
)  # fmt: skip
def test_a_name_is_only_shown(store, given, shown):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), given)

    assert entry.name == shown


@pytest.mark.parametrize("reference", ["", "four.swf", "../runs", FOUR_DIGEST[:15], "0" * 16, "0" * 64])
def test_unknown_workload_is_not_found(store, reference):
    store.workloads.add(io.BytesIO(FOUR), "four.swf")

    for ask in (store.workloads.get, store.workloads.load, store.workloads.open_source, store.workloads.delete):
        with pytest.raises(NotFound, match="no workload"):
            ask(reference)


def test_workload_in_use_is_not_deleted(store):
    entry, _ = store.workloads.add(io.BytesIO(FOUR), "four.swf")
    store.runs.accept(spec())
    with pytest.raises(Conflict, match="1 run uses it"):
        store.workloads.delete(entry.id)
    store.runs.cancel(spec().digest)
    store.runs.delete(spec().digest)
    store.workloads.delete(entry.id)

    with pytest.raises(NotFound):
        store.workloads.get(entry.id)
    assert not store.workloads.list().rows


def test_listing_shows_the_newest_first(store):
    store.workloads.add(io.BytesIO(FOUR), "four.swf")
    store.workloads.add(io.BytesIO(CASES), "cases.json")
    store.workloads.generate("lublin", {"jobs": 20}, 7)
    first = store.workloads.list(limit=2)
    second = store.workloads.list(limit=2, after=first.next)

    assert [entry.name for entry in first.rows] == ["lublin:jobs=20", "cases.json"]
    assert [entry.name for entry in second.rows] == ["four.swf"]
    assert second.next is None
    assert [entry.name for entry in store.workloads.list(text="Lublin rigid").rows] == ["lublin:jobs=20"]


def test_runs_are_listed_by_the_name_of_their_workload(store):
    store.workloads.add(io.BytesIO(FOUR), "Four jobs.swf")
    store.runs.accept(spec())

    assert len(store.runs.list(text="four").rows) == 1


def test_a_site_comes_back_with_its_machines_and_as_many_jobs_as_asked(store):
    site = samples()["site142"].content()
    entry, _ = store.workloads.add(io.BytesIO(site), "site.json")
    question = {"generator": "classed", "parameters": {"jobs": 9, "site": "bench"}, "seed": 3}
    drawn, _ = store.workloads.generate("classed", question["parameters"], 3)

    assert entry.kind == "classed" and entry.jobs == 20
    for _ in range(2):
        assert len(store.workloads.load(entry.id)) == 20
        seven = store.workloads.load(entry.id, "7")
        assert len(seven) == 7 and len(seven.site.machines) == 142
        assert store.workloads.load_source(dict(seven.source)).name == "site.json#7"
        assert len(store.workloads.load(drawn.id).site.machines) == 3
