"""Another load, a week of a log, and the registry they live in."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine import registry
from shadowtime.engine.errors import InvalidParameter, UnknownName, UnsupportedWorkload
from shadowtime.engine.families.family import Family
from shadowtime.engine.registry import conversions, families, find_conversion, find_family, register_family
from shadowtime.engine.workload.conversions.conversion import EVERY, SAME, Conversion
from shadowtime.engine.workload.conversions.convert import convert, resolve_conversion
from shadowtime.engine.workload.job import LANES_ARE_NODES, Clock, Workload, job_table
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.preview import preview
from shadowtime.engine.workload.reading import read
from tests.engine.workload.test_instances import TWO_TIER, instance
from tests.strategies import rigid_workloads

WEEK = 604_800.0


def rigid(release, **changes) -> Workload:
    n = len(release)
    jobs = job_table(np.array(release, "f8"), np.full(n, 10.0), np.full(n, 2))
    return Workload(kind="rigid", name="log", jobs=jobs, machine={"processors": 4}).with_(**changes)


@pytest.mark.parametrize("slug", conversions())
def test_every_conversion_says_what_it_is(slug):
    conversion = find_conversion(slug.upper())

    assert conversion.slug == slug and conversion.title and conversion.summary.endswith(".")
    assert set(conversion.takes) <= set(families()) and conversion.makes in (SAME, *families())
    assert all(p.text.endswith(".") for p in conversion.parameters)


def test_load_scales_gaps_after_the_first_submission():
    converted = convert(rigid([100, 110, 150]), "load", {"rho": 0.6})

    # sum n p = 60 on 4 processors over 50 s: load 0.3; twice that halves the gaps
    assert converted.jobs["release"].tolist() == [100, 105, 125]
    assert converted.conversions == ({"name": "load", "parameters": {"processors": 0, "rho": 0.6}},)
    assert converted.report == ("Gaps between submissions times 0.5: offered load 0.6 instead of 0.3.",)


def test_load_keeps_how_long_a_job_waits_until_it_may_start():
    log = rigid([100, 110, 150])
    log = log.with_(jobs={**log.jobs, "eligible": np.array([100.0, 130.0, np.nan])})
    converted = convert(log, "load", {"rho": 0.6})

    np.testing.assert_array_equal(converted.jobs["eligible"], [100.0, 125.0, np.nan])


def test_load_on_another_machine():
    converted = convert(rigid([0, 50], machine={}), "load", {"rho": "0.2", "processors": "8"})

    assert offered_load(converted.jobs, 8) == pytest.approx(0.2)


def test_load_counts_the_cores_of_nodes():
    alike = rigid([100, 110, 150])
    site = alike.with_(machine={"nodes": 2, "cores_per_node": 2})

    assert set(LANES_ARE_NODES) == {kind for kind in families() if find_family(kind).lanes_are_nodes}
    assert preview(site)["facts"] == preview(alike)["facts"]
    release = [convert(one, "load", {"rho": 0.5}).jobs["release"].tolist() for one in (site, alike)]
    assert release[0] == release[1]


def test_moldable_counts_the_cores_of_nodes():
    alike = rigid([100, 110, 150])
    site = alike.with_(machine={"nodes": 2, "cores_per_node": 2})
    found = [convert(one, "moldable", {}, 1) for one in (site, alike)]

    assert [one.machine["processors"] for one in found] == [4, 4]
    assert np.array_equal(found[0].parts["time"], found[1].parts["time"])


def test_load_refusals():
    with pytest.raises(InvalidParameter, match="load: log does not state how large its machine is; add processors=N"):
        convert(rigid([0, 1], machine={}), "load", {"rho": 0.5})
    with pytest.raises(InvalidParameter, match=r"load = 0\.5 cannot be reached: all jobs are submitted at one instant"):
        convert(rigid([3, 3]), "load", {"rho": 0.5})
    with pytest.raises(InvalidParameter, match="load: rho must be given: a number above 0"):
        convert(rigid([0, 1]), "load")
    with pytest.raises(InvalidParameter, match="load: rho = '0', but it must be a number above 0"):
        convert(rigid([0, 1]), "load", {"rho": 0})


@given(rigid_workloads(), st.floats(0.05, 5))
def test_load_keeps_order_and_all_but_the_gaps(workload, rho):
    if workload.jobs["release"][0] == workload.jobs["release"][-1]:
        return
    converted = convert(workload, "load", {"rho": rho})

    assert offered_load(converted.jobs, int(workload.machine["processors"])) == pytest.approx(rho)
    assert (np.diff(converted.jobs["release"]) >= 0).all()
    assert all(converted.jobs[name] is workload.jobs[name] for name in workload.jobs if name != "release")


def test_weeks_count_from_zero_and_from_the_origin():
    log = rigid([5, WEEK - 1, WEEK, 2 * WEEK - 1, 2 * WEEK], clock=Clock(1000.0, 3600.0))

    one = convert(log, "week", {"k": 1})
    two = convert(log, "week", {"k": 0, "weeks": 2})

    assert one.jobs["job_id"].tolist() == [3, 4] and one.jobs["release"].tolist() == [0, WEEK - 1]
    assert one.clock == Clock(1000.0 + WEEK, 3600.0)
    assert one.report == ("Week 2 only (k=1): 2 of 5 jobs.",)
    assert two.jobs["job_id"].tolist() == [1, 2, 3, 4]
    assert log.jobs["release"][2] == WEEK, "the original stays as it was"


def test_a_week_without_jobs():
    with pytest.raises(
        InvalidParameter, match="no job of log is submitted in week 8 \\(k=7\\); its jobs are submitted in weeks 1 to 3"
    ):
        convert(rigid([5, 2 * WEEK]), "week", {"k": 7})


def test_a_week_takes_the_processes_of_its_jobs_along():
    pair = instance(TWO_TIER)
    later = pair.with_(jobs={**pair.jobs, "release": np.array([0.0, WEEK])})

    converted = convert(later, "week", {"k": 1})

    assert converted.jobs["job_id"].tolist() == [2]
    assert converted.parts["first"].tolist() == [0, 1] and converted.parts["usage"].tolist() == [1.0]


def test_conversions_add_up():
    twice = convert(convert(rigid([0, 10, WEEK]), "week", {"k": 0}), "load", {"rho": 2})

    assert [step["name"] for step in twice.conversions] == ["week", "load"]
    assert twice.source == rigid([0]).source


def test_registry():
    with pytest.raises(
        UnknownName,
        match=r"unknown conversion .weak.; known: estimates, .*load, .*week",
    ):
        resolve_conversion("weak")
    assert resolve_conversion("week", {"k": "20"}) == {"k": 20, "weeks": 1}


def test_a_family_whose_conversion_has_a_taken_name_is_not_registered():
    class Second(Family):
        name = "second"
        conversions = (replace(find_conversion("week"), slug="own"), find_conversion("week"))

    with pytest.raises(ValueError, match="there is a conversion 'week' already"):
        register_family(Second())
    assert "second" not in families() and "own" not in conversions()


def test_a_conversion_refuses_kinds_that_it_does_not_take():
    picky = Conversion("picky", "Picky", "Takes little.", ("moldable", "classed"), SAME, (), lambda w, v, r: w)

    with pytest.raises(UnsupportedWorkload, match="picky takes moldable or classed workloads; log is a rigid one"):
        picky.check_kind(rigid([0]))


def test_each_conversion_draws_for_itself(monkeypatch):
    """Else a job's size and its usage would come of the same random number."""
    drawn: dict[str, float] = {}

    def note(slug):
        def apply(workload, values, rng):
            drawn[slug] = rng.random()
            return workload

        return Conversion(slug, slug, "Notes what it draws.", EVERY, SAME, (), apply)

    for slug in ("one", "two"):
        monkeypatch.setitem(registry._CONVERSIONS, slug, note(slug))
        convert(rigid([0]), slug, seed=3)
    again = dict(drawn)
    convert(convert(rigid([0]), "two", seed=3), "one", seed=3)

    assert len({*drawn.values(), np.random.Generator(np.random.PCG64(3)).random()}) == 3
    assert drawn == again


def test_week_twenty_of_kth(traces):
    with (traces / "KTH-SP2-1996-2.1-cln.swf.gz").open("rb") as stream:
        assert len(convert(read(BytesIO(stream.read()), "KTH"), "week", {"k": 20})) == 728
