"""Which rectangles of packed tasks are remote."""

from __future__ import annotations

import numpy as np

from shadowtime.dashboard.api.packed import with_remote
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
