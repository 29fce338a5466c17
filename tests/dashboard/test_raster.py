"""What the server compiles before it is asked is what it is asked for."""

from __future__ import annotations

import numpy as np

from shadowtime.dashboard.viewer import raster
from shadowtime.dashboard.viewer.windows import Grid, Windows


def test_windows_need_no_more_than_what_was_warmed(lab, four, finish):
    raster.warm()
    before = {step: len(getattr(raster, step).signatures) for step in ("count", "integrate", "within")}
    run = lab.store.runs.get(finish(four, "easy").id)
    windows = Windows(*(run.table(name) for name in ("jobs", "segments", "events", "series")), 10, (0.0, 1002.0))
    grid = Grid(0.0, 1000.0, 20, 0, 10, 1)
    windows.cells(grid)
    windows.inside(grid)

    assert np.isfinite(windows.cells(grid)).all()
    assert {step: len(getattr(raster, step).signatures) for step in before} == before
