"""Comparing runs on a page: the same jobs side by side, and one sentence where they are not the same."""

from __future__ import annotations

import io

import pytest

from shadowtime.dashboard.components import compare_metrics, compare_panels, compare_view
from shadowtime.dashboard.components.compare_view import Incomparable, compared
from shadowtime.dashboard.components.gantt import Gantt
from shadowtime.dashboard.pages import compare, runs
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine.tables import take
from tests.conftest import FOUR_SWF
from tests.dashboard.reading import found, said, shown
from tests.dashboard.test_pages import begin


@pytest.fixture
def pair(four, finish) -> tuple[str, str]:
    """FCFS and EASY on the four-job example: job 4 starts at 110 and at 3, all else alike."""
    return finish(four, "fcfs").id, finish(four, "easy").id


@pytest.fixture
def others(lab) -> str:
    """A workload of the same ids with other runtimes."""
    text = FOUR_SWF.replace(" 100 6 ", " 90 6 ").replace(" 10 10 ", " 9 10 ").replace(" 1000 4 ", " 900 4 ")
    return lab.store.workloads.add(io.BytesIO(text.replace(" 50 4 ", " 40 4 ").encode()), "others.swf")[0].id


def address(*ids: str, **more) -> str:
    return urls.compare(Comparison(runs=ids, **more))


def test_runs_on_the_same_jobs_stand_side_by_side(lab, pair):
    result, name = shown(lab, address(*pair))
    text = said(result.children)
    drawn = [part for part in result.children._traverse() if isinstance(part, Gantt)]
    props = [part.to_plotly_json()["props"] for part in drawn]

    assert name == "compare" and result.title == "FCFS and EASY on four"
    assert "4 jobs · 10 processors · the same jobs for all" in text
    assert [one["run"] for one in props] == list(pair)
    assert {one["group"] for one in props} == {"compare"} and {one["colour"] for one in props} == {"stretch"}
    assert "1 sooner 3 same 0 later" in text
    assert "job 4" in text and "−1 min 47 s" in text


def test_the_baseline_is_whoever_is_asked_for(lab, pair):
    forward, backward = (compared(lab, Comparison(runs=pair, baseline=base)) for base in (pair[0], pair[1]))

    assert forward.baseline.run.id == pair[0] and forward.of.run.id == pair[1]
    assert backward.baseline.run.id == pair[1] and backward.of.run.id == pair[0]
    assert forward.outcome(forward.of)["sooner"] == backward.outcome(backward.of)["later"] == 1


def test_metrics_mark_the_best_and_stand_beside_their_bound(lab, pair):
    lines = {line.name: line for line in compare_metrics.lines(compared(lab, Comparison(runs=pair)))}

    assert [cell.is_best for cell in lines["mean_flow"].cells] == [False, True]
    assert [cell.is_best for cell in lines["makespan"].cells] == [False, False]  # alike
    assert lines["makespan"].cells[1].ratio.startswith("×") and lines["makespan"].bound.startswith("≥ ")
    assert lines["mean_flow"].cells[0].change == ""
    assert lines["mean_flow"].cells[1].change.startswith("−")
    assert not lines["offered_load"].is_usual and not any(cell.is_best for cell in lines["offered_load"].cells)


def test_bounds_that_differ_are_a_range_beside_their_ratios(lab, pair, monkeypatch):
    found = compared(lab, Comparison(runs=pair))
    values, bounds = found.runs[0].figures()
    other = {**bounds, "mean_flow": 2.0 * bounds["mean_flow"]}
    monkeypatch.setattr(type(found.runs[0]), "figures", lambda one: (values, bounds if one is found.of else other))
    line = next(line for line in compare_metrics.lines(found) if line.name == "mean_flow")
    low, high = (compare_metrics.results.written("mean_flow", one["mean_flow"]) for one in (bounds, other))

    assert line.bound == f"≥ {low} to {high}"
    assert "each × is against the bound of its own run" in compare_metrics.explanation(found)


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ([1.0, 2.0], {0}),
        ([2.0, 2.0], set()),
        ([2.0, 1.0, 1.0], {1, 2}),
        ([None, 1.0], set()),
        ([1e6, 1e6 + 0.01], set()),
    ],
)
def test_the_best_of_a_row(values, best):
    assert compare_metrics.best("mean_wait", values) == best


def test_the_best_for_programs_are_equal_in_all_digits():
    values = [0.14273, 0.06076, 0.13861]

    assert compare_metrics.best("jain_index", values) == {0, 2}
    assert compare_metrics.best("jain_index", values, lambda _, value: f"{value:.9g}") == {0}


def test_no_way_is_better_for_a_property_of_the_workload():
    assert compare_metrics.best("offered_load", [0.1, 0.9]) == set()
    assert compare_metrics.best("mean_utilization", [0.1, 0.9]) == {1}


def test_different_jobs_are_refused_with_the_reason(lab, pair, others, finish):
    strange = finish(others, "easy").id
    result, _ = shown(lab, address(pair[0], strange))
    text = said(result.children)

    assert "These runs share no job. Align by job id only if the ids mean the same jobs." in text
    assert "EASY on others" in text
    assert found(result.children, "compare-align").href == address(pair[0], strange, align="id")


def test_different_jobs_can_be_aligned_by_id(lab, pair, others, finish):
    strange = finish(others, "easy").id
    result, _ = shown(lab, address(pair[1], strange, align="id"))

    assert "aligned by job id: 4 of 4 and 4 jobs" in said(result.children)
    assert "4 sooner 0 same 0 later" in said(result.children)


def test_jobs_with_other_ids_cannot_be_aligned(lab, pair, finish):
    text = FOUR_SWF.replace("\n1 ", "\n11 ").replace("\n2 ", "\n12 ").replace("\n3 ", "\n13 ").replace("\n4 ", "\n14 ")
    other = lab.store.workloads.add(io.BytesIO(text.encode()), "ids.swf")[0].id
    strange = finish(other, "easy").id

    with pytest.raises(Incomparable, match="Their job ids differ, too") as refusal:
        compared(lab, Comparison(runs=(pair[0], strange)))
    assert refusal.value.ids == 0
    with pytest.raises(Incomparable, match="no job id either"):
        compared(lab, Comparison(runs=(pair[0], strange), align="id"))


def test_the_same_jobs_by_another_way_are_the_same(lab, pair, finish):
    spaced = lab.store.workloads.add(io.BytesIO(("; Note: again\n" + FOUR_SWF).encode()), "again.swf")[0].id

    assert compared(lab, Comparison(runs=(pair[0], finish(spaced, "easy").id)))


def test_a_run_that_goes_on_takes_part(lab, four, finish, ask):
    done, queued = finish(four, "fcfs").id, ask(four, "easy").id
    result, _ = shown(lab, address(done, queued))
    text = said(result.children)

    assert "Queued" in text and "No job has ended under both yet; EASY is queued." in text
    assert "EASY is queued: no values." in text and "running" not in text
    assert found(result.children, "compare-followed").data == [queued]


def test_runs_are_told_apart_by_what_differs(lab, four, finish):
    ids = [finish(four, "easy", parameters=given).id for given in ({}, {"extra": "first"})]
    assert list(compared(lab, Comparison(runs=tuple(ids))).names.values()) == ["EASY", "EASY, extra first"]


def test_without_two_runs_the_page_says_what_could_be_compared(lab, pair):
    nothing, one = shown(lab, urls.COMPARE)[0], shown(lab, address(pair[0]))[0]
    links = [part.href for part in nothing.children._traverse() if getattr(part, "href", "").startswith("/compare?")]

    assert "FCFS and EASY on four" in said(nothing.children)
    assert links == [address(*pair)]
    assert "Compare FCFS on four with another run" in said(one.children)
    assert address(*pair) in [getattr(part, "href", "") for part in one.children._traverse()]


def test_an_empty_laboratory_says_so(lab):
    assert "at least two runs on the same jobs" in said(shown(lab, urls.COMPARE)[0].children)


def test_more_than_six_and_unknown_runs_are_sentences(lab, pair):
    many = shown(lab, address(*(f"{i:016x}" for i in range(7))))[0]
    gone = shown(lab, address(pair[0], "0" * 16))[0]

    assert "At most 6 runs can be compared at once" in said(many.children)
    assert "Run not found" in said(gone.children)


def test_each_run_that_was_deleted_is_named_and_offered_again(lab, pair):
    for run_id in pair:
        lab.store.runs.delete(run_id)
    gone, one = shown(lab, address(*pair, "0" * 16))[0], shown(lab, address(pair[0], pair[0]))[0]
    buttons = [part for part in gone.children._traverse() if getattr(part, "children", "") == "Run again"]

    assert "3 runs of this comparison are not stored here" in said(gone.children)
    assert "2 runs of this comparison were deleted" in said(shown(lab, address(*pair))[0].children)
    assert "FCFS on four, on 10 processors" in said(gone.children)
    assert "EASY on four, on 10 processors" in said(gone.children)
    assert f"{'0' * 16} is not stored here" in said(gone.children)
    assert [one.to_plotly_json()["props"]["data-run"] for one in buttons] == list(pair)
    assert "This run was deleted" in said(one.children)


def test_a_run_can_be_added_while_there_is_room(lab, pair, four, finish):
    third = finish(four, "easy", parameters={"extra": "first"}).id
    asked = Comparison(runs=pair)

    assert [run_id for run_id, _ in compare_view.mates(lab, asked)] == [third]
    result, _ = shown(lab, address(*pair))
    assert [one["value"] for one in found(result.children, "compare-add").data] == [third]


def test_a_run_can_be_added_that_many_others_of_the_workload_are_newer_than(lab, pair, four, finish, ask):
    third = finish(four, "easy", parameters={"extra": "first"}).id
    for seed in range(60):
        ask(four, "easy", conversions=({"name": "load", "parameters": {"rho": 0.5}},), seed=seed)

    assert [run_id for run_id, _ in compare_view.mates(lab, Comparison(runs=pair))] == [third]


@pytest.mark.parametrize("what", compare_panels.WHAT)
@pytest.mark.parametrize("form", ["share", "count"])
def test_distributions_hold_every_run(lab, pair, what, form):
    panels = compare_panels.distributions(compared(lab, Comparison(runs=pair)), what, form)

    assert [trace["name"] for trace in panels["figure"]["data"]] in (["FCFS", "EASY"], [])
    assert "FCFS" in said(panels["table"])


def test_differences_by_how_much_over_time_and_job_by_job(lab, pair):
    parts = compare.difference(compared(lab, Comparison(runs=pair)))
    grid = found(compare.html.Div(parts), "differences-grid")

    assert [row["difference"] for row in grid.rowData] == [0, 0, 0, -107]
    assert "EASY against FCFS" in said(parts) and "Utilization and demand" in said(parts)


def test_the_dock_leads_to_the_comparison():
    rows = [
        {"id": f"{i:016x}", "workload": "four", "state": "finished", "accepted": f"2025-01-0{9 - i}"} for i in range(3)
    ]
    link = runs.compare(rows)[0].children

    assert link.href == address(*(row["id"] for row in reversed(rows)))
    assert runs.compare(rows[:1]) == [] and runs.compare(rows * 3) == []


def test_an_address_comes_back_from_its_query():
    asked = Comparison(("1" * 16, "2" * 16), "2" * 16, "1" * 16, "scatter", "id", "ratio,all")

    assert Comparison.parse(asked.query()) == asked
    assert Comparison.parse(f"runs={'1' * 64},x,{'1' * 16}&baseline=7&show=what&align=no") == Comparison(("1" * 16,))
    assert Comparison.parse(Comparison(columns="").query()).columns == ""


def test_figures_of_a_run_that_goes_on_are_over_the_jobs_that_have_ended(lab, four, ask, finish):
    done = finish(four, "fcfs").id
    events = lab.store.runs.get(done).table("events")
    spec = ask(four, "easy")
    begin(lab, spec, take(events, events["time"] <= 110))
    going = compared(lab, Comparison(runs=(done, spec.id)))
    result = going.outcome(going.of)
    lines = {line.name: line for line in compare_metrics.lines(going)}

    assert (result["jobs"], result["left_out"]) == (2, 2)
    assert lines["makespan"].cells[1].value == "running"
    assert lines["mean_wait"].cells[1].value and not any(cell.is_best for cell in lines["mean_wait"].cells)
    assert "Of 2 jobs that ended under both" in said(compare_panels.winners(going))
    assert compare_panels.distributions(going, "stretch", "share")["table"]
    assert said(compare.difference(going))


def test_runs_of_experiments_are_offered_only_where_there_are_no_others(lab, four, finish):
    own, swept = ([finish(four, name, seed=seed) for name in ("easy", "fcfs")] for seed in (0, 1))
    for spec in swept:
        known = lab.store.runs.get(spec.id)
        kept = {name: known.table(name) for name in ("jobs", "segments", "events", "series")}, known.summary
        lab.store.runs.delete(spec.id)
        lab.store.runs.keep([(spec, *kept)], experiment="0123456789abcdef")

    (offered,) = compare_view.groups(lab)
    assert all(spec.id in offered[0] for spec in own) and not any(spec.id in offered[0] for spec in swept)
    for spec in own:
        lab.store.runs.delete(spec.id)
    (offered,) = compare_view.groups(lab)
    assert all(spec.id in offered[0] for spec in swept)
