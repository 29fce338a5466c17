"""A row that is not what was written is made again from the source, and takes no list with it; on both databases."""

from __future__ import annotations

import gzip
import io
import json
import os
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from shadowtime.workers.errors import Damaged
from shadowtime.workers.records import schema
from shadowtime.workers.records.workload_check import faults
from tests.conftest import FOUR_SWF
from tests.workers.records.workload_samples import CASES, made

table = schema.workloads
FOUR = FOUR_SWF.encode()


@pytest.fixture
def workloads(database, tmp_path):
    return made(database, tmp_path)


@pytest.fixture
def three(workloads):
    """A log, a file of cases and a generated workload."""
    sent = workloads.add(io.BytesIO(FOUR), "four.swf")[0]
    cases = workloads.add(io.BytesIO(CASES), "cases.json")[0]
    drawn = workloads.generate("uniform", {"jobs": 20}, 3)[0]
    return [workloads.get(one.id) for one in (sent, cases, drawn)]


def spoil(workloads, one, /, **changes):
    with workloads.database.write() as connection:
        connection.execute(update(table).where(table.c.digest == one.digest).values(**changes))


def source(workloads, entry):
    with workloads.database.read() as connection:
        asked = select(schema.uses.c.blob).where(schema.uses.c.user == entry.digest)
        return workloads.shelf.blobs.root / connection.execute(asked).scalar_one()


def write(path, content):
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))


def found(workloads):
    return [(digest, sentence) for digest, sentence in faults(workloads)]


ALTERED = {
    "other facts": {"entry": '{"digest": "x"}'},
    "no facts": {"entry": ""},
    "deep facts": {"entry": "[" * 50_000},
    "another label": {"label": "x"},
    "another time": {"added": "soon"},
    "another source": {"source": "ab" * 32},
    "no source": {"source": "../../etc/passwd"},
    "another checksum": {"checksum": "ab" * 32},
}


@pytest.mark.parametrize("change", ALTERED)
def test_an_altered_row_is_made_again_with_the_same_facts(workloads, three, change):
    for entry in three:
        spoil(workloads, entry, **ALTERED[change])
    assert [sentence for _, sentence in found(workloads)] == [
        "its row is not what was written; it is made again from its source"
    ] * 3
    assert workloads.damaged() == []

    listed = {entry.digest: entry for entry in workloads.list().rows}
    for entry in three:
        again = listed[entry.digest]
        text = json.dumps(replace(again, added=entry.added).as_dict()).replace(again.name, entry.name)
        assert text == json.dumps(entry.as_dict()), "all but the name of the file"
        assert again.name == (entry.name if "generator" in entry.source else f"recovered-{entry.digest[:8]}")
        is_time_known = "entry" not in ALTERED[change] and "added" not in ALTERED[change]
        assert (again.added == entry.added) == is_time_known, "two columns hold it"
        assert len(workloads.load(entry.id, entry.cases[0] if entry.cases else None)) == entry.jobs
    assert found(workloads) == []


def test_with_a_damaged_source_too_it_is_named_and_the_others_are_listed(workloads, three):
    spoil(workloads, three[0], entry="{}")
    path = source(workloads, three[0])
    write(path, path.read_bytes()[:40])

    assert [entry.digest for entry in workloads.list().rows] == [three[2].digest, three[1].digest]
    assert workloads.damaged() == [three[0].id]
    for act in (workloads.get, workloads.load, workloads.open_source):
        with pytest.raises(Damaged, match=f"workload {three[0].id} is damaged: neither its facts nor its source"):
            act(three[0].id)
    assert workloads.labels([three[0].source]) == [(three[0].digest, "")]
    assert len(found(workloads)) == 2
    workloads.delete(three[0].id)
    assert found(workloads) == [] and workloads.damaged() == []


@pytest.mark.parametrize("change", ["cut", "altered", "missing"])
def test_a_damaged_source_is_said_and_mended_by_sending_it_again(workloads, three, change):
    path = source(workloads, three[0])
    if change == "missing":
        path.unlink()
    else:
        write(path, path.read_bytes()[:40] if change == "cut" else gzip.compress(FOUR.replace(b"10", b"11")))

    assert workloads.get(three[0].id) == three[0]
    assert len(workloads.load(three[0].id)) == 4, "from its parse"
    assert [digest for digest, _ in found(workloads)] == [three[0].digest]
    workloads.parses.forget(three[0].digest)
    for act in (workloads.load, workloads.open_source):
        with pytest.raises(Damaged, match=f"the source of workload {three[0].id} is damaged .*; send it again"):
            act(three[0].id)

    entry, created = workloads.add(io.BytesIO(gzip.compress(FOUR, mtime=1)), "other.swf")
    assert not created and (entry.name, entry.added) == ("four.swf", three[0].added)
    assert workloads.open_source(three[0].id).read() == FOUR
    assert found(workloads) == []


def test_a_source_of_other_jobs_is_not_taken_for_it(workloads, three):
    other, _ = workloads.add(io.BytesIO(FOUR.replace(b"10", b"11")), "other.swf")
    blob = source(workloads, other).name
    with workloads.database.write() as connection:
        connection.execute(update(schema.uses).where(schema.uses.c.user == three[0].digest).values(blob=blob))
    spoil(workloads, three[0], source=blob)

    with pytest.raises(Damaged, match="SHA-256"):
        workloads.get(three[0].id)
    assert any("its SHA-256 is not the digest" in sentence for _, sentence in found(workloads))


def test_a_source_that_is_not_known_to_be_used_is_found_and_mended(workloads, three):
    with workloads.database.write() as connection:
        connection.execute(schema.uses.delete().where(schema.uses.c.user == three[0].digest))
    assert [sentence for _, sentence in found(workloads)] == [
        "its source is not known to be used, so that it may be deleted; send it again"
    ]

    workloads.add(io.BytesIO(FOUR), "four.swf")
    assert found(workloads) == []


def test_a_store_that_cannot_be_written_to_shows_the_same_facts(workloads, three, monkeypatch):
    spoil(workloads, three[0], label="x")

    def refuse():
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(workloads.database, "write", refuse)
    assert workloads.get(three[0].id).preview["facts"] == three[0].preview["facts"]
    assert len(workloads.list().rows) == 3


def test_damaged_parses_are_found(workloads, three, tmp_path):
    for name in ("jobs.table", "facts.json"):
        (path,) = (tmp_path / "parses" / three[0].digest).glob(f"*/*/{name}")
        write(path, path.read_bytes().replace(b"e", b"f", 1))
        assert [digest for digest, _ in found(workloads)] == [three[0].digest]
        assert "it is read from its source again" in found(workloads)[0][1]
        assert len(workloads.load(three[0].id)) == 4
        assert found(workloads) == []
