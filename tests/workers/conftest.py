"""Fixtures of the workers' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.lab import Lab


@pytest.fixture
def lab(tmp_path: Path, free_port: int) -> Iterator[Lab]:
    """A store and a Redis of their own; workers are started by the test."""
    laboratory = Lab(tmp_path, free_port)
    try:
        laboratory.start_redis()
        yield laboratory
    finally:
        laboratory.close()
