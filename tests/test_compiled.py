"""Compiled code of another clone is taken over where its sources are the same, byte for byte, and nowhere else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests import compiled

SOURCE = "def twice(x):\n    return 2 * x\n"


@pytest.fixture
def clone(tmp_path):
    """`clone(name, source)`: a package in a folder of its own, and the place of its code in the cache of both."""

    def make(name: str, source: str) -> tuple[Path, Path]:
        folder = tmp_path / name / "engine" / "kernel"
        folder.mkdir(parents=True)
        (folder / "small.py").write_text(source)
        return tmp_path / name, compiled.place_of(folder, tmp_path / "cache")

    return make


@pytest.fixture
def first(clone):
    """The place of the code of the first clone, compiled."""
    _, place = clone("first", SOURCE)
    place.mkdir(parents=True)
    (place / "small.twice-1.py311.nbi").write_bytes(b"version" + hashlib.sha256(SOURCE.encode()).digest() + b"more")
    (place / "small.twice-1.py311.1.nbc").write_bytes(b"code")
    return place


def test_the_code_of_the_same_sources_is_taken_over(first, clone):
    package, place = clone("second", SOURCE)

    assert compiled.share(package, first.parent) == 1
    assert {path.name: path.read_bytes() for path in place.iterdir()} == {
        path.name: path.read_bytes() for path in first.iterdir()
    }
    assert compiled.share(package, first.parent) == 0, "it is there"
    assert len(list(first.parent.iterdir())) == 2


def test_the_code_of_other_sources_is_not(first, clone):
    package, place = clone("second", SOURCE.replace("2", "3"))

    assert compiled.share(package, first.parent) == 0 and not place.exists()


def test_code_beside_that_of_another_source_is_not(first, clone):
    package, place = clone("second", SOURCE)
    (first / "other.f-1.py311.nbi").write_bytes(b"of a file that is not there")

    assert compiled.share(package, first.parent) == 0 and not place.exists()
