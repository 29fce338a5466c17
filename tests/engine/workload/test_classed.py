"""Classed workloads and sites: what is read, what is refused, what is written and read again."""

from __future__ import annotations

import copy
import json
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.engine import Platform, simulate
from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, InvalidWorkload, QuestionError, SimulationError
from shadowtime.engine.families.classed.site.csv_tables import sheets, site_of_sheets
from shadowtime.engine.families.classed.site.json_objects import document, site_of
from shadowtime.engine.families.classed.workload import document as document_of
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.writers import write_json
from tests.engine.golden import golden_files
from tests.strategies import spoil

SITE = {
    "kind": "site",
    "machines": [{"name": "a1", "class": "old"}, {"name": "a2", "class": "old", "available": 5.0}, {"name": "b1"}],
    "clusters": [{"name": "west", "machines": ["a1", "a2"]}],
    "job_classes": ["matvec", "stats"],
    "experience": [
        {"job_class": "matvec", "resource": "a2", "mean": 9.0, "sd": 1.0, "count": 5},
        {"job_class": "matvec", "resource": "old", "mean": 8.0},
        {"job_class": "matvec", "resource": "west", "mean": 4.5},
        {"job_class": "stats", "resource": "b1", "mean": 3.0},
    ],
    "outages": [{"machine": "b1", "down": 2.0, "up": 7.0}],
}


def instance(content, case=None):
    return read(BytesIO(json.dumps(content).encode()), "file.json", case)


def refusal(content, case=None):
    with pytest.raises(QuestionError) as caught:
        instance(content, case)
    return str(caught.value)


def test_a_site_holds_what_is_said_of_machines_before_what_is_said_of_their_class():
    site = site_of(SITE)

    assert site.clusters == ((0, 1),) and site.machine_class == ("old", "old", "machine")
    expected = [[8.0, 9.0, np.nan, 4.5], [np.nan, np.nan, 3.0, np.nan]]
    assert np.array_equal(site.experience.mean, expected, equal_nan=True)
    assert site.experience.sd[0, 1] == 1.0 and site.experience.count[0].tolist() == [1, 5, 0, 1]
    assert site.available.tolist() == [0.0, 5.0, 0.0]


def test_a_site_is_written_and_read_again():
    site = site_of(SITE)
    again = site_of(json.loads(json.dumps(document(site))))

    assert document(again) == document(site)
    assert np.array_equal(again.experience.mean, site.experience.mean, equal_nan=True)


FULL = {
    **SITE,
    "machines": [
        {**SITE["machines"][0], "specification": {"os": "Solaris 2.5", "memory MB": 128}},
        *SITE["machines"][1:],
    ],
    "clusters": [{"name": "west", "machines": ["a1", "a2"], "least": 0.5}],
    "interconnects": [
        {"name": "switch", "bandwidth": 1e8, "latency": 1e-4, "machines": ["a1", "a2"], "clusters": ["west"]}
    ],
    "users": [{"name": "ada", "security": "staff"}, {"name": "ben"}],
    "queues": [
        {"name": "urgent", "priority": "high", "algorithm": "pjs", "preempts": False, "users": ["ada"]},
        {"name": "idle", "priority": "low", "preemptable": True},
    ],
}


def test_a_site_keeps_what_the_database_of_the_paper_holds():
    site = site_of(FULL)
    written = document(site)

    assert site.least == (0.5,) and site.sizes == (1, 2)
    assert site.interconnects[0].bandwidth == 1e8 and site.interconnects[0].clusters == ("west",)
    assert site.policy(0).users == ("ada",) and not site.policy(0).preempts and site.policy(1) is None
    assert site.specifications[0] == {"os": "Solaris 2.5", "memory MB": 128}
    assert document(site_of(json.loads(json.dumps(written)))) == written
    assert {key: written[key] for key in ("interconnects", "users")} == {
        "interconnects": FULL["interconnects"], "users": FULL["users"]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"clusters": [{"name": "west", "machines": ["a1"], "least": 0}]}, "least"),
        ({"interconnects": [{"name": "x", "machines": ["z9"]}]}, "`machines` must list machines of the site"),
        ({"queues": [{"name": "x", "priority": "now"}]}, "`priority` must be one of high, medium, low"),
        ({"queues": [{"name": "x", "priority": "low", "algorithm": "fcfs"}]}, "`algorithm` must be one of olb"),
        ({"queues": [{"name": "x", "priority": "medium", "preempts": True}]}, "only high jobs stop others"),
        ({"queues": [{"name": n, "priority": "low"} for n in "xy"]}, "the queue of priority 'low' is given twice"),
        ({"queues": [{"name": "x", "priority": "low", "users": ["zoe"]}]}, "`users` must list users of the site"),
        ({"users": [{"name": "ada"}, {"name": "ada"}]}, "the user 'ada' is given twice"),
        ({"users": [{"name": "ada", "security": 5}]}, "`security` must be a text"),
        ({"machines": [{**m, "specification": {"os": None}} for m in FULL["machines"]]}, "`specification` must hold"),
    ],
)
def test_a_description_that_breaks_a_rule_is_refused(change, words):
    with pytest.raises(QuestionError, match=words):
        site_of({**FULL, **change})


def test_a_job_may_name_its_user_whom_its_queue_must_admit():
    job = {"job_class": "stats", "priority": "high", "user": "ada"}
    workload = instance({"kind": "classed", "site": FULL, "jobs": [job, {"job_class": "stats"}]})
    again = instance(document_of(workload))

    assert workload.jobs["user"].tolist() == again.jobs["user"].tolist() == [0, -1]
    assert "queue urgent does not admit user ben" in refusal(
        {"kind": "classed", "site": FULL, "jobs": [{**job, "user": "ben"}]}
    )
    assert "the site has no user 'zoe'" in refusal({"kind": "classed", "site": FULL, "jobs": [{**job, "user": "zoe"}]})


def test_the_scale_of_times_multiplies_them_and_draws_nothing():
    for site in ("standin", "noisy", "random"):
        one, three = (
            generate("classed", {"site": site, "jobs": 9, "rate": 2.0, "mix": "10/10/80", "time_scale": scale}, 4)
            for scale in (1.0, 3.0)
        )
        assert np.array_equal(three.site.experience.mean, 3.0 * one.site.experience.mean, equal_nan=True)
        assert three.jobs["release"].tolist() == one.jobs["release"].tolist()
        assert three.jobs["priority"].tolist() == one.jobs["priority"].tolist()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\ud800", "x" * 81, 3, None, ["a"]])
def test_classes_of_jobs_have_names_that_can_be_written(name):
    with pytest.raises(QuestionError, match="`job_classes` must list names"):
        site_of({**SITE, "job_classes": [name]})


def test_sheets_hold_no_formula_and_bring_names_like_one_back():
    site = site_of(
        {
            "machines": [{"name": "=1+1", "class": "@u2"}, {"name": "-1", "class": "'=x"}],
            "clusters": [{"name": "+west", "machines": ["=1+1"]}],
            "job_classes": ["-HYPERLINK(1)"],
            "experience": [{"job_class": "-HYPERLINK(1)", "resource": "=1+1", "mean": 2}],
        }
    )
    texts = sheets(site)
    again = site_of_sheets(texts["machines"], texts["experience"])

    assert "'=1+1,'@u2,'+west\n-1,''=x,\n" in texts["machines"]
    assert document(again) == document(site)


def test_sheets_bring_machines_clusters_and_experience_back():
    site = site_of(SITE)
    for mark in ",;\t":
        texts = {name: text.replace(",", mark) for name, text in sheets(site).items()}
        again = site_of_sheets(texts["machines"], texts["experience"])
        assert again.machines == site.machines and again.clusters == site.clusters
        assert again.cluster_names == site.cluster_names and again.job_classes == site.job_classes
        assert np.array_equal(again.experience.mean, site.experience.mean, equal_nan=True)
        assert np.array_equal(again.experience.count, site.experience.count)


@pytest.mark.parametrize(
    ("machines", "experience", "sentence"),
    [
        ("", "", "the table of machines is empty"),
        ("name\na", "x", "has no column machine"),
        ("machine,cluster\na,c\na,c", "x", "row 3: a is in cluster c already"),
        ("machine,class\na,x\na,y", "x", "row 3: a is of class x above"),
        ("machine\na", "job_class,resource,mean\nm,a,fast", "row 2: mean is 'fast', which is no number"),
        ("machine\na", "job_class,resource,mean\nm,b,1", "row 1 of the experience: no machine, cluster or class 'b'"),
        ("machine\na", "job_class,resource,mean\nm,a,-1", "mean is -1.0; it must be a number above 0"),
        ("class,machine\nx", "job_class,resource,mean\nm,a,1", "machine 1: `name` must be a name"),
    ],
)
def test_sheets_that_cannot_be(machines, experience, sentence):
    with pytest.raises(QuestionError, match=sentence):
        site_of_sheets(machines, experience)


def test_so_many_jobs_of_a_site():
    seven = instance(SITE, "7")

    assert seven.kind == "classed" and len(seven) == 7 and seven.source["case"] == "7"
    assert seven.jobs["job_class"].tolist() == [0, 1, 0, 1, 0, 1, 0]
    assert seven.jobs["runtime"].tolist() == [8.0, 3.0, 8.0, 3.0, 8.0, 3.0, 8.0]
    assert seven.machine == {"processors": 3}
    assert len(instance(SITE)) == 20
    assert "the number of its jobs must follow, 1 to 2,000,000, not 'many'" in refusal(SITE, "many")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"machines": [{"name": "a"}, {"name": "a"}], "clusters": []}, "no machine, cluster or class 'a2'"),
        ({"machines": [*SITE["machines"], {"name": "b1"}]}, "'b1' is given twice"),
        ({"clusters": [{"name": "west", "machines": ["z"]}]}, "names machine 'z', which the site does not have"),
        ({"clusters": [{"name": "west", "machines": ["a1", "a1"]}]}, "names a machine twice"),
        ({"experience": []}, "`experience` is empty"),
        ({"job_classes": ["matvec"]}, "no job class 'stats'"),
        ({"job_classes": "matvec"}, "`job_classes` must list names"),
        ({"outages": [{"machine": "q", "down": 1}]}, "an outage names machine 'q'"),
        ({"outages": [{"machine": "b1", "down": 9, "up": 9}]}, "up is 9; it must be a number above 9"),
    ],
)
def test_a_site_that_cannot_be_gets_one_sentence(change, sentence):
    assert sentence in refusal({**SITE, **change}, "3")


STATIC = {
    "kind": "pjs_static",
    "cases": [{"machine_times": [[3.0, 4.0], [None, 2.0]], "clusters": [[1, 2]], "cluster_times": [[1.5], [None]]}],
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"machine_times": []}, "`machine_times` must be a list of lists"),
        ({"machine_times": [[1.0], [1.0, 2.0]]}, "must have 2 rows of 1 times"),
        ({"machine_times": [[0.0, 1.0], [1.0, 1.0]]}, "must be a number above 0"),
        ({"clusters": [[3]]}, "a machine of a cluster is 3"),
        ({"cluster_times": [[1.0]]}, "must have 2 rows of 1 times"),
        ({"priority": ["high"]}, "`priority` must list 2 words of high, medium, low"),
        ({"arrivals": [1.0]}, "`arrivals` must list 2 numbers"),
        ({"quantum": -1}, "quantum is -1"),
    ],
)
def test_a_static_case_that_cannot_be(change, sentence):
    case = {**STATIC["cases"][0], **change}

    assert sentence in refusal({**STATIC, "cases": [case]})


@pytest.mark.parametrize("kind", ["pjs_static", "pjs_priorities", "pjs_online"])
def test_every_golden_case_is_a_workload_and_survives_writing(kind):
    for path in golden_files(kind):
        for position, case in enumerate(json.loads(path.read_text())["cases"]):
            workload = read(BytesIO(path.read_bytes()), path.name, str(position))
            assert workload.jobs["job_id"].tolist() == list(range(1, len(case["machine_times"]) + 1))
            assert_written_and_read(workload)


def assert_written_and_read(workload):
    stream = BytesIO()
    write_json(workload, stream)
    stream.seek(0)
    again = read(stream, "again.json")

    for name, column in workload.jobs.items():
        assert np.array_equal(column, again.jobs[name], equal_nan=column.dtype.kind == "f"), name
    assert np.array_equal(workload.site.experience.mean, again.site.experience.mean, equal_nan=True)
    assert workload.machine == again.machine and workload.site.clusters == again.site.clusters
    assert workload.site.available.tolist() == again.site.available.tolist()


def test_permissions_of_a_job_are_read_and_written():
    jobs = [{"job_class": "matvec", "allowed": ["old"]}, {"job_class": "matvec"}]
    workload = instance({"kind": "classed", "site": SITE, "jobs": jobs})

    assert workload.parts["allowed"].reshape(2, 4).tolist() == [[True, True, False, False], [True] * 4]
    assert_written_and_read(workload)
    bad = {"kind": "classed", "site": SITE, "jobs": [{"job_class": "matvec", "allowed": ["nowhere"]}]}
    assert "`allowed` must list machines, clusters or classes" in refusal(bad)


def test_the_generator_draws_the_studies():
    online = generate("classed", {"jobs": 400, "rate": 8, "mix": "10/10/80", "site": "noisy"}, seed=3)
    again = generate("classed", {"jobs": 400, "rate": 8, "mix": "10/10/80", "site": "noisy"}, seed=3)

    assert np.array_equal(online.jobs["release"], again.jobs["release"])
    assert online.machine == {"processors": 142, "quantum": 10.0}
    assert np.diff(online.jobs["release"]).mean() == pytest.approx(10 / 8, rel=0.15)
    assert np.bincount(online.jobs["priority"]) / 400 == pytest.approx([0.1, 0.1, 0.8], abs=0.06)
    assert_written_and_read(online)
    drawn = generate("classed", {"jobs": 30, "spread": 0.2, "site": "random", "parallel": 0.1}, seed=3)
    assert (np.isfinite(drawn.site.experience.mean[:, 40:]).any(axis=1)).sum() == 3
    assert drawn.jobs["deviate"].std() > 0
    with pytest.raises(QuestionError, match="5 clusters of 9 take 45 machines, but there are 40"):
        generate("classed", {"site": "random", "cluster_size": 9})


def test_a_classed_workload_brings_its_own_machines():
    workload = instance(SITE, "3")

    assert Platform.of(workload).lanes == 3
    with pytest.raises(InvalidPlatform, match="has its own site of 3 machines; another platform"):
        Platform.of(workload, {"processors": 5})


def test_a_part_of_a_log_keeps_permissions_beside_their_jobs():
    jobs = [{"job_class": "matvec", "submit": 9, "allowed": ["a1"]}, {"job_class": "matvec", "submit": 1}]
    workload = instance({"kind": "classed", "site": SITE, "jobs": jobs})

    assert workload.jobs["job_id"].tolist() == [2, 1]
    assert workload.parts["allowed"].reshape(2, 4)[1].tolist() == [True, False, False, False]


def test_no_times_is_no_workload():
    with pytest.raises(InvalidWorkload, match="needs a `site`"):
        instance({"kind": "classed", "jobs": [{}]})


SPOILT = (
    SITE,
    STATIC,
    {"kind": "classed", "quantum": 5, "site": SITE, "jobs": [{"job_class": "matvec", "submit": 1, "allowed": ["a1"]}]},
    {
        "kind": "pjs_site",
        "machine_classes": ["x"],
        "clusters": [[1, 2], [3]],
        "class_of_cluster": [0, 0],
        "job_classes": ["a", "b"],
        "machine_time_by_cluster": [[3.0, 2.0], [1.0, 4.0]],
        "cluster_time": [[1.0, None], [None, None]],
    },
)


@settings(max_examples=400)
@given(st.data())
def test_a_spoilt_site_is_read_or_refused(data):
    document = copy.deepcopy(data.draw(st.sampled_from(SPOILT)))
    spoil(data, document, '"a1"', "[[1]]")
    try:
        workload = instance(document, data.draw(st.sampled_from([None, "0", "3", "a"])))
    except QuestionError as refused:
        assert "\n" not in str(refused)
    else:
        for slug in ("olb", "pjs"):
            try:
                simulate(workload, slug)
            except InvalidParameter as refused:  # a quantum that the reader takes and no policy does
                assert "quantum" in str(refused) and "\n" not in str(refused)
            except SimulationError as stalled:
                assert "wait for ever" in str(stalled)  # a machine that never comes back
