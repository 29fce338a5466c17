"""The list of runs: groups, order, marks, columns."""

from datetime import UTC, datetime, timedelta

import pytest

from shadowtime.dashboard.components import run_columns, run_groups, run_list
from shadowtime.dashboard.components.run_list import Asked
from shadowtime.dashboard.pages import runs
from tests.dashboard.reading import said

NOW = datetime(2025, 3, 10, 12, tzinfo=UTC)


def ids(listed):
    return [row["id"] for row in listed["rows"]]


def test_runs_have_load_seed_name_and_tags(lab, four, finish):
    spec = finish(four, "easy", seed=3)
    lab.store.runs.mark(spec.id, {"title": "Base", "tags": ["a"], "starred": True, "notes": "why"})
    (row,) = run_list.listing(lab, Asked())["rows"]

    assert (row["title"], row["tags"], row["starred"], row["notes"], row["seed"]) == ("Base", ["a"], True, "why", 3)
    assert row["load"] == lab.store.runs.get(spec.id).summary["metrics"]["offered_load"]
    assert ids(run_list.listing(lab, Asked(text="tag:a"))) == [spec.id]
    assert ids(run_list.listing(lab, Asked(text="tag:b"))) == []


def test_the_load_of_a_run_that_has_not_ended_is_the_one_asked_for():
    steps = [{"name": "load", "parameters": {"rho": 0.7}}]

    assert run_list.load_of(steps, {"digest": "x"}, {}) == 0.7
    assert run_list.load_of([], {"generator": "lublin", "parameters": {"load": 0.8}, "seed": 1}, {}) == 0.8
    assert run_list.load_of([], {"digest": "x"}, {}) is None


def test_runs_are_grouped_by_workload_and_folded(lab, four, finish):
    easy, fcfs = finish(four, "easy"), finish(four, "fcfs")
    opened = run_list.listing(lab, Asked(group="jobs"))
    folded = run_list.listing(lab, Asked(group="jobs", toggled=["four"]))

    assert ids(opened) == ["group:four", fcfs.id, easy.id]
    assert ids(folded) == ["group:four"] and folded["rows"][0]["count"] == 2
    assert folded["total"] == folded["listed"] == 2


@pytest.mark.parametrize(
    ("before", "name"),
    [(timedelta(hours=1), "Today"), (timedelta(days=1), "Yesterday"), (timedelta(days=9), "1 Mar"),
     (timedelta(days=400), "4 Feb 2024")],
)  # fmt: skip
def test_days_have_names(before, name):
    row = {"accepted": (NOW - before).isoformat(), "workload": "w"}

    assert run_groups.key_of(row, "day", NOW) == name


def test_runs_of_an_experiment_stand_under_its_head(lab, four, finish):
    own, swept = finish(four, "easy"), finish(four, "fcfs")
    known = lab.store.runs.get(swept.id)
    tables = {name: known.table(name) for name in ("jobs", "segments", "events", "series")}
    summary = known.summary
    lab.store.runs.delete(swept.id)
    lab.store.runs.keep([(swept, tables, summary)], experiment="0123456789abcdef")

    assert ids(run_list.listing(lab, Asked())) == [own.id]  # its experiment is not stored here any more
    assert set(ids(run_list.listing(lab, Asked(group="none")))) == {own.id, swept.id}
    assert ids(run_list.listing(lab, Asked(text="experiment:0123456789abcdef"))) == [swept.id]


def test_the_head_of_an_experiment_counts_the_runs_that_another_one_computed():
    assert run_groups.head("a", "Experiment A", 25, False, of=35)["of_runs"] == 35
    assert "of_runs" not in run_groups.head("a", "Experiment A", 35, False, of=35)
    assert "of_runs" not in run_groups.head("four", "four", 2, False)


def test_all_runs_are_sorted_before_the_first_are_listed(lab, four, finish):
    easy, fcfs = finish(four, "easy"), finish(four, "fcfs")

    assert ids(run_list.listing(lab, Asked(sort="algorithm", limit=1))) == [easy.id]
    assert ids(run_list.listing(lab, Asked(sort="-algorithm", limit=1))) == [fcfs.id]
    listed = run_list.listing(lab, Asked(sort="ratio", limit=1))
    assert said(runs.more_words(listed, "ratio")) == "1 of 2 runs , sorted among these · show more"
    assert said(runs.more_words(listed, "jobs")) == "1 of 2 runs · show more"


@pytest.mark.parametrize(
    ("asked", "text"),
    [(Asked(text="zzzz"), "0 of 3 runs"), (Asked(status="failed"), "0 of 3 runs"), (Asked(text="easy"), "2 of 3 runs"),
     (Asked(text="easy", limit=1), "1 of 2 runs that match · show more"), (Asked(), "3 of 3 runs")],
)  # fmt: skip
def test_a_filtered_list_says_of_how_many_runs(lab, four, ask, asked, text):
    for algorithm, seed in (("easy", 0), ("easy", 1), ("fcfs", 0)):
        ask(four, algorithm, seed=seed)

    assert said(runs.more_words(run_list.listing(lab, asked))) == text


def test_runs_that_are_about_to_be_deleted_are_left_out(lab, four, finish):
    easy, fcfs = finish(four, "easy"), finish(four, "fcfs")
    listed = run_list.listing(lab, Asked(hidden=[fcfs.id]))

    assert ids(listed) == [easy.id] and listed["total"] == 1 and listed["counts"]["finished"] == 1


def test_columns_that_cut_their_texts_have_them_as_titles():
    cut = [one for one in run_columns.COLUMNS if "flex" in one and one["field"] != run_columns.FIXED]

    assert {one["field"] for one in cut} == {"workload", "result"}
    assert all("tooltipField" in one or "tooltipValueGetter" in one for one in cut)
    assert runs.grid([], [], "").dashGridOptions["enableBrowserTooltips"]


def test_columns_are_chosen_by_the_address():
    shown = [
        one["field"]
        for one in run_columns.definitions(run_columns.chosen_columns("jobs,nonsense"), "-jobs")
        if not one["hide"]
    ]
    (sorted_by,) = [one for one in run_columns.definitions([], "-jobs") if "sort" in one]

    assert shown == ["algorithm", "jobs"]
    assert (sorted_by["field"], sorted_by["sort"]) == ("jobs", "desc")
    assert run_columns.known_sort("nonsense") == run_columns.known_sort("spark") == ""
    assert "seed" not in run_columns.chosen_columns(None)
