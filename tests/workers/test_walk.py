"""The walk of an uploaded trace is a straight line: each stop is called once, and what it made is handed on."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable

from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.families.family import Family
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF


def calls(functions: Iterable[Callable], act: Callable[[], object]) -> dict[str, int]:
    """How often each function was called while `act` ran, by its name."""
    names = {getattr(one, "__func__", one).__code__: one.__qualname__ for one in functions}
    counts = Counter({name: 0 for name in names.values()})

    def look(frame, event, _):
        if event == "call" and frame.f_code in names:
            counts[names[frame.f_code]] += 1

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    return dict(counts)


def test_a_run_of_an_uploaded_trace_visits_each_stop_once(tmp_path):
    store = open_store(tmp_path)
    uploaded = calls((reading.read,), lambda: store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf"))
    jobs = store.workloads.load(store.workloads.list().rows[0].digest)
    spec = RunSpec.of(jobs, "easy", conversions=[{"name": "week", "parameters": {"k": 0}}])

    stops = (
        load_workload,
        convert,
        Platform.of.__func__,
        Family.check,
        Family.units,
        Family.lanes_of_jobs,
        Simulation.run,
        Simulation.schedule,
        summarize,
        lower_bounds,
    )
    found = calls(stops, lambda: execute(spec, load_workload(spec, store)))

    assert uploaded == {"read": 1}
    assert found == {**dict.fromkeys(found, 1), "Simulation.run": 0}
