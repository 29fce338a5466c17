"""What is kept for finished runs: by bytes, the least recently used dropped first, each value made once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from shadowtime.dashboard.api.kept import SMALL, Kept


def test_the_value_used_least_recently_is_dropped():
    kept, made = Kept(2 * SMALL), count()
    for name in ("a", "b", "a", "c"):
        kept.of("run", name, lambda: next(made))

    assert [kept.of("run", name, lambda: "again") for name in ("a", "c", "b")] == [0, 2, "again"]


def test_a_value_above_the_limit_is_kept_alone():
    kept = Kept(10)
    kept.of("run", "small", lambda: b"12345")

    assert kept.of("run", "large", lambda: b"x" * 100) == b"x" * 100
    assert kept.of("run", "large", lambda: b"again") == b"x" * 100
    assert kept.of("run", "small", lambda: b"again") == b"again"


def test_concurrent_requests_make_a_value_once():
    kept, made, begun = Kept(1000), count(), threading.Barrier(8)

    def ask(_: int) -> int:
        begun.wait()
        return kept.of("run", "cells", lambda: next(made))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {0}


def test_what_could_not_be_made_is_made_at_the_next_request():
    kept = Kept(1000)

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError):
        kept.of("run", "cells", fail)
    assert kept.of("run", "cells", lambda: 1) == 1
