"""A laboratory at work for hours, in which one process after another is started again; nothing may be lost or grow.

python -m tests.chaos.soak [--minutes 180] [--every 60] [--clients 4] [--seed 0] [--postgresql] prints a line of JSON;
its exit code is 1 if anything went wrong.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from benchmarks._usage import children, kept, memory, slope
from tests.chaos.site import Away, Site
from tests.chaos.storm import look_at_all
from tests.chaos.traffic import Ledger, at_work
from tests.workers.records.postgres import Postgres, running

PAUSE = 1.0
"""Mean seconds between two acts of a client."""
COMPARED = 2_000
"""Runs at most that are computed once more at the end."""
SAMPLE_EVERY = 5.0
MOMENTS = 12
"""How often the memory is reported."""
GROWTH = 5.0
LIVES = 1
"""Place of the web process and of the worker that are never started again: their memory is measured."""


class Soaked(NamedTuple):
    """What was done, what the memory was, and what went wrong."""

    seconds: float
    restarts: dict[str, int]
    longest_restart: float
    """Seconds until all processes were at work again."""
    acts: dict[str, int]
    runs: int
    given_up: int
    compared: int
    megabytes: dict[str, list[float]]
    """Memory of its own, at even intervals, of each process that lives from beginning to end; what the web process
    keeps of runs apart."""
    growth: dict[str, float]
    """Of the same in the second half, without what is kept [MB/h]."""
    problems: list[str]


class Effort(NamedTuple):
    """How long, and how much."""

    minutes: float
    every: float
    """Seconds from one start to the next."""
    clients: int
    seed: int
    growth: float = GROWTH
    """Most megabytes an hour by which a process may grow in the second half."""


def soak(folder: Path, effort: Effort, postgres: Postgres | None) -> Soaked:
    """Start one process after the other again, while clients are at work; look at everything at the end."""
    draw, ledger, seconds = random.Random(effort.seed), Ledger(), effort.minutes * 60
    site = Site(folder, database=f"{postgres.url}/postgres" if postgres else "")
    began = time.monotonic()
    try:
        with Memory(site, seconds) as watch, at_work(site, ledger, draw, effort.seed, effort.clients, PAUSE):
            done, longest = in_turn(restarts(site, postgres, draw), site, began + seconds, effort.every)
        ledger.problems += watch.problems(effort.growth)
        given_up, compared = look_at_all(site, ledger, COMPARED)
    finally:
        site.close()
    took = round(time.monotonic() - began, 1)
    return Soaked(took, dict(done), longest, dict(ledger.done), len(ledger.runs), given_up, compared,
                  watch.megabytes(), watch.growth(), ledger.problems)  # fmt: skip


def restarts(site: Site, postgres: Postgres | None, draw: random.Random) -> dict[str, Callable[[], object]]:
    """Return what is done in turn."""
    kinds: dict[str, Callable[[], object]] = {}
    if postgres is not None:

        def restart(end: Callable[[], None]) -> None:
            end()
            time.sleep(draw.random() * 3.0)
            postgres.start()

        kinds["PostgreSQL crashed"] = lambda: restart(postgres.crash)
        kinds["PostgreSQL ended"] = lambda: restart(postgres.stop)
    return kinds | {
        "worker ended": lambda: site.restart_worker(0, signal.SIGTERM),
        "web process ended": lambda: site.restart_web(0, signal.SIGTERM),
        "Redis killed": lambda: site.kill_redis(draw),
        "worker killed": lambda: site.restart_worker(0, signal.SIGKILL),
        "web process killed": lambda: site.restart_web(0, signal.SIGKILL),
    }


def in_turn(
    kinds: dict[str, Callable[[], object]], site: Site, until: float, every: float
) -> tuple[Counter[str], float]:
    """Start one process after the other again until a time; return how often each, and the longest seconds until all
    were at work again."""
    done: Counter[str] = Counter()
    longest = 0.0
    for name, restart in cycle(kinds.items()):
        time.sleep(max(0.0, min(every, until - time.monotonic())))
        if time.monotonic() >= until:
            return done, round(longest, 1)
        began = time.monotonic()
        restart()
        done[name] += 1
        site.settled()
        longest = max(longest, time.monotonic() - began)
    raise AssertionError("a cycle does not end")


class Memory(threading.Thread):
    """Measures the web process and the worker that live from beginning to end: the memory of their own, without tables
    that the web process keeps for the next viewer, up to a limit."""

    def __init__(self, site: Site, seconds: float):
        super().__init__(daemon=True)
        self._site, self._stopping = site, threading.Event()
        self._parent, self._worker = site.webs[LIVES], site.workers[LIVES]
        self._web = children(self._parent.pid)
        self._half = time.monotonic() + seconds / 2
        self._samples: dict[str, list[tuple[float, float]]] = {"web": [], "worker": [], "kept": []}

    def __enter__(self) -> Memory:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self.join()

    def run(self) -> None:
        while not self._stopping.wait(SAMPLE_EVERY):
            with suppress(Away):
                tables = kept(self._site.ask("GET", "/metrics", place=LIVES)[1])
                values = {"web": memory(self._web[0])[1] / 1e6 - tables, "worker": memory(self._worker.pid)[1] / 1e6,
                          "kept": tables}  # fmt: skip
                for name, value in values.items():
                    self._samples[name].append((time.monotonic(), value))

    def megabytes(self) -> dict[str, list[float]]:
        """Return the values [MB] at even intervals, the first and the last among them."""
        shares = [k / (MOMENTS - 1) for k in range(MOMENTS)]
        return {
            name: [round(some[int(share * (len(some) - 1))][1], 1) for share in shares]
            for name, some in self._samples.items()
            if some
        }

    def growth(self) -> dict[str, float]:
        """Return the growth in the second half [MB/h]."""
        return {
            name: round(slope([one for one in self._samples[name] if one[0] >= self._half]) * 3600, 1)
            for name in ("web", "worker")
        }

    def problems(self, most: float) -> list[str]:
        """Return what is wrong with the processes that live on."""
        wrong = [
            f"the {name} process grows by {grown} MB an hour" for name, grown in self.growth().items() if grown > most
        ]
        if children(self._parent.pid) != self._web or self._worker.poll() is not None:
            wrong.append("a process that was never started again has ended")
        return wrong


def main() -> int:
    """Print what was done; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=180.0)
    parser.add_argument("--every", type=float, default=60.0, help="seconds from one start to the next")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgresql", action="store_true", help="records in PostgreSQL, which is started again, too")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # leave no process behind
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        postgres = stack.enter_context(running()) if options.postgresql else None
        done = soak(folder, Effort(options.minutes, options.every, options.clients, options.seed), postgres)
    print(json.dumps(done._asdict()), flush=True)
    return 1 if done.problems else 0


if __name__ == "__main__":
    sys.exit(main())
