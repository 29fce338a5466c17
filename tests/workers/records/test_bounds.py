"""Exact bounds are requested, answered, counted when lost, and never shown when they were altered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shadowtime.workers.records import schema
from shadowtime.workers.records.bounds import DAMAGED, FINISHED, QUEUED, Bound, Bounds
from shadowtime.workers.store.integrity import damaged_rows

RUN, OTHER = "a" * 64, "b" * 64


def test_a_bound_is_requested_answered_and_forgotten(database):
    bounds = Bounds(database)
    assert bounds.get(RUN) is None and bounds.requested() == []
    bounds.put(RUN, Bound(QUEUED))
    bounds.put(OTHER, Bound(QUEUED))
    assert bounds.requested() == [RUN, OTHER]
    bounds.put(RUN, Bound(FINISHED, 0.1 + 0.2))

    assert bounds.requested() == [OTHER] and bounds.get(RUN).value == 0.1 + 0.2
    bounds.forget(RUN)
    assert bounds.get(RUN) is None


def test_lost_processes_are_counted_whoever_counts(database):
    bounds = Bounds(database)
    bounds.put(RUN, Bound(QUEUED))
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: bounds.lose(RUN, 100, "lost"), range(24)))

    assert bounds.get(RUN) == Bound(QUEUED, lost=24)
    assert bounds.lose(RUN, 25, "lost too often") == Bound("failed", error="lost too often")
    assert bounds.lose(RUN, 25, "lost") is None and bounds.lose(OTHER, 25, "lost") is None


@pytest.mark.parametrize("column", ["status", "values", "checksum"])
def test_an_altered_bound_is_never_shown_and_is_proven_again(database, column):
    bounds = Bounds(database)
    bounds.put(OTHER, Bound(FINISHED, 433.0))
    bounds.put(RUN, Bound(FINISHED, 1841.0))
    altered = {"values": '{"status": "finished", "value": 9077.0, "lost": 0, "error": ""}'}.get(column, "failed")
    with database.write() as connection:
        connection.execute(schema.bounds.update().where(schema.bounds.c.digest == RUN).values({column: altered}))

    assert [fault.name for fault in damaged_rows(database)] == [RUN[:16]]
    assert bounds.get(RUN) is DAMAGED
    assert bounds.requested() == [RUN] and bounds.get(RUN) == Bound(QUEUED)
    assert bounds.get(OTHER).value == 433.0
