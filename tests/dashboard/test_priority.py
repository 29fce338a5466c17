"""Why a job of a Slurm site waited, as the page of its run shows it."""

from __future__ import annotations

import numpy as np
import pytest
from dash import no_update

from shadowtime.dashboard.components import run_head
from shadowtime.dashboard.components.priority_panel import LISTED, holders, nice
from shadowtime.dashboard.components.priority_view import why_it_waited
from shadowtime.dashboard.figures import priority as draw
from shadowtime.dashboard.intake import slurm_sites
from shadowtime.dashboard.look.words import GAP
from shadowtime.dashboard.pages import run as page
from shadowtime.dashboard.sharing import urls
from tests.dashboard.reading import said, shown, texts
from tests.dashboard.slurm_log import stream


@pytest.fixture
def workload(lab) -> str:
    return lab.store.workloads.add(stream(), "site.tar")[0].id


@pytest.fixture
def run(workload, finish) -> str:
    return finish(workload, "slurm").id


@pytest.fixture
def job(lab, run) -> int:
    jobs = lab.store.runs.get(run).table("jobs")
    return int(jobs["job_id"][np.argmax(jobs["start"] - jobs["release"])])


def test_areas_stack_up_to_the_priority(lab, run, job):
    found = why_it_waited(lab, run, job)
    figure = draw.priority(found, None)
    *areas, line = figure.data

    assert [area.name for area in areas] == ["age", "fair share", "job size"], "factors without a weight are left out"
    total = np.sum([area.y for area in areas], axis=0)
    assert line.name == "priority" and np.floor(total).tolist() == list(line.y)
    assert line.x[0] == 0 and line.x[-1] == found["start"] - found["submit"], "the last priority holds until the start"
    assert len({area.fillpattern.shape for area in areas}) == len(areas), "no factor is known by its hue alone"
    assert figure.layout.yaxis.range[1] > max(line.y)


def test_the_expected_start_stands_against_what_came(lab, run, job):
    found = why_it_waited(lab, run, job)
    planned, simulated, recorded = draw.expected(found, None).data

    assert set(simulated.y) == {found["start"] - found["submit"]}
    assert set(recorded.y) == {found["recorded_start"] - found["submit"]} and recorded.line.dash == "dash"
    assert [y for y in planned.y[:-1] if y is not None] == [
        at - found["submit"] for at in found["expected"] if at is not None
    ]
    assert len(draw.expected({**found, "recorded_start": None}, None).data) == 2
    assert len(draw.rows(found, None)) == len(found["time"])
    assert {len(row) for row in draw.rows(found, None)} == {len(draw.heads(found))}


def test_the_page_has_a_place_for_it(lab, run, job):
    result, _ = shown(lab, urls.run(run))
    panel = said(page.why(lab, job, run))

    assert any(getattr(part, "id", None) == "run-priority" for part in result.children._traverse())
    assert f"job {job}," in panel and "Who held its nodes n" in panel and "physics" in panel
    assert page.why(lab, None, run) == []
    assert page.why(lab, 1, "0" * 16) is no_update
    assert "There is no job 99 in this run." in said(page.why(lab, 99, run))


def test_other_runs_have_none(lab, workload, finish):
    result, _ = shown(lab, urls.run(finish(workload, "easy").id))

    assert not any(getattr(part, "id", None) == "run-priority" for part in result.children._traverse())


def test_many_holders_fold(lab, run, job):
    found = why_it_waited(lab, run, job)
    many = {**found, "held_by": found["held_by"][:1] * 20, "held_by_all": 300, "nice": [-50.0]}

    assert f"{300 - LISTED} more jobs before them, the latest 8 of them" in said(holders(many, None))
    assert "No other job ran on them" in said(holders({**found, "held_by": [], "held_by_all": 0}, None))
    assert "were not kept" in said(holders({**found, "nodes": []}, None))
    assert said(nice(many)) == "Its nice value lowers the priority by 50." and nice(found) == []


def test_the_site_of_a_run_stands_below_its_schedule(lab, run, workload, ask):
    content, drawn = page.site(lab, "finished:1", run)

    assert "Compare with the recorded schedule" in said(content) and "1 outage of the site" in said(content)
    assert f"n4 drained, Mon 3 Mar 09:20, for 1{GAP}h 00{GAP}min: fan replaced" in " ".join(texts(content))
    release = lab.store.runs.get(run).table("jobs")["release"]
    assert [one["lanes"] for one in drawn] == [[[6, 7]]]
    assert drawn[0]["end"] - drawn[0]["start"] == 3600 and drawn[0]["start"] > release[0]
    assert page.site(lab, "", ask(workload, "slurm", seed=4).id) == ([], None)
    assert page.site(lab, "", "0" * 16) == (no_update, no_update)


def test_outages_of_neighbouring_nodes_are_one_band(lab, workload):
    cluster = lab.store.workloads.load(workload).cluster

    assert slurm_sites.lanes_of(cluster, (3, 0, 1)) == [[0, 3], [6, 7]]
    assert slurm_sites.outages(lab.store.workloads.load(workload), 7) == []


def test_what_the_model_has_not_stands_on_the_page_and_long_lists_fold(lab, run):
    result, _ = shown(lab, urls.run(run))
    assert "The model has not: TopologyPlugin" in said(result.children)

    long = "The model has not: " + ", ".join(f"Option{n}=something" for n in range(30)) + "."
    made = run_head.folded(long)
    assert said(made).startswith("The model has not: Option0=something") and " and 25 more Option5" in said(made)
    assert said(run_head.folded("Short, a, b, c, d, e.")) == "Short, a, b, c, d, e."
