"""What pages say of runs of packed tasks."""

from __future__ import annotations

from shadowtime.dashboard.components import compare_panels, run_panels
from shadowtime.dashboard.components.compare_view import compared
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.sharing.urls import Comparison
from tests.dashboard.reading import said


def pair(lab, finish):
    entry, _ = lab.store.workloads.generate("multitask", {"jobs": 6, "machines": 2}, 3)
    return tuple(finish(entry.digest, slug).id for slug in ("synchpack-3", "psrs"))


def test_the_headline_names_the_linear_program(lab, finish):
    run, _ = pair(lab, finish)
    text = said(run_panels.summary(view(lab, run)))

    assert "× optimal Weighted completion" in text and "by LP3" in text


def test_curves_of_compared_runs_rise_by_weight(lab, finish):
    found = compared(lab, Comparison(runs=pair(lab, finish)))
    shown = compare_panels.distributions(found, "done", "share")

    assert shown["note"] == "share of weight at or below, log axis"
    assert len(shown["figure"]["data"]) == 2
    assert "Weight" in str(compare_panels.spread(found))
