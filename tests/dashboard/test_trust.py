"""What the summary says of how far its means can be trusted."""

from __future__ import annotations

from shadowtime.dashboard.components import trust


def known(**changes):
    return {
        "mean": 10.0, "low": 3600.0, "high": 7200.0, "batches": 20, "jobs_per_batch": 90, "warm_up": 0.1,
        "lag_one": 0.1, "warning": None, **changes,
    }  # fmt: skip


def said(parts):
    return " ".join(part.children for part in parts).replace("\u202f", " ")


def test_an_interval_stands_in_the_unit_of_its_metric():
    assert (
        trust.interval("mean_flow", {"mean_flow": known()}).replace("\u202f", " ") == "95 %: 1 h 00 min to 2 h 00 min"
    )
    assert trust.interval("mean_wait", {"mean_flow": known()}) == ""


def test_a_wait_is_never_below_nothing():
    assert (
        trust.interval("mean_wait", {"mean_wait": known(low=-50.0)}).replace("\u202f", " ").startswith("95 %: 0 s to")
    )


def test_how_the_intervals_were_made_is_said_once_and_the_warning_names_its_means():
    fine = said(trust.explanation({"mean_flow": known()}))
    narrow = said(trust.explanation({"mean_flow": known(lag_one=0.74, warning="w"), "mean_wait": known()}))

    assert fine == (
        "95 % intervals from 20 batches of 90 jobs, without the first 10 % of the jobs; the values are over all jobs."
    )
    correlated = known(lag_one=0.74, warning="w")
    three = said(trust.explanation(dict.fromkeys(("mean_flow", "mean_wait", "mean_bounded_stretch"), correlated)))
    assert "Too narrow for mean turnaround, mean wait and mean bounded slowdown:" in three
    assert "Too narrow for mean turnaround" in narrow and "correlated (0.74)" in narrow
    assert trust.explanation({}) == []
