"""SynchPack-2 on the golden instances without preemption."""

from __future__ import annotations

import itertools
import json
from io import BytesIO

import pytest

from shadowtime.engine import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files
from tests.engine.packed import check_packed

CASES = golden_files("multi_machine_nonpreemptive")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.parametrize("choice", ["best", "random", "levels"])
def test_between_the_optimum_and_24_times_the_program(path, choice):
    said, workload = json.loads(path.read_text()), read(BytesIO(path.read_bytes()), path.name)
    schedule = simulate(workload, "synchpack-2", {"choice": choice}, seed=1)
    value = float(schedule.jobs["weight"] @ schedule.jobs["end"])

    check_packed(schedule, workload, preemptive=False, migratory=False)
    assert said["opt"]["nonpreemptive"] * (1 - 1e-9) <= value <= said["must"]["synchpack2_expected_max"]


def test_every_reading_runs():
    workload = generate("multitask", {"jobs": 15, "machines": 4, "local": 2, "remote": 1}, 2)
    options = itertools.product(["task", "machine"], ["d0", "zero"], ["any", "earliest"], ["left", "barrier", "list"])
    for cap, charge, matching, shift in options:
        given = {"cap": cap, "charge": charge, "matching": matching, "shift": shift, "lambda": 0.7}
        check_packed(simulate(workload, "synchpack-2", given), workload, preemptive=False)
