"""A small site of Slurm for tests of its pages: 20 jobs of three people on 4 nodes of 2 cores, with an outage."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import numpy as np

from shadowtime.engine.workload.slurm.site.bundle import bundle

HEAD = "JobIDRaw|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|NodeList"
PEOPLE = ("ann", "bob", "eve")
BEGIN = datetime(2025, 3, 3, 9, tzinfo=UTC)
CONF = """ClusterName=lab
NodeName=n[1-4] CPUs=2 RealMemory=1000
PartitionName=batch Nodes=ALL Default=YES
PriorityType=priority/multifactor
PriorityCalcPeriod=00:01:00
PriorityMaxAge=0-03:00:00
PriorityWeightAge=1000
PriorityWeightFairshare=2000
PriorityWeightJobSize=300
TopologyPlugin=topology/tree
"""
EVENTS = """Cluster|NodeName|TimeStart|TimeEnd|State|Reason
lab|n4|2025-03-03T09:20:00|2025-03-03T10:20:00|DRAIN|fan replaced
"""


def at(second: int) -> str:
    """Return an instant as sacct prints it."""
    return f"{BEGIN + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}"


def log_of_site(n: int = 20, seed: int = 7) -> bytes:
    """Return the text of `sacct -P`; every job starts some minutes after its submission."""
    rng = np.random.default_rng(seed)
    lines = [HEAD]
    for number, submit in enumerate(np.sort(rng.integers(0, 1800, n)).tolist(), start=1):
        start, length = submit + int(rng.integers(30, 1500)), int(rng.integers(300, 1500))
        size = int(rng.choice([1, 2, 4, 6]))
        nodes = f"n[1-{-(-size // 2)}]"
        lines.append("|".join([str(number), PEOPLE[number % 3], "physics", "batch", at(submit), at(start),
                               at(start + length), str(length), "30", str(size), "COMPLETED", nodes]))  # fmt: skip
    return "\n".join(lines).encode()


def archive() -> bytes:
    """Return the log with the files of its site, as one archive."""
    return bundle(log_of_site(), {"slurm.conf": CONF.encode(), "events.psv": EVENTS.encode()})


def stream() -> io.BytesIO:
    """Return the archive as a file."""
    return io.BytesIO(archive())
