"""Measure health checks of the web process during the upload of a log of 50 MB.

`python -m benchmarks.upload`. A real gunicorn and Redis; one client uploads the file, and another sends a health check
every 20 ms from the first byte to the answer.
"""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from benchmarks import emit
from benchmarks._site import Site, serve

BYTES = 50_000_000
EVERY = 0.02
LIMIT_MS = 100.0


def main() -> int:
    """Measure, print, and return 0 when the limit is met."""
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as site:
        path = Path(folder) / "large.swf"
        jobs = write_log(path)
        quiet = [health_check(site) for _ in range(50)]
        done = threading.Event()
        answer: dict = {}

        def send() -> None:
            began = time.perf_counter()
            answer.update(upload(site, path), seconds=time.perf_counter() - began)
            done.set()

        threading.Thread(target=send).start()
        meanwhile = []
        while not done.is_set():
            meanwhile.append(health_check(site))
            time.sleep(EVERY)
        figures = {
            "bytes": path.stat().st_size,
            "jobs": jobs,
            "kept_jobs": answer["jobs"],
            "upload_s": round(answer["seconds"], 2),
            "checks": len(meanwhile),
            "quiet_p95_ms": percentile(quiet, 95),
            "health_p50_ms": percentile(meanwhile, 50),
            "health_p95_ms": percentile(meanwhile, 95),
            "health_max_ms": percentile(meanwhile, 100),
        }
    return emit("upload", figures, {"health_max_ms": LIMIT_MS})


def write_log(path: Path) -> int:
    """Write a log of random jobs of about 50 MB; return the number of jobs."""
    rng = np.random.default_rng(1)
    line = "{} {} -1 {} {} -1 -1 {} {} -1 1 {} -1 -1 -1 -1 -1 -1\n"
    n, written, now = 0, 0, 0
    with path.open("w", encoding="ascii") as file:
        written += file.write("; MaxProcs: 1024\n")
        while written < BYTES:
            runtimes, sizes = rng.integers(1, 86_400, 10_000), 2 ** rng.integers(0, 9, 10_000)
            texts = []
            for runtime, size in zip(runtimes.tolist(), sizes.tolist(), strict=True):
                n, now = n + 1, now + 30
                texts.append(line.format(n, now, runtime, size, size, 2 * runtime, n % 400))
            written += file.write("".join(texts))
    return n


def upload(site: Site, path: Path) -> dict:
    """Upload the file as a browser does, from disk in pieces."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="large.swf"\r\n\r\n'
    tail = b"\r\n--b--\r\n"
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    connection.putrequest("POST", "/api/workloads")
    connection.putheader("Content-Type", "multipart/form-data; boundary=b")
    connection.putheader("Content-Length", str(len(head) + path.stat().st_size + len(tail)))
    connection.endheaders()
    connection.send(head)
    with path.open("rb") as file:
        while piece := file.read(1_000_000):
            connection.send(piece)
    connection.send(tail)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    if answer.status != 201:
        raise SystemExit(f"the upload was answered {answer.status}: {body}")
    return body


def health_check(site: Site) -> float:
    """Return the milliseconds of one health check on a connection of its own."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, answer.status
    return (time.perf_counter() - began) * 1000


def percentile(values: list[float], percent: int) -> float:
    """Return the percentile of at least one value, rounded to 0.1."""
    if percent == 100:
        return round(max(values), 1)
    return round(statistics.quantiles(values, n=100, method="inclusive")[percent - 1], 1)


if __name__ == "__main__":
    sys.exit(main())
