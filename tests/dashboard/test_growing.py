"""Pictures of a run that goes on, against those of all its rectangles at once."""

import numpy as np
import pytest

from shadowtime.dashboard.viewer import growing
from shadowtime.dashboard.viewer.growing import Sums, WindowsSoFar
from shadowtime.dashboard.viewer.windows import Grid, Windows
from shadowtime.engine import tables
from shadowtime.engine.tables import EVENTS, SEGMENTS, SERIES, STALL, empty, rows, take
from shadowtime.workers.store.live import FolderLive

LANES, SPAN = 8, (0.0, 100.0)


def rectangles(n, seed):
    rng = np.random.default_rng(seed)
    table = empty(SEGMENTS, n)
    table["start"][:] = np.sort(rng.uniform(0, 90, n))
    table["end"][:] = table["start"] + rng.uniform(0.1, 10, n)
    table["first"][:] = rng.integers(0, LANES, n)
    table["last"][:] = np.minimum(LANES - 1, table["first"] + rng.integers(0, 3, n))
    table["tier"][:], table["share"][:] = rng.integers(0, 2, n), rng.uniform(0.1, 1, n)
    table["kind"][:] = np.where(rng.random(n) < 0.2, STALL, tables.RUN)
    return table


@pytest.fixture
def live(tmp_path):
    return FolderLive(tmp_path)


def so_far(live, sums, attempt=1):
    return WindowsSoFar(live.tables("run"), sums, LANES, SPAN, {"attempt": attempt, "tiers": 1})


class Exact(Windows):
    """Counts rectangles in each window, without sums of bins."""

    is_growing = True


def at_once(segments):
    return Exact({}, segments, empty(EVENTS), empty(SERIES), LANES, SPAN)


GRIDS = [Grid(0.0, 100.0, 50, 0, 8, 2), Grid(12.0, 30.0, 9, 2, 6, 1)]


def assert_equal(found, expected, grid):
    for name, column in expected.painted(grid).items():
        np.testing.assert_array_equal(found.painted(grid)[name], column)
    runs = take(expected.segments, expected.segments["kind"] == tables.RUN)
    held = at_once(runs).cells(Grid(grid.t0, grid.t1, grid.columns, 0, LANES, LANES))[:, 0]
    means = found.means(grid.t0, grid.t1, grid.columns, float(LANES))
    np.testing.assert_allclose(means["useful"], held.sum(axis=0), atol=2e-3)
    np.testing.assert_allclose(means["background"], held[1], atol=1e-3)


def test_pictures_grow_with_the_run_and_read_each_rectangle_once(live, monkeypatch):
    monkeypatch.setattr(growing, "PIECE", 7)
    writer, sums, written = live.writer("run"), Sums(), []
    for seed in range(4):
        written.append(rectangles(40, seed))
        writer.append("segments", written[-1])
        still = rectangles(3, 100 + seed)
        writer.replace("open", still)
        whole = tables.concatenate([*written, still], SEGMENTS)
        for grid in GRIDS:
            assert_equal(so_far(live, sums), at_once(whole), grid)

    counted = []
    monkeypatch.setattr(growing.Sum, "add", lambda one, piece, picture: counted.append(rows(piece)))
    so_far(live, sums).painted(GRIDS[0])
    assert counted == [3, 3, 3], "only those that still grow, for the picture and two areas"


def test_a_picture_that_is_too_large_to_keep_is_read_again(live, monkeypatch):
    monkeypatch.setattr(growing, "KEPT_BYTES", 100)
    sums, first, more = Sums(), rectangles(40, 1), rectangles(40, 2)
    for seed, written in enumerate(([first], [first, more])):
        live.writer("run").append("segments", tables.concatenate(written, SEGMENTS))
        assert_equal(so_far(live, sums), at_once(tables.concatenate(written, SEGMENTS)), GRIDS[seed])


def test_another_attempt_begins_from_nothing(live):
    sums, first, again = Sums(), rectangles(40, 1), rectangles(10, 2)
    live.writer("run").append("segments", first)
    assert_equal(so_far(live, sums), at_once(first), GRIDS[0])

    live.writer("run").append("segments", again)
    assert_equal(so_far(live, sums, attempt=2), at_once(again), GRIDS[0])
    live.writer("run").append("segments", take(first, slice(5)))
    assert_equal(so_far(live, sums, attempt=2), at_once(take(first, slice(5))), GRIDS[0])


def test_before_the_first_rectangle_all_is_empty(live):
    found = so_far(live, Sums())

    assert not found.painted(GRIDS[0])["held0"].any() and found.tiers == 1
