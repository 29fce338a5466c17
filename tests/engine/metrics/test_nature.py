"""The range that each metric states, against real runs of every family."""

from __future__ import annotations

import pytest

from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate

RUNS = (
    ("lublin", "easy"),
    ("lublin", "fcfs"),
    ("moldable", "demt"),
    ("moldable", "gang"),
    ("multitask", "synchpack-3"),
    ("multitask", "tetris"),
    ("fractional", "greedyp*/per/opt=min/minvt=600"),
    ("lublin two_tier", "measy"),
    ("classed", "pjs"),
)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("generator", "algorithm"), RUNS)
def test_metrics_lie_in_the_range_that_they_state(generator, algorithm, seed):
    name, _, conversion = generator.partition(" ")
    workload = generate(name, {"jobs": 30}, seed)
    if conversion:
        workload = convert(workload, conversion, {}, seed)
    run = simulate(workload, algorithm)
    found = summarize(run, workload, Platform.of(workload))

    assert len(found) > 10
    for name, value in found.items():
        nature = metrics()[name].nature
        assert nature.low - 1e-6 <= value <= nature.high + 1e-6, name
