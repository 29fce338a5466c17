"""What every schedule of packed tasks must be: checked from the tables and the workload alone, slowly."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from shadowtime.engine.tables import END, FINISHED, REJECTED, START


def check_packed(schedule, workload, *, preemptive=True, migratory=True, tolerance=1e-6):
    """Capacity at every event, one machine at a time, the task's own machines, all work done, jobs of their tasks."""
    parts, jobs, segments = workload.parts, schedule.jobs, schedule.segments
    row = {int(position): k for k, position in enumerate(parts["task"])}
    owner = np.repeat(np.arange(len(workload)), np.diff(parts["first"]))
    done, pieces = defaultdict(float), defaultdict(list)
    for job, lane, start, end, share, task in zip(
        *(segments[name].tolist() for name in ("job", "first", "start", "end", "share", "task")), strict=True
    ):
        k = row[task]
        assert owner[k] == job and end > start
        where = parts["machine"][parts["options"][k] : parts["options"][k + 1]]
        at = parts["options"][k] + np.flatnonzero(where == lane)
        assert len(at) == 1, "a task runs only on its own machines"
        assert share == pytest.approx(parts["size"][k] / parts["capacity"][lane])
        done[k] += (end - start) / parts["time"][at[0]]
        pieces[k].append((start, end, lane))
    assert (segments["first"] == segments["last"]).all()
    for k, mine in pieces.items():
        mine.sort()
        assert all(b[0] >= a[1] - 1e-9 for a, b in itertools.pairwise(mine)), "one machine at a time"
        assert done[k] == pytest.approx(1.0, rel=tolerance)
        assert preemptive or len(mine) == 1
        assert migratory or len({lane for *_, lane in mine}) == 1
    for lane in range(schedule.lanes):
        here = segments["first"] == lane
        start, end, share = (segments[name][here] for name in ("start", "end", "share"))
        for instant in np.unique(start):
            assert share[(start <= instant) & (instant < end)].sum() <= 1 + 1e-6, f"machine {lane} at {instant}"
    for j in range(len(workload)):
        tasks = range(parts["first"][j], parts["first"][j + 1])
        if jobs["state"][j] == REJECTED:
            assert not any(k in pieces for k in tasks)
            continue
        assert jobs["state"][j] == FINISHED and jobs["start"][j] >= jobs["release"][j] - 1e-9
        assert jobs["start"][j] == min(pieces[k][0][0] for k in tasks)
        last = max(tasks, key=lambda k: pieces[k][-1][1])
        assert jobs["end"][j] == pieces[last][-1][1]
        assert pieces[row[int(jobs["last_task"][j])]][-1][1] == jobs["end"][j]
    _check_events_and_series(schedule)


def _check_events_and_series(schedule):
    jobs, events, series, segments = schedule.jobs, schedule.events, schedule.series, schedule.segments
    finished = np.flatnonzero(jobs["state"] == FINISHED)
    for kind, column in ((START, "start"), (END, "end")):
        rows = events["kind"] == kind
        assert sorted(events["job"][rows].tolist()) == finished.tolist()
        assert np.array_equal(jobs[column][events["job"][rows]], events["time"][rows])
    for at, time in list(enumerate(series["time"]))[:200]:
        now = (segments["start"] <= time) & (time < segments["end"])
        assert series["utilization"][at] == pytest.approx(segments["share"][now].sum(), abs=1e-6)
        assert series["running"][at] == len(set(segments["job"][now].tolist()))
