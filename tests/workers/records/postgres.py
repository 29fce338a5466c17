"""Start a PostgreSQL server for the tests: from the system's packages, or from the wheel pgserver."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ports import unused_port

MISSING = (
    "no PostgreSQL server to test with: apt-get install postgresql, or pip install pgserver (Python 3.12 or older)"
)
UNPRIVILEGED = ("postgres", "nobody")


def binaries() -> Path:
    """Return the folder that holds `initdb` and `postgres`; a FileNotFoundError says what to install."""
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
    on_path = shutil.which("initdb")
    found = importlib.util.find_spec("pgserver")
    wheel = [Path(found.origin).parent / "pginstall" / "bin"] if found and found.origin else []
    for folder in (*packaged, *([Path(on_path).resolve().parent] if on_path else []), *wheel):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise FileNotFoundError(MISSING)


class Postgres:
    """A server on the loopback with a new, empty database cluster, which survives `crash` and `stop`."""

    def __init__(self, home: Path):
        self._home, self._programs, user = home, binaries(), _user()
        self._port = unused_port()
        self._as: dict[str, Any] = {"cwd": home}
        if user is not None:  # PostgreSQL refuses to run as root
            os.chown(home, user.pw_uid, user.pw_gid)
            self._as |= {"user": user.pw_uid, "group": user.pw_gid}
        subprocess.run(
            [self._programs / "initdb", "-D", home / "data", "-U", "shadowtime", "--auth=trust", "--encoding=UTF8",
             "--locale=C"],
            check=True, capture_output=True, **self._as,
        )  # fmt: skip
        self.start()

    @property
    def url(self) -> str:
        """URL of its databases, without the name of one."""
        return f"postgresql+psycopg://shadowtime@127.0.0.1:{self._port}"

    def start(self) -> None:
        """Serve, on the same port as before."""
        options = {"port": self._port, "listen_addresses": "127.0.0.1", "unix_socket_directories": self._home,
                   "fsync": "off", "max_connections": 300, "shared_buffers": "32MB"}  # fmt: skip
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._home / "data", *words],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._as,
        )  # fmt: skip
        _wait(self._process, self._port)

    def stop(self) -> None:
        """Close all connections and end in order. SIGTERM would wait for all clients."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """End at once; the next start recovers from the log."""
        self._end(signal.SIGQUIT)

    def _end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.wait(30.0)


@contextmanager
def running() -> Iterator[Postgres]:
    """Run a server, which may be ended and started again."""
    with tempfile.TemporaryDirectory(prefix="shadowtime-postgres-", ignore_cleanup_errors=True) as home:
        postgres = Postgres(Path(home))
        try:
            yield postgres
        finally:
            postgres.stop()


@contextmanager
def server() -> Iterator[str]:
    """Run a server; yield the URL of its databases, without the name of one."""
    with running() as postgres:
        yield postgres.url


def _user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in UNPRIVILEGED if name in known)


def _wait(process: subprocess.Popen, port: int) -> None:
    import psycopg

    deadline = time.monotonic() + 30.0
    while True:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="shadowtime", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            assert process.poll() is None and time.monotonic() < deadline, "PostgreSQL did not start"
            time.sleep(0.1)
