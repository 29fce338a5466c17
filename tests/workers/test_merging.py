"""Sorted runs of rectangles merged, and submissions merged into runs of events."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import simulate, tables
from shadowtime.engine.output.sink import in_order
from shadowtime.engine.output.submissions import Unfit, merge_submissions
from shadowtime.engine.tables import EVENTS, SEGMENTS, rows
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.spool import merged

ROWS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=30)


def run_of(pairs, job):
    table = tables.empty(SEGMENTS, len(pairs))
    table["start"], table["first"] = (np.array(column) for column in zip(*pairs, strict=True))
    table["job"] = job + np.arange(len(pairs))
    return table


@given(st.lists(ROWS, min_size=1, max_size=5), st.integers(1, 20))
def test_merged_runs_are_their_stable_sort(drawn, held):
    offsets = np.cumsum([0, *map(len, drawn)])
    written = [run_of(pairs, job) for pairs, job in zip(drawn, offsets, strict=False)]
    whole = tables.concatenate(written, SEGMENTS)
    runs = [in_order(run) for run in written]

    parts, ended = zip(*merged(runs, held), strict=True)
    result = tables.concatenate(list(parts), SEGMENTS)

    assert result["job"].tolist() == whole["job"][np.lexsort((whole["first"], whole["start"]))].tolist()
    assert sorted(i for some in ended for i in some) == list(range(len(runs)))


def test_a_part_holds_no_more_rows_than_it_may():
    runs = [run_of([(10 * k + i, 0) for i in range(1000)], 1000 * k) for k in range(8)]

    assert max(rows(part) for part, _ in merged(runs, 500)) <= 500


def test_an_instant_is_not_parted():
    table = run_of([(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)], 0)

    assert [part["start"].tolist() for part in tables.parts(table, "start", 2)] == [[0, 1, 1, 1], [2]]


FIT = Unfit(tables.PROCESSORS, np.full(30, np.nan))
"""No job is rejected in these runs."""


@given(st.integers(0, 5), st.integers(1, 40))
def test_submissions_come_at_the_same_places_in_any_runs(seed, size):
    schedule = simulate(generate("uniform", {"jobs": 30, "processors": 8, "load": 0.9}, seed), "easy")
    events = tables.take(schedule.events, np.flatnonzero(schedule.events["kind"] != tables.SUBMIT))
    runs = [tables.take(events, slice(i, i + size)) for i in range(0, rows(events), size)]

    merged_runs = tables.concatenate(list(merge_submissions(runs, schedule.jobs, FIT)), EVENTS)

    whole = next(merge_submissions([events], schedule.jobs, FIT))
    for name, column in whole.items():
        assert column.tobytes() == schedule.events[name].tobytes() == merged_runs[name].tobytes()
