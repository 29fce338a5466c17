"""The viewer while a run goes on: rectangles appear, the frontier moves, and what a person chose stays."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import rows
from shadowtime.workers.execute import execute, load_workload
from tests.browser.viewing import NAMES, Viewer, log

pytestmark = pytest.mark.browser


class Going:
    """A run that a test simulates, slice by slice."""

    def __init__(self, runs, seed: int):
        self.store = runs.store
        self.digest = runs.accept(log(400, 8), "easy", seed)
        self.spec = self.store.runs.get(self.digest).spec
        self.workload = load_workload(self.spec, self.store)
        self.segments = 0

    def begin(self) -> None:
        self.status = self.store.runs.begin(self.digest)
        self.slices = Simulation(self.workload, "easy", seed=self.spec.seed).slices(budget=120)
        self.writer = self.store.runs.write_live(self.digest)
        jobs = self.workload.jobs
        self.writer.replace(
            "jobs", {name: jobs[name] for name in ("job_id", "release", "processors", "runtime", "user")}
        )
        self.segments = 0

    def go_on(self, times: int = 1) -> float:
        """Some slices more, as far as there are some; gives how far the simulation is."""
        for piece in islice(self.slices, times):
            self.writer.append("segments", piece.segments)
            self.writer.append("events", piece.events)
            self.writer.replace("open", piece.open)
            self.segments += rows(piece.segments)
        return piece.time

    def lose_worker(self) -> None:
        self.store.runs.requeue(self.digest, self.status.attempt, "its worker stopped")

    def cancel(self) -> None:
        self.store.runs.cancel(self.digest)
        assert self.store.runs.cancelled(self.digest)

    def finish(self) -> int:
        outcome = execute(self.spec, self.workload)
        tables = {name: getattr(outcome.schedule, name) for name in NAMES}
        assert self.store.runs.finish(self.digest, self.status.attempt, tables, outcome.summary)
        return rows(tables["segments"])


@pytest.fixture
def going(runs, request) -> Going:
    return Going(runs, seed=sum(request.node.name.encode()) % 1000)


def test_the_schedule_appears_while_the_run_goes_on_and_what_a_person_chose_stays(runs, going, page):
    viewer = Viewer(page, runs.page_of(going.digest[:16]))
    assert viewer.debug["status"] == "queued" and viewer.debug["segments"] == 0
    going.begin()
    time = going.go_on(2)
    early = viewer.wait("d.segments > 20 && d.open > 0")
    assert (early["status"], early["segments"], early["frontier"]) == ("running", going.segments, time)

    # a window and a job that a person chose stay while it grows
    page.evaluate("shadowtime.viewers[0].view.set({ t0: 500, t1: 2500, job: 7 })")
    window = viewer.debug["window"]
    further = going.go_on(2)
    later = viewer.wait(f"d.frontier === {further}")
    assert later["segments"] == going.segments > early["segments"]
    assert (later["window"], later["selection"]) == (window, 7)
    assert page.locator(".gv-chip").is_visible()

    # a button follows the frontier
    page.locator(".gv-chip").click()
    followed = viewer.debug
    assert followed["window"][0] < further < followed["window"][1]

    total = going.finish()

    final = viewer.wait("d.status === 'finished'")
    assert (final["segments"], final["open"], final["frontier"]) == (total, 0, None)
    assert final["selection"] == 7
    assert not page.locator(".gv-chip").is_visible()
    starts = page.evaluate("[...shadowtime.viewers[0].run.closed.start]")
    np.testing.assert_array_equal(starts, going.store.runs.get(going.digest).table("segments")["start"])


def test_a_lost_worker_begins_the_picture_anew(runs, going, page):
    going.begin()
    going.go_on(4)
    viewer = Viewer(page, runs.page_of(going.digest[:16]))
    first = viewer.wait("d.segments > 50")
    going.lose_worker()
    going.begin()
    going.go_on(1)

    again = viewer.wait(f"d.status === 'running' && d.segments < {first['segments']} && d.segments > 0")

    assert again["segments"] == going.segments
    going.finish()
    viewer.wait("d.status === 'finished'")


def test_a_large_run_is_drawn_before_its_jobs_are_known(runs, going, page, monkeypatch):
    """Its cells grow with the run; jobs and rectangles replace them as soon as they are there."""
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 100)
    held = []
    page.route("**/jobs?format=1", lambda route: held.append(route))
    viewer = Viewer(page, runs.page_of(going.digest[:16]))
    assert viewer.debug["status"] == "queued"

    going.begin()
    time = going.go_on(2)

    early = viewer.wait(f"d.cells && d.frontier === {time}")
    lanes = page.evaluate("shadowtime.viewers[0].run.cells.sums[0].reduce((most, one) => Math.max(most, one))")
    assert (early["status"], early["segments"], early["level"]) == ("running", 0, "density") and lanes > 0
    time = going.go_on(1)
    assert viewer.wait(f"d.frontier === {time}")["cells"]

    page.unroute("**/jobs?format=1")  # which lets those that are held go on
    later = viewer.wait("!d.cells && d.segments > 0")
    assert (later["segments"], later["frontier"]) == (going.segments, time)
    total = going.finish()
    assert viewer.wait("d.status === 'finished'")["segments"] == total


def test_a_run_that_outgrows_the_viewer_is_drawn_in_cells_until_it_ends(runs, going, page, monkeypatch):
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.HUGE", 100)
    going.begin()
    going.go_on(1)
    viewer = Viewer(page, runs.page_of(going.digest[:16]))
    assert viewer.wait("d.segments > 0 && !d.cells")["segments"] == going.segments <= 100

    time = going.go_on(5)
    assert going.segments > 100
    assert viewer.wait(f"d.cells && d.frontier === {time}")["segments"] == 0
    time = going.go_on(1)
    assert viewer.wait(f"d.frontier === {time}")["cells"]
    page.reload()
    time = going.go_on(1)
    assert viewer.wait(f"d.cells && d.frontier === {time}")["segments"] == 0

    page.wait_for_function("() => document.querySelector('#job-panel').innerText.includes('when it has ended')")

    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 100)
    going.finish()
    assert viewer.wait("d.status === 'finished'")["frontier"] is None
    assert page.evaluate("shadowtime.viewers[0].run.huge")


def test_a_cancelled_run_that_had_outgrown_the_viewer_says_why_it_shows_no_jobs(runs, going, page, monkeypatch):
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.HUGE", 100)
    going.begin()
    time = going.go_on(6)
    viewer = Viewer(page, runs.page_of(going.digest[:16]))
    viewer.wait(f"d.cells && d.frontier === {time}")
    going.cancel()

    said = "() => document.querySelector('#job-panel').innerText.includes('stopped before its end')"
    for _ in range(2):
        found = viewer.wait("d.status === 'cancelled' && d.cells")
        assert (found["segments"], found["frontier"]) == (0, time)
        page.wait_for_function(said)
        page.reload()


@pytest.mark.parametrize("large", [100, 1000])
@pytest.mark.parametrize("slices", [3, 30])
def test_a_cancelled_run_keeps_all_that_it_drew(runs, going, page, monkeypatch, large, slices):
    """In pieces; after its last job too, when no rectangle grows any more."""
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", large)
    monkeypatch.setattr("shadowtime.dashboard.api.viewer.PIECE", 20)
    going.begin()
    time = going.go_on(slices)
    going.cancel()

    viewer = Viewer(page, runs.page_of(going.digest[:16]))

    found = viewer.wait(f"d.status === 'cancelled' && !d.cells && d.segments === {going.segments}")
    assert found["segments"] > 60 and found["frontier"] == time
