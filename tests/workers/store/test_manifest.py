"""A manifest that is not what was written is made again from the source, and takes no list with it."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from shadowtime.workers.errors import Damaged
from shadowtime.workers.store import open_store
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.store.manifest import MANIFEST
from tests.conftest import FOUR_SWF


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path)


@pytest.fixture
def two(store):
    """A file that was sent, and a generated workload."""
    sent, _ = store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    drawn, _ = store.workloads.generate("uniform", {"jobs": 20}, 3)
    return [store.workloads.get(one.id) for one in (sent, drawn)]


def manifest(store, entry):
    return store.workloads.root / entry.digest / MANIFEST


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"[" * 50_000, b'{"digest": "x"}', None])
def test_a_torn_or_altered_manifest_is_made_again_with_the_same_facts(store, two, content):
    for entry in two:
        path = manifest(store, entry)
        altered = path.read_bytes().replace(b'"jobs": ', b'"jobs": 9')
        path.write_bytes(altered if content is None else content)
    assert [fault.what for fault in faults(store)] == ["workload"] * 2

    listed = {entry.digest: entry for entry in store.workloads.list().rows}
    for entry in two:
        found = listed[entry.digest]
        text = json.dumps(replace(found, added=entry.added).as_dict()).replace(found.name, entry.name)
        assert text == json.dumps(entry.as_dict()), "all but the name of the file"
    assert listed[two[0].digest].name == f"recovered-{two[0].digest[:8]}" and listed[two[1].digest].name == two[1].name
    assert list(faults(store)) == [] and len(store.workloads.load(two[0].id)) == 4


def test_with_a_damaged_source_too_it_is_named_and_the_others_are_listed(store, two):
    manifest(store, two[0]).write_bytes(b"{")
    source = manifest(store, two[0]).with_name("source.swf.gz")
    source.write_bytes(source.read_bytes()[:40])

    assert [entry.digest for entry in store.workloads.list().rows] == [two[1].digest]
    with pytest.raises(Damaged, match=f"workload {two[0].id} is damaged: neither its manifest nor its source"):
        store.workloads.get(two[0].id)
    store.workloads.delete(two[0].id)
    assert list(faults(store)) == []


def test_a_source_of_other_jobs_is_not_taken_for_it(store, two):
    other, _ = store.workloads.add(io.BytesIO(FOUR_SWF.replace("10", "11").encode()), "other.swf")
    manifest(store, two[0]).write_bytes(b"{")
    manifest(store, two[0]).with_name("source.swf.gz").write_bytes(
        manifest(store, other).with_name("source.swf.gz").read_bytes()
    )

    with pytest.raises(Damaged, match="SHA-256"):
        store.workloads.get(two[0].id)
