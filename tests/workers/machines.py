"""Machines that share nothing but three servers: each has folders, a user, a network and a view of the files of its
own. Where the tests may not make users and networks (they are not run by root), it has folders of its own only."""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from shadowtime.workers import processes, worker
from shadowtime.workers.redis_server import Server
from tests.ports import unused_port
from tests.workers.lab import PATHS, ROOT
from tests.workers.records import postgres, s3_server

FIRST_USER = 61_000
"""Number of the user of the first machine, which is no one's otherwise."""
FILES, NETWORK = 0x20000, 0x40000000
"""CLONE_NEWNS and CLONE_NEWNET: what a thread no longer shares with other processes."""
BIND, ALL_BELOW, PRIVATE = 0x1000, 0x4000, 0x40000
"""MS_BIND, MS_REC and MS_PRIVATE."""
SET_FLAGS, IS_UP = 0x8914, 1
"""SIOCSIFFLAGS and IFF_UP."""
LIBC = ctypes.CDLL(None, use_errno=True)


@contextmanager
def servers() -> Iterator[dict[str, str]]:
    """Run Redis, PostgreSQL and S3; yield the variables by which a machine finds them."""
    with postgres.server() as database, s3_server.server() as objects, Server(unused_port()) as redis:
        yield {
            "REDIS_URL": redis.url,
            "SHADOWTIME_DATABASE": f"{database}/postgres",
            "SHADOWTIME_BLOBS": f"{objects.make('laboratory')}/blobs",
            **objects.environment,
        }


@cache
def why_shared() -> str:
    """Return why machines cannot have users and networks of their own here; nothing if they can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can make users and networks"
    try:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(leave, FILES | NETWORK).result()
    except OSError as error:
        return f"networks cannot be made here: {error.strerror}"
    return ""


class Machine:
    """A machine that reaches the servers alone, or (`is_server`) the one on which they and the web process run."""

    def __init__(self, number: int, folder: Path, urls: Mapping[str, str], wires: Wires, *, is_server: bool = False):
        self.home = folder / f"machine-{number}"
        self.store, self.gate = self.home / "store", self.home / "gate"
        self.user = FIRST_USER + number
        self.environment = {
            **urls,
            "PATH": os.defpath,
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "PYTHONPATH": PATHS,
            "SHADOWTIME_STORE": str(self.store),
            "SHADOWTIME_CACHE": str(self.home / "cache"),
            "SHADOWTIME_TEST_GATE": str(self.gate),
            "SHADOWTIME_NICE": "0",  # tests wait for workers
        }
        self._wires = wires
        self._started: dict[subprocess.Popen, Path] = {}
        self._inside = ThreadPoolExecutor(1)
        self.home.mkdir(mode=0o700)
        copy_compiled(self.home / "cache")
        if not why_shared():
            for path in (self.home, *self.home.rglob("*")):
                if path.is_dir():
                    os.chown(path, self.user, self.user)
            self._inside.submit(self._separate, () if is_server else ports(urls)).result()

    def start(self, *command: str, **more: str) -> subprocess.Popen:
        """Start a program of this Python, with some more variables."""
        who: dict[str, Any] = {} if why_shared() else {"user": self.user, "group": self.user, "extra_groups": []}
        messages = self.home / f"messages-{len(self._started)}"
        with messages.open("w") as output:
            process = self._inside.submit(
                subprocess.Popen,
                [sys.executable, *command],
                cwd=ROOT,
                env=self.environment | more,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=processes.end_with_parent,
                **who,
            ).result()
        self._started[process] = messages
        return process

    def said(self, process: subprocess.Popen) -> str:
        """Return what a program has printed."""
        return self._started[process].read_text()

    def close(self) -> None:
        """Kill what runs."""
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._inside.shutdown()

    def _separate(self, reached: Sequence[int]) -> None:
        """Give this thread, and what it starts, files and (to reach some ports only) a network of its own."""
        leave(FILES | (NETWORK if reached else 0))
        show([Path(sys.base_prefix), Path(sys.prefix), ROOT])
        if reached:
            with socket.socket() as any_socket:
                fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh22x", b"lo", IS_UP))
        for port in reached:
            self._wires.add(port, socket.create_server(("127.0.0.1", port)))


class Wires:
    """Carries bytes from ports of the machines to the same ports of the servers."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def add(self, port: int, listener: socket.socket) -> None:
        """Carry what comes to a socket, which belongs to the network in which it was made."""
        made = asyncio.start_server(partial(self._carry, port), sock=listener)
        asyncio.run_coroutine_threadsafe(made, self._loop).result()

    def close(self) -> None:
        """Carry nothing more."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _carry(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, questions = await asyncio.open_connection("127.0.0.1", port)
        except OSError:  # the server has ended
            writer.close()
            return
        await asyncio.gather(self._pump(reader, questions), self._pump(answers, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(1 << 16):
                writer.write(piece)
                await writer.drain()
        except ConnectionError:
            pass  # a process was killed
        finally:
            writer.close()


def ports(urls: Mapping[str, str]) -> list[int]:
    """Return the ports of the servers."""
    named = (urls["REDIS_URL"], urls["SHADOWTIME_DATABASE"], urls["AWS_ENDPOINT_URL"])
    return [port for port in (urlsplit(url).port for url in named) if port]


def copy_compiled(cache: Path) -> None:
    """Give a machine the code that is compiled already, by links: compiling would take it half a minute."""
    worker.warm()
    source = Path(os.environ["NUMBA_CACHE_DIR"])
    shutil.copytree(source, cache / "shadowtime" / source.name, copy_function=_link, ignore_dangling_symlinks=True)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        return  # another process has just replaced it
    except OSError:  # another file system
        shutil.copyfile(source, target)


def leave(what: int) -> None:
    """Share something no longer with the rest of this process."""
    _checked(LIBC.unshare(what))


def show(folders: Sequence[Path]) -> None:
    """Let every user reach some folders, and nothing else of folders above them that are closed to others. Only what
    has left `FILES` sees the difference."""
    _checked(LIBC.mount(b"none", b"/", None, ALL_BELOW | PRIVATE, None))
    closed = {folder: _closed_above(folder) for folder in folders}
    opened = {folder: os.open(folder, os.O_RDONLY) for folder, above in closed.items() if above}
    for above in sorted({str(above) for above in closed.values() if above}):
        _checked(LIBC.mount(b"tmpfs", above.encode(), b"tmpfs", 0, b"mode=755"))
    for folder, fd in opened.items():
        folder.mkdir(parents=True, exist_ok=True)
        _checked(LIBC.mount(f"/proc/thread-self/fd/{fd}".encode(), str(folder).encode(), None, BIND, None))
        os.close(fd)


def _closed_above(folder: Path) -> Path | None:
    """Return the first folder on the way to another one through which other users cannot go."""
    way = [*reversed(folder.parents), folder]
    return next((one for one in way if not one.stat().st_mode & stat.S_IXOTH), None)


def _checked(code: int) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
