"""Lines of compared runs: distinguished by more than their hue, named at themselves, and true to their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.dashboard.figures import cumulative, differences, lines, overlaid, usage
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.dashboard.look import theme
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.engine.workload.job import Clock

TICKS = ((1.0, "1"), (10.0, "10"), (100.0, "100"))


def some(n: int) -> list[lines.Line]:
    rng = np.random.default_rng(n)
    chosen = lines.styles(["fcfs", "easy", "measy", "keasy", "reasy", "greedy"][:n])
    return [lines.Line(f"run {i}", chosen[i], np.exp(rng.exponential(1 + i, 500))) for i in range(n)]


def test_an_algorithm_keeps_its_line_and_no_two_runs_share_one():
    first, again = lines.styles(["easy", "measy"]), lines.styles(["measy", "fcfs", "easy", "easy", "demt", "pjs"])

    assert first[0] == again[2] and first[1] == again[0]
    assert len({style.dash for style in again}) == 6
    assert len({style.colour for style in again}) == 6
    assert all(style.colour in theme.COLOURS for style in lines.STYLES)


def test_curves_end_at_all_of_the_jobs():
    fig = cumulative.figure(some(3), Scale(1.0, TICKS))

    assert [trace.name for trace in fig.data] == ["run 0", "run 1", "run 2"]
    assert all(trace.y[-1] == 1.0 and trace.x[0] >= 0 for trace in fig.data)
    assert all(len(trace.x) <= cumulative.POINTS for trace in fig.data)
    assert [one.text for one in fig.layout.annotations] == ["<b>run 0</b>", "<b>run 1</b>", "<b>run 2</b>"]
    heights = [one.y for one in fig.layout.annotations]
    assert min(abs(a - b) for i, a in enumerate(heights) for b in heights[:i]) > 0.05


def test_the_table_of_a_curve_is_its_quantiles():
    line = lines.Line("one", lines.STYLES[0], np.array([1.0, 2.0, 3.0, 4.0, np.nan]))

    assert cumulative.rows([line], str)[2] == ("50\u202f%", "2.0")
    assert cumulative.rows([line], str)[-1] == ("100\u202f%", "4.0")


def test_outlines_count_every_value_once():
    drawn = some(2)
    edges, counts, below = overlaid.counts(drawn, 1.5)
    fig = overlaid.figure(drawn, Scale(1.5, TICKS))

    assert [int(count.sum()) + under for count, under in zip(counts, below, strict=True)] == [500, 500]
    assert len(edges) == overlaid.BINS + 1
    assert f"{below[0]:,} below" in fig.layout.annotations[0].text
    assert sum(int(row[1]) for row in overlaid.rows(drawn, 1.5)) == 500


@pytest.mark.parametrize("values", [[], [np.nan]])
def test_nothing_to_draw_is_an_empty_figure(values):
    line = lines.Line("one", lines.STYLES[0], np.array(values, float))

    assert not cumulative.figure([line], Scale(1.0, TICKS)).data
    assert not overlaid.figure([line], Scale(1.5, TICKS)).data


def test_differences_fall_to_both_sides():
    shown = differences.differences(np.array([-7200.0, -30, -30, 0, 1e-9, 700, 1e6, np.nan]), 1e-6)

    assert (sum(shown.sooner), shown.same, sum(shown.later)) == (3, 2, 2)
    assert shown.sooner[0] == 2 and shown.later[-1] == 1
    assert differences.rows(shown)[1][1:] == ("2", "0")
    bars = differences.figure(shown).data
    assert [sum(bar.x) for bar in bars] == [-3, 2]


@pytest.mark.parametrize("jobs", [362, 243_306])
def test_a_count_fits_beside_the_longest_bar_on_a_phone(jobs):
    fig = differences.figure(differences.differences(np.full(jobs, -9e4), 1e-6))
    longest = -min(min(bar.x) for bar in fig.data)
    low, high = fig.layout.xaxis.range

    assert longest == jobs
    assert (-low - longest) / (high - low) * differences.NARROWEST >= differences.DIGIT * len(f"{jobs:,}")


def test_short_workloads_have_short_steps():
    assert differences.differences(np.array([1.0, -200.0]), 1e-6).edges == differences.SHORT
    assert len(differences.names(differences.SHORT)) == len(differences.SHORT) + 1


def test_dates_that_are_years_apart_have_years():
    clock = Clock(1_028_188_800.0)  # 1 August 2002
    series = {"time": np.array([0.0, 1e8]), "useful": np.ones(2), "demand": np.ones(2)}
    long = usage.figure([usage.Used("a", lines.styles(["easy"])[0], series)], 4, clock)
    short = usage.figure(
        [usage.Used("a", lines.styles(["easy"])[0], {**series, "time": series["time"] / 10})], 4, clock
    )

    assert [text.split("<br>")[1] for text in long.layout.xaxis.ticktext] == ["2002", "2003", "2004", "2005"]
    assert "2002" in long.data[0].customdata[0] and not any("<br>" in text for text in short.layout.xaxis.ticktext)


def test_utilization_and_demand_share_an_axis():
    chosen = lines.styles(["fcfs", "easy"])
    series = {"time": np.array([0.0, 5.0, 10.0]), "useful": np.array([2.0, 1, 0]), "demand": np.array([3.0, 1, 0])}
    fig = usage.figure([usage.Used("a", chosen[0], series), usage.Used("b", chosen[1], series)], 4, None)

    assert [(trace.name, trace.yaxis) for trace in fig.data] == [("a", "y"), ("b", "y"), ("a", "y2"), ("b", "y2")]
    assert {trace.xaxis for trace in fig.data} == {"x"}
    assert fig.layout.yaxis.range[1] >= 4
    assert [trace.name for trace in fig.data if trace.showlegend] == ["a", "b"]
    assert fig.layout.legend.orientation == "h" and fig.layout.margin.r < 20, "long names wrap above the panels"
    assert fig.layout.xaxis.tickangle == 0 and len(fig.layout.xaxis.tickvals) <= usage.MOST_TICKS


class StoredRun:
    """A finished run of one tier whose jobs use a part of their processors."""

    def table(self, name):
        jobs = {"job_id": np.array([1]), "release": np.zeros(1), "start": np.zeros(1), "end": np.array([10.0]),
                "processors": np.array([4]), "usage": np.array([0.5]), "state": np.ones(1, np.uint8)}  # fmt: skip
        times = {"start": np.zeros(1), "end": np.array([10.0]), "share": np.ones(1)}
        segments = {**times, **{name: np.zeros(1, int) for name in ("job", "first", "tier", "kind")}}
        segments["last"] = np.array([3])
        held = {"time": np.array([0.0, 10.0]), "utilization": np.array([4.0, 0.0]), "demand": np.array([4.0, 0.0])}
        series = {**held, "queued": np.zeros(2), "running": np.array([1.0, 0.0])}
        return {"jobs": jobs, "segments": segments, "series": series}[name]


def test_a_processor_that_is_held_is_useful_as_far_as_it_is_used():
    shown = useful(StoredRun())

    assert shown["useful"].tolist() == shown["demand"].tolist() == [2.0, 0.0]
    assert shown["background"].tolist() == [0.0, 0.0]


def test_a_curve_of_weights_rises_by_each_jobs_weight():
    values, weights = np.array([30.0, 10.0, np.nan, 20.0]), np.array([1.0, 6.0, 9.0, 3.0])
    line = lines.Line("one", lines.STYLES[0], values, weights)
    x, y = cumulative.curve(values, 15.0, weights)

    assert (10**x).round(6).tolist() == [15.0, 20.0, 30.0] and y.tolist() == [0.6, 0.9, 1.0]
    assert [row[1] for row in cumulative.rows([line], str)] == ["10.0", "10.0", "10.0", "20.0", "20.0", "30.0", "30.0"]
    assert "of the weight" in cumulative.figure([line], Scale(10.0, TICKS)).data[0].hovertemplate


def test_a_long_name_stands_on_two_lines():
    assert cumulative.broken("Batch: easy") == "Batch: easy"
    assert cumulative.broken("Batch: wfp3, conservative, user2") == "Batch: wfp3,<br>conservative, user2"
    assert cumulative.broken("(w/r)**3*n+log10(s)*1000") == "(w/r)**3*n+log10(s)*1000"
