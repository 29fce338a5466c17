"""Parses of workloads are a cache: lost, damaged or of another engine, they are made again."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

from shadowtime.engine.registry import generators
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read as read_workload
from shadowtime.engine.workload.samples import samples
from shadowtime.engine.workload.slurm.site.bundle import bundle
from shadowtime.workers.records import parses as parses_module
from shadowtime.workers.records import schema, workload_facts
from shadowtime.workers.records import workloads as module
from shadowtime.workers.records.parses import KEPT_PARSES
from tests.conftest import FOUR_SWF
from tests.workers.records.workload_samples import drafts, equal, parses
from tests.workers.samples import FOUR_DIGEST

FOUR = FOUR_SWF.encode()


def test_cached_parse_is_what_the_reader_gives(workloads, monkeypatch):
    entry, _ = workloads.add(io.BytesIO(FOUR), "four.swf")
    monkeypatch.setattr(module.reading, "read", None)
    loaded = workloads.load(entry.id)

    assert equal(loaded, read_workload(io.BytesIO(FOUR), "four.swf"))


def test_cached_parse_of_a_site_log_has_its_names(local):
    lines = ["JobID|User|Account|Submit|Start|End|NCPUS|NodeList", *(
        f"{n}|{user}|physics|2025-01-01T00:0{n}:00|2025-01-01T01:00:00|2025-01-01T02:00:00|4|n[1-2]"
        for n, user in enumerate(("anna", "Åke", "anna"))
    )]  # fmt: skip
    content = "\n".join(lines).encode()
    entry, _ = local.add(io.BytesIO(content), "jobs.txt")
    local.load(entry.id)

    assert local.load(entry.id).texts["user"] == ("anna", "Åke")
    assert equal(local.load(entry.id), read_workload(io.BytesIO(content), "jobs.txt"))


def test_a_log_with_the_files_of_its_site_keeps_its_cluster(local, monkeypatch):
    conf = b"ClusterName=lab\nNodeName=n[1-4] CPUs=8\nPartitionName=batch Nodes=ALL Default=YES\n"
    entry, _ = local.add(io.BytesIO(bundle(FOUR, {"slurm.conf": conf})), "site.tar")

    monkeypatch.setattr(module.reading, "read", None)

    loaded = local.load(entry.id)
    assert loaded.cluster is not None and loaded.cluster.node_names == ("n1", "n2", "n3", "n4")
    assert loaded.machine == {"nodes": 4, "cores_per_node": 8}


@pytest.mark.parametrize("sample", samples().values(), ids=lambda sample: sample.slug)
def test_cached_parse_of_every_sample_is_what_the_reader_gives(local, sample):
    entry, _ = local.add(io.BytesIO(sample.content()), sample.file)
    for case in entry.cases or (None,):
        local.load(entry.id, case)

        assert equal(local.load(entry.id, case), read_workload(io.BytesIO(sample.content()), entry.name, case))


@pytest.mark.parametrize("generator", generators())
def test_cached_draw_of_every_generator_is_what_it_makes(local, generator):
    entry, _ = local.generate(generator, {"jobs": 30}, 7)

    assert equal(local.load(entry.id), generate(generator, {"jobs": 30}, 7))


def cut(path):
    path.write_bytes(path.read_bytes()[:-8])


def turn_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))


@pytest.mark.parametrize("change", [cut, turn_bit, Path.unlink, lambda path: path.write_bytes(b"{}")])
@pytest.mark.parametrize("name", ["jobs.table", "parts.table", "facts.json"])
def test_damaged_parse_is_made_again(local, tmp_path, monkeypatch, name, change):
    entry, _ = local.add(io.BytesIO(FOUR), "four.swf")
    before = local.load(entry.id)
    (file,) = parses(tmp_path, f"{entry.digest}/*/whole/{name}")
    change(file)

    assert equal(local.load(entry.id), before)
    monkeypatch.setattr(module.reading, "read", None)
    assert equal(local.load(entry.id), before), "it is there again"
    assert drafts(tmp_path) == []


def test_lost_parse_is_made_again(local, tmp_path):
    entry, _ = local.add(io.BytesIO(FOUR), "four.swf")
    before = local.load(entry.id)
    shutil.rmtree(tmp_path / "parses")
    after = local.load(entry.id)

    assert equal(before, after)
    assert parses(tmp_path, f"{entry.digest}/*/whole/jobs.table")


def test_parse_of_another_engine_is_not_taken(workloads, tmp_path, monkeypatch):
    entry, _ = workloads.add(io.BytesIO(FOUR), "four.swf")
    for number in range(4):
        for room in (module, workload_facts, parses_module):
            monkeypatch.setattr(room, "engine_version", lambda number=number: f"9.9.{number}+00000000")
        workloads.load(entry.id)
    newer = workloads.get(entry.id)
    found = {path.name for path in parses(tmp_path, f"{entry.digest}/*")}

    assert newer.engine_version == "9.9.3+00000000"
    assert newer.added == entry.added
    assert [entry.engine_version for entry in workloads.list().rows] == [newer.engine_version]
    assert "9.9.3+00000000" in found and len(found) == KEPT_PARSES


def test_a_parse_that_cannot_be_written_is_no_trouble(local, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parses_module, "write_table", refuse)
    entry, created = local.add(io.BytesIO(FOUR), "four.swf")

    assert created and len(local.load(entry.id)) == 4


def test_parses_go_with_their_workload_and_what_was_deleted_elsewhere_is_swept(local, tmp_path):
    for content in (FOUR, FOUR + b";\n"):
        entry, _ = local.add(io.BytesIO(content), "four.swf")
    local.delete(entry.id)
    assert [path.name for path in parses(tmp_path, "*")] == [FOUR_DIGEST]

    with local.database.write() as connection:
        connection.execute(schema.workloads.delete())
    local.sweep()
    assert parses(tmp_path, "*") == [] and drafts(tmp_path) == []
