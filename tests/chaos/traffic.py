"""What people do meanwhile: upload, ask, look, follow, delete. Whatever was accepted is written into a ledger."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.chaos.site import Away, Site
from tests.reading_tiles import decode

TWO_TIERS: dict[str, Any] = {"conversions": [{"name": "two_tier", "parameters": {}}], "algorithm": "measy"}
QUESTIONS = ({"algorithm": "easy"}, {"algorithm": "fcfs"}, TWO_TIERS)
NODES = 64
COLUMNS = ("job", "first", "last", "tier", "start", "end")
LONG = 20_000
"""Jobs of a run that can be watched while it goes on."""
ENDED = ("finished", "failed", "cancelled")
AWAY = (503, 429)
"""Something is away, or busy: the client is asked to come again."""


@dataclass
class Ledger:
    """What was accepted, and what was found wrong; written by many threads."""

    workloads: dict[str, bytes] = field(default_factory=dict)
    """Content of each file by the id that it was given."""
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Question of each run by its id."""
    gone: set[str] = field(default_factory=set)
    """Ids of runs that were deleted or cancelled, or may have been: the answer was lost."""
    problems: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    long: str = ""
    """Id of the workload whose runs are followed."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    taken_back: Counter[str] = field(default_factory=Counter)
    """How often each run was about to be taken back, or the answer to that came."""

    def moment(self) -> Counter[str]:
        """Return what `accepted` compares: an answer that overlaps a taking back says nothing of the order."""
        with self.lock:
            return self.taken_back.copy()

    def accepted(self, run: str, question: dict[str, Any], before: Counter[str]) -> None:
        """Write down a run that was asked for at the moment `before`."""
        with self.lock:
            self.runs[run] = question
            if before[run] == self.taken_back[run] and before[run] % 2 == 0:
                self.gone.discard(run)

    def begins_to_take_back(self, run: str) -> bool:
        """Write down that a run is about to be taken back; return False if another client does it, or has done it."""
        with self.lock:
            if run in self.gone:
                return False
            self.gone.add(run)
            self.taken_back[run] += 1
            return True

    def has_taken_back(self, run: str, *, is_refused: bool) -> None:
        """Write down the answer. Without one the run counts as being taken back for ever."""
        with self.lock:
            self.taken_back[run] += 1
            if is_refused:
                self.gone.discard(run)

    def complain(self, sentence: str) -> None:
        with self.lock:
            self.problems.append(sentence)

    def run(self, draw: random.Random) -> str | None:
        """One of the accepted runs that no client took back."""
        with self.lock:
            known = sorted(self.runs.keys() - self.gone)
        return draw.choice(known) if known else None


def trace(draw: random.Random, jobs: int) -> bytes:
    """A log in the standard workload format."""
    lines, at = [f"; MaxProcs: {NODES}"], 0
    for number in range(1, jobs + 1):
        at += draw.randrange(20)
        size, runtime = draw.choice((1, 2, 4, 8, 16, 32)), draw.randrange(1, 900)
        lines.append(f"{number} {at} -1 {runtime} {size} -1 -1 {size} {2 * runtime} -1 1 {number % 7} 1 1 1 1 -1 -1")
    return "\n".join([*lines, ""]).encode()


@contextlib.contextmanager
def at_work(
    site: Site, ledger: Ledger, draw: random.Random, seed: int, clients: int, pause: float = 0.05
) -> Iterator[None]:
    """Let so many people work, who pause for `pause` seconds on average between two acts, until the block ends."""
    _, reply = site.upload(trace(draw, LONG), 0)
    ledger.long = reply["id"]
    stopping = threading.Event()
    people = [Client(site, ledger, stopping, seed * 100 + number, pause) for number in range(clients)]
    for person in people:
        person.start()
    try:
        yield
    finally:
        stopping.set()
        for person in people:
            person.join(60)
            if person.is_alive():
                ledger.complain(f"{person.name} hangs")


class Client(threading.Thread):
    """One person who does something at random, again and again, until `stopping`."""

    def __init__(self, site: Site, ledger: Ledger, stopping: threading.Event, seed: int, pause: float):
        super().__init__(name=f"client {seed}", daemon=True)
        self.site, self.ledger, self.stopping = site, ledger, stopping
        self.pause = pause
        """Mean seconds between two acts."""
        self.draw = random.Random(seed)

    def run(self) -> None:
        acts: list[tuple[Callable[[], None], int]] = [
            (self.upload, 3), (self.ask, 8), (self.look, 6), (self.list, 2), (self.follow, 3), (self.listen, 2),
            (self.cancel, 1), (self.delete, 1), (self.half_upload, 1),
        ]  # fmt: skip
        chosen, weights = zip(*acts, strict=True)
        while not self.stopping.is_set():
            (act,) = self.draw.choices(chosen, weights)
            try:
                act()
                self.ledger.done[act.__name__] += 1
            except Away:
                self.ledger.done["away"] += 1
                self.stopping.wait(0.05)
            except Exception as error:
                self.ledger.complain(f"{act.__name__}: {type(error).__name__}: {error}")
            self.stopping.wait(self.draw.random() * 2 * self.pause)

    def asked(self, allowed: tuple[int, ...], method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """An answer, which must be one of those; Away where the site says that something is away."""
        status, content = self.site.ask(method, path, body, place=self.draw.randrange(len(self.site.ports)))
        if status in AWAY:
            raise Away
        if status not in allowed:
            self.ledger.complain(f"{method} {path}: {status} {str(content)[:200]}")
            raise Away
        return status, content

    def upload(self) -> None:
        content = trace(self.draw, self.draw.choice((50, 300, 2000)))
        status, body = self.site.upload(content, self.draw.randrange(len(self.site.ports)))
        if status in AWAY:
            raise Away
        if status not in (200, 201) or body["jobs"] != content.count(b"\n") - 1:
            self.ledger.complain(f"upload: {status} {body}")
        else:
            with self.ledger.lock:
                self.ledger.workloads[body["id"]] = content

    def half_upload(self) -> None:
        self.site.upload(trace(self.draw, 3000), self.draw.randrange(len(self.site.ports)), half=True)

    def ask(self) -> None:
        with self.ledger.lock:
            known = sorted(self.ledger.workloads)
        if not known:
            return
        question = {"workload": self.draw.choice(known), "seed": self.draw.randrange(4)}
        self.accept({**question, **self.draw.choice(QUESTIONS)})

    def accept(self, question: dict[str, Any]) -> str:
        before = self.ledger.moment()
        _, body = self.asked((200, 202), "POST", "/api/runs", question)
        self.ledger.accepted(body["id"], question, before)
        return body["id"]

    def look(self) -> None:
        """At a run: what is shown of it must be whole."""
        run = self.ledger.run(self.draw)
        if run is None:
            return
        status, body = self.asked((200, 404), "GET", f"/api/runs/{run}")
        if status == 404:
            self.missing(run)
        elif body["status"] == "finished":
            status, content = self.asked((200, 404, 409), "GET", f"/api/runs/{run}/jobs")
            if status == 200 and not np.isfinite(decode(content)[1]["end"]).all():
                self.ledger.complain(f"run {run} is shown as finished with jobs that have not ended")

    def missing(self, run: str) -> None:
        time.sleep(1.0)  # another client may have deleted it since we chose it
        with self.ledger.lock:
            if run not in self.ledger.gone:
                self.ledger.problems.append(f"run {run} was accepted and is not known any more")

    def list(self) -> None:
        _, body = self.asked((200,), "GET", "/api/runs?limit=200")
        ids = [row["id"] for row in body["runs"]]
        if len(set(ids)) != len(ids):
            self.ledger.complain("a run is listed twice")
        self.asked((200,), "GET", "/runs")

    def cancel(self) -> None:
        self.take_back("POST", "cancel", (202, 404, 409))

    def delete(self) -> None:
        self.take_back("DELETE", "", (204, 404, 409))

    def take_back(self, method: str, act: str, allowed: tuple[int, ...]) -> None:
        run = self.ledger.run(self.draw)
        if run is None or not self.ledger.begins_to_take_back(run):  # before the request: other clients look for it
            return
        status, _ = self.asked(allowed, method, f"/api/runs/{run}/{act}".rstrip("/"))
        self.ledger.has_taken_back(run, is_refused=status == 409)

    def follow(self) -> None:
        """A new run, as the viewer does it: ask for the rectangles that have come, until it has ended."""
        if not self.ledger.long:
            return
        run = self.accept({"workload": self.ledger.long, "seed": self.draw.randrange(10**6), **TWO_TIERS})
        seen: Counter[bytes] = Counter()
        n = attempt = 0
        until = time.monotonic() + 10.0
        while time.monotonic() < until and not self.stopping.is_set():
            status, content = self.asked((200, 404, 409), "GET", f"/api/runs/{run}/segments?after={n}")
            if status != 200:
                return
            header, table = decode(content)
            if "after" not in header:
                self.compare(run, seen, table)
                return
            if header["attempt"] != attempt:
                attempt, n, seen = header["attempt"], 0, Counter()
                continue
            fresh = header["rows"] - header["open"]
            seen.update(lines(table, fresh))
            n += fresh
            self.stopping.wait(0.05)

    def compare(self, run: str, seen: Counter[bytes], table: dict[str, np.ndarray]) -> None:
        if seen - Counter(lines(table, len(table["job"]))):
            self.ledger.complain(f"run {run}: rectangles were shown that are not in the end's, or twice")

    def listen(self) -> None:
        """The live stream of a few runs: what has ended does not run again by itself."""
        runs = {run for run in (self.ledger.run(self.draw) for _ in range(4)) if run}
        place = self.draw.randrange(len(self.site.ports))
        connection = http.client.HTTPConnection("127.0.0.1", self.site.ports[place], timeout=2)
        until = time.monotonic() + 1.0
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", f"/api/live?runs={','.join(sorted(runs))}")
            answer = connection.getresponse()
            for line in answer:
                if line.startswith(b"data: ") and line.endswith(b"\n"):
                    news = json.loads(line[6:])
                    if news.get("status") == "finished" and news["progress"]["fraction"] != 1.0:
                        self.ledger.complain(f"the stream says of run {news['run']}: finished, and {news['progress']}")
                if time.monotonic() > until or self.stopping.is_set():
                    break


def lines(table: dict[str, np.ndarray], n: int) -> list[bytes]:
    """The first rows of a table of rectangles, each as something that can be counted."""
    whole = np.stack([np.asarray(table[name][:n], np.float64) for name in COLUMNS], axis=1)
    return [row.tobytes() for row in whole]
