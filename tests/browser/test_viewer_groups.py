"""Machines of a site on the Gantt: their names, heads of clusters and classes, and jobs on whole clusters."""

from __future__ import annotations

import io

import pytest

from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from tests.browser.viewing import NAMES, PATIENCE, Viewer

pytestmark = pytest.mark.browser


@pytest.fixture
def bench(runs, page) -> Viewer:
    """PJS on the bench: `fast` alone, `old1` and `old2` as the cluster `pair`."""
    store = runs.store
    entry, _ = store.workloads.add(io.BytesIO(find_sample("bench3").content()), "bench3.json")
    spec = RunSpec.of(store.workloads.load(entry.digest, "2"), "pjs")
    store.runs.accept(spec, jobs=2)
    status = store.runs.begin(spec.digest)
    if status is not None:
        outcome = execute(spec, load_workload(spec, store))
        found = {name: getattr(outcome.schedule, name) for name in NAMES}
        store.runs.finish(spec.digest, status.attempt, found, outcome.summary)
    viewer = Viewer(page, runs.page_of(spec.id))
    page.wait_for_function("() => shadowtime.viewers[0].run.groups", timeout=PATIENCE)
    return viewer


def test_neighbours_of_a_cluster_and_class_are_one_group(bench):
    groups = bench.page.evaluate("() => shadowtime.viewers[0].run.groups")

    assert groups == [
        {"first": 0, "last": 0, "cluster": "", "kind": "new"},
        {"first": 1, "last": 2, "cluster": "pair", "kind": "old"},
    ]


def test_heads_take_room_at_the_left_but_not_where_jobs_are_rows(bench):
    gutter = "() => shadowtime.viewers[0].layout.gutter"
    wide = bench.page.evaluate(gutter)
    bench.page.select_option("select.gv-rows", "start")
    bench.page.wait_for_function(f"() => ({gutter})() < {wide}", timeout=PATIENCE)


def test_a_job_is_said_with_its_class_priority_and_place(bench):
    said = bench.page.evaluate(
        'async () => { const { onSite } = await import("/assets/gantt/model/site.js");'
        " const { run } = shadowtime.viewers[0];"
        " return Array.from({ length: run.jobs.n }, (_, row) => onSite(run, row)) }"
    )

    assert said[0].startswith("matvec, medium priority, on ")
    assert any(sentence.endswith("on cluster pair") for sentence in said)


def test_jobs_can_be_coloured_by_priority_and_not_by_user(bench):
    names = bench.page.eval_on_selector_all(".gv-choice", "found => found.map((one) => one.dataset.colour)")

    assert "priority" in names and "user" not in names
