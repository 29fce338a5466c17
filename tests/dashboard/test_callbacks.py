"""Callbacks are functions of their modules: called here as Dash calls them, without an app."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from dash import no_update

from shadowtime.dashboard.app import PAGES
from shadowtime.dashboard.components import algorithm_callbacks, chart, delete_dialog, health, search
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.context import MANY_WAIT
from shadowtime.dashboard.pages import compare, experiment, experiments, new, run, runs
from shadowtime.workers.queue import Health
from tests.dashboard.conftest import HereQueue
from tests.dashboard.reading import said

NOTHING = "0123456789abcdef"


@pytest.mark.parametrize("part", [chart, health, search, *PAGES.values()], ids=lambda part: part.__name__)
def test_modules_register_no_closures(part: ModuleType):
    assert not hasattr(part, "register")
    for function, *_ in getattr(part, "callbacks", Callbacks())._of_server:
        assert getattr(part, function.__name__) is function


def test_the_form_of_a_new_run_is_read_and_answered(lab, four):
    values = dict.fromkeys(new.INPUTS)
    values |= {"trace": {"id": four, "name": "four.swf"}, "unit": "processors", "processors": "", "drawn": [3]}
    values |= {"picked": [False, True], "parameters": ["first"]}
    ids = {
        "drawn": [{"form": "generator", "of": "uniform", "name": "jobs"}],
        "picked": [{"pick": "fcfs"}, {"pick": "easy"}],
        "parameters": [{"form": "algorithm", "of": "easy", "name": "extra"}],
    }
    answer = new.answer(lab, values, ids)

    assert answer["question"]["algorithms"] == [{"algorithm": "easy", "parameters": {"extra": "first"}}]
    assert answer["copy"] == "shadowtime simulate four.swf -a easy -p extra=first"
    assert len(answer["disabled"]) == len(answer["notes"]) == 2
    assert len(lab.intake.asked) == 1


def test_the_papers_values_are_put_into_the_form_of_an_algorithm(lab):
    ids = [{"form": "algorithm", "of": "easy", "name": "extra"}]

    assert algorithm_callbacks.reset(lab, 1, ids, {}) == ["all"]
    assert algorithm_callbacks.reset(lab, None, ids, {}) is no_update


def test_the_dock_offers_what_can_be_done_with_the_selected_runs(lab):
    row = {"id": NOTHING, "workload": "four", "state": "finished", "accepted": "2026"}
    row |= {"title": "", "algorithm": "EASY", "said": ""}
    dock, style, title, sure, _ = runs.select(lab, [row, {**row, "id": "1" * 16}])

    assert "2 runs on the same jobs" in said(dock) and style == "st-dock"
    assert (title, sure) == ("Delete 2 runs?", "Delete 2 runs")
    assert runs.select(lab, None)[1] == "st-dock st-hidden"


def test_the_dialog_names_the_first_runs_that_it_deletes(lab):
    row = {"workload": "four", "state": "finished", "accepted": "2026", "title": ""}
    row |= {"algorithm": "EASY", "said": "extra first"}
    rows = [{**row, "id": f"{n:016}", "title": f"Base {n}"} for n in range(9)]
    named = [said(one) for one in delete_dialog.names_of([row, *rows]).children]

    assert named[:2] == ["EASY extra first on four", "Base 0 EASY extra first on four"]
    assert named[-1] == "and 5 more" and len(named) == 6
    assert len(delete_dialog.names_of(rows[:6]).children) == 6
    assert said(runs.select(lab, rows[:2])[-1]).count("Base") == 2


def test_what_is_gone_changes_nothing(lab):
    assert run.proven(lab, None, NOTHING) is no_update
    assert run.with_bound(lab, None, NOTHING) == (no_update, True)
    assert set(run.grids(lab, None, NOTHING)) == {no_update}
    assert experiment.follow(lab, 1, None, NOTHING, []) == (*(no_update,) * 4, True, no_update, no_update)
    assert compare.arrive(lab, None, None) == (no_update,) * 3
    assert "No experiments yet" in said(experiments.refresh(lab, 1))


@pytest.mark.parametrize(("waiting", "reads", "place"), [(3, 2, 1), (MANY_WAIT, 1, 0)])
def test_the_queue_is_read_again_for_a_run_that_was_just_queued_unless_it_is_long(
    lab, monkeypatch, waiting, reads, place
):
    read = []

    def turns(store, queue):
        read.append(1)
        return {str(n): (n + 1, 0.0) for n in range(waiting)}

    monkeypatch.setattr("shadowtime.dashboard.context.turns", turns)

    assert lab.place_of("new") == (place, 0.0) and len(read) == reads
    assert lab.place_of("2") == (3, 0.0) and len(read) == reads


def test_the_header_reads_the_queue_once_a_second(lab):
    assert health.refresh(lab, 1) == health.refresh(lab, 2) == ("2 workers, idle", "false", None, 6000)
    assert lab.health() is lab.health()


def test_the_header_asks_again_sooner_while_there_is_a_notice(lab):
    line, trouble, notice, milliseconds = health.refresh(replace(lab, queue=HereQueue(Health(True, 0, 1))), 1)

    assert (line, trouble, milliseconds) == ("no workers", "true", 3000)
    assert "No workers connected" in said(notice)


def test_the_search_finds_nothing_for_what_was_chosen(lab):
    assert search.look(lab, "EASY", "/", None, [{"label": "EASY"}]) is no_update
    assert search.look(lab, "7", f"/runs/{NOTHING}", None, None)[0]["value"] == "job:7"
