"""The jobs of a run in groups: figures by hand, and that the groups together are the run."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

import shadowtime as st
from shadowtime.dashboard.components import group_panels
from shadowtime.dashboard.components.group_view import CLASSES, OF, GroupView
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.figures import group_use
from shadowtime.dashboard.sharing import groups
from shadowtime.dashboard.sharing.classes import area_classes, size_classes
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.engine.metrics.usage_by import Grouping
from shadowtime.engine.output.steps import means
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec
from tests.dashboard.reading import said

SWF = "; MaxProcs: 10\n" + "".join(
    f"{n} {n - 1} -1 {runtime} {size} -1 -1 {size} {runtime} -1 1 {user} -1 -1 -1 -1 -1 -1\n"
    for n, (runtime, size, user) in enumerate(((100, 6, 1), (10, 10, 2), (7200, 4, 1), (50, 1, 3)), 1)
)


def test_size_classes_are_1_then_2_to_8_then_four_times_as_wide():
    found = size_classes(np.array([1, 2, 8, 9, 32, 33, 128, 129]))

    assert found.names == ("1", "2–8", "9–32", "33–128", "129–512")
    assert found.codes.tolist() == [0, 1, 1, 2, 2, 3, 3, 4]
    assert size_classes(np.array([3])).names == ("1", "2–8")


def test_area_classes_part_at_an_hour_and_at_eight_processors():
    jobs = {"runtime": np.array([3600.0, 3600.0, 3600.1, 7200.0]), "processors": np.array([8, 9, 8, 9])}

    found = area_classes(jobs)
    assert [found.names[code] for code in found.codes] == ["short, narrow", "short, wide", "long, narrow", "long, wide"]


@pytest.fixture
def shown(lab, finish) -> GroupView:
    workload = lab.store.workloads.add(io.BytesIO(SWF.encode()), "groups.swf")[0].id
    return GroupView(view(lab, finish(workload, "easy").digest))


def test_figures_of_a_group_are_the_means_of_its_jobs(shown):
    jobs = shown.view.jobs
    lines = {line["group"]: line for line in shown.records("user")}

    assert shown.ways == ["user", "size_class", "area_class"]
    assert list(lines) == ["1", "2", "3"], "largest work first: 29400, 100, 50 processor-seconds"
    assert [line["processor_seconds"] for line in lines.values()] == [29400.0, 100.0, 50.0]
    mine = jobs["user"] == 1
    wait, flow = jobs["start"] - jobs["release"], jobs["end"] - jobs["release"]
    assert lines["1"]["mean_wait"] == pytest.approx(wait[mine].mean())
    assert lines["1"]["mean_flow"] == pytest.approx(flow[mine].mean())
    slowdown = np.maximum(1.0, flow / np.maximum(jobs["runtime"], 10.0))
    assert lines["1"]["mean_bounded_stretch"] == pytest.approx(slowdown[mine].mean())
    assert sum(line["share"] for line in lines.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("by", ["user", "size_class", "area_class"])
def test_groups_together_have_the_metrics_of_the_run(shown, by):
    metrics = shown.view.summary["metrics"]
    lines = shown.records(by)

    assert sum(line["jobs"] for line in lines) == 4
    for name in groups.MEANS:
        whole = sum(line["ended"] * line[name] for line in lines if line["ended"])
        assert whole / 4 == pytest.approx(metrics[name])


@pytest.mark.parametrize("by", ["user", "size_class"])
def test_use_over_time_adds_up_to_the_utilization_of_the_run(shown, by):
    found = shown.use(by, 50)
    whole = useful(shown.view.run)
    expected = means(whole["time"], whole["useful"], np.array(found["edges"]))

    assert np.sum(found["use"], axis=0) == pytest.approx(10.0 * expected, abs=0.01), "percent of ten processors"


def test_the_others_are_summed_up_and_all_are_listed(shown):
    few = shown.use("user", 10, most=1)

    assert few["names"] == ["1", "2 others"] and few["share"][1] == pytest.approx(150 / 29550)
    assert np.sum(few["use"], axis=0) == pytest.approx(np.sum(shown.use("user", 10)["use"], axis=0), abs=0.01)
    assert len(shown.records("user")) == 3
    assert groups.as_csv(shown.table("user")).splitlines()[2].startswith("2,1,1,100.0,")


def test_a_run_of_too_many_rectangles_is_not_divided(shown, monkeypatch):
    monkeypatch.setattr(groups, "MOST_SEGMENTS", 3)
    assert shown.use("user", 10)["use"] is None


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("by", CLASSES)
def test_distributions_have_each_job_once(shown, by, of):
    lines = shown.lines(by, of)
    assert sum(len(line.values) for line in lines) == 4
    assert len({(line.style.colour, line.style.dash) for line in lines}) == len(lines)


def test_many_classes_are_drawn_as_a_few(shown, monkeypatch):
    names = tuple(f"{n}–{n}" for n in range(20))
    monkeypatch.setitem(
        shown.__dict__, "groupings", {"size_class": Grouping("size_class", np.array([0, 7, 8, 19]), names)}
    )
    assert [line.name for line in shown.lines("size_class", "wait")] == ["0–0", "7–7", "8–8", "19–19"]

    monkeypatch.setattr("shadowtime.dashboard.components.group_view.MOST_CLASSES", 3)
    last = shown.lines("size_class", "wait")[-1]
    assert (last.name, len(last.values)) == ("8 and more", 2)


def test_the_scale_of_small_figures_holds_all_of_them():
    assert group_use.top([[3.0, 12.0], [1.0]]) == 15.0
    assert group_use.top([[101.5]]) == 101.5
    drawn = group_use.figure("ann", [0.0, 1.0, 2.0], [5.0, 10.0], 15.0, None)
    assert list(drawn.layout.yaxis.tickvals) == [0, 7.5, 15.0]


def test_panels_name_users_and_sizes(shown):
    text = said(group_panels.content(shown))
    assert "user 1 · 99.5" in text and "Wait by class" in text
    assert "1 processor · " in said(group_panels.of_groups(shown, "size_class"))
    names = [line["name"] for line in group_panels.spread(shown, "wait", "size_class")["figure"]["data"]]
    assert names == ["1 processor", "2–8 processors", "9–32 processors"]
    assert "short, narrow · " in said(group_panels.of_groups(shown, "area_class"))


KINDS = {
    "demt/d03.json": ("", "gang"),
    "synchpack/s03.json": ("", "psrs"),
    "pjs/small.json": ("availability_couples", "pjs"),
    "measy/figure1.json": ("job10_reaches_foreground", "keasy"),
    "dfrs/simulation.json": ("memory_conflict", "greedyp*/opt=min"),
}


@pytest.mark.parametrize("path", KINDS)
def test_groups_of_each_family_together_use_what_the_run_uses(lab, path):
    case, algorithm = KINDS[path]
    content = (Path(__file__).parents[1] / "golden" / path).read_bytes()
    entry = lab.store.workloads.add(io.BytesIO(content), path.rpartition("/")[2])[0]
    workload = lab.store.workloads.load(entry.digest, case or None)
    spec = RunSpec.of(workload, algorithm)
    lab.store.runs.accept(spec, jobs=len(workload))
    status = lab.store.runs.begin(spec.digest)
    outcome = execute(spec, workload)
    names = ("jobs", "segments", "events", "series", "rates", "bands")
    tables = {name: getattr(outcome.schedule, name) for name in names}
    lab.store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
    found = GroupView(view(lab, spec.digest))

    whole, lanes = useful(found.view.run), found.view.asked["lanes"]
    for by in found.ways:
        used = found.use(by, 40)
        expected = means(whole["time"], whole["useful"], np.array(used["edges"]))
        assert np.sum(used["use"], axis=0) == pytest.approx(100.0 * expected / lanes, abs=0.02), by
        group_panels.of_groups(found, by)
    assert ("job_class" in found.ways) is path.startswith("pjs")


def test_shared_nodes_are_used_by_the_cpu_need_once():
    content = {"kind": "simulation", "cases": [{"name": "half", "instance": {"nodes": 1, "jobs": [
        {"id": 1, "release": 0, "tasks": 1, "cpu_need": 0.5, "memory": 0.1, "runtime": 100.0}]}}]}  # fmt: skip
    run = st.simulate(st.read(io.BytesIO(json.dumps(content).encode())), "greedyp*/opt=min")
    one = size_classes(run.jobs["processors"])

    found = groups.utilization(dict(run.jobs), dict(run.segments), one, np.array([0.0, 100.0]), exclusive=False)
    assert found[0].tolist() == [0.5]


def test_two_tiers_count_changes_of_rates_that_other_groups_cause():
    jobs = [{"id": k, "submit": release, "processes": 1, "runtime": runtime, "usage": [0.5], "phi": [0.8], "loss": 0.2}
            for k, (release, runtime) in enumerate(((0, 10), (2, 9)))]  # fmt: skip
    content = {"kind": "two_tier", "processors": 1, "jobs": jobs}
    run = st.simulate(st.read(io.BytesIO(json.dumps(content).encode())), "keasy")
    users, edges = Grouping("user", np.array([0, 1]), ("a", "b")), np.array([0.0, 2.0, 12.0, 13.0])

    found = groups.utilization(dict(run.jobs), dict(run.segments), users, edges, dict(run.rates))
    assert np.array(found) == pytest.approx(np.array([[0.5, 0.4, 0.0], [0.0, 0.4, 0.5]]))
    assert sum(found) == pytest.approx(means(run.series["time"], run.series["cpu"], edges))
