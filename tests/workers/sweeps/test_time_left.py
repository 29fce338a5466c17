"""The time that a local sweep still takes: steady from its first figure on."""

from __future__ import annotations

from shadowtime.workers.sweeps.bench import Bench
from shadowtime.workers.sweeps.local import timed
from shadowtime.workers.sweeps.time_left import TimeLeft
from tests.workers.sweeps.samples import asked


def test_runs_that_load_code_are_no_part_of_the_forecast():
    left = TimeLeft(200, 2)
    said = []
    for took in (None, None, *[0.5] * 198):
        left.add({} if took is None else {"took": took})
        said.append(left.seconds())

    assert said[:5] == [None] * 5
    assert said[5] == 0.5 * 194 / 2 and said[99] == 0.5 * 100 / 2
    assert said[-3:] == [0.5, 0.5, 0.0]
    assert TimeLeft(3, 1).sentence() == "0 of 3 runs" and left.sentence() == "200 of 200 runs, about 0 s left"


def test_an_executor_has_the_rate_at_which_runs_end():
    now = [100.0]
    left = TimeLeft(100, None, lambda: now[0])
    said = []
    for _ in range(4):
        for _ in range(10):
            left.add({})
        said.append(left.seconds())
        now[0] += 2.0

    assert said == [None, 16.0, 14.0, 12.0]


def test_a_run_is_timed_once_its_algorithm_is_loaded(store, monkeypatch):
    spec = asked(store, seeds=[1], loads=[0.5, 0.7, 0.9]).spec
    monkeypatch.setattr(Bench, "question", lambda self, cell: 1 / 0)
    work = timed(Bench(spec, lambda source: None))
    found = [work(index) for index in range(len(spec))]

    assert ["took" in line for line in found] == [False, False, *[True] * 4]
