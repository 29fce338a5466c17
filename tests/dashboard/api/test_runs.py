"""Runs through the API, by the examples of the contract."""

from __future__ import annotations

import pytest

from shadowtime.workers.records.run import RecordRun
from shadowtime.workers.store.base import SORTS, STATES


def test_a_question_is_accepted_once(site):
    first, again = site.ask(seed=1), site.ask(seed=1)

    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json == again.json == {"id": first.json["id"], "url": f"/runs/{first.json['id']}"}


def test_defaults_may_be_said(site):
    bare = site.ask(seed=2)
    said = site.ask(
        seed=2, conversions=[], parameters={"extra": "ALL"}, platform={"processors": 10}, estimates="requested"
    )

    assert said.json["id"] == bare.json["id"]


def test_a_finished_run_tells_all(site, finished):
    answer = site.client.get(f"/api/runs/{finished}").json

    assert answer["status"] == "finished"
    assert answer["error"] is None
    assert answer["url"] == f"/runs/{finished}"
    assert answer["progress"] == {"fraction": 1.0, "jobs_done": 4, "jobs": 4, "segments": 4, "seconds_left": 0.0}
    assert answer["spec"]["workload"]["case"] is None
    assert answer["summary"]["run"] == finished
    assert answer["summary"]["metrics"]["makespan"] == 1110.0
    assert answer["summary"]["metrics"]["mean_bounded_stretch"] == pytest.approx(3.502)
    assert answer["summary"]["bounds"]["max_bounded_stretch"] >= 1.123076923076923
    assert "client" not in answer


def test_answers_keep_the_order_in_which_people_read(site, finished):
    answer = site.client.get(f"/api/runs/{finished}").json

    assert list(answer)[:6] == ["id", "url", "status", "progress", "error", "spec"]
    assert list(answer["summary"])[:4] == ["run", "algorithm", "workload", "jobs"]


def test_the_whole_digest_names_a_run_too(site, finished):
    digest = site.store.runs.get(finished).digest

    assert site.client.get(f"/api/runs/{digest}").json["id"] == finished


def test_a_queued_run_has_no_summary(site):
    run = site.ask(seed=3).json["id"]

    answer = site.client.get(f"/api/runs/{run}").json

    assert (answer["status"], answer["summary"], answer["progress"]["jobs"]) == ("queued", None, 4)


def test_runs_are_listed_newest_first_without_their_spec(site, finished):
    newest = site.ask(seed=4).json["id"]

    listed = site.client.get("/api/runs").json

    assert listed["runs"][0]["id"] == newest
    assert listed["next"] is None
    assert all("spec" not in run for run in listed["runs"])
    assert finished in [run["id"] for run in listed["runs"]]


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("status=finished", True),
        ("status=finished,failed", True),
        ("status=queued", False),
        ("algorithm=EASY", True),
        ("algorithm=fcfs", False),
        ("q=four easy", True),
        ("q=nothing", False),
        ("workload=7551e48cece1b8a0", True),
        ("workload=0000000000000000", False),
    ],
)
def test_a_listing_is_filtered(site, finished, query, is_found):
    listed = site.client.get(f"/api/runs?limit=200&{query}").json["runs"]

    assert (finished in [run["id"] for run in listed]) is is_found


def test_a_listing_goes_on_where_it_stopped(site):
    expected = {site.ask(seed=seed).json["id"] for seed in (5, 6, 7)}
    found, after = [], ""
    while after is not None:
        page = site.client.get("/api/runs", query_string={"limit": 2, "after": after}).json
        found += [run["id"] for run in page["runs"]]
        after = page["next"]

    assert len(found) == len(set(found))
    assert expected <= set(found)


@pytest.mark.parametrize("sort", ["accepted", "jobs"])
@pytest.mark.parametrize("after", ["2", '["x"]', f"[{10**30}, 1]", f'[{10**30}, "a"]', "[NaN, NaN]", '[true, "a"]'])
def test_a_page_after_no_position_is_refused(site, sort, after):
    reply = site.client.get("/api/runs", query_string={"sort": sort, "after": after})

    assert reply.status_code == 400
    assert reply.json["error"].startswith(f"after = {after!r:.41}")


def test_a_run_deleted_while_it_is_listed_is_left_out(site, finished, monkeypatch):
    gone = site.ask(seed=10).json["id"]
    digest = site.store.runs.get(gone).digest
    site.finish(gone)

    def deleted(run, row):
        if run.digest == digest:
            site.store.runs.delete(digest)
        return with_result(run, None if run.digest == digest else row)

    with_result = RecordRun.with_result
    monkeypatch.setattr(RecordRun, "with_result", deleted)
    ids = [run["id"] for run in site.client.get("/api/runs?limit=200").json["runs"]]

    assert gone not in ids
    assert finished in ids


def test_runs_are_asked_for_by_id(site, finished):
    listed = site.client.get(f"/api/runs?ids={finished},0123456789abcdef").json

    assert [run["id"] for run in listed["runs"]] == [finished]


def test_a_queued_run_is_cancelled_deleted_and_asked_again(site):
    run = site.ask(seed=8).json["id"]

    assert site.client.delete(f"/api/runs/{run}").status_code == 409
    cancelled = site.client.post(f"/api/runs/{run}/cancel")
    assert (cancelled.status_code, cancelled.json["status"]) == (202, "cancelled")
    assert site.client.post(f"/api/runs/{run}/cancel").status_code == 409
    assert site.ask(seed=8).status_code == 202, "one that was cancelled is queued again"
    site.client.post(f"/api/runs/{run}/cancel")
    deleted = site.client.delete(f"/api/runs/{run}")
    assert (deleted.status_code, deleted.data) == (204, b"")
    assert site.client.get(f"/api/runs/{run}").status_code == 404


def test_a_failed_run_says_why_and_is_queued_again(site):
    run = site.ask(seed=9).json["id"]
    site.store.runs.fail(site.store.runs.get(run).digest, "t=311.0: 'easy' did what no policy may do")

    assert site.client.get(f"/api/runs/{run}").json["error"] == "t=311.0: 'easy' did what no policy may do"
    assert site.ask(seed=9).status_code == 202


def test_a_finished_run_is_not_cancelled(site, finished):
    refused = site.client.post(f"/api/runs/{finished}/cancel")

    assert (refused.status_code, list(refused.json)) == (409, ["error"])


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"algorithm": "eazy"}, "unknown algorithm 'eazy'; known: "),
        ({"algorithm": None}, "algorithm must be given"),
        ({"algorithms": [{"algorithm": "easy"}]}, "Either algorithm or algorithms must be given, not both."),
        ({"workload": 5}, "workload must be"),
        ({"parameters": {"extra": "some"}}, "extra"),
        ({"parameters": {"colour": 1}}, "unknown parameter 'colour' of easy"),
        ({"parameters": [1]}, "parameters must be an object"),
        ({"platform": {"processors": 0}}, "processors = 0, but 1 is the least"),
        ({"platform": {"cpus": 4}}, "unknown key 'cpus' of the platform"),
        ({"estimates": "guessed"}, "estimates"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"conversions": ["weak:1"]}, "unknown conversion"),
        ({"conversions": {"name": "week"}}, "conversions must be a list"),
        ({"priority": "urgent"}, "priority"),
        ({"tau": 3}, "unknown key 'tau'"),
    ],
)
def test_a_wrong_question_is_refused_in_one_sentence(site, question, words):
    refused = site.ask(**question)

    assert refused.status_code == 400
    assert list(refused.json) == ["error"]
    assert words in refused.json["error"]
    assert "\n" not in refused.json["error"]


def test_an_algorithm_that_does_not_take_the_workload_says_so(site):
    refused = site.ask(algorithm="keasy")

    assert refused.status_code == 400
    assert "takes two_tier workloads" in refused.json["error"]


def test_a_workload_that_is_not_there_is_404(site):
    refused = site.ask(workload="0123456789abcdef")

    assert refused.status_code == 404
    assert "0123456789abcdef" in refused.json["error"]


def test_states_of_the_filter_are_checked(site):
    refused = site.client.get("/api/runs?status=done")

    assert refused.status_code == 400
    assert all(state in refused.json["error"] for state in STATES)


def test_a_listing_is_sorted_by_any_column_and_paged(site, finished):
    asked = [site.ask(algorithm=name, seed=21).json["id"] for name in ("fcfs", "easy")]
    for sort in SORTS:
        for ascending in (0, 1):
            seen, after = [], ""
            while after is not None:
                address = f"/api/runs?limit=2&sort={sort}&ascending={ascending}&after={after}"
                page = site.client.get(address).json
                seen += [run["id"] for run in page["runs"]]
                after = page["next"]
            assert {*asked, finished} <= {*seen} and len(seen) == len({*seen})
    names = [run["algorithm"] for run in site.client.get("/api/runs?sort=algorithm&ascending=1").json["runs"]]

    assert names == sorted(names)
    for wrong in ("sort=owner", "ascending=yes"):
        assert site.client.get(f"/api/runs?{wrong}").status_code == 400
