"""Tables come back from disk as they were, or not at all."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from shadowtime.workers.store import columns
from shadowtime.workers.store.columns import read_table, write_tables

RAGGED = {"first": np.array([0, 2, 5]), "usage": np.linspace(0.1, 0.5, 5), "none": np.zeros(0, "f4")}


@pytest.mark.parametrize("mapped", [True, False])
def test_columns_of_different_lengths_come_back_whole(tmp_path, mapped):
    write_tables(tmp_path, {"parts": RAGGED, "empty": {}})
    read = read_table(tmp_path / "parts", mapped=mapped)

    assert list(read) == list(RAGGED)
    assert all(np.array_equal(read[name], RAGGED[name]) and read[name].dtype == RAGGED[name].dtype for name in RAGGED)
    assert read_table(tmp_path / "empty") == {}


def forget_digests(folder):
    """What versions before the checksums wrote."""
    said = json.loads((folder / "manifest.json").read_bytes())
    del said["digests"], said["crc32"]
    (folder / "manifest.json").write_text(json.dumps(said))


def test_tables_of_older_versions_without_checksums_are_read(tmp_path):
    write_tables(tmp_path, {"parts": RAGGED})
    forget_digests(tmp_path / "parts")

    assert np.array_equal(read_table(tmp_path / "parts")["usage"], RAGGED["usage"])


@pytest.mark.parametrize(
    "change",
    [
        lambda said: said["columns"].update(usage="f8,3 f4"),
        lambda said: said["columns"].update(usage="|O"),
        lambda said: said["columns"].update({"../usage": "<f8"}),
        lambda said: said["columns"].update(usage=3),
        lambda said: said.update(rows=-1),
        lambda said: said.update(rows="3"),
        lambda said: said.update(lengths={"usage": 1e9}),
        lambda said: said.update(columns=[]),
    ],
)
def test_a_manifest_that_says_what_cannot_be_is_refused(tmp_path, change):
    write_tables(tmp_path, {"parts": {"usage": RAGGED["usage"]}})
    forget_digests(tmp_path / "parts")
    said = json.loads((tmp_path / "parts" / "manifest.json").read_bytes())
    said.pop("lengths", None)
    change(said)
    (tmp_path / "parts" / "manifest.json").write_text(json.dumps(said))

    with pytest.raises(ValueError):
        read_table(tmp_path / "parts")


def test_any_turned_bit_is_noticed_whatever_the_length_of_a_column(tmp_path):
    write_tables(tmp_path, {"parts": RAGGED})
    noticed = 0
    for path in sorted((tmp_path / "parts").iterdir()):
        whole = path.read_bytes()
        for place in range(len(whole)):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
            os.utime(path, ns=(0, place))
            try:
                read = read_table(tmp_path / "parts")
            except (ValueError, FileNotFoundError):
                noticed += 1
            else:  # a bit in the name of a checksum: the table counts as an older one
                assert path.name == "manifest.json"
                assert all(np.array_equal(values, RAGGED[name]) for name, values in read.items())
        path.write_bytes(whole)

    assert noticed > 500


def test_a_file_is_summed_up_once_and_again_when_it_is_another_one(tmp_path, monkeypatch):
    write_tables(tmp_path, {"parts": RAGGED})
    read_table(tmp_path / "parts")
    before = columns._digest.cache_info()
    read_table(tmp_path / "parts")
    between = columns._digest.cache_info()
    os.utime(tmp_path / "parts" / "usage.npy", ns=(0, 1))
    read_table(tmp_path / "parts")
    after = columns._digest.cache_info()

    assert between.misses == before.misses and after.misses == between.misses + 1


def test_large_tables_are_summed_up_as_small_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MANY_BYTES", 0)
    write_tables(tmp_path, {"parts": RAGGED})

    assert np.array_equal(read_table(tmp_path / "parts")["usage"], RAGGED["usage"])


@pytest.mark.parametrize("change", [lambda whole: whole[:-8], lambda whole: whole + bytes(8)])
def test_a_file_of_another_length_is_refused(tmp_path, change):
    write_tables(tmp_path, {"parts": RAGGED})
    forget_digests(tmp_path / "parts")
    path = tmp_path / "parts" / "usage.npy"
    path.write_bytes(change(path.read_bytes()))

    with pytest.raises(ValueError, match="does not hold 5 values of type float64"):
        read_table(tmp_path / "parts")
