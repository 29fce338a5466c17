"""What changed leads to the tests that are nearest to it."""

from __future__ import annotations

import pytest

from tests import changed


@pytest.fixture(scope="module")
def users():
    return changed.importers(changed.modules())


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("dashboard/pages/paper.py", "tests/dashboard/test_papers.py"),
        ("engine/kernel/heap.py", "tests/engine/kernel/test_heap.py"),
        ("workers/spec.py", "tests/workers/test_spec.py"),
        ("tests/test_walls.py", "tests/test_walls.py"),
        ("tests/fuzz/conftest.py", None),
        ("assets/base/index.js", "tests/assets/test_browser_half.py"),
        ("LICENSE", None),
    ],
)
def test_the_nearest_test_comes_first(path, first, users):
    assert next(iter(changed.nearest([path], users)), None) == first


def test_a_policy_that_is_imported_by_name_reaches_the_tests_of_the_engine(users):
    found = changed.nearest(["engine/families/rigid/policies/easy.py"], users)

    assert "tests/engine/policies/test_conformance.py" in found[:10] and len(found) > 100


def test_a_conftest_reaches_the_tests_around_it(users):
    found = changed.nearest(["tests/workers/records/conftest.py"], users)

    assert len(found) > 20 and all(path.startswith("tests/workers/records/") for path in found[:20])


def test_what_is_left_out_is_printed():
    files = [f"tests/test_{at}.py" for at in range(changed.MOST + 7)]

    assert changed.left_out(files[:2], files[:2]) == "2 test files reach them, the nearest 2 run"
    assert changed.left_out([*files, changed.BROWSERS], files) == (
        "23 test files reach them, the nearest 15 run; left to `make test`: 1 with browsers and 7 others "
        "(tests/test_15.py, tests/test_16.py, tests/test_17.py, tests/test_18.py, tests/test_19.py, ...)"
    )


def test_no_test_is_started_without_time(monkeypatch):
    monkeypatch.setenv(changed.SECONDS, "-1")
    changed.deadline.cache_clear()
    with pytest.raises(pytest.skip.Exception, match="no time left"):
        changed.pytest_runtest_setup()
    changed.deadline.cache_clear()
