"""Waits of several runs of one workload: the groups are those of the workload, in whatever order runs are named."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import waits
from shadowtime.engine import generate, simulate


@pytest.mark.parametrize(
    ("generator", "algorithms"), [("moldable", ("demt", "sequential")), ("classed", ("pjs", "olb"))]
)
def test_groups_do_not_depend_on_the_order_of_the_runs(generator, algorithms):
    workload = generate(generator, {"jobs": 12}, 3)
    runs = [(name, name, simulate(workload, name).jobs) for name in algorithms]

    def groups(order):
        found = waits.grouped(waits.subject(workload, order), "size")
        return list(found.names), found.usage.jobs.tolist(), found.usage.work.tolist()

    assert groups(runs) == groups(runs[::-1])
