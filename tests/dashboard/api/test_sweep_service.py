"""A sweep while processes die: real workers, a real Redis, a real web process, all killed at random."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress

import pytest
from sqlalchemy import select

from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.connection import answers, connect
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.records import schema
from shadowtime.workers.redis_names import Names
from shadowtime.workers.redis_server import find_binary
from shadowtime.workers.store import open_store
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.local import run_sweep
from tests.dashboard.api.test_service import Web
from tests.whole import whole_or
from tests.workers.forked import Forked, work
from tests.workers.lab import PATHS, ROOT, Lab, children, wait_for
from tests.workers.sweeps.samples import asked, lines_of

pytestmark = pytest.mark.integration

RUNS = whole_or(500, 240)
SWEEP = {"workloads": ["uniform:jobs=1000"], "seeds": list(range(RUNS // 2)), "algorithms": ["easy", "fcfs"]}
KILLS = whole_or(12, 5)
PATIENCE = 300.0


def counts(lab, sweep_id):
    """From the records alone, whichever worker is alive."""
    from shadowtime.workers.sweeps.progress import ProgressCache

    sweep = lab.store.sweeps.get(sweep_id)
    return ProgressCache(lab.store).get(sweep).outcomes.counts()


@pytest.fixture
def lab(tmp_path, free_port):
    with Lab(tmp_path, free_port) as laboratory:
        laboratory.start_redis()
        yield laboratory


def test_workers_redis_and_web_killed_at_random_leave_all_right_results_none_twice(lab):
    rng = random.Random(4)
    web = Web(lab)
    status, accepted = web.ask("POST", "/api/sweeps", SWEEP)
    workers = [spawn(lab), spawn(lab)]  # afterwards: they take a second or two for all runs
    killed: Counter[str] = Counter()
    try:
        for number in range(KILLS):
            before = counts(lab, accepted["id"])["pending"]
            # Something is done between two kills, so that all of them fall into the sweep.
            wait_for(
                lambda before=before: counts(lab, accepted["id"])["pending"] < before or before == 0, "progress", 60.0
            )
            if before == 0:
                break
            victim = (
                ("worker", "redis", "web", "horse")[number % 4]
                if number < 4
                else rng.choice(("worker", "redis", "horse"))
            )
            killed[victim] += 1
            if victim == "worker":
                one = workers.pop(rng.randrange(len(workers)))
                os.kill(one.pid, signal.SIGKILL)
                one.wait()
                workers.append(spawn(lab))
            elif victim == "horse":
                for child in children(rng.choice(workers).pid):
                    with suppress(ProcessLookupError):  # it has just ended by itself
                        os.kill(child, signal.SIGKILL)
            elif victim == "redis":
                lab.kill_redis()
                time.sleep(rng.random())
                lab.start_redis()
            else:
                os.killpg(web.process.pid, signal.SIGKILL)
                web.process.wait()
        web = Web(lab) if web.process.poll() is not None else web
        reply = wait_for(lambda: finished(web, accepted["id"]), "end of the sweep", PATIENCE)
    finally:
        for one in workers:
            lab.workers.append(one)
        if web.process.poll() is None:
            web.close()
    sweep = lab.store.sweeps.get(accepted["id"])
    lines = lines_of(lab.store, sweep)
    expected = run_sweep(sweep.spec, lambda source: generate(source["generator"], source["parameters"], source["seed"]))

    assert status == 202 and sum(killed.values()) >= 4 and len(killed) == 4, killed
    assert (reply["finished"], reply["failed"], reply["runs_total"]) == (RUNS, 0, RUNS)
    assert Counter(line["index"] for line in lines) == Counter(range(RUNS))
    assert lab.store.sweeps.outcomes.after(sweep.digest)[1] == RUNS, "none was recorded twice"
    assert {line["index"]: line["metrics"] for line in lines} == {
        index: expected.of(index)["metrics"] for index in range(RUNS)
    }
    runs = lab.store.runs.digests()
    assert len(runs) == RUNS and {digest[:16] for digest in runs} == {line["run"] for line in lines}
    for line in lines[:: RUNS // 10]:
        run = lab.store.runs.get(line["run"])
        alone = execute(run.spec, load_workload(run.spec, lab.store)).schedule
        assert run.status.is_finished and run.summary["metrics"] == line["metrics"]
        assert (run.table("segments")["end"] == alone.segments["end"]).all()


def test_a_paused_sweep_stays_paused_whoever_is_restarted(lab):
    worker = lab.start_worker()
    sweep, _ = submission.accept(
        lab.store, lab.queue, asked(lab.store, **{**SWEEP, "seeds": list(range(400)), "loads": None})
    )
    wait_for(lambda: counts(lab, sweep.id)["finished"] > 0, "first results", 60.0)
    submission.pause(lab.store, lab.queue, sweep.id)
    lab.kill(worker)
    lab.kill_redis()
    lab.start_redis()
    lab.start_worker()
    paused = counts(lab, sweep.id)
    time.sleep(3.0)  # a worker looks for work every two seconds

    assert counts(lab, sweep.id) == paused and 0 < paused["finished"] < 800
    assert lab.store.sweeps.get(sweep.id).status.status == "paused"
    submission.cancel(lab.store, lab.queue, sweep.id)


def test_workers_on_machines_of_their_own_share_a_sweep(tmp_path):
    """Each has its own working folder and, where the system lets us, no network at all: what they share is a socket of
    Redis and the store."""
    binary = find_binary()
    assert binary is not None
    socket = tmp_path / "redis.sock"
    url = f"unix://{socket}?db=0"
    words = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--loglevel", "warning", "--dir", str(tmp_path)]
    redis = subprocess.Popen([str(binary), *words])
    alone = ["unshare", "--net", "--"] if can_unshare() else []
    machines = []
    try:
        wait_for(lambda: answers(url), "Redis")
        store = open_store(tmp_path / "store")
        queue = RunQueue(connect(url), Names(store.identity))
        for number in range(3):
            folder = tmp_path / f"machine{number}"
            (folder / "tmp").mkdir(parents=True)
            environment = {
                **os.environ, "SHADOWTIME_STORE": str(tmp_path / "store"), "REDIS_URL": url, "PYTHONPATH": PATHS,
                "TMPDIR": str(folder / "tmp"),
            }  # fmt: skip
            command = [*alone, sys.executable, "-m", "shadowtime.workers.worker"]
            machines.append(subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True))
        wait_for(lambda: queue.health().workers == 3, "three workers", 90.0)
        sweep, _ = submission.accept(store, queue, asked(store, **{**SWEEP, "seeds": list(range(100)), "loads": None}))
        wait_for(lambda: store.sweeps.get(sweep.id).status.status == "finished", "end of the sweep", PATIENCE)
        lines = lines_of(store, sweep)
        with store.database.read() as connection:
            names = connection.execute(select(schema.batches.c.worker)).scalars().all()
    finally:
        for machine in machines:
            os.killpg(machine.pid, signal.SIGKILL)
            machine.wait()
        redis.kill()
        redis.wait()

    assert Counter(line["index"] for line in lines) == Counter(range(200))
    assert len({name.rpartition(":")[0] for name in names}) == 3, "all three took part"
    if not alone:
        pytest.skip("shared by three workers in separate folders; network namespaces are not to be had here")


def spawn(lab):
    """A worker, not waited for."""
    return Forked(ROOT, lab.environment(), work, False)


def finished(web, sweep_id):
    reply = web.ask("GET", f"/api/sweeps/{sweep_id}?points=0")[1]
    return reply if reply["status"] == "finished" else None


def can_unshare():
    return (
        bool(shutil.which("unshare"))
        and subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode == 0
    )
