"""Pages and their callbacks, called as the plain functions that they are."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from dash import no_update

from shadowtime.dashboard.components import health, run_list, run_panels, run_view, search
from shadowtime.dashboard.components.run_list import Asked
from shadowtime.dashboard.pages import run, runs
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.tables import take
from shadowtime.workers.compiling import Start
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.queue import Health
from shadowtime.workers.store.live import LiveTables
from shadowtime.workers.tasks import JOBS
from tests.dashboard.conftest import FOUR_SWF
from tests.dashboard.reading import found, said, shown


@pytest.mark.parametrize("address", ["/nowhere", "/runs/0000", "/runs/0123456789abcdef", "/workloads/0123456789abcdef"])
def test_addresses_that_lead_nowhere_say_so(lab, address):
    result, name = shown(lab, address)

    assert name == "unknown"
    assert "ot found" in said(result.children)


def test_the_question_of_a_deleted_run_can_be_asked_again(lab, four, finish):
    spec = finish(four, "easy")
    lab.store.runs.delete(spec.id)
    result, name = shown(lab, urls.run(spec.id))
    again = next(part for part in result.children._traverse() if getattr(part, "children", "") == "Run again")

    assert name == "unknown" and "You can run it again: EASY on four" in said(result.children)
    assert again.to_plotly_json()["props"]["data-spec"] == spec.json


def test_every_algorithm_has_its_paper_and_parameters(lab):
    from shadowtime.engine import registry as policies

    result, _ = shown(lab, "/algorithms")
    text = said(result.children)

    for algorithm in policies.algorithms().values():
        assert algorithm.source in text
        assert algorithm.summary in text or algorithm.family == "fractional"  # one table for its 116
        assert all(parameter.text in text for parameter in algorithm.parameters)


def test_before_any_run_the_page_says_what_to_do(lab):
    result, _ = shown(lab, "/runs")

    assert "Nothing has run yet" in said(result.children)
    assert "EASY: small jobs fill the gaps mean wait" in said(result.children)


# ---- the list of runs ----


def test_a_run_on_shared_nodes_is_judged_by_its_largest_stretch(lab, finish):
    drawn, _ = lab.store.workloads.generate("fractional", {"jobs": 10, "nodes": 4}, 1)
    finish(drawn.id, "mcb8*/opt=min")
    (listed,) = run_list.listing(lab, Asked(limit=10))["rows"]

    assert listed["algorithm"] == "MCB8*/opt=min"
    assert listed["criterion"] == "largest bounded slowdown" and listed["ratio"] >= 1


def test_runs_are_listed_newest_first_with_their_figures(lab, four, ask, finish):
    finish(four, "fcfs")
    ask(four, "easy")
    listed = run_list.listing(lab, Asked(limit=10))

    assert [row["algorithm"] for row in listed["rows"]] == ["EASY", "FCFS"]
    queued, finished = listed["rows"]
    assert queued["left"] == "first in the queue"
    assert finished["criterion"] == "mean turnaround" and finished["ratio"] >= 1
    assert len(finished["spark"]) == 58 and max(finished["spark"]) <= 1
    assert listed["counts"] == {"queued": 1, "finished": 1}
    assert runs.unfinished(listed["rows"]) == [queued["id"]]


def test_runs_are_filtered_by_state_and_words(lab, four, ask, finish):
    finish(four, "fcfs")
    ask(four, "easy")

    assert [row["algorithm"] for row in run_list.listing(lab, Asked(status="finished", limit=10))["rows"]] == ["FCFS"]
    assert [row["algorithm"] for row in run_list.listing(lab, Asked(text="easy four", limit=10))["rows"]] == ["EASY"]
    assert run_list.listing(lab, Asked(text="nothing of this", limit=10))["rows"] == []


def test_a_failed_run_gives_its_sentence_and_no_figures(lab, four, ask):
    spec = ask(four, "easy")
    lab.store.runs.begin(spec.digest)
    lab.store.runs.fail(spec.digest, "t=311.0: 'easy' placed job 12 on node 3, which job 4 holds")
    (row,) = run_list.listing(lab, Asked(limit=10))["rows"]

    assert row["sentence"] == "'easy' placed job 12 on node 3, which job 4 holds."
    assert row["result"] == "" and row["ratio"] is None


def test_more_runs_are_offered_when_there_are_more(lab, four, ask):
    ask(four, "easy")
    ask(four, "fcfs")
    listed = run_list.listing(lab, Asked(limit=1))

    assert said(runs.more_words(listed)) == "1 of 2 runs · show more"


def test_the_dock_says_how_many_and_whether_of_the_same_jobs(lab, four, finish):
    finish(four, "easy")
    finish(four, "fcfs")
    rows = run_list.listing(lab, Asked(limit=10))["rows"]

    assert said(runs.dock(rows)).startswith("2 runs on the same jobs")
    assert said(runs.dock(rows[:1])).startswith("1 run Edit Export")


def test_runs_are_exported_with_all_their_figures(lab, four, finish):
    spec = finish(four, "easy")
    head, line = runs.as_csv(lab, [spec.id]).splitlines()
    values = dict(zip(head.split(","), line.split(","), strict=True))

    assert values["run"] == spec.id and values["algorithm"] == "easy"
    assert float(values["makespan"]) == 1110 and float(values["bound_makespan"]) == 1002
    assert float(values["at_most_times_optimal_makespan"]) == 1110 / 1002 and values["jobs"] == "4"


def test_a_workload_whose_name_is_a_formula_is_exported_as_text(lab, finish):
    entry, _ = lab.store.workloads.add(io.BytesIO(FOUR_SWF.replace("1000 4", "900 4").encode()), "=HYPERLINK(1).swf")
    spec = finish(entry.id, "easy")

    assert next(csv.DictReader(io.StringIO(runs.as_csv(lab, [spec.id]))))["workload"] == "'=HYPERLINK(1)"


def test_a_file_of_several_cases_has_a_page(lab):
    job = {"processes": 1, "runtime": 5, "usage": [0.5], "phi": [1.0]}
    cases = [{"name": name, "processors": 4, "jobs": [job]} for name in ("short", "long")]
    text = json.dumps({"kind": "two_tier", "cases": cases}).encode()
    entry, _ = lab.store.workloads.add(io.BytesIO(text), "two.json")
    result, _ = shown(lab, urls.workload(entry.id))

    assert result.title == "two" and "1 job with 1 process read." in said(result.children)


# ---- one run ----


def test_a_finished_run_shows_its_figures_beside_their_bounds(lab, four, finish):
    spec = finish(four, "easy")
    result, _ = shown(lab, urls.run(spec.id))
    text = said(result.children)

    assert result.title == "EASY on four"
    assert "4 jobs 10 processors estimates as requested" in text
    assert "4 jobs, all ended" in text
    assert "× optimal Mean turnaround" in text
    assert "at most 1.5 × optimal" in text
    assert found(result.children, "viewer").to_plotly_json()["props"]["run"] == spec.id


def test_rejected_jobs_are_counted_and_can_be_listed(lab, four, finish):
    spec = finish(four, "easy", platform={"processors": 8})
    result, _ = shown(lab, urls.run(spec.id))

    assert "3 of 4 jobs ended" in said(result.children)
    assert "Rejected 1 · list" in said(result.children)


def test_a_queued_run_says_that_it_is_stored(lab, four, ask):
    ask(four, "fcfs")
    result, _ = shown(lab, urls.run(ask(four, "easy").id))

    assert "Second in the queue." in said(result.children)
    assert "You can close this page" in said(result.children)


def test_a_failed_run_says_when_and_why_without_a_link_to_that_instant(lab, four, ask):
    spec = ask(four, "easy")
    lab.store.runs.begin(spec.digest)
    lab.store.runs.fail(spec.digest, "t=311.0: 'easy' placed job 12 on node 3")
    result, _ = shown(lab, urls.run(spec.id))

    text = said(result.children)
    assert "'easy' placed job 12 on node 3." in text and "Failed at 5 min 11 s" in text.replace("\u202f", " ")
    links = [part.href for part in result.children._traverse() if getattr(part, "href", "").startswith("/runs/")]
    assert not any("at=" in link for link in links)


def test_a_run_that_was_begun_again_says_so(lab, four, ask):
    spec = ask(four, "easy")
    status = lab.store.runs.begin(spec.digest)
    lab.store.runs.requeue(spec.digest, status.attempt, "its worker was lost")
    result, _ = shown(lab, urls.run(spec.id))

    assert "Restarted." in said(result.children) and "second attempt" in said(result.children)


def begin(lab, spec, events, jobs=None) -> None:
    """A worker has taken the run and written `events` so far; `jobs` only of a workload with conversions."""
    lab.store.runs.begin(spec.digest)
    with lab.store.runs.write_live(spec.digest) as live:
        live.append("events", events)
        if jobs is not None:
            live.replace("jobs", {name: jobs[name] for name in JOBS if name in jobs})


def test_a_cancelled_run_shows_what_was_computed_and_says_that_it_is_partial(lab, four, ask, finish):
    events = lab.store.runs.get(finish(four, "fcfs").id).table("events")
    spec = ask(four, "easy")
    begin(lab, spec, take(events, events["time"] < 110))
    lab.store.runs.cancel(spec.digest)
    lab.store.runs.cancelled(spec.digest)
    text = said(shown(lab, urls.run(spec.id))[0].children)

    assert "Partial results: 1 of 4 jobs had ended." in text and "1 of 4 jobs ended" in text
    assert "over the jobs that had ended when the run was cancelled" in text and "Mean turnaround" in text
    assert "Makespan not reached" in text and "running" not in text
    tables = run.grids(lab, None, spec.id)
    assert tables[1] == "partial: until the run was cancelled"
    assert "The lower bounds are being computed." in text and run.with_bound(lab, None, spec.id)[1] is no_update
    assert run.proven(lab, None, spec.id)
    summary, is_known = run.with_bound(lab, None, spec.id)
    assert is_known and "at most 1.5 × optimal" in said(summary)


@pytest.mark.parametrize("conversions", [[], ["load:rho=0.5"]])
def test_a_running_run_shows_the_jobs_that_have_ended(lab, four, ask, finish, conversions):
    done = lab.store.runs.get(finish(four, "fcfs").id)
    jobs, events = done.table("jobs"), done.table("events")
    spec = ask(four, "easy", conversions=conversions)
    begin(lab, spec, take(events, events["time"] <= 110), jobs if conversions else None)
    view = run_view.view(lab, spec.id)

    assert view.ended == 2
    assert view.jobs["start"][:2].tolist() == [0, 100] and view.jobs["end"][:2].tolist() == [100, 110]
    assert said(run_panels.summary(view)).startswith("Summary 2 of 4 jobs ended")
    assert "So far, over ended jobs." in said(run_panels.summary(view))
    spread = run_panels.filled(view, run_panels.SPREADS[0])
    assert sum(spread["figure"]["data"][0]["y"]) + int(spread["below"]) == 2


def test_a_run_without_figures_says_what_it_waits_for(lab, four, ask):
    spec = ask(four, "easy")
    status = lab.store.runs.begin(spec.digest)
    lab.store.runs.report(spec.digest, status.attempt, {**status.progress, "compiling": 6.0})

    def summary(**progress):
        view = run_view.view(lab, spec.id, {"progress": {"fraction": 0.0, **progress}})
        return said(run_panels.summary(view)).replace("\u202f", " ").removeprefix("Summary 0 of 4 jobs ended ")

    assert summary(compiling=6.0) == "Figures appear once the algorithm is compiled: about 6 s, once."
    assert summary() == "No job has ended yet."


def test_what_the_browser_heard_is_fresher_than_the_status_on_disk(lab, four, ask):
    spec = ask(four, "easy")
    lab.store.runs.begin(spec.digest)
    news = {"status": "running", "progress": {"fraction": 0.62, "seconds_left": 1.4, "jobs": "rubbish"}}
    assert "Running · 62 % · about 1.4 s left" in said(run.current(lab, spec.id, news)["head"])
    assert "Running · starting" in said(run.current(lab, spec.id, {"progress": "rubbish"})["head"])
    planning = {"status": "running", "progress": {"fraction": 0.0, "planned": 0.42}}
    assert "Running · planning · about 42 %" in said(run.current(lab, spec.id, planning)["head"])


def test_the_buttons_of_a_run_that_goes_on_are_not_made_anew(lab, four, ask):
    spec = ask(four, "easy")
    lab.store.runs.begin(spec.digest)
    before = {"status": "running", "attempt": 1, "progress": {"fraction": 0.4}}
    news = {**before, "progress": {"fraction": 0.62}}

    known = run.follow(lab, news, spec.id, before)
    assert known["head"] is no_update and "Running · 62 %" in said(known["state"]) and known["shown"] == news
    for other in (None, {**before, "status": "queued"}, {**before, "attempt": 2}):
        known = run.follow(lab, news, spec.id, other)
        assert "Cancel run" in said(known["head"]) and known["state"] is no_update


def test_a_running_run_is_read_piece_by_piece(lab, four, ask, finish, monkeypatch):
    events = lab.store.runs.get(finish(four, "fcfs").id).table("events")
    spec = ask(four, "easy")
    begin(lab, spec, take(events, events["time"] < 100))
    before = run_view.view(lab, spec.id)
    assert before.ended == 0 and np.isnan(before.jobs["end"]).all()
    with lab.store.runs.write_live(spec.digest) as live:
        live.append("events", events)
    asked, read = [], LiveTables.read

    def reading(self, name, after=0, limit=None):
        asked.append((name, after))
        return read(self, name, after, limit)

    monkeypatch.setattr(LiveTables, "read", reading)

    assert run_view.view(lab, spec.id).ended == 4 and before.ended == 0
    assert asked == [("events", int((events["time"] < 100).sum()))], "what is known is not read again"


def test_histograms_of_a_finished_run_are_computed_once(lab, four, finish, monkeypatch):
    spec = finish(four, "easy")
    first = run.current(lab, spec.id)
    monkeypatch.setattr(run_panels.distribution, "distribution", None)

    assert run.current(lab, spec.id)["stretch-figure"] == first["stretch-figure"]
    assert first["stretch-below"] == "3"


def test_the_jobs_of_a_small_run_are_sent_whole(lab, four, finish):
    spec = finish(four, "easy")
    jobs, note, events, n_events, _ = run.grids(lab, None, spec.id)

    assert [line["job_id"] for line in jobs.rowData] == [1, 2, 3, 4]
    assert note.startswith("4, ") and n_events.isdigit()
    assert events.rowModelType == "infinite"


def test_events_come_by_the_window(lab, four, finish):
    spec = finish(four, "easy")
    request = {"startRow": 0, "endRow": 3, "filterModel": {"kind": {"filterType": "text", "filter": "backfill"}}}
    answer = run.rows_of(lab, spec.id, "events", request)

    assert answer["rowCount"] == 1 and answer["rowData"][0]["job_id"] == 4


def test_a_run_that_is_gone_changes_nothing(lab):
    assert set(run.current(lab, "0123456789abcdef").values()) == {no_update}
    assert run.rows_of(lab, "0123456789abcdef", "jobs", {}) is no_update


# ---- a workload ----


def test_a_workload_says_how_it_was_read_and_what_ran_on_it(lab, four, finish):
    finish(four, "easy")
    result, _ = shown(lab, urls.workload(four))
    text = said(result.children)

    assert "4 records, 4 jobs kept." in text
    assert "EASY" in text and "Finished" in text


# ---- the frame ----


def test_the_header_says_who_works():
    assert health.described(Health(True, 2, 0), 1)[:2] == ("2 workers, 1 busy", "false")
    assert health.described(Health(True, 1, 0), 0)[0] == "1 worker, idle"
    assert "No workers connected" in said(health.described(Health(True, 0, 3), 0)[2])


def test_workers_that_start_say_how_far_they_are():
    words, trouble, notice = health.described(Health(True, 2, 0, Start(1, 4, 8.0)), 0)
    text = said(notice).replace("\u202f", " ")

    assert (words, trouble) == ("workers starting", "false")
    assert text.startswith("Workers are starting (compiling, about 8 s). 1 of 4 parts are compiled")
    assert said(health.described(Health(True, 0, 0, Start(4, 4, 0.0)), 0)[2]).startswith("Workers are starting.")
    assert health.described(Health(True, 2, 0, Start(4, 4, 0.0)), 0)[0] == "2 workers, idle"


def test_an_absent_queue_is_told_with_what_still_works():
    text = said(health.described(Health(False), 0)[2])

    assert text.startswith("The queue does not answer.")
    assert "Finished runs can be read" in text


def test_search_finds_runs_and_jobs_of_the_run_that_is_shown(lab, four, finish):
    spec = finish(four, "easy")

    assert [entry["value"] for entry in search.found(lab, "easy four", "/runs")] == [urls.run(spec.id)]
    job = search.found(lab, " 3 ", urls.run(spec.id))[0]
    assert job == {"value": "job:3", "label": "Job 3 in this run", "query": "3"}


def test_without_a_queue_a_run_is_still_told(lab, four, ask):
    def raise_away(_):
        raise QueueAway

    away = replace(lab, queue=type("Away", (), {"health": lambda _: Health(False), "waiting": raise_away})())

    assert "EASY on four" in shown(away, urls.run(ask(four, "easy").id))[0].title


def test_places_in_the_queue_are_those_of_the_queue(lab, four, ask, monkeypatch):
    """Clients are served in turn, so that who came last is not always last."""
    first, last = ask(four, "fcfs").digest, ask(four, "easy").digest
    monkeypatch.setattr(lab.queue, "waiting", lambda: ["sweep-of-another", last, first], raising=False)

    assert list(lab.places()) == [last, first]
