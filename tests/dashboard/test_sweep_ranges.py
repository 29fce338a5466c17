"""Sweeps of runs that exceed the usual range of a metric."""

from __future__ import annotations

from pathlib import Path

import shadowtime as st

GOLDEN = Path(__file__).parents[1] / "golden" / "measy" / "figure1.json"


def test_two_tiers_may_progress_faster_than_the_machine_has_processors():
    question = {"workloads": [f"{GOLDEN}#job10_reaches_foreground"], "algorithms": ["keasy"], "seeds": [1, 2]}
    sweep = st.sweep(question, processes=1, progress=False)

    assert sweep.runs["mean_utilization"].min() > 1.05
    assert sweep.points["mean_utilization_mean"].tolist() == sweep.runs["mean_utilization"][:1].tolist()
