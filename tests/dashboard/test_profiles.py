"""Several workloads in one figure, on a scale that their machines share."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from shadowtime.dashboard.components import workload_beside
from shadowtime.dashboard.pages import workload as page
from shadowtime.dashboard.sharing import profiles
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.errors import NotFound


def jobs(**more) -> Workload:
    table = {
        "job_id": np.arange(4), "release": np.array([0.0, 1.0, 3.0, 6.0]), "processors": np.array([1, 2, 4, 8]),
        "runtime": np.array([10.0, 20.0, 30.0, 40.0]),
    }  # fmt: skip
    return Workload(kind="rigid", name="made", jobs=table, **more)


def test_sizes_and_areas_are_parts_of_the_machine():
    small, large = jobs(machine={"processors": 16}), jobs(machine={"processors": 32})

    assert profiles.sizes(small).tolist() == [0.0625, 0.125, 0.25, 0.5]
    assert profiles.areas(small).tolist() == [0.625, 2.5, 7.5, 20.0]
    assert (profiles.areas(large) * 2 == profiles.areas(small)).all()
    assert profiles.sizes(jobs()).tolist() == [0.125, 0.25, 0.5, 1.0], "by the largest job without a machine"


def test_nodes_of_several_cores_count_as_their_cores():
    site = jobs(machine={"nodes": 4, "cores_per_node": 4})

    assert profiles.sizes(site).tolist() == [0.0625, 0.125, 0.25, 0.5]
    assert profiles.areas(site).tolist() == [0.625, 2.5, 7.5, 20.0]
    assert profiles.machine(jobs(machine={"nodes": 4, "cores_per_node": 4}).with_(kind="fractional")) == 4
    assert profiles.machine(jobs(machine={"nodes": 4})) == 4


def test_times_between_submissions_are_over_their_mean():
    assert profiles.gaps(jobs()).tolist() == [0.5, 1.0, 1.5]
    at_once = {name: np.zeros(4) for name in ("job_id", "release", "processors", "runtime")}
    assert len(profiles.gaps(Workload(kind="rigid", name="", jobs=at_once))) == 0


def test_a_profile_has_the_quantiles_of_all_jobs():
    found = profiles.profile(jobs(), "runtime")

    assert (found["jobs"], found["values"], found["shares"]) == (4, [10.0, 20.0, 30.0, 40.0], [0.25, 0.5, 0.75, 1.0])
    assert found["quantiles"] == [10.0, 10.0, 20.0, 30.0, 40.0, 40.0, 40.0]


@pytest.fixture
def two(lab, four) -> list[str]:
    text = "; MaxProcs: 100\n1 0 -1 100 50 -1 -1 50 100 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    return [four, lab.store.workloads.add(io.BytesIO(text.encode()), "wide.swf")[0].id]


@pytest.mark.parametrize("of", profiles.OF)
def test_each_quantity_is_drawn_with_a_line_a_workload(lab, two, of):
    shown = workload_beside.shown(lab, two, of)

    drawn = [line["name"] for line in shown["figure"]["data"] if line.get("name")]
    assert drawn == (["four", "wide"] if of != "gap" else ["four"]), "one job has no time between submissions"
    assert shown["rule"] == profiles.OF[of].rule


def test_workloads_of_one_name_are_told_apart(lab, two):
    again = lab.store.workloads.add(io.BytesIO(b"1 0 -1 9 1 -1 -1 1 9 -1 1 -1 -1 -1 -1 -1 -1 -1\n"), "four.swf")[0].id
    names = [one["name"] for one in workload_beside.spread(lab, [two[0], again], "size")]
    assert names == [f"four ({two[0][:6]})", f"four ({again[:6]})"]


def test_what_cannot_be_drawn_is_said(lab, two, monkeypatch):
    with pytest.raises(NotFound):
        workload_beside.spread(lab, ["0" * 16], "size")
    monkeypatch.setattr(profiles, "MOST_JOBS", 3)
    figure, said, *_ = page.draw_beside(lab, [two[1]], "size", two[0])
    assert figure is None and said == "four.swf has 4 jobs, but workloads of up to 3 jobs are drawn."


def test_an_address_names_workloads_and_quantity(lab, two):
    assert workload_beside.asked({"beside": f"{two[1]},{two[1]}", "of": "area"}) == ([two[1]], "area")
    assert workload_beside.asked({"of": "colour"}) == ([], "size")
    assert two[1] in str(page.layout(lab, two[0], {"beside": two[1]}).children)


@pytest.mark.parametrize("path", ["demt/d03", "synchpack/s03", "pjs/small", "measy/figure1", "dfrs/simulation"])
def test_workloads_of_each_family_are_drawn(lab, four, path):
    content = (Path(__file__).parents[1] / "golden" / f"{path}.json").read_bytes()
    other = lab.store.workloads.add(io.BytesIO(content), "other.json")[0].id
    for of in profiles.OF:
        one = workload_beside.spread(lab, [four, other], of)[1]
        assert np.isfinite(one["values"]).all() and one["shares"][-1:] in ([1.0], [])
