"""Define the clients of `benchmarks.load`: who uses a laboratory at the same time, and what each of them does."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks._crowd import Client, Measurements, Viewer, follow
from shadowtime.dashboard.components import health

TICK = float(health.AT_REST)
"""Seconds between two requests of an open page for the list of workers."""
FOLLOWED, FRESH, STAY = 3, 12, 30.0
"""Runs that a browser follows, of how many that were queued last, and seconds after which it turns to other ones."""
UPLOAD_EVERY, UPLOAD_BYTES = 10.0, 1_000_000
JOBS, WORKLOADS = 1000, 12
PATIENCE = 120.0
"""Seconds that the first runs may take."""
READERS = CALLERS = 4
"""Connections of clients that open pages, and of clients that call the API."""


@dataclass(frozen=True)
class Size:
    """Number of clients of each kind."""

    viewers: int = 200
    """Browsers with a page and a live stream open."""
    uploaders: int = 20
    """Clients that upload a log of 1 MB every 10 s each."""
    askers: int = 20
    runs_a_second: float = 10.0
    """Runs a second of all submitting clients together."""
    pages_a_second: float = 2.0
    calls_a_second: float = 6.0


@dataclass
class People:
    """All clients of a laboratory."""

    port: int
    size: Size
    heard: Measurements = field(default_factory=Measurements)
    accepted: list[str] = field(default_factory=list)
    """Ids of runs, in the order in which they were accepted."""
    finished: list[str] = field(default_factory=list)
    """Two finished runs that clients open."""
    workloads: list[str] = field(default_factory=list)
    streams: dict[int, Viewer] = field(default_factory=dict)
    """The open stream of each viewer."""
    asked: int = 0
    """Turns of the clients that act at fixed times, and those of them that started late."""
    late: int = 0
    seeds: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def forget(self) -> None:
        """Reset the counts."""
        self.heard.clear()
        self.late = self.asked = 0

    @property
    def missing_streams(self) -> int:
        """Return the number of viewers without an open stream."""
        return self.size.viewers - sum(viewer.status == 200 for viewer in self.streams.values())

    async def prepare(self) -> None:
        """Create the workloads, two finished runs to open, and warm the workers."""
        client = self.client("first")
        for seed in range(WORKLOADS):
            drawn = {"generator": "uniform", "parameters": {"jobs": JOBS}, "seed": seed}
            self.workloads.append((await client.json("", "POST", "/api/workloads", drawn))[1]["id"])
        for algorithm in ("easy", "fcfs"):
            question = {"workload": self.workloads[0], "algorithm": algorithm}
            run = (await client.json("", "POST", "/api/runs", question))[1]["id"]
            deadline = time.monotonic() + PATIENCE
            while (await client.json("", "GET", f"/api/runs/{run}"))[1]["status"] != "finished":
                if time.monotonic() > deadline:
                    raise SystemExit(f"no worker has finished run {run} within {PATIENCE:g} s")
                await asyncio.sleep(0.1)
            self.finished.append(run)
        client.close()

    def all_clients(self) -> Iterator[Awaitable[None]]:
        """Yield the task of each client, which works until cancelled."""
        size = self.size
        for i in range(size.askers):
            yield self.every(size.askers / size.runs_a_second, i / size.askers, self.submitter(i))
        for i in range(size.uploaders):
            yield self.every(UPLOAD_EVERY, i / size.uploaders, self.uploader(i))
        for i in range(size.viewers):
            yield self.viewer(i)
            yield self.every(TICK, i / size.viewers, self.page_poller(i))
        for i in range(READERS):
            yield self.every(READERS / size.pages_a_second, i / READERS, self.reader(i))
        for i in range(CALLERS):
            yield self.every(CALLERS / size.calls_a_second, i / CALLERS, self.caller(i))

    def client(self, name: str) -> Client:
        """Return a user with a connection."""
        return Client(self.port, name, self.heard)

    async def every(self, seconds: float, phase: float, act: Callable[[], Awaitable[None]]) -> None:
        """Act at fixed times, however long each action takes; a turn that starts late is counted."""
        due = time.monotonic() + seconds * phase
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            self.asked += 1
            await act()
            due += seconds
            while due < time.monotonic() - seconds:
                self.late += 1
                self.asked += 1
                due += seconds

    def submitter(self, number: int) -> Callable[[], Awaitable[None]]:
        """Return an action that submits a new run."""
        client = self.client(f"submitter-{number}")

        async def act() -> None:
            await self.queue(client, "queue")

        return act

    async def queue(self, client: Client, kind: str) -> str:
        """Submit a new question; return the id of its run, or "" when it was refused."""
        seed = next(self.seeds)
        question = {"workload": self.workloads[seed % WORKLOADS], "algorithm": "easy", "seed": seed}
        status, answer = await client.json(kind, "POST", "/api/runs", question)
        if status != 202:
            return ""
        self.accepted.append(answer["id"])
        return answer["id"]

    def uploader(self, number: int) -> Callable[[], Awaitable[None]]:
        """Return an action that uploads another log of 1 MB."""
        client = self.client(f"uploader-{number}")
        serial = itertools.count()

        async def act() -> None:
            log = b"; MaxProcs: 1024\n; Note: %d of %d\n" % (next(serial), number) + LINES
            first = b'--b\r\nContent-Disposition: form-data; name="file"; filename="log.swf"\r\n\r\n'
            body = first + log + b"\r\n--b--\r\n"
            await client.ask("upload", "POST", "/api/workloads", body, "multipart/form-data; boundary=b")

        return act

    async def viewer(self, number: int) -> None:
        """Follow the latest runs, then others."""
        await asyncio.sleep(5.0 * number / self.size.viewers)
        chance = random.Random(number)
        name = f"viewer-{number}"
        while True:
            runs = chance.sample(self.accepted[-FRESH:], min(FOLLOWED, len(self.accepted))) or self.finished
            before, self.streams[number] = self.streams.get(number), await follow(self.port, name, runs, self.heard)
            if before:
                before.close()  # as the feed of our pages: the next stream first
            await asyncio.sleep(STAY)

    def page_poller(self, number: int) -> Callable[[], Awaitable[None]]:
        """Return an action that requests the list of workers, as an open page does."""
        client = self.client(f"viewer-{number}")

        async def act() -> None:
            await client.json("tick", "POST", "/_dash-update-component", HEALTH)

        return act

    def reader(self, number: int) -> Callable[[], Awaitable[None]]:
        """Return an action that opens one page after another: the document, and its data."""
        client = self.client(f"reader-{number}")
        one, two = self.finished
        pages = itertools.cycle([
            ("new run", "/", ""), ("runs", "/runs", ""), ("run", f"/runs/{one}", ""),
            ("compare", "/compare", f"?runs={one},{two}"), ("experiments", "/experiments", ""),
            ("latest run", "", ""),
        ])  # fmt: skip

        async def act() -> None:
            name, path, query = next(pages)
            path = path or f"/runs/{(self.accepted or self.finished)[-1]}"
            began = time.perf_counter()
            first, _ = await client.ask("document", "GET", path + query)
            second, _ = await client.json("content", "POST", "/_dash-update-component", shown(path, query))
            if first == second == 200:
                self.heard.milliseconds[f"page {name}"].append((time.perf_counter() - began) * 1000)

        return act

    def caller(self, number: int) -> Callable[[], Awaitable[None]]:
        """Return an action that calls one route after another."""
        client = self.client(f"caller-{number}")
        run = self.finished[0]
        calls = itertools.cycle([
            ("run", f"/api/runs/{run}"), ("listing", "/api/runs"), ("jobs", f"/api/runs/{run}/jobs"),
            ("healthz", "/healthz"), ("view", f"/api/runs/{run}/view"), ("latest", ""),
        ])  # fmt: skip

        async def act() -> None:
            name, path = next(calls)
            await client.ask(f"api {name}", "GET", path or f"/api/runs/{(self.accepted or self.finished)[-1]}")

        return act


def lines() -> bytes:
    """Return the jobs of a log of about 1 MB."""
    chance = random.Random(1)
    written, found = 0, []
    for n in itertools.count(1):
        runtime, size = chance.randrange(1, 86_400), 2 ** chance.randrange(9)
        found.append(f"{n} {30 * n} -1 {runtime} {size} -1 -1 {size} {2 * runtime} -1 1 {n % 400} -1 -1 -1 -1 -1 -1\n")
        written += len(found[-1])
        if written >= UPLOAD_BYTES:
            return "".join(found).encode()
    raise AssertionError


def shown(path: str, query: str) -> dict[str, Any]:
    """Return the request of a browser for the page at an address."""
    outputs = [("page", "children"), ("title", "data"), ("page-name", "data")]
    return {
        "output": f"..{'...'.join(f'{name}.{prop}' for name, prop in outputs)}..",
        "outputs": [{"id": name, "property": prop} for name, prop in outputs],
        "inputs": [
            {"id": "url", "property": "pathname", "value": path},
            {"id": "kept-form", "property": "data", "value": ""},
        ],
        "state": [{"id": "url", "property": "search", "value": query}],
        "changedPropIds": ["url.pathname"],
    }


LINES = lines()
HEALTH = {
    "output": "..workers.children...workers-box.data-trouble...trouble.children...health-tick.interval..",
    "outputs": [
        {"id": "workers", "property": "children"},
        {"id": "workers-box", "property": "data-trouble"},
        {"id": "trouble", "property": "children"},
        {"id": "health-tick", "property": "interval"},
    ],
    "inputs": [{"id": "health-tick", "property": "n_intervals", "value": 1}],
    "changedPropIds": ["health-tick.n_intervals"],
}
