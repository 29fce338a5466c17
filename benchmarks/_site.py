"""Start a real site to measure: Redis and gunicorn with a new store, without workers."""

from __future__ import annotations

import http.client
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from shadowtime.dashboard.cli.services import read_procfile
from shadowtime.workers.redis_server import Server, free_port

ROOT = Path(__file__).resolve().parent.parent
STARTUP = 60.0


@dataclass(frozen=True)
class Site:
    """Address and processes of the site."""

    port: int
    redis_url: str
    store: Path
    environment: Mapping[str, str]
    """Environment variables of its processes."""
    redis: int
    """Process id."""
    web: int = 0
    """Process id of gunicorn; the serving processes are its children."""


@contextmanager
def serve(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[Site]:
    """Serve until the `with` block ends; `settings`: additional environment variables."""
    with Server(free_port()) as redis:
        port, store = free_port(), folder / "store"
        environment = {
            **os.environ, "SHADOWTIME_MAX_STREAMS": "0", **(settings or {}), "HOST": "127.0.0.1", "PORT": str(port),
            "REDIS_URL": redis.url, "SHADOWTIME_STORE": str(store),
        }  # fmt: skip
        assert redis.process is not None
        site = Site(port, redis.url, store, environment, redis.process.pid)
        command = [sys.executable, "-m", *shlex.split(read_procfile(ROOT / "Procfile")["web"])]
        web = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
        try:
            wait_until_it_answers(site, web)
            yield replace(site, web=web.pid)
        finally:
            os.killpg(web.pid, signal.SIGTERM)
            try:
                web.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(web.pid, signal.SIGKILL)
                web.wait()


@contextmanager
def workers(site: Site, number: int = 2) -> Iterator[list[int]]:
    """Yield the process ids of workers that execute runs until the `with` block ends; each leads a session, as under
    `shadowtime up`."""
    command = [sys.executable, "-m", "shadowtime.workers.worker"]
    started = [
        subprocess.Popen(command, cwd=ROOT, env={**site.environment}, start_new_session=True) for _ in range(number)
    ]
    try:
        yield [worker.pid for worker in started]
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            try:
                worker.wait(10)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()


def wait_until_it_answers(site: Site, web: subprocess.Popen) -> None:
    deadline = time.monotonic() + STARTUP
    while True:
        if web.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("the web process does not answer; the lines above say why")
        try:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)


def chromium() -> str | None:
    """Return the browser on PATH; None: the one that playwright installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
