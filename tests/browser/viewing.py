"""A viewer on a page of its own: runs made by hand or by the engine, and what a test does with mouse and keys."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._viewer_page import app_of, served
from shadowtime.engine import tables
from shadowtime.engine.output.series import series_of
from shadowtime.engine.tables import EVENTS, JOBS, SEGMENTS, Table
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store
from tests.conftest import FOUR_SWF

PATIENCE = 20_000
"""Milliseconds that anything may take on a slow, shared machine."""
FRAMES_OF_REST = 12
"""Frames without a move after which nothing moves any more: 200 ms where nothing else is going on."""
NAMES = ("jobs", "segments", "events", "series")


@dataclass
class Gallery:
    """A store with runs, and the address of pages that show them."""

    store: Store
    address: str

    def page_of(self, run: str) -> str:
        """The address of the page of a run."""
        return f"{self.address}/runs/{run}"

    def accept(self, swf: str, algorithm: str, seed: int = 0) -> str:
        """Queue a run of a log; gives its digest."""
        entry, _ = self.store.workloads.add(io.BytesIO(swf.encode()), "jobs.swf")
        spec = RunSpec.of(self.store.workloads.load(entry.digest), algorithm, seed=seed)
        self.store.runs.accept(spec, jobs=entry.jobs)
        return spec.digest

    def simulate(self, swf: str = FOUR_SWF, algorithm: str = "easy", seed: int = 0) -> str:
        """A finished run of a log; gives its id."""
        return self._computed(self.accept(swf, algorithm, seed))

    def compute(self, entry: Any, algorithm: str, case: str | None = None, **parameters: Any) -> str:
        """A finished run of a stored workload, or of one of its cases; gives its id."""
        spec = RunSpec.of(self.store.workloads.load(entry.digest, case), algorithm, parameters)
        self.store.runs.accept(spec, jobs=entry.jobs)
        return self._computed(spec.digest)

    def generate(self, generator: str, seed: int, **parameters: Any) -> Any:
        """The stored workload of a generator."""
        return self.store.workloads.generate(generator, parameters, seed)[0]

    def _computed(self, digest: str) -> str:
        status = self.store.runs.begin(digest)
        if status is not None:
            spec = self.store.runs.get(digest).spec
            outcome = execute(spec, load_workload(spec, self.store))
            self.store.runs.finish(digest, status.attempt, outcome.tables(), outcome.summary)
        return digest[:16]

    def made(self, found: Mapping[str, Table], swf: str, seed: int) -> str:
        """A finished run with tables made by hand, on the machine of a log; gives its id."""
        digest = self.accept(swf, "easy", seed)
        status = self.store.runs.begin(digest)
        if status is not None:
            self.store.runs.finish(digest, status.attempt, found, {"metrics": {}})
        return digest[:16]


@contextmanager
def gallery(folder: Path) -> Iterator[Gallery]:
    """Served until the block ends."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    store = open_store(folder)
    with served(app_of(store)) as address:
        yield Gallery(store, address)


def made_tables(jobs: list[Mapping[str, float]], segments: list[tuple], events: list[tuple]) -> dict[str, Table]:
    """Tables of rows: segments (job, first, last, tier, start, end, kind), events (time, kind, job, tier[, value])."""
    job_table = tables.empty(JOBS, len(jobs))
    for name in JOBS:
        job_table[name][:] = [job.get(name, 1) for job in jobs]
    job_table["state"][:] = tables.FINISHED
    rectangles = tables.empty(SEGMENTS, len(segments))
    for column, values in zip(
        ("job", "first", "last", "tier", "start", "end", "kind"), zip(*segments, strict=True), strict=True
    ):
        rectangles[column][:] = values
    rectangles["share"][:] = 1.0
    happenings = tables.empty(EVENTS, len(events))
    for row, (time, kind, job, tier, *value) in enumerate(events):
        for column, one in zip(EVENTS, (time, kind, job, tier, -1, *(value or [np.nan])), strict=True):
            happenings[column][row] = one
    found = {"jobs": job_table, "segments": rectangles, "events": happenings}
    return {**found, "series": series_of(job_table, rectangles)}


def log(jobs: int, processors: int, apart: int = 100, runtime: int = 250) -> str:
    """A log of single-processor jobs, `apart` seconds from one to the next."""
    lines = [
        f"{j + 1} {j * apart} -1 {runtime} 1 -1 -1 1 {runtime} -1 1 {j % 7} -1 -1 -1 -1 -1 -1" for j in range(jobs)
    ]
    return "\n".join([f"; MaxProcs: {processors}", *lines, ""])


TWO_TIERS = made_tables(
    [
        {"job_id": 11, "release": 0, "start": 0, "end": 100, "processors": 4, "runtime": 100, "user": 3},
        {"job_id": 12, "release": 5, "start": 10, "end": 160, "processors": 4, "runtime": 120, "user": 4},
        {"job_id": 13, "release": 6, "start": 20, "end": 190, "processors": 2, "runtime": 60, "user": 5},
    ],
    [
        (0, 0, 3, 0, 0.0, 100.0, tables.RUN),
        (1, 0, 3, 1, 10.0, 100.0, tables.RUN),
        (2, 4, 5, 1, 20.0, 60.0, tables.LOST),
        (1, 0, 3, 0, 100.0, 110.0, tables.STALL),
        (1, 0, 3, 0, 110.0, 160.0, tables.RUN),
        (2, 4, 5, 0, 130.0, 190.0, tables.RUN),
    ],
    [
        (0.0, tables.SUBMIT, 0, 0), (0.0, tables.START, 0, 0), (5.0, tables.SUBMIT, 1, 0), (6.0, tables.SUBMIT, 2, 0),
        (10.0, tables.START, 1, 1), (20.0, tables.START, 2, 1), (60.0, tables.KILL, 2, 1, 40.0),
        (100.0, tables.END, 0, 0), (100.0, tables.MIGRATE, 1, 0), (130.0, tables.START, 2, 0),
        (160.0, tables.END, 1, 0), (190.0, tables.END, 2, 0),
    ],
)  # fmt: skip
"""Job 12 runs behind 11 and is moved up when that ends; job 13 is killed in the background and begins anew."""


class Viewer:
    """The first viewer of a page."""

    def __init__(self, page: Any, address: str):
        self.page = page
        page.goto(address)
        page.wait_for_selector("shadowtime-gantt[data-state]", timeout=PATIENCE)
        page.wait_for_selector("#first-view", state="detached", timeout=PATIENCE)  # it has moved to its place

    @property
    def debug(self) -> Any:
        """What it draws now."""
        self.settle()
        return self.page.evaluate("shadowtime.viewers[0].debug()")

    def settle(self) -> None:
        """Let what was asked for be drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def reset(self) -> None:
        """Show the whole run as it was opened: nothing is selected, found, hovered, focused or open."""
        self.page.mouse.move(5, 5)
        self.page.evaluate(
            "() => { const { view, now, bar } = shadowtime.viewers[0], { t0, lanes } = view.bounds;"
            " document.activeElement.blur(); now.toggle(false); now.isDismissed = false; bar.toggle(false);"
            " cancelAnimationFrame(view.frame);"
            " view.set({ t0, t1: view.fitEnd(), n0: 0, n1: lanes, at: t0, job: null, find: null, colour: 'job' }); }"
        )
        self.wait("d.hovered === null && d.selection === null && d.found === null && !d.playing")
        self.settle()

    def wait(self, condition: str) -> Any:
        """What it draws, as soon as `condition` holds of it (`d`)."""
        script = f"() => {{ const d = shadowtime.viewers[0]?.debug(); return d && ({condition}) ? d : null; }}"
        return self.page.wait_for_function(script, timeout=PATIENCE).json_value()

    def box(self, job: int, number: int = 0) -> Mapping[str, float]:
        """The `number`-th rectangle of a job, in the page's pixels."""
        found = [one for one in self.debug["drawn"] if one["job"] == job][number]
        stage = self.page.locator(".gv-stage").bounding_box()
        return {**found, "x": found["x"] + stage["x"], "y": found["y"] + stage["y"]}

    def middle(self, job: int, number: int = 0) -> tuple[float, float]:
        box = self.box(job, number)
        return box["x"] + box["w"] / 2, box["y"] + box["h"] / 2

    def time_at(self, x: float) -> float:
        """The instant at a pixel of the page."""
        found = self.debug
        pane, (t0, t1) = found["panes"][0], found["window"]
        left = self.page.locator(".gv-stage").bounding_box()["x"] + pane["x"]
        return t0 + (x - left) / pane["w"] * (t1 - t0)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text().replace("\u202f", " ")

    def rest(self) -> Any:
        """What it draws once it has come to rest: the same window for so many frames; easing takes 120 ms."""
        self.page.evaluate("window.rest = { now: '', frames: 0 }")
        self.page.wait_for_function(
            "(enough) => { const { window: [t0, t1], nodes } = shadowtime.viewers[0].debug(), rest = window.rest;"
            " const now = [t0, t1, nodes].join(); rest.frames = now === rest.now ? rest.frames + 1 : 0; rest.now = now;"
            " return rest.frames >= enough; }",
            arg=FRAMES_OF_REST,
            polling="raf",
            timeout=PATIENCE,
        )
        return self.debug


def wait_for_outages(page: Any, shown: bool = True) -> None:
    """Wait until the overlay of the schedule has many pixels in the colour of outages, or few."""
    page.wait_for_function(
        """(shown) => {
            const canvas = document.querySelector("#viewer .gv-over, shadowtime-gantt .gv-over");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let found = 0;
            for (let at = 0; at < data.length; at += 4)
                if (data[at + 3] > 40 && data[at] > 1.5 * data[at + 1] && data[at] > 1.5 * data[at + 2]) found++;
            return (found > 500) === shown;
        }""",
        arg=shown,
    )
