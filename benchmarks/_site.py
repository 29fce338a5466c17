"""A real set-up to measure: Redis and gunicorn on a store of their own, without workers."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workers.redis_server import Server

ROOT = Path(__file__).resolve().parent.parent
STARTUP = 60.0


@dataclass(frozen=True)
class Site:
    """Where it answers."""

    port: int
    redis_url: str
    store: Path


@contextmanager
def serve(folder: Path) -> Iterator[Site]:
    """A web process that answers until the `with` ends."""
    with Server(free_port()) as redis:
        site = Site(free_port(), redis.url, folder / "store")
        environment = {
            **os.environ, "HOST": "127.0.0.1", "PORT": str(site.port), "REDIS_URL": site.redis_url,
            "SHADOWTIME_STORE": str(site.store),
        }  # fmt: skip
        command = [sys.executable, "-m", "gunicorn", "-c", "python:dashboard.serving", "dashboard.app:server()"]
        web = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
        try:
            wait_until_it_answers(site, web)
            yield site
        finally:
            os.killpg(web.pid, signal.SIGTERM)
            try:
                web.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(web.pid, signal.SIGKILL)
                web.wait()


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
    """The browser on PATH; None: the one that playwright installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
