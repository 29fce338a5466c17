"""Fixtures of the workers' tests."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from shadowtime.workers.queue import RunQueue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, open_store
from tests.conftest import FOUR_SWF
from tests.workers.lab import Lab
from tests.workers.samples import fake_queue


@pytest.fixture
def lab(tmp_path: Path, free_port: int) -> Iterator[Lab]:
    """A store and a Redis of their own; workers are started by the test."""
    with Lab(tmp_path, free_port) as laboratory:
        laboratory.start_redis()
        yield laboratory


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(tmp_path)


@pytest.fixture
def four_store(tmp_path: Path) -> Store:
    """A store with the four-job example."""
    kept = open_store(tmp_path)
    kept.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    return kept


@pytest.fixture
def queue() -> RunQueue:
    """An empty queue on a Redis of its own in this process."""
    return fake_queue()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, with the store of the test."""
    return Settings(store=tmp_path)
