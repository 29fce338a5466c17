"""A sweep on this machine, without store or queue."""

from __future__ import annotations

import pytest

from shadowtime.workers.execute import execute
from shadowtime.workers.sweeps import local
from shadowtime.workers.sweeps.bench import Bench
from tests.workers.sweeps.samples import asked


@pytest.mark.parametrize("seeds", [[1], [1, 2]])
def test_a_run_has_the_figures_of_simulate_and_intervals_where_it_is_the_only_one_of_its_point(store, seeds):
    spec = asked(store, workloads=["uniform:jobs=300"], seeds=seeds, loads=[0.9], algorithms=["easy"]).spec
    bench = Bench(spec, store.workloads.load_source)

    line = local.run_one(bench, 0)
    question = bench.question(spec.cell(0))
    alone = execute(question.spec, question.workload).summary

    assert alone["intervals"].keys() == {"mean_flow", "mean_wait", "mean_bounded_stretch"}
    assert (line["metrics"], line["bounds"]) == (alone["metrics"], alone["bounds"])
    kept = {name: (found["low"], found["high"]) for name, found in line.get("intervals", {}).items()}
    of_one = {name: (found["low"], found["high"]) for name, found in alone["intervals"].items()}
    assert kept == (of_one if len(seeds) == 1 else {})
