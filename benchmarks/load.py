"""Load the laboratory with a hundred and more clients on this machine: it must keep up and lose nothing.

`python -m benchmarks.load [--minutes N] [--viewers N] [--submits N]`. A real gunicorn, Redis and two workers; one more
process simulates all clients: browsers that follow runs and request the list of workers, 20 that upload a log of 1 MB
every 10 s, 20 that queue runs, and others that open pages and call the API. Then one of them queues 1,000 runs, and
others a single one. At the end every accepted run must be finished or still queued. The growth of the web process does
not count what it keeps of runs for the next viewer, up to a limit: `web_kept_mb`, at the middle and at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import emit
from benchmarks._crowd import USER
from benchmarks._people import People, Size
from benchmarks._site import Site, serve, workers
from benchmarks._usage import Usage, children, cpu_seconds, kept, slope
from shadowtime.workers.store import open_store

WARM_UP = 60.0
"""Seconds, at most, before measuring starts: caches fill, threads and connections are created."""
SAMPLE_EVERY, KEPT_EVERY = 1.0, 5.0
FLOOD, FLOODERS = 1000, 4
"""Runs that one client queues as fast as it can, and over how many connections."""
SINGLES, SINGLES_EVERY = 12, 5.0
"""Runs of other clients meanwhile, and seconds between them."""
PATIENCE = 60.0
"""Largest seconds of the flood, and of the wait for one run of another client."""

RAISED = {
    "SHADOWTIME_USER_HEADER": USER,
    "SHADOWTIME_PROXIES": "127.0.0.1",
    "SHADOWTIME_MAX_QUEUED": "100000",
    "SHADOWTIME_MAX_QUEUED_SITE": "100000",
}
"""Settings that differ from the defaults: clients are identified by name, and any number of runs may wait."""
LIMITS = {
    "pages_p95_ms": 300.0, "api_p95_ms": 200.0, "lost_runs": 0, "failed_runs": 0, "server_errors": 0, "unanswered": 0,
    "refused": 0, "streams_missing": 0, "late_share": 0.02, "web_growth_mb_h": 20.0, "worker_growth_mb_h": 20.0,
    "redis_growth_mb_h": 20.0, "single_max_s": 10.0,
}  # fmt: skip


def main() -> int:
    """Measure, print, and return 0 when the limits are met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Many people at once.")
    parser.add_argument("--minutes", type=float, default=2.0, help="of measuring, between 0.1 and 60 (2)")
    parser.add_argument("--viewers", type=int, default=Size.viewers, help=f"browsers, 1 to 2000 ({Size.viewers})")
    parser.add_argument("--submits", type=float, default=Size.runs_a_second,
                        help=f"runs queued a second, 0.1 to 100 ({Size.runs_a_second:g})")  # fmt: skip
    given = parser.parse_args()
    for name, value, least, most in (
        ("minutes", given.minutes, 0.1, 60), ("viewers", given.viewers, 1, 2000), ("submits", given.submits, 0.1, 100),
    ):  # fmt: skip
        if not least <= value <= most:
            parser.error(f"--{name} must be between {least:g} and {most:g}")
    size = Size(viewers=given.viewers, runs_a_second=given.submits)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # leave no process behind
    scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # a reading process may still write to it
    with scratch as folder, serve(Path(folder), RAISED) as site, workers(site) as ids:
        figures = asyncio.run(Load(site, ids, given.minutes * 60, size).measure())
    return emit("load", figures, LIMITS)


class Load:
    """One measurement, from the first workload to the last count."""

    def __init__(self, site: Site, worker_ids: list[int], seconds: float, size: Size):
        self.site, self.seconds = site, seconds
        self.people = People(site.port, size)
        self.web = children(site.web)[0]
        self.ids = {"web": [self.web], "worker": worker_ids, "redis": [site.redis]}
        self.usage = Usage(self.ids)
        self.tables: list[tuple[float, float]] = []
        """Times [s], and what the web process keeps of runs for the next viewer [MB]."""

    async def measure(self) -> dict[str, Any]:
        """Run all phases; return the figures."""
        people = self.people
        await people.prepare()
        say("everybody begins")
        tasks = [asyncio.ensure_future(work) for work in (self.sample(), self.sample_kept(), *people.all_clients())]
        await asyncio.sleep(min(WARM_UP, self.seconds / 4))
        say("measuring")
        people.forget()
        began, used = time.monotonic(), self.cpu()
        await asyncio.sleep(self.seconds)
        figures = self.figures(began, used)
        say(f"one client queues {FLOOD:,} runs; so far {json.dumps(figures)}")
        figures |= await self.fairness()
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
        for viewer in people.streams.values():
            viewer.close()
        return figures | self.kept()

    async def sample(self) -> None:
        """Sample the memory once a second."""
        while True:
            self.usage.sample()
            await asyncio.sleep(SAMPLE_EVERY)

    async def sample_kept(self) -> None:
        """Ask the web process how much it keeps."""
        monitor = self.people.client("monitor")
        while True:
            status, metrics = await monitor.ask("", "GET", "/metrics")
            if status == 200:
                self.tables.append((time.monotonic(), kept(metrics)))
            await asyncio.sleep(KEPT_EVERY)

    def cpu(self) -> dict[str, float]:
        """Return the CPU seconds so far; the generator of this load is one of the processes."""
        used = {name: sum(map(cpu_seconds, ids)) for name, ids in self.ids.items()}
        return {**used, "intake": sum(map(cpu_seconds, children(self.web))), "generator": time.process_time()}

    def figures(self, began: float, used: dict[str, float]) -> dict[str, Any]:
        """Return the figures of the time since `began` [s], with `used` CPU seconds before."""
        people, heard, now = self.people, self.people.heard, self.cpu()
        took = time.monotonic() - began
        found: dict[str, Any] = {
            "minutes": round(took / 60, 2),
            "pages_p95_ms": p95(heard.times("page ")),
            "api_p95_ms": p95(heard.times("api ")),
            "queue_p95_ms": p95(heard.times("queue")),
            "upload_p95_ms": p95(heard.times("upload")),
            "stream_open_p95_ms": p95(heard.times("stream")),
            "news_p95_ms": p95(heard.times("news")),
            "by_kind_p95_ms": {kind: p95(some) for kind, some in sorted(heard.milliseconds.items())},
            "requests": sum(len(some) for kind, some in heard.milliseconds.items() if not kind.startswith("page ")),
            "pages": len(heard.times("page ")),
            "api_calls": len(heard.times("api ")),
            "uploads": heard.statuses["upload"][201],
            "runs_a_second": round(heard.statuses["queue"][202] / took, 2),
            "news": len(heard.times("news")),
            "streams_opened": heard.statuses["stream"][200],
            "streams_missing": people.missing_streams,
            "server_errors": heard.answers(500, 599),
            "refused": heard.answers(400, 499),
            "errors": heard.errors(),
            "unanswered": sum(heard.lost.values()),
            "late_share": round(people.late / max(1, people.asked), 4),
            "cores": {name: round((now[name] - used[name]) / took, 3) for name in now},
            "raised": RAISED,
        }
        for name in self.ids:
            found[f"{name}_mb"], found[f"{name}_own_mb"] = (round(size, 1) for size in self.usage.latest(name))
            found[f"{name}_growth_mb_h"] = round(self.usage.growth(name, began + took / 2), 1)
        tables = [one for one in self.tables if one[0] >= began + took / 2]
        found["web_kept_mb"] = [round(one[1], 1) for one in tables[:1] + tables[-1:]]
        found["web_growth_mb_h"] = round(found["web_growth_mb_h"] - slope(tables) * 3600, 1)
        return found

    async def fairness(self) -> dict[str, Any]:
        """Let one client queue 1,000 runs and others a single one now and then; measure how long each of those
        takes."""
        people, left, before = self.people, itertools.count(), len(self.people.accepted)
        began = time.monotonic()

        async def flood() -> None:
            client = people.client("flood")
            while next(left) < FLOOD and time.monotonic() < began + PATIENCE:
                await people.queue(client, "flood")
            client.close()

        async def single(number: int) -> float:
            client, asked = people.client(f"single-{number}"), time.monotonic()
            run, status = await people.queue(client, "single"), "queued"
            while status in ("queued", "running") and time.monotonic() < asked + PATIENCE:
                await asyncio.sleep(0.1)
                status = (await client.json("", "GET", f"/api/runs/{run}"))[1].get("status", status)
            client.close()
            return time.monotonic() - asked

        flooding = asyncio.gather(*(flood() for _ in range(FLOODERS)))
        singles = []
        for number in range(SINGLES):
            await asyncio.sleep(SINGLES_EVERY)
            singles.append(asyncio.ensure_future(single(number)))
        await flooding
        waited = await asyncio.gather(*singles)
        flooded = people.heard.statuses["flood"][202]
        return {
            "flood_accepted": flooded,
            "others_meanwhile": len(people.accepted) - before - flooded,
            "singles": len(waited),
            "single_median_s": round(statistics.median(waited), 2),
            "single_max_s": round(max(waited), 2),
        }

    def kept(self) -> dict[str, int]:
        """Count the accepted runs by their state in the store."""
        accepted = self.people.accepted
        states = Counter(state_of(self.site.store, accepted))
        return {
            "accepted_runs": len(accepted),
            "finished_runs": states["finished"],
            "queued_runs": states["queued"] + states["running"],
            "failed_runs": states["failed"] + states["cancelled"],
            "lost_runs": states["lost"] + len(accepted) - len(set(accepted)),
        }


def state_of(store: Path, accepted: list[str]) -> Iterator[str]:
    """Yield the state of each run, `lost` for a missing one."""
    runs = open_store(store).runs
    for run in accepted:
        try:
            yield runs.get(run).status.status
        except LookupError:
            yield "lost"


def p95(values: list[float]) -> float:
    """Return the 95th percentile, rounded to 0.1; of one value itself, of none 0."""
    if len(values) < 2:
        return round(sum(values), 1)
    return round(statistics.quantiles(values, n=100, method="inclusive")[94], 1)


def say(what: str) -> None:
    """Print the progress."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
