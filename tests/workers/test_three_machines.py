"""A web process on one machine and workers on two others, which share nothing but Redis, PostgreSQL and a bucket."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import numpy as np
import pytest
from sqlalchemy import func, select

from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers import recover, utc
from shadowtime.workers.connection import connect
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records import schema
from shadowtime.workers.records.runs import LEASE
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Status, store_of
from shadowtime.workers.version import engine_version
from tests.dashboard.api.test_service import Web
from tests.ports import unused_port
from tests.reading_tiles import decode
from tests.workers.lab import WEB, children, wait_for
from tests.workers.machines import Machine, Wires, ports, servers, why_shared

pytestmark = pytest.mark.integration

WORKER = ("-m", "tests.workers.machine_worker")
HOUR = 3600.0
OTHER = "0.0.9+00000000"
REQUEUED_WITHIN = 30.0
JOBS = 2000


class PageOn(Web):
    """The web process of a machine."""

    def __init__(self, machine: Machine):
        self.port = unused_port()
        self.process = machine.start(*WEB[1:], HOST="127.0.0.1", PORT=str(self.port))
        wait_for(self.answers, "web process", 60.0)

    def table(self, run: str, name: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """What the viewer is sent of a table, also while the run goes on."""
        with urlopen(f"http://127.0.0.1:{self.port}/api/runs/{run}/{name}", timeout=60) as answer:
            return decode(answer.read())


class Asked(NamedTuple):
    """A run that was asked for."""

    digest: str
    seed: int
    jobs: int = JOBS

    @property
    def id(self) -> str:
        return self.digest[:16]


class Site:
    """Three machines: `a` has the servers and the web process, `b` and `c` a worker each. The clock of `c` is an hour
    ahead. On a fourth one, `d`, two workers start that do not fit: with another engine, and without the bucket."""

    def __init__(self, folder: Path, urls: dict[str, str]):
        self.wires, self.urls = Wires(), urls
        self.a = Machine(1, folder, urls, self.wires, is_server=True)
        self.b, self.c, self.d = (Machine(number, folder, urls, self.wires) for number in (2, 3, 4))
        self.running: dict[Machine, subprocess.Popen] = {}
        self.web = PageOn(self.a)
        misfits = ({"SHADOWTIME_TEST_ENGINE": OTHER}, {"SHADOWTIME_BLOBS": ""})
        self.misfits = [self.d.start(*WORKER, **changes) for changes in misfits]
        settings = Settings.from_environment({**urls, "SHADOWTIME_STORE": str(folder / "observer")})
        self.store = store_of(settings)
        self.queue = RunQueue(connect(settings.redis_url), Names(self.store.identity))

    def start_workers(self) -> None:
        """Have a worker on `b` and on `c`."""
        for machine, more in ((self.b, {}), (self.c, {"SHADOWTIME_TEST_CLOCK": str(HOUR)})):
            machine.gate.unlink(missing_ok=True)
            if machine not in self.running or self.running[machine].poll() is not None:
                self.running[machine] = machine.start(*WORKER, **more)
        wait_for(lambda: self.queue.health().workers == 2 or self.said_by_ended(), "two workers", 60.0)
        assert not self.said_by_ended()

    def said_by_ended(self) -> list[str]:
        """What workers have printed that have ended."""
        return [machine.said(process) for machine, process in self.running.items() if process.poll() is not None]

    def ask(self, seed: int, jobs: int = JOBS) -> Asked:
        """Ask the web process for a run."""
        question = {"generator": "uniform", "parameters": {"jobs": jobs}, "seed": seed}
        workload = self.web.ask("POST", "/api/workloads", question)[1]["id"]
        status, accepted = self.web.ask("POST", "/api/runs", {"workload": workload, "algorithm": "easy"})
        assert status == 202, accepted
        return Asked(self.store.runs.get(accepted["id"]).digest, seed, jobs)

    def halted(self, *seeds: int) -> dict[Machine, Asked]:
        """Ask for two runs; return them by the machine on which each of them waits in its middle."""
        runs = [self.ask(seed) for seed in seeds]
        for run in runs:
            wait_for(lambda run=run: all(self.rows_seen(run)), "ended and open rectangles of a running run")
        by_process = {str(process.pid): machine for machine, process in self.running.items()}
        found = {by_process[self.worker(run).split(":")[1]]: run for run in runs}
        assert set(found) == {self.b, self.c}
        return found

    def worker(self, run: Asked) -> str:
        """The name of the worker that has a run."""
        with self.store.database.read() as connection:
            return connection.execute(select(schema.runs.c.worker).where(schema.runs.c.digest == run.digest)).scalar()

    def rows_seen(self, run: Asked) -> tuple[int, int]:
        """How many rectangles the web process shows: ended ones and, which are written after them, open ones."""
        header, _ = self.web.table(run.id, "segments")
        return header["rows"] - header["open"], header["open"]

    def kill(self, machine: Machine) -> None:
        """End the worker of a machine and what it executes, as when the power fails."""
        process = self.running.pop(machine)
        for pid in (process.pid, *children(process.pid)):
            os.kill(pid, signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        for machine in (self.a, self.b, self.c, self.d):
            machine.close()
        self.wires.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="shadowtime-machines-"))
    folder.chmod(0o711)
    with servers() as urls:
        made = None
        with pytest.MonkeyPatch.context() as patch:
            for name, value in urls.items():
                patch.setenv(name, value)
            try:
                made = Site(folder, urls)
                yield made
            finally:
                if made is not None:
                    made.close()
                    made.store.database.close()
                shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def working(site) -> Site:
    """The site with two workers, which halt in each run until the gate of their machine is open."""
    site.start_workers()
    return site


def finished(site: Site, run: Asked, deadline: float = REQUEUED_WITHIN) -> Status:
    """The status of a run once it has finished, with the tables that the same question gives here."""
    wait_for(lambda: not site.store.runs.get(run.digest).status.is_unfinished, "end of a run", deadline)
    status = site.store.runs.get(run.digest).status
    assert status.is_finished, status.error
    schedule = simulate(generate("uniform", {"jobs": run.jobs}, run.seed), "easy")
    for name, expected in (("jobs", schedule.jobs), ("segments", schedule.segments), ("events", schedule.events)):
        header, shown = site.web.table(run.id, name)
        assert header["status"] == "finished"
        for column, values in expected.items():
            np.testing.assert_array_equal(shown[column], values, err_msg=f"{name}.{column}")
    return status


def test_a_machine_reaches_the_servers_and_nothing_of_the_others(site):
    if why_shared():
        pytest.skip(f"the machines have folders of their own only: {why_shared()}")
    others = [str(machine.home) for machine in (site.a, site.b, site.d)]
    program = f"""
import os, socket, sys
from tests.ports import unused_port
for folder in {others!r}:
    try:
        sys.exit(f"{{folder}} can be read: {{os.listdir(folder)}}")
    except PermissionError:
        pass
for port in {ports(site.urls)!r}:
    socket.create_connection(("127.0.0.1", port), 5).close()
try:
    socket.create_connection(("127.0.0.1", {site.web.port}), 5)
except ConnectionRefusedError:
    print(os.getuid(), [name for _, name in socket.if_nameindex()])
"""
    process = site.c.start("-c", program)
    process.wait(30.0)

    assert site.c.said(process) == f"{site.c.user} ['lo']\n"


def test_runs_are_executed_elsewhere_and_can_be_watched(working):
    runs = working.halted(0, 1)
    for machine, run in runs.items():
        view = working.web.ask("GET", f"/api/runs/{run.id}/view")[1]
        header, seen = working.web.table(run.id, "segments")
        ended = header["rows"] - header["open"]
        pairs = set(zip(seen["job"][:ended], seen["start"][:ended], strict=True))
        assert view["status"] == header["status"] == "running" and header["open"] > 0 and view["frontier"] > 0
        assert not any((machine.store / "live").iterdir())
        machine.gate.touch()
        finished(working, run)
        _, drawn = working.web.table(run.id, "segments")
        assert pairs <= set(zip(drawn["job"], drawn["start"], strict=True))
        assert not {"records.sqlite", "blobs"} & set(os.listdir(machine.store))


def test_a_clock_that_is_an_hour_wrong_takes_nothing_and_is_not_shown(working):
    workers = [working.queue.connection.hgetall(key) for key in working.queue.connection.keys("rq:worker:*")]
    process = working.running[working.c]
    (born,) = (one[b"birth"].decode() for one in workers if one.get(b"pid") == str(process.pid).encode())
    ahead = (datetime.fromisoformat(born.replace("Z", "+00:00")) - utc.now()).total_seconds()
    assert abs(ahead - HOUR) < 600.0, "the clock of that machine is not wrong"
    began = utc.utc_now()
    runs = working.halted(10, 11)
    time.sleep(LEASE + 2 * recover.EVERY)
    assert [working.store.runs.get(run.digest).status.attempt for run in runs.values()] == [1, 1]

    for machine, run in runs.items():
        machine.gate.touch()
        status = finished(working, run)
        assert status.attempt == 1
        assert began <= status.accepted <= status.started <= status.ended <= utc.utc_now()


def test_a_run_of_a_machine_that_dies_is_finished_by_another_one_once(working):
    runs = working.halted(20, 21)
    working.kill(working.b)
    killed = time.monotonic()
    working.c.gate.touch()

    assert finished(working, runs[working.c]).attempt == 1
    assert finished(working, runs[working.b]).attempt == 2
    assert time.monotonic() - killed < REQUEUED_WITHIN
    with working.store.database.read() as connection:
        mine = schema.results.c.digest == runs[working.b].digest
        assert connection.execute(select(func.count()).select_from(schema.results).where(mine)).scalar_one() == 1
    assert working.queue.waiting() == [] and working.store.runs.leases() == []


def test_a_sweep_and_an_exact_bound_are_computed_elsewhere(working):
    began = utc.utc_now()
    for machine in (working.b, working.c):
        machine.gate.touch()
    run = working.ask(30, jobs=5200)
    sweep = {"workloads": ["uniform:jobs=100"], "seeds": list(range(20)), "algorithms": ["easy", "fcfs"]}
    status, accepted = working.web.ask("POST", "/api/sweeps", sweep)
    assert status == 202, accepted

    def ended() -> Any:
        answer = working.web.ask("GET", f"/api/sweeps/{accepted['id']}")[1]
        return answer if answer["status"] == "finished" else None

    def proven() -> bool:
        return working.web.ask("GET", f"/api/runs/{run.id}")[1]["summary"]["exact_bound"]["status"] == "finished"

    answer = wait_for(ended, "end of the sweep")
    assert answer["finished"] == 40 and began <= answer["accepted"] <= answer["ended"] <= utc.utc_now()
    finished(working, run)
    wait_for(proven, "exact bound")


def test_a_worker_that_does_not_fit_is_refused_in_one_line(working):
    assert [process.wait(60.0) for process in working.misfits] == [1, 1]
    assert [working.d.said(process) for process in working.misfits] == [
        f"worker: the laboratory has engine {engine_version()}, but this worker has {OTHER}: "
        "install the same version of Shadowtime\n",
        f"worker: the laboratory keeps blobs in {working.urls['SHADOWTIME_BLOBS']}, but this worker keeps them in a "
        "folder: SHADOWTIME_BLOBS must be the same\n",
    ]
    assert working.queue.health().workers == 2
