"""Every registered algorithm that takes rigid workloads passes the conformance class."""

from __future__ import annotations

import pytest

from shadowtime.engine.registry import algorithms
from tests.engine.conformance import Conformance

RIGID = [slug for slug, algorithm in algorithms().items() if "rigid" in algorithm.kinds]


@pytest.mark.parametrize("algorithm", RIGID, scope="class")
class TestRegistered(Conformance):
    @pytest.fixture(autouse=True)
    def _name(self, algorithm):
        self.algorithm = algorithm
