"""What the viewer reads, of a run in every state."""

from __future__ import annotations

import shutil
from itertools import islice

import numpy as np
import pytest

from shadowtime.dashboard.api.kept import Kept
from shadowtime.dashboard.offline.held import Held
from shadowtime.dashboard.offline.stored import subject
from shadowtime.dashboard.viewer import tiles
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import rows
from shadowtime.workers.execute import load_workload
from tests.dashboard.waits_log import log_of_slurm
from tests.reading_tiles import decode, unbundle


@pytest.fixture
def running(site):
    """A run that has written some of what it did: FCFS on the four-job example."""
    run_id = site.ask(algorithm="fcfs", seed=1).json["id"]
    digest = site.store.runs.get(run_id).digest
    site.store.runs.begin(digest)
    workload = load_workload(site.store.runs.get(digest).spec, site.store)
    with site.store.runs.write_live(digest) as live:
        live.replace("jobs", {name: workload.jobs[name] for name in ("job_id", "release", "processors", "user")})
        pieces = []
        for piece in islice(Simulation(workload, "fcfs").slices(budget=4), 2):
            still = piece.open  # as it is now: the next slice changes it
            live.append("segments", piece.segments)
            live.append("events", piece.events)
            live.replace("open", still)
            pieces.append((rows(piece.segments), rows(still), piece.time))
    yield run_id, pieces
    site.store.runs.fail(digest, "the test is over")
    site.store.runs.delete(digest)


def columns(answer):
    assert answer.status_code == 200, answer.text
    return decode(answer.data)


@pytest.mark.parametrize("name", ["jobs", "segments", "events", "rates", "bands"])
def test_a_finished_run_comes_as_it_is_stored(site, finished, name):
    stored = site.store.runs.get(finished).table(name)

    header, table = columns(site.client.get(f"/api/runs/{finished}/{name}"))

    assert header["status"] == "finished"
    for column, values in stored.items():
        np.testing.assert_array_equal(table[column], values)


def test_areas_are_those_of_the_series(site, finished):
    stored = site.store.runs.get(finished).table("series")

    _, areas = columns(site.client.get(f"/api/runs/{finished}/series"))

    assert list(areas) == ["time", "queued", "running", "useful", "background", "demand"]
    for column, name in (("useful", "utilization"), ("demand", "demand"), ("time", "time"), ("running", "running")):
        np.testing.assert_array_equal(areas[column], stored[name])
    assert not areas["background"].any()


def test_what_a_finished_run_is(site, finished):
    view = site.client.get(f"/api/runs/{finished}/view").json

    assert view["t0"] == 0.0 and view["t1"] == 1110.0 and view["frontier"] is None
    assert view["lanes"] == view["capacity"] == 10 and view["tiers"] == 1 and view["lane"] == "processor"
    assert view["exclusive"] is True
    assert view["counts"] == {"jobs": 4, "segments": 4, "events": rows(site.store.runs.get(finished).table("events"))}
    assert view["status"] == "finished" and view["kind"] == "rigid" and view["clock"] is None


def test_users_have_the_names_of_their_log(site, finished):
    log = site.upload(log_of_slurm(), "sacct.psv").json["id"]
    run = site.finished_run(workload=log, algorithm="easy", platform={"processors": 16})
    names = list(site.store.workloads.load(log).texts["user"])
    held = Held(subject(site.store.runs.get(run), site.store).source)

    assert "anna" in names and site.client.get(f"/api/runs/{run}/view").json["users"] == names
    assert held.view(run)["users"] == names
    assert "users" not in site.client.get(f"/api/runs/{finished}/view").json
    source = site.store.workloads.get(log).source
    shutil.rmtree(site.store.workloads.parses.root)
    assert list(site.store.workloads.names(source, "user")) == names


def test_columns_of_a_finished_run_are_kept_by_the_browser(site, finished):
    path = f"/api/runs/{finished}/segments?format={tiles.FORMAT}"
    first = site.client.get(path)

    again = site.client.get(path, headers={"If-None-Match": first.headers["ETag"]})

    assert "immutable" in first.headers["Cache-Control"]
    assert again.status_code == 304 and not again.data
    assert "immutable" not in site.client.get(f"/api/runs/{finished}/segments").headers["Cache-Control"]


def test_a_run_that_goes_on_tells_what_is_new(site, running):
    run_id, pieces = running
    closed, (_, still, time) = sum(n for n, _, _ in pieces), pieces[-1]

    header, table = columns(site.client.get(f"/api/runs/{run_id}/segments"))
    rest, later = columns(site.client.get(f"/api/runs/{run_id}/segments?after={closed}"))

    assert (header["status"], header["attempt"], header["after"]) == ("running", 1, 0)
    assert header["rows"] - header["open"] == closed
    assert header["open"] == still > 0
    assert header["frontier"] == time
    assert rest["rows"] == rest["open"] == header["open"]
    np.testing.assert_array_equal(later["job"], table["job"][closed:])
    assert site.client.get(f"/api/runs/{run_id}/segments").headers["Cache-Control"] == "no-store"


def test_the_jobs_of_a_run_that_goes_on_are_known(site, running):
    run_id, _ = running

    _, jobs = columns(site.client.get(f"/api/runs/{run_id}/jobs"))
    view = site.client.get(f"/api/runs/{run_id}/view").json

    assert jobs["job_id"].tolist() == [1, 2, 3, 4] and np.isnan(jobs["start"]).all()
    assert view["status"] == "running" and view["counts"]["jobs"] == 4 and view["frontier"] > 0


def test_a_queued_run_has_its_jobs_and_nothing_else(site):
    run_id = site.ask(seed=2).json["id"]

    header, segments = columns(site.client.get(f"/api/runs/{run_id}/segments"))
    _, jobs = columns(site.client.get(f"/api/runs/{run_id}/jobs"))
    view = site.client.get(f"/api/runs/{run_id}/view").json

    assert (header["rows"], header["open"], header["frontier"]) == (0, 0, None)
    assert rows(segments) == 0 and rows(jobs) == 4
    assert view["t0"] == 0.0 and view["t1"] == 3.0
    assert site.client.get(f"/api/runs/{run_id}/series").status_code == 409


def test_an_unknown_run_is_a_sentence(site):
    for name in ("view", "segments", "jobs", "events", "series"):
        answer = site.client.get(f"/api/runs/{'0' * 16}/{name}")
        assert answer.status_code == 404 and "no run" in answer.json["error"]


def test_rectangles_of_a_run_that_goes_on_come_in_pieces(site, running, monkeypatch):
    run_id, pieces = running
    closed, (_, still, _) = sum(n for n, _, _ in pieces), pieces[-1]
    whole = columns(site.client.get(f"/api/runs/{run_id}/segments"))[1]
    monkeypatch.setattr("shadowtime.dashboard.api.viewer.PIECE", closed)

    first, early = columns(site.client.get(f"/api/runs/{run_id}/segments"))
    rest, late = columns(site.client.get(f"/api/runs/{run_id}/segments?after={closed}"))

    assert (first["rows"], first["open"], first["more"]) == (closed, 0, True)
    assert (rest["rows"], rest["open"], rest["more"]) == (still, still, False)
    assert first["frontier"] == early["end"].max()
    np.testing.assert_array_equal(np.concatenate([early["job"], late["job"]]), whole["job"])


def test_a_large_run_that_goes_on_has_a_first_window_without_its_jobs(site, running, monkeypatch):
    """FCFS: job 1 holds four of ten processors from 0 to 100, job 2 six from 1 to 11 ..."""
    run_id, pieces = running
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 3)
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.load_workload", None)  # it would take seconds

    view = site.client.get(f"/api/runs/{run_id}/view").json
    window = site.client.get(f"/api/runs/{run_id}/window?columns=10&rows=10&whole=1&from=0&to=10")
    refused = site.client.get(f"/api/runs/{run_id}/jobs?small=1")

    header, parts = unbundle(window.data)
    cells, areas = parts["cells"][1], parts["areas"][1]
    assert view["large"] and view["counts"]["jobs"] == 4
    assert (header["status"], header["attempt"], header["frontier"]) == ("running", 1, pieces[-1][2])
    assert header["span"] == [view["t0"], view["t1"]]
    _, segments = columns(site.client.get(f"/api/runs/{run_id}/segments"))
    held = segments["last"] + 1 - segments["first"]
    seconds = np.clip(segments["end"], 0, 10) - np.clip(segments["start"], 0, 10)
    assert cells["held0"].sum() == pytest.approx(25.5 * (held * seconds).sum() * 10, rel=0.02)
    assert areas["useful"].sum() == pytest.approx((held * seconds).sum())
    assert set(parts) == {"cells", "areas", "whole"}
    assert refused.status_code == 413 and "3 jobs" in refused.json["error"]


@pytest.mark.parametrize("part", ["window?find=job+1", "window?by=size&edges=1", "instant?at=0", "life?job=1"])
def test_what_needs_jobs_needs_a_finished_run(site, running, part):
    answer = site.client.get(f"/api/runs/{running[0]}/{part}")

    assert answer.status_code == 409
    assert answer.json["error"] == f"run {running[0]} is running; only a finished run has this"


def test_rows_after_nonsense_are_refused(site, running):
    answer = site.client.get(f"/api/runs/{running[0]}/segments?after=-1")

    assert answer.status_code == 400 and "after" in answer.json["error"]


def test_values_are_made_once_and_the_oldest_is_forgotten():
    made = []

    def value(name: str):
        return kept.of("run", name, lambda: made.append(name) or bytes(60))

    kept = Kept(most_bytes=130)
    for name in ("a", "b", "a", "c", "a", "b"):
        value(name)

    assert made == ["a", "b", "c", "b"]
