"""A laboratory at work, processes killed and files damaged at random; at the end everything is looked at."""

from __future__ import annotations

import contextlib
import hashlib
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from shadowtime.engine.tables import Table
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.records.blobs import BlobDamaged
from shadowtime.workers.records.run import RecordRun
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import TABLES
from shadowtime.workers.store.integrity import faults
from tests.chaos.site import Away, Site
from tests.chaos.traffic import ENDED, Ledger, at_work
from tests.workers.lab import wait_for

FEW = 12
"""Runs that were accepted before the first fault: there is something to be lost."""
GIVEN_UP = "given up after "
CALM = 240.0
"""Seconds in which at least one more run that was accepted is through, once no one is killed any more."""


class Report(NamedTuple):
    """What was done, and what went wrong."""

    faults: dict[str, int]
    acts: dict[str, int]
    runs: int
    given_up: int
    """Runs whose worker was killed three times: failed with a sentence, and run when they were asked again."""
    compared: int
    problems: list[str]
    seconds: float


def storm(folder: Path, count: int, seed: int, *, clients: int = 4, pause: float = 0.6) -> Report:
    """`count` faults, one after the other, so many seconds apart on average, while clients are at work."""
    began = time.monotonic()
    draw, ledger = random.Random(seed), Ledger()
    site = Site(folder)
    try:
        with at_work(site, ledger, draw, seed, clients):
            wait_for(lambda: len(ledger.runs) >= FEW, "first runs", CALM)
            done = rage(site, ledger, draw, count, pause)
        given_up, compared = look_at_all(site, ledger)
    finally:
        site.close()
    seconds = round(time.monotonic() - began, 1)
    return Report(dict(done), dict(ledger.done), len(ledger.runs), given_up, compared, ledger.problems, seconds)


def rage(site: Site, ledger: Ledger, draw: random.Random, count: int, pause: float) -> Counter[str]:
    """So many faults, each of which hit something: each kind once, in random order, then any."""
    kinds: list[tuple[str, Callable[[], bool], int]] = [
        ("worker's child killed", lambda: site.kill_child(draw), 30),
        ("worker killed", lambda: site.kill_worker(draw), 12),
        ("web process killed", lambda: site.kill_web(draw), 6),
        ("web process's child killed", lambda: site.kill_web_child(draw), 10),
        ("Redis killed", lambda: site.kill_redis(draw), 14),
        ("worker halted", lambda: site.halt_worker(draw), 8),
        ("stored column damaged", lambda: damage(site, ledger, draw), 20),
    ]
    done: Counter[str] = Counter()
    while sum(done.values()) < count:
        left = [kind for kind in kinds if kind[0] not in done] or kinds
        ((name, fault, _),) = draw.choices(left, [weight for _, _, weight in left])
        if fault():
            done[name] += 1
            time.sleep(draw.expovariate(1 / pause))
        else:
            time.sleep(0.02)  # no one was there to be hit
    return done


def damage(site: Site, ledger: Ledger, draw: random.Random) -> bool:
    """A bit of a stored column turns, or its end is lost. A reader gets an error that names it, or the old value."""
    name = ledger.run(draw)
    if name is None:
        return False
    try:
        run = site.lab.store.runs.get(name)
        if not run.status.is_finished:
            return False
        table = draw.choice(TABLES)
        path = site.lab.store.shelf.blobs.open(run.tables[table])
        content = bytearray(path.read_bytes())
        if draw.random() < 0.5:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        else:
            del content[-draw.randrange(1, len(content)) :]
        disk.replace_file(path, bytes(content))  # another process may have mapped the file
    except (NotFound, FileNotFoundError, IndexError, BlobDamaged):  # deleted meanwhile, or damaged before
        return False
    with contextlib.suppress(Away):
        for place in range(len(site.ports)):
            site.ask("GET", f"/api/runs/{name}/{table}.csv", place=place)
    return True


def look_at_all(site: Site, ledger: Ledger, most: int | None = None) -> tuple[int, int]:
    """Wait until everything accepted is done, compare runs (`most`, else all) with themselves computed alone, end all
    processes, and check the store. Return how many runs were given up in between, and how many compared."""
    site.settled()
    given_up = calm(site, ledger)
    compared = compare(site, ledger, most)
    ledger.problems += site.stop()
    # Damage to a run that was deleted later does not count.
    ledger.problems += [str(fault) for fault in faults(site.lab.store) if fault.name not in ledger.gone]
    return given_up, compared


def calm(site: Site, ledger: Ledger) -> int:
    """Everything that was accepted ends; what was given up, or is damaged, is asked again. How many were given up."""
    left, given_up = set(ledger.runs) - ledger.gone, set()
    until = time.monotonic() + CALM
    while left:
        before = len(left)
        for name in sorted(left):
            status, reply = answer(site, "GET", f"/api/runs/{name}")
            if status == 404:
                ledger.complain(f"run {name} was accepted, and is lost")
                left.discard(name)
            elif reply["status"] == "failed":
                error = reply["error"] or ""
                if error.startswith(GIVEN_UP):
                    given_up.add(name)
                elif not reply.get("damaged"):
                    ledger.complain(f"run {name} failed: {error}")
                    left.discard(name)
                    continue
                answer(site, "POST", "/api/runs", ledger.runs[name])
            elif reply["status"] == "cancelled":
                ledger.complain(f"run {name} was cancelled by no one")
                left.discard(name)
            elif reply["status"] in ENDED:
                if site.lab.store.runs.verify(name).damaged:  # looked at for the first time since
                    continue
                left.discard(name)
        if len(left) < before:
            until = time.monotonic() + CALM
        if left and time.monotonic() > until:
            ledger.complain(f"{len(left)} runs are not through and none was for {CALM:g} s, such as {min(left)}")
            break
        time.sleep(0.2)
    return len(given_up)


def answer(site: Site, method: str, path: str, body: dict | None = None):
    """Repeat until there is an answer; no process is killed now."""
    for _ in range(50):
        with contextlib.suppress(Away):
            return site.ask(method, path, body, place=0)
        time.sleep(0.2)
    raise AssertionError(f"{method} {path} is not answered")


def compare(site: Site, ledger: Ledger, most: int | None = None) -> int:
    """Whether what is stored is what was asked for: workloads by their digest, runs computed once more (`most` of them,
    else all). Return how many were."""
    store = site.lab.store
    for name, content in ledger.workloads.items():
        if not hashlib.sha256(content).hexdigest().startswith(name):
            ledger.complain(f"workload {name} is named by another digest")
        if store.workloads.open_source(name).read() != content:
            ledger.complain(f"workload {name} is not what was sent")
    listed = Counter(run.id for run in store.runs.list(limit=1_000_000).rows)
    if extra := [name for name, n in listed.items() if n > 1]:
        ledger.complain(f"listed twice: {extra}")
    if missing := set(ledger.runs) - ledger.gone - set(listed):
        ledger.complain(f"accepted and not listed: {sorted(missing)}")
    names = sorted(set(ledger.runs) - ledger.gone)
    compared = 0
    for name in names[:most]:  # names are digests, so the first ones are like any others
        run = store.runs.get(name)
        if run.status.is_finished:
            compared += 1
            if not same(run, execute(run.spec, load_workload(run.spec, store)).schedule):
                ledger.complain(f"run {name} has other tables than when it is computed alone")
    return compared


def same(run: RecordRun, schedule: object) -> bool:
    return all(equal(run.table(name), getattr(schedule, name)) for name in TABLES)


def equal(one: Table, other: Table) -> bool:
    return all(np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f") for name in other)
