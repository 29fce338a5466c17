"""The engine's version follows its sources, so that no result of older code is taken for one of newer code."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata

from shadowtime.workers import version


def test_version_is_the_packages_with_eight_digits():
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{8}", version.engine_version())


def test_digest_sees_content_names_and_nothing_else(tmp_path):
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "loop.py").write_text("a = 1\n")
    first = version.source_digest(tmp_path)
    (tmp_path / "notes.txt").write_text("not code")
    unchanged = version.source_digest(tmp_path)
    (tmp_path / "kernel" / "loop.py").write_text("a = 2\n")
    changed = version.source_digest(tmp_path)
    (tmp_path / "kernel" / "loop.py").rename(tmp_path / "kernel" / "pool.py")
    renamed = version.source_digest(tmp_path)

    assert first == unchanged
    assert len({first, changed, renamed}) == 3


def test_without_an_installation_the_version_is_read_beside_the_sources(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    installed = version.package_version()
    monkeypatch.setattr(version.metadata, "version", missing)

    assert version.package_version() == installed


def test_asking_for_the_version_loads_no_numba():
    code = "import sys, shadowtime.workers.version as v; v.engine_version(); sys.exit('numba' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
