"""What is known of a question before anything runs."""

from __future__ import annotations

from shadowtime.workers.spec import RunSpec


def preview(site, **question):
    return site.client.post("/api/preview", json=question)


def test_a_stored_workload_is_told_with_bounds_and_what_would_be_queued(site):
    workload = site.workload()
    asked = preview(site, workload=workload, algorithms=["easy", {"algorithm": "fcfs", "parameters": {}}]).json

    assert asked["workload"]["facts"]["jobs"] == 4
    assert asked["platform"] == {"processors": 10}
    assert asked["bounds"]["makespan"] == 1002.0
    assert asked["bound_names"]["makespan"]
    easy, fcfs = asked["runs"]
    assert (easy["algorithm"], easy["status"], easy["error"]) == ("easy", None, None)
    assert easy["seconds"] > 0
    assert fcfs["id"] != easy["id"]


def test_what_was_asked_before_is_found(site):
    run = site.ask().json["id"]
    site.finish(run)

    asked = preview(site, workload=site.workload(), algorithms=["easy"]).json["runs"][0]

    assert (asked["id"], asked["status"], asked["url"]) == (run, "finished", f"/runs/{run}")


def test_the_run_that_is_told_is_the_one_that_is_queued(site):
    question = {"workload": site.workload(), "seed": 4, "platform": {"processors": 12}, "estimates": "actual"}
    conversions = [{"name": "load", "parameters": {"rho": 0.5}}]

    run_id = preview(site, **question, conversions=conversions, algorithms=["fcfs"]).json["runs"][0]["id"]

    assert site.ask(**question, conversions=conversions, algorithm="fcfs").json["id"] == run_id


def test_estimates_of_an_algorithm_are_its_own(site):
    question = {"workload": site.workload()}
    algorithms = [{"algorithm": "easy"}, {"algorithm": "easy", "estimates": "actual"}]
    odd = [{"algorithm": "easy", "estimates": "bogus"}, {"algorithm": "easy", "x": 1}]
    shown = preview(site, **question, algorithms=[*algorithms, *odd]).json["runs"]
    sent = site.client.post("/api/runs", json={**question, "algorithms": algorithms}).json["runs"]

    assert [one["id"] for one in shown[:2]] == [one["id"] for one in sent] and len({one["id"] for one in sent}) == 2
    assert [one["id"] for one in shown[2:]] == [None, None]
    assert "estimates" in shown[2]["error"] and "is an object with algorithm, parameters" in shown[3]["error"]
    assert preview(site, **question, bounds="no").status_code == 400


def test_a_generator_is_drawn_but_not_kept(site):
    before = len(site.client.get("/api/workloads?limit=200").json["workloads"])

    asked = preview(site, generator="lublin", parameters={"jobs": 50}, seed=3).json

    assert asked["workload"]["facts"]["jobs"] == 50
    assert sum(asked["workload"]["hours"]["counts"]) == 50
    assert len(site.client.get("/api/workloads?limit=200").json["workloads"]) == before


def test_a_preview_draws_no_more_tasks_than_it_has_time_for(site):
    many = {"jobs": 200_000, "mean_tasks": 100}
    refused = preview(site, generator="multitask", parameters=many)
    assert (
        refused.status_code == 400 and "about 20,000,000 tasks, but a preview draws at most 5,000,000" in refused.text
    )

    jobs = preview(site, generator="multitask", parameters={"jobs": 20_000, "mean_tasks": 2}).json
    assert jobs["workload"]["facts"]["jobs"] == 20_000
    assert (jobs["bounds"], jobs["bounds_are_later"]) == ({}, True), "their time grows with the square of the jobs"
    few = preview(site, generator="multitask", parameters={"jobs": 20}).json
    assert few["bounds"] and not few["bounds_are_later"]


def test_the_generated_run_that_is_told_is_the_one_that_is_queued(site):
    source = {"generator": "uniform", "parameters": {"jobs": 10}, "seed": 5}
    run_id = preview(site, **source, algorithms=["easy"]).json["runs"][0]["id"]

    stored = site.client.post("/api/workloads", json=source).json["id"]

    assert site.ask(workload=stored, seed=5).json["id"] == run_id
    assert RunSpec.from_json(site.client.get(f"/api/runs/{run_id}/spec.json").text).id == run_id


def test_who_does_not_take_the_workload_is_told_with_the_reason(site):
    algorithms = preview(site, workload=site.workload()).json["algorithms"]

    assert algorithms["easy"] == {"accepted": True, "error": None, "conversions": []}
    assert not algorithms["keasy"]["accepted"]
    assert "KEASY takes two_tier workloads" in algorithms["keasy"]["error"]


def test_a_machine_that_cannot_be_is_said_in_its_place(site):
    asked = preview(site, workload=site.workload(), platform={"processors": 0}, algorithms=["easy"])

    assert asked.status_code == 200
    assert asked.json["platform"] is None
    assert asked.json["bounds"] == {}
    assert asked.json["platform_error"] and asked.json["runs"][0]["error"]


def test_a_machine_of_unknown_size_is_said_without_an_option_of_the_command(site):
    bare = site.upload(b"submit,runtime,cores\n0,60,4\n9,60,2\n", "bare.csv").json["id"]
    asked = preview(site, workload=bare, algorithms=["easy"]).json

    assert asked["platform_error"] == "bare.csv does not say how many processors its machine has: name them"
    assert asked["runs"][0]["error"] == asked["platform_error"]


def test_a_parameter_out_of_its_range_is_said_beside_its_algorithm(site):
    wrong = {"algorithm": "easy", "parameters": {"extra": "some"}}

    runs = preview(site, workload=site.workload(), algorithms=[wrong, "fcfs"]).json["runs"]

    assert "extra" in runs[0]["error"]
    assert runs[1]["error"] is None


def test_parameters_that_are_no_object_are_said_beside_their_algorithm(site):
    wrong = [{"algorithm": "easy", "parameters": given} for given in ([{}], [], "some", 3)]

    runs = preview(site, workload=site.workload(), algorithms=wrong).json["runs"]

    assert {run["error"] for run in runs} == {"parameters must be an object"}


def test_what_cannot_be_previewed_is_refused(site):
    workload = site.workload()
    for status, question in (
        (400, {}),
        (400, {"generator": "lubin"}),
        (400, {"generator": "uniform", "parameters": {"jobs": 0}}),
        (400, {"workload": workload, "conversions": [{"name": "load", "parameters": {"rho": -1}}]}),
        (400, {"workload": f"{workload}#other"}),
        (400, {"workload": workload, "algorithms": ["easy"] * 101}),
        (404, {"workload": "0123456789abcdef"}),
    ):
        refused = preview(site, **question)
        assert (refused.status_code, list(refused.json)) == (status, ["error"]), question
