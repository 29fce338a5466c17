"""Run the tests nearest to what changed, for some seconds: `make check`.

A test file is as near as the shortest chain of imports from it to a changed file. Nearer ones run first; what the time
does not allow is skipped and counted. Tests with servers or browsers are left to `make test`.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from tests.imports import imported, running

ROOT = Path(__file__).parent.parent
FOLDERS = ("engine", "workers", "dashboard", "benchmarks", "tests")
MOST = 15
"""Test files that one process starts: 15 s are over before the tenth. Two processes need 12 s more to start."""
SECONDS = "CHECK_SECONDS"
"""The environment variable that tells pytest for how long it may start tests."""
BESIDE = {
    "assets": ("tests/assets/test_browser_half.py", "tests/assets/test_runs.py"),
    "docs": ("tests/test_docs.py", "tests/test_operations.py"),
    "README.md": ("tests/test_docs.py", "tests/test_operations.py"),
    "Makefile": ("tests/test_operations.py",),
    "Procfile": ("tests/test_operations.py",),
}
"""Tests of what is no module, by the first part of its path."""
BROWSERS = "tests/browser/"
"""Where all tests need a browser: none of them runs here."""
NAMED = re.compile(r"\.(\w+):\w+")
"""A function that is imported when it is called: "package.module:function"."""


def git(*words: str) -> list[str]:
    """Return the lines that git prints; none where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files(base: str) -> list[str]:
    """Return the paths that differ from where this branch left `base`, committed or not; deleted ones excluded."""
    start = git("merge-base", "HEAD", base) or ["HEAD"]
    return [*git("diff", "--name-only", "--diff-filter=d", start[0]), *git("ls-files", "-o", "--exclude-standard")]


def modules() -> dict[str, str]:
    """Return the path of each module of ours, by the name under which it is imported."""
    found = {"shadowtime": "__init__.py"}
    for folder in FOLDERS:
        package = "" if folder in ("tests", "benchmarks") else "shadowtime."
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).with_suffix("").as_posix()
            found[package + name.replace("/", ".").removesuffix(".__init__")] = path.relative_to(ROOT).as_posix()
    return found


def importers(known: dict[str, str]) -> dict[str, set[str]]:
    """Return the paths that depend on each path: they import or name it, or it is the conftest.py around them."""
    found: dict[str, set[str]] = defaultdict(set)
    stems: dict[str, list[str]] = defaultdict(list)
    for path in known.values():
        stems[Path(path).stem].append(path)
    for path in known.values():
        text = (ROOT / path).read_text(encoding="utf-8")
        names = imported(running(ast.parse(text)))
        around = f"{Path(path).parent.as_posix()}/"
        for name in set(NAMED.findall(text)) & stems.keys():
            for other in stems[name]:
                if other.startswith(around):
                    found[other].add(path)
        packages = {name.rpartition(".")[0] for name in names & known.keys()}
        used = packages & {name.rpartition(".")[0] for name in names - known.keys()}
        for name in known.keys() & ((names - packages) | used):
            found[known[name]].add(path)
        for folder in Path(path).parents:
            if path.startswith("tests/") and (ROOT / folder / "conftest.py").exists():
                found[(folder / "conftest.py").as_posix()].add(path)
    return found


def is_test(path: str) -> bool:
    return path.startswith("tests/") and Path(path).name.startswith("test_") and path.endswith(".py")


def words(path: str) -> set[str]:
    return set(re.split(r"\W|_", path.removesuffix(".py")))


def likeness(path: str, said: set[str]) -> float:
    """Return the share of a path's words that are among `said`."""
    return len(words(path) & said) / len(words(path))


def nearest(changed: Iterable[str], users: dict[str, set[str]]) -> list[str]:
    """Return the test files that reach a changed file, nearest first; of equals those with its words."""
    tests = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    beside = [test for path in changed for test in BESIDE.get(path.split("/")[0], ())]
    data = {Path(path).parent.as_posix() for path in changed if path.startswith("tests/") and path[-3:] != ".py"}
    order = dict.fromkeys([*changed, *beside, *(path for path in tests if Path(path).parent.as_posix() in data)])
    said = set().union(*map(words, changed))
    waiting = list(order)
    for path in waiting:
        new = sorted(users.get(path, set()) - order.keys(), key=lambda user: (-likeness(user, said), user))
        order |= dict.fromkeys(new)
        waiting += new
    return [path for path in order if is_test(path) and (ROOT / path).exists()]


def left_out(reached: list[str], near: list[str]) -> str:
    """Return in words which of the test files that reach a change run, and which are left to `make test`."""
    rest = near[MOST:]
    said = f"{len(reached)} test files reach them, the nearest {len(near) - len(rest)} run"
    if browsers := len(reached) - len(near):
        said += f"; left to `make test`: {browsers} with browsers"
    if rest:
        said += f"{' and' if browsers else '; left to `make test`:'} {len(rest)} others ({', '.join(rest[:5])}"
        said += ", ...)" if len(rest) > 5 else ")"
    return said


@cache
def deadline() -> float:
    """Return when this process starts no more tests; counted from the first question."""
    return time.monotonic() + float(os.environ.get(SECONDS, "inf"))


def pytest_runtest_setup() -> None:
    """Skip a test for which there is no time."""
    if time.monotonic() > deadline():
        pytest.skip("no time left in this check")


def main() -> int:
    """Run types, the browser half's checks where assets changed, and these tests; 0 where all of it passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="origin/main", help="what the changes are counted from")
    parser.add_argument("--seconds", type=float, default=15.0, help="for which tests are started")
    given, more = parser.parse_known_args()
    changed = changed_files(given.base)
    checks = [["mypy"], *([[".ci/browser"]] if any(path.startswith("assets/") for path in changed) else [])]
    others = [subprocess.Popen(check, cwd=ROOT) for check in checks]  # before the imports are read: that takes 3 s
    reached = nearest(changed, importers(modules()))
    near = [path for path in reached if not path.startswith(BROWSERS)]
    print(f"{len(changed)} changed files; {left_out(reached, near)}", flush=True)
    code = 0
    if near:
        options = ["-q", "--durations=3", "-m", "not browser and not integration", "-p", "tests.changed"]
        run = [sys.executable, "-m", "pytest", *options, *more, *near[:MOST]]
        code = subprocess.run(run, cwd=ROOT, env={**os.environ, SECONDS: str(given.seconds)}, check=False).returncode
    failed = [other.args for other in others if other.wait()]
    return 1 if failed or code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED) else 0


if __name__ == "__main__":
    sys.exit(main())
