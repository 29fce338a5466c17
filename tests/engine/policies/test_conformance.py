"""Every registered algorithm that takes rigid workloads passes the conformance class."""

from __future__ import annotations

import pytest

from shadowtime.engine.registry import algorithms
from tests.engine.conformance import EachConforms

RIGID = [slug for slug, algorithm in algorithms().items() if "rigid" in algorithm.kinds]


@pytest.mark.parametrize("algorithm", RIGID, scope="class")
class TestRegistered(EachConforms):
    """Each algorithm of rigid jobs, by its slug."""
