"""What `make install` may install: every file by its SHA-256, of the versions that are tested together."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / ".ci" / "locks").glob("*.txt"))
ENTRY = re.compile(
    r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==(\S+)((?: ; [^\\]*)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(path):
    return {plain(found[1]): found[2] for found in ENTRY.finditer(path.read_text())}


@pytest.fixture(scope="module")
def pinned():
    lines = (ROOT / "constraints.txt").read_text().split()
    return {plain(line.partition("==")[0]): line.partition("==")[2] for line in lines}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_every_entry_has_a_hash_and_no_line_names_a_host(path):
    text = path.read_text()
    named = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]

    assert len(named) == len(entries(path)) > 0
    assert "://" not in text and "--index" not in text and "--find-links" not in text


@pytest.mark.parametrize("name", ["base", "test"])
def test_versions_are_those_that_are_tested_together(name, pinned):
    found = entries(ROOT / ".ci" / "locks" / f"{name}.txt")

    assert {one: version for one, version in found.items() if one in pinned and version != pinned[one]} == {}


def test_all_requirements_are_in_the_locks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = {
        "base": project["dependencies"],
        "test": [*project["dependencies"], *extras["docs"], *extras["oidc"], *extras["test"]],
    }
    for name, requirements in needed.items():
        names = {plain(re.match(r"[\w.-]+", one)[0]) for one in requirements} - {"shadowtime"}
        assert names - {*entries(ROOT / ".ci" / "locks" / f"{name}.txt")} == set(), "run .ci/lock"


def test_the_locks_are_for_the_lowest_python_that_is_allowed():
    """A library that needs one more below some 3.11.x had no hash there, and nothing was installed."""
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    script = (ROOT / ".ci" / "lock").read_text()

    assert re.search(r"^python=(\S+)", script, re.MULTILINE)[1] == lowest
    for name in ("base", "test"):
        assert "async-timeout" in entries(ROOT / ".ci" / "locks" / f"{name}.txt"), "redis needs it below 3.11.3"


def test_the_locks_are_there():
    assert [path.stem for path in LOCKS] == ["base", "release", "test", "uv"]
