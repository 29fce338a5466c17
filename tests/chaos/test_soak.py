"""A short soak: PostgreSQL is killed while people are at work, and comes back."""

from __future__ import annotations

import math

import pytest

from tests.chaos.soak import Effort, soak
from tests.workers.records.postgres import running


@pytest.mark.integration
def test_nothing_is_lost_when_the_database_is_started_again(tmp_path):
    with running() as postgres:
        done = soak(tmp_path, Effort(minutes=0.2, every=2.0, clients=3, seed=1, growth=math.inf), postgres)

    assert done.problems == []
    assert done.restarts["PostgreSQL crashed"], done
    assert done.runs and done.compared, done
