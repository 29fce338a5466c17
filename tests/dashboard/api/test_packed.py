"""Which rectangles of packed tasks are remote."""

from __future__ import annotations

import numpy as np

from shadowtime.dashboard.viewer.instants import life
from shadowtime.dashboard.viewer.packed import with_remote
from shadowtime.dashboard.viewer.windows import Windows
from shadowtime.engine import generate, simulate


def test_what_takes_longer_than_on_the_fastest_machine_is_remote():
    workload = generate("multitask", {"jobs": 20, "machines": 5, "local": 2, "remote": 2}, seed=2)
    schedule = simulate(workload, "tetris")
    table = with_remote(schedule.segments, workload)
    parts = workload.parts
    fastest = np.minimum.reduceat(parts["time"], parts["options"][:-1])
    row = {int(task): at for at, task in enumerate(parts["task"])}
    longer = [
        end - start > fastest[row[int(task)]] * (1 + 1e-6)
        for start, end, task in zip(table["start"], table["end"], table["task"], strict=True)
    ]

    assert 0 < table["remote"].sum() < len(table["remote"])
    assert table["remote"].astype(bool).tolist() == longer


def test_the_life_of_a_packed_job_names_no_other_job():
    schedule = simulate(generate("multitask", {"jobs": 20}, seed=2), "tetris")
    windows = Windows(schedule.jobs, schedule.segments, schedule.events, {}, schedule.lanes, (0.0, 1.0))

    for job in schedule.jobs["job_id"].tolist():
        jobs, _, events = life(windows, job)
        assert jobs["job_id"].tolist() == [job]
        assert events["other"].max() >= 0, "the end names its last task"
