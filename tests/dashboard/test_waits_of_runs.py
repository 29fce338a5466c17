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


def test_sizes_are_what_a_run_gave_its_jobs_unless_runs_differ():
    workload = generate("moldable", {"jobs": 12}, 3)
    demt, sequential = ((name, name, simulate(workload, name).jobs) for name in ("demt", "sequential"))
    given = {name: jobs["processors"].tolist() for name, _, jobs in (demt, sequential)}
    assert given["demt"] != given["sequential"] == [1] * 12
    for runs, sizes, differ in (
        ([demt], given["demt"], False),
        ([sequential, sequential], [1] * 12, False),
        ([demt, sequential], workload.jobs["processors"].tolist(), True),
    ):
        found = waits.subject(workload, runs)
        assert (found.jobs["processors"].tolist(), found.sizes_differ) == (sizes, differ)
