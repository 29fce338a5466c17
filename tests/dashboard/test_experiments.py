"""Experiments as pages: what a figure shows, what an address asks for, and the form that begins one."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from dash import no_update

from shadowtime.dashboard.components import results, sweep_figures, sweep_head, sweep_tables
from shadowtime.dashboard.components.sweep_answers import known
from shadowtime.dashboard.components.sweep_view import RATIO, SweepView
from shadowtime.dashboard.figures import sweep as draw
from shadowtime.dashboard.figures.critical_difference import critical_difference
from shadowtime.dashboard.figures.sweep_axes import _ticks, is_log
from shadowtime.dashboard.pages import experiment, experiment_new, experiments
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.records import schema
from shadowtime.workers.sweeps.batch import Piece
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.reading import read
from shadowtime.workers.sweeps.submission import Stored, accept, cancel
from tests.workers.sweeps.samples import alter, execute

QUESTION = {
    "name": "by load",
    "workloads": ["uniform:jobs=20,processors=16", "uniform:jobs=30,processors=16"],
    "seeds": [1, 2, 3],
    "loads": [0.5, 0.9],
    "algorithms": ["fcfs", "easy"],
}
COSTS = {
    "workloads": ["uniform:jobs=20,processors=16"],
    "seeds": [1, 2],
    "convert": ["two_tier"],
    "variants": [
        {"algorithm": "measy", "parameters": {"migration_cost": [20, 400.0, 90]}},
        {"algorithm": "easy", "parameters": {}},
    ],
}


class NoQueue:
    """Redis is away: what is accepted waits in the store."""

    def __getattr__(self, name):
        raise QueueAway


@pytest.fixture
def swept(lab, site):
    """`swept(question)`: the view of a sweep; all of it has run unless `work` is False."""

    def make(question, work=True) -> SweepView:
        asked = read(question, "test", Stored(lab.store).find)
        sweep, _ = accept(lab.store, NoQueue(), asked)
        if work:
            for batch in range(-(-len(asked.spec) // sweep.status.batch)):
                execute(Piece(sweep.digest, batch), lab.settings, lab.store)
            Feed(lab.store, None)._due_batches(sweep)
        return SweepView(lab, sweep.id)

    with site.server.test_request_context("/"):
        yield make


@pytest.fixture
def site(lab):
    from shadowtime.dashboard.app import create_app

    return create_app(lab.store, lab.queue, lab.settings)


def text_of(node) -> str:
    return json.dumps(node, default=lambda one: one.to_plotly_json() if hasattr(one, "to_plotly_json") else str(one))


def test_a_figure_against_the_load_has_a_panel_a_workload_and_a_line_a_variant(swept):
    view = swept(QUESTION)
    choice, show = experiment.chosen(view, {})
    panels = view.panels(choice)

    assert (choice.metric, choice.axis, show) == ("mean_flow", "load", "lines")
    assert [panel.title for panel in panels] == ["jobs=20", "jobs=30"]
    assert [list(panel.ticks) for panel in panels] == [["0.5", "0.9"]] * 2
    assert [[one.name for one in panel.series] for panel in panels] == [["FCFS", "EASY"]] * 2
    values = view.values("mean_flow")
    for workload, panel in enumerate(panels):
        for variant, one in enumerate(panel.series):
            assert one.mean == pytest.approx(values[:, workload, :, variant].mean(axis=0))
            assert (one.low < one.mean).all() and (one.mean < one.high).all() and (one.n == 3).all()
            assert [view.place(point) for point in one.points] == [(workload, load, variant) for load in (0, 1)]


def test_variants_that_differ_in_a_parameter_are_one_line_and_others_are_level(swept):
    view = swept(COSTS)
    choice, _ = experiment.chosen(view, {})
    (panel,) = view.panels(choice)
    measy, easy = panel.series

    assert view.axes == ["migration_cost"] and panel.ticks == ["20", "90", "400"]
    assert (measy.name, easy.name) == ("MEASY", "EASY")
    assert len(set(easy.mean)) == 1 and easy.mean[0] == pytest.approx(view.values("mean_flow")[:, 0, 0, 3].mean())
    assert measy.mean[1] == pytest.approx(view.values("mean_flow")[:, 0, 0, 2].mean())


@pytest.mark.parametrize("variants", ["\u00b2", "9" * 5_000, "-1", "x", ",,", "99"])
def test_variants_that_are_none_are_left_out_of_an_address(swept, variants):
    view = swept(QUESTION)

    assert experiment.chosen(view, {"variants": variants}) == experiment.chosen(view, {})


def test_ratios_are_values_over_their_proven_bounds(swept):
    view = swept(QUESTION)
    ratios = view.values("makespan", RATIO)

    assert (ratios >= 1 - 1e-6).all()
    assert ratios == pytest.approx(view.values("makespan") / view.outcomes.grid(view.outcomes.bounds["makespan"]))
    assert np.isnan(view.values("mean_wait", RATIO)).all()


@pytest.mark.parametrize("show", [name for name, _ in sweep_figures.SHOWS])
def test_every_figure_is_drawn_and_names_what_it_shows(swept, show):
    view = swept(QUESTION)
    choice, _ = experiment.chosen(view, {"show": show})
    said = text_of(sweep_figures.figure(view, choice, show))

    assert "FCFS" in said and "EASY" in said
    assert ("customdata" in said) == (show != "ranking")
    if show != "ranking":
        name = {"heat": "map"}.get(show, show)
        assert f'"data-figure-name": "{name}-{choice.metric}"' in said, "an exported file says which figure it is"
        assert f'"data-figure-note": "{results.titled(choice.metric)}. ' in said, "and which metric is drawn"


def test_a_point_leads_to_its_runs(swept):
    view = swept(QUESTION)
    point = view.point(1, 0, 1)
    said = text_of(sweep_tables.behind(view, point))
    runs = [view.outcomes.run[index] for index in range(point, len(view.spec), view.spec.points)]

    assert view.point_name(point) == "EASY, jobs=30, load 0.5" and view.point_name(point) in said
    assert len(runs) == 3 and all(urls.run(str(run)) in said for run in runs)
    assert sweep_tables.behind(view, view.spec.points) == []


def test_pairs_say_by_how_much_and_whether_it_may_be_chance(swept):
    view = swept(QUESTION)
    choice, _ = experiment.chosen(view, {"metric": "mean_wait"})
    said = text_of(sweep_tables.paired(view, choice, 0, 1))

    assert "FCFS is \\u00d7" in said and "over 3 blocks of 12 instances" in said and "load 0.9" in said
    assert "A test of 3 blocks cannot go below p = 0.25: 6 blocks are needed for 5\\u202f%" in said


def test_a_page_proposes_the_seeds_that_are_missing(lab, swept):
    view = swept(QUESTION)
    said = text_of(sweep_tables.enough(view, "mean_wait"))

    assert (
        "over 3 blocks; for 5\\u202f% it would take about" in said
        and f"/experiments/new?like={view.sweep.id}&seeds=5" in said
    )
    assert "Add 2 seeds" in said, "an interval needs 5 blocks before a forecast"
    assert experiment_new.first(lab, {"like": view.sweep.id, "seeds": "6"})["seeds"] == [1, 2, 3, 4, 5, 6]
    for wrong in ("2", "x", "99999", "\u00b2"):
        assert experiment_new.first(lab, {"like": view.sweep.id, "seeds": wrong})["seeds"] == [1, 2, 3]


def test_a_cancelled_experiment_proposes_its_missing_runs_before_more_seeds(swept):
    view = swept({**QUESTION, "seeds": list(range(1, 7))}, work=False)
    for run in range(12):
        view.outcomes.put(
            {"index": run, "run": "", "status": "finished", "metrics": {"mean_wait": 9.0 + run}, "bounds": {}}
        )
    view.sweep = cancel(view.context.store, NoQueue(), view.sweep.id)

    (said,) = sweep_tables.enough(view, "mean_wait")
    text = text_of(said)
    assert "36 runs have no result yet." in text and '"data-sweep-act": "resume"' in text and "Add " not in text


def test_a_ranking_draws_the_critical_difference_and_counts_blocks(swept):
    view = swept({**QUESTION, "algorithms": ["fcfs", "easy", "keasy"], "convert": ["two_tier"]})
    choice, _ = experiment.chosen(view, {"show": "ranking"})
    said = text_of(sweep_figures.figure(view, choice, "ranking"))
    assert f'"data-figure-name": "ranking-{choice.metric}"' in said

    assert "critical difference 1.91" in said, "2.344 sqrt(3 * 4 / (6 * 3))"
    assert "3 blocks of 12 instances" in said and "signed-rank test over 3 blocks" in said


def test_the_diagram_joins_what_is_not_separated():
    made = critical_difference(["a", "b", "c", "d"], [1.1, 1.9, 3.2, 3.8], [[0, 1], [2, 3]], 1.35)
    bars = [trace for trace in made.data if trace.mode == "lines" and trace.line.width == 4.0]

    assert [tuple(bar.x) for bar in bars] == [pytest.approx((1.07, 1.93)), pytest.approx((3.17, 3.83))]
    assert {note.text for note in made.layout.annotations} >= {"a 1.10", "d 3.80", "critical difference 1.35"}


def test_before_the_first_run_has_ended_the_page_says_what_it_waits_for(swept):
    view = swept(QUESTION, work=False)
    choice, show = experiment.chosen(view, {})

    assert "as soon as the first runs have ended" in text_of(sweep_figures.figure(view, choice, show))
    assert sweep_tables.paired(view, choice, 0, 1) == []
    said = text_of(experiment.head(view, sweep_head.standing(view)))
    assert "0 of 24 runs finished" in said and "Pause" in said and "Cancel" in said


def test_the_first_figure_is_announced_with_the_head_that_counts_its_runs(swept):
    view = swept(QUESTION)
    none, some = ["running", 1, 0, 0], experiment.seen(view)

    head, _, progress, *_, figure = experiment.follow(view.context, 1, None, view.sweep.id, none)
    assert "24 of 24 runs finished" in text_of(
        progress if head is no_update else head
    ) and "The figure is being drawn." in text_of(figure)
    assert experiment.follow(view.context, 1, None, view.sweep.id, some)[-1] is no_update


def test_the_buttons_of_an_experiment_that_goes_on_are_not_made_anew(swept):
    view = swept(QUESTION)
    status, turn, finished, failed = experiment.seen(view)

    def followed(*before):
        return experiment.follow(view.context, 1, None, view.sweep.id, list(before))[:3]

    head, state, progress = followed(status, turn, finished - 1, failed)
    assert head is no_update and "Finished" in text_of(state) and "24 of 24 runs finished" in text_of(progress)
    for before in (("running", turn, finished, failed), (status, turn - 1, finished, failed), (status, turn, 0, 1)):
        head, *others = followed(*before)
        assert "Delete" in text_of(head) and others == [no_update, no_update]


def test_what_an_address_says_wrongly_is_the_default(swept):
    view = swept(QUESTION)
    given = {"metric": "colour", "against": "moon", "variants": "1,99,x", "show": "film", "as": "ratio"}
    choice, show = experiment.chosen(view, given)

    assert (choice.metric, choice.axis, choice.variants, show) == ("mean_flow", "load", (1,), "lines")
    assert choice.scale == RATIO


def test_the_list_and_the_pages_hold_what_is_there(lab, site, swept):
    assert "No experiments yet" in text_of(experiments.entries(lab))
    view = swept(QUESTION)
    said = text_of(experiments.entries(lab))

    assert "by load" in said and urls.experiment(view.sweep.id) in said and "24 runs, 8 points" in said
    assert experiment.layout(lab, view.sweep.id, {}).title == "by load"
    assert experiment.layout(lab, "0" * 16, {}).page == "unknown"


def test_the_form_begins_with_an_example_or_another_sweep(lab, swept):
    view = swept(QUESTION)
    like = experiment_new.first(lab, {"like": view.sweep.id})

    assert like["workloads"] == QUESTION["workloads"] and like["loads"] == [0.5, 0.9]
    for slug, (_, _, question) in experiment_new.EXAMPLES.items():
        assert experiment_new.first(lab, {"example": slug}) == question
        assert len(read(question, slug, Stored(lab.store).find).spec) > 20
    assert experiment_new.first(lab, {"like": "0" * 16}) == experiment_new.EXAMPLES["load"][2]


class Seconds(str):
    unit = "s"


def test_ticks_are_round():
    assert is_log(np.array([1.0, 100.0])) and not is_log(np.array([1.0, 20.0])) and not is_log(np.array([0.0, 1e9]))
    assert _ticks(0.0, 4.2, False, str) == [0, 2, 4]
    assert _ticks(0.0, 4 * 3600.0, False, Seconds) == [0, 3600, 7200, 10800, 14400]
    assert draw.short("feitelson:jobs=400, load 0.95") == "feitelson:jo…00, load 0.95"


def test_damaged_outcomes_are_counted_and_can_be_computed_again(lab, swept):
    sweep = swept(QUESTION).sweep
    alter(lab.store.database, schema.outcomes, schema.outcomes.c.run == 3, line="{}")
    known.cache_clear()  # a process that has not read it yet
    view = SweepView(lab, sweep.id)
    now = sweep_head.standing(view)

    assert "Finished, 1 run damaged" in text_of(sweep_head.state_pill(now))
    assert "1 damaged, left out of all figures" in text_of(sweep_head.progress(now))
    assert [button.children for button in sweep_head.actions(now)] == ["Recompute 1 damaged run", "Delete"]


def test_a_damaged_experiment_is_named_in_the_list(lab, swept):
    sweep, other = swept(QUESTION).sweep, swept({**QUESTION, "seeds": [8]}).sweep
    alter(lab.store.database, schema.sweeps, schema.sweeps.c.digest == sweep.digest, values="{")
    page = text_of(experiments.entries(lab))

    assert '"Damaged"' in page and sweep.id in page and other.id in page


def test_failed_runs_are_named_by_their_algorithm_with_links(swept):
    view = swept(QUESTION, work=False)
    variants = len(view.spec.variants)
    for index in range(len(view.spec)):
        is_easy = index % variants == 1
        line = {"index": index, "run": f"{index:016x}", "status": "failed" if is_easy else "finished"}
        line |= {"error": "t=700: 'easy' placed job 4 twice"} if is_easy else {"metrics": {"mean_wait": 9.0 + index}}
        view.outcomes.put({"bounds": {}, **line})

    said = text_of(sweep_head.reasons(view))
    assert "12 runs of EASY" in said and "t=700" not in said
    assert "at 11\\u202fmin 40\\u202fs: 'easy' placed job 4" in said
    assert said.count("/runs/") == 3 and urls.run(f"{1:016x}") in said
    view.sweep = dataclasses.replace(view.sweep, status=dataclasses.replace(view.sweep.status, status="finished"))
    (offer,) = sweep_tables.enough(view, "mean_wait")
    assert "All runs of EASY failed" in text_of(offer) and "seeds=" not in text_of(offer), "more seeds would fail, too"
    (said,) = sweep_tables.ranking(view, experiment.chosen(view, {"metric": "mean_wait"})[0])
    assert "All runs of EASY failed" in text_of(said) and "may be chance" not in text_of(said)


def test_a_ranking_states_its_limits_once(swept):
    view = swept(QUESTION)
    choice, _ = experiment.chosen(view, {})
    few = "An interval of 3 blocks says little"

    assert few in text_of(experiment.limits(view, choice, "lines"))
    assert experiment.limits(view, choice, "ranking") == []
    assert text_of(sweep_tables.ranking(view, choice)).count(few) == 1


def test_warnings_that_differ_in_a_number_are_one_with_its_range():
    few = "a few blocks decide the mean (coefficient of variation {}): the interval may be too narrow"
    said = ["3 blocks.", few.format("1.2"), few.format("1.0"), "3 blocks.", few.format("10.5"), "3 blocks."]

    assert sweep_tables.once(said, 3) == ["3 blocks.", few.format("1.0 to 10.5")]
    assert sweep_tables.once(said[:2], 4) == ["3 blocks. (1 of 4 points)", few.format("1.2") + " (1 of 4 points)"]
