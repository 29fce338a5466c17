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


@contextmanager
def server() -> Iterator[str]:
    """Run a server on the loopback; yield the URL of its first database, without the database's name."""
    folder, home = binaries(), Path(tempfile.mkdtemp(prefix="shadowtime-postgres-"))
    user = _user()
    if user is not None:  # PostgreSQL refuses to run as root
        os.chown(home, user.pw_uid, user.pw_gid)
    more = {"user": user.pw_uid, "group": user.pw_gid, "cwd": home} if user is not None else {"cwd": home}
    data, port = home / "data", unused_port()
    subprocess.run(
        [folder / "initdb", "-D", data, "-U", "shadowtime", "--auth=trust", "--encoding=UTF8", "--locale=C"],
        check=True, capture_output=True, **more,
    )  # fmt: skip
    options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": home, "fsync": "off",
               "max_connections": 300, "shared_buffers": "32MB"}  # fmt: skip
    words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    process = subprocess.Popen(
        [folder / "postgres", "-D", data, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more
    )
    try:
        _wait(process, port)
        yield f"postgresql+psycopg://shadowtime@127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)  # SIGTERM would wait for all clients
        process.wait(30.0)
        shutil.rmtree(home, ignore_errors=True)


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
