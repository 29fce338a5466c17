"""Measure how fast and in how much memory large logs are read, each in a process of its own.

`python -m benchmarks.reading [--jobs N]`. Ten million lines of `sacct -P`, a table and a log of the archive repeated
until it is as long, all generated and gone afterwards. The baseline is a walk over the bytes of the same file that only
counts lines; `ratio` is the time of the reader over that.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import emit

JOBS = 10_000_000
BLOCK = 500_000
LIMIT_S, LIMIT_GB = 10.0, 2.0
"""Targets for ten million lines of sacct."""
HEADER = "JobIDRaw|User|Account|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqMem|NodeList"
ARCHIVE = "KTH-SP2-1996-2.1-cln.swf.gz"
READ = """
import json, resource, sys, time
from shadowtime.engine.workload.reading import read
with open(sys.argv[1], "rb") as stream:
    import pyarrow, pyarrow.csv, pyarrow.compute
    from shadowtime.engine.workload import swf
    swf.warm()
    begun, cpu = time.perf_counter(), time.process_time()
    jobs = len(read(stream, "log"))
    taken, cpu = time.perf_counter() - begun, time.process_time() - cpu
print(json.dumps([jobs, taken, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))
"""


def main() -> int:
    """Measure, print, and return 0 when the targets are met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading")
    parser.add_argument("--jobs", type=int, default=JOBS)
    jobs = parser.parse_args().jobs
    figures: dict[str, object] = {"jobs": jobs}
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("sacct", write_sacct), ("table", write_table), ("swf", write_swf)):
            path = Path(folder) / name
            if not write(path, jobs):
                continue
            figures |= {f"{name}_{what}": value for what, value in measure(path).items()}
            path.unlink()
    share = jobs / JOBS
    return emit("reading", figures, {"sacct_s": LIMIT_S * share, "sacct_gb": max(LIMIT_GB * share, 0.5)})


def measure(path: Path) -> dict[str, float]:
    """Return seconds, their ratio to counting lines, peak memory, and bytes a job of one file."""
    begun = time.perf_counter()
    with path.open("rb") as stream:
        while piece := stream.read(2_000_000):
            piece.count(b"\n")
    counting = time.perf_counter() - begun
    answer = subprocess.run(
        [sys.executable, "-c", READ, str(path)], check=True, capture_output=True, text=True, env={**os.environ}
    )
    jobs, taken, cpu, peak = json.loads(answer.stdout)
    return {
        "s": round(taken, 2),
        "cpu_s": round(cpu, 2),
        "mb_per_s": round(path.stat().st_size / 1e6 / cpu, 1),
        "ratio": round(taken / counting, 1),
        "gb": round(peak / 1e9, 2),
        "bytes_a_job": round(peak / jobs),
        "file_gb": round(path.stat().st_size / 1e9, 2),
    }


def blocks(jobs: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield numbers, submissions, starts, ends, sizes, limits and users of jobs, the same in every call."""
    rng = np.random.default_rng(1)
    for first in range(0, jobs, BLOCK):
        n = min(BLOCK, jobs - first)
        submit = 1_700_000_000 + 3 * np.arange(first, first + n)
        start = submit + rng.integers(0, 40_000, n)
        limit = 30 * rng.integers(1, 96, n)
        end = start + np.maximum(1, (60 * limit * rng.random(n)).astype("i8"))
        yield (
            np.arange(first + 1, first + n + 1),
            submit,
            start,
            end,
            2 ** rng.integers(0, 9, n),
            limit,
            rng.integers(0, 900, n),
        )


def dates(seconds: np.ndarray) -> list[str]:
    """Return instants as sacct writes them."""
    return np.datetime_as_string(seconds.astype("M8[s]")).tolist()


def write_sacct(path: Path, jobs: int) -> bool:
    """Write jobs as `sacct -P` prints them."""
    with path.open("w", encoding="ascii") as file:
        file.write(HEADER + "\n")
        for number, submit, start, end, size, limit, user in blocks(jobs):
            columns = (number.tolist(), user.tolist(), dates(submit), dates(start), dates(end),
                       (end - start).tolist(), limit.tolist(), size.tolist())  # fmt: skip
            file.writelines(
                f"{n}|user{u}|group{u % 40}|part{u % 5}|COMPLETED|{s}|{a}|{e}|{r}|{t}|{c}|{c * 4}G|n[{u}-{u + c}]\n"
                for n, u, s, a, e, r, t, c in zip(*columns, strict=True)
            )
    return True


def write_table(path: Path, jobs: int) -> bool:
    """Write jobs as a table with commas, its instants as seconds."""
    with path.open("w", encoding="ascii") as file:
        file.write("job_id,user,queue,submit_time,start_time,end_time,walltime,cores\n")
        for number, submit, start, end, size, limit, user in blocks(jobs):
            columns = [one.tolist() for one in (number, user, submit, start, end, 60 * limit, size)]
            file.writelines(
                f"{n},user{u},part{u % 5},{s},{a},{e},{t},{c}\n" for n, u, s, a, e, t, c in zip(*columns, strict=True)
            )
    return True


def write_swf(path: Path, jobs: int) -> bool:
    """Write a log of the archive as often as needed; False where there is none."""
    source = Path(os.environ.get("SHADOWTIME_TRACES", "")) / ARCHIVE
    if not source.is_file():
        return False
    text = gzip.decompress(source.read_bytes())
    times, rest = divmod(jobs, sum(not line.startswith(b";") for line in text.splitlines()))
    with path.open("wb") as file:
        for _ in range(times + bool(rest)):
            file.write(text)
    return True


if __name__ == "__main__":
    sys.exit(main())
