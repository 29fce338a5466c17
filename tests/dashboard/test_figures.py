"""Figures: what is drawn of a table, asserted on the figure's data."""

import numpy as np
import plotly.graph_objects as go
import pytest

from shadowtime.dashboard.figures import distribution, shape, usage
from shadowtime.dashboard.figures.scale import Scale
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.preview import preview

STRETCHES = np.array([1.0, 1.2, 1.4, 2.0, 2.0, 3.5, 40.0, 900.0, np.nan])


def test_what_lies_below_the_floor_is_counted_apart():
    shown = distribution.distribution(STRETCHES, 1.5)

    assert shown.below == 3
    assert shown.counts.sum() == 5
    assert shown.n == 8
    assert shown.mean == pytest.approx(np.nanmean(STRETCHES))


def test_every_value_above_the_floor_is_in_one_bar():
    rng = np.random.default_rng(1)
    values = np.concatenate([[1.5], rng.lognormal(2, 2, 5000), [1e7]])
    shown = distribution.distribution(values, 1.5)

    assert shown.counts.sum() + shown.below == len(values)
    assert shown.edges[0] == pytest.approx(1.5) and shown.edges[-1] >= 1e7
    assert np.allclose(np.diff(np.log(shown.edges)), np.diff(np.log(shown.edges))[0])


def drawn(values: np.ndarray, scale: Scale) -> go.Figure:
    """The figure as plotly takes it, which refuses what it does not know."""
    return go.Figure(distribution.figure(distribution.distribution(values, scale.floor), scale))


def test_bars_stand_at_their_logarithms():
    figure = drawn(STRETCHES, Scale(1.5, distribution.STRETCH_TICKS))
    (bars,) = figure.data

    assert len(bars.x) == len(bars.y) == distribution.BINS
    assert sum(bars.y) == 5
    assert bars.customdata[0].startswith("1.50 to")
    assert list(figure.layout.xaxis.ticktext) == ["3", "10", "100"]


def test_a_narrow_axis_is_named_at_its_ends():
    figure = drawn(np.array([12.0, 20.0, 44.0]), Scale(10.0, distribution.WAIT_TICKS, "{:.0f} s".format))

    ends = [(one.text, one.x, one.xanchor) for one in figure.layout.annotations if one.yanchor == "top"]
    assert ends == [("10 s", 0, "left"), ("44 s", 1, "right")]


def test_the_mean_is_a_dotted_line_with_its_value():
    figure = drawn(STRETCHES, Scale(1.5, distribution.STRETCH_TICKS))
    (line,) = figure.layout.shapes

    assert line.x0 == line.x1 == pytest.approx(np.log10(np.nanmean(STRETCHES)))
    assert line.line.dash == "dot"
    assert "mean 119" in [note.text for note in figure.layout.annotations]


def test_nothing_above_the_floor_draws_nothing():
    shown = distribution.distribution(np.array([1.0, 1.0]), 1.5)

    assert shown.is_flat and shown.below == 2
    assert not distribution.figure(shown, Scale(1.5, distribution.STRETCH_TICKS))["data"]
    assert distribution.rows(shown) == [("below 1.50", "2")]


def test_no_value_at_all_is_no_error():
    shown = distribution.distribution(np.array([np.nan]), 10.0)

    assert shown.n == 0 and shown.is_flat


def test_labels_of_an_axis_do_not_touch():
    kept = distribution.spaced([(0.0, "3"), (0.1, "10"), (1.0, "100")], span=1.0, width=200)

    assert [name for _, name in kept] == ["3", "100"]


@pytest.mark.parametrize(("highest", "names"), [(0.9, ("1", "2", "5")), (3.0, ("1", "10", "100", "1,000"))])
def test_an_axis_of_few_decades_has_finer_ticks(highest, names):
    coarse = [(1.0, "1"), (10.0, "10"), (100.0, "100"), (1000.0, "1,000")]
    scale, figure = Scale(1.0, coarse, finer=distribution.FINER_STRETCHES), go.Figure()
    distribution.log_axis(figure, scale, 0.0, highest, 300)

    assert figure.layout.xaxis.ticktext == names


def test_a_table_says_the_same_as_the_bars():
    shown = distribution.distribution(STRETCHES, 1.5)
    rows = distribution.rows(shown)

    assert rows[0] == ("below 1.50", "3")
    assert sum(int(count.replace(",", "")) for _, count in rows) == shown.n


@pytest.fixture(scope="module")
def looks():
    return preview(generate("lublin", {"jobs": 500}, seed=3))


def test_three_histograms_count_every_job_each(looks):
    figure = shape.figure(looks)

    assert [sum(bars.y) for bars in figure.data] == [500, 500, 500]
    assert len(figure.data[0].x) == 24
    assert {bars.marker.color for bars in figure.data} == {"var(--st-bar)"}


def test_runtimes_are_named_at_times_that_people_think_in(looks):
    panel = shape.runtimes(looks["runtimes"])

    assert {name for _, name in panel.ticks} <= {shape.tick(t) for t in shape.RUNTIME_TICKS}
    assert all(0 <= at <= 1 for at, _ in panel.ticks)


@pytest.mark.parametrize(
    ("first", "last", "names"),
    [(8, 11, ["5 min", "30 min"]), (10, 11, ["20 min", "30 min"]), (11, 12, ["1 h"]), (0, 3, ["1 s", "5 s"]),
     (17, 20, ["2 d", "10 d"])],
)  # fmt: skip
def test_runtimes_of_a_narrow_range_have_round_names(first, last, names):
    edges = [0.0, *(2.0**power for power in range(0, last + 1))]
    counts = [0] * (first + 1) + [3] * (last - first)
    panel = shape.runtimes({"edges": edges, "counts": counts})

    assert [name.replace("\u202f", " ") for _, name in panel.ticks] == names
    assert all(0 <= at <= 1 for at, _ in panel.ticks)


def test_sizes_are_named_by_their_upper_end():
    panel = shape.sizes({"labels": ["1", "2", "3-4", "5-8"], "counts": [4, 3, 2, 1]})

    assert [name for _, name in panel.ticks] == ["1", "4", "8"]
    assert panel.ranges[2] == "3 to 4 processors"


def test_sizes_are_what_the_kind_of_job_has():
    times = shape.sizes({"labels": ["1", "2", "3-4"], "counts": [4, 3, 2]}, "moldable")
    classes = shape.sizes({"labels": ["matvec", "sort", "stats"], "counts": [2, 2, 1]}, "classed")

    assert (times.title, times.ranges[1:]) == ("by largest speed-up", ("2 times as fast", "3 to 4 times as fast"))
    assert (classes.title, classes.ranges) == ("by class", ("matvec", "sort", "stats"))


def test_the_table_of_a_workload_leaves_empty_bars_out(looks):
    assert all(count != "0" for _, _, count in shape.rows(looks))


def test_labels_of_less_than_an_hour_have_seconds():
    clock = Clock(unix_start=843_458_544, utc_offset=3600, zone="Europe/Stockholm")

    assert [usage.label(at, clock, 240) for at in (0, 30)] == ["08:02:24", "08:02:54"]
    assert usage.label(0, clock, 7200) == "Mon 23 Sep 08:02"
    assert usage.label(0, clock, 5 * 86400) == "Mon 23 Sep"
