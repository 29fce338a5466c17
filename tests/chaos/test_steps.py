"""Whatever is done to the store may be cut short at any of its steps: nothing is lost, and nothing is left half."""

from __future__ import annotations

import pytest

from tests.chaos.operations import OPERATIONS
from tests.chaos.steps import HOW, Operation, tried


@pytest.mark.integration
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name.replace(" ", "-"))
def test_every_step(operation: Operation, how: str, tmp_path):
    assert tried(tmp_path, operation, how, is_short=True) >= 3, "no step was found"
