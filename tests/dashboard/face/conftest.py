"""Algorithms that a test registers are gone after it."""

from __future__ import annotations

import pytest

from shadowtime.engine import registry


@pytest.fixture(autouse=True)
def restored_registry():
    known = dict(registry._ALGORITHMS)
    yield
    registry._ALGORITHMS.clear()
    registry._ALGORITHMS.update(known)
