"""Reads a record that `record.py` wrote."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent


class Event(NamedTuple):
    """A row of loops.psv.gz."""

    time: float
    loop: str
    event: str
    job: str
    detail: str


def instant(text: str) -> float | None:
    """Return seconds of the epoch of what sacct prints; None where it prints a word."""
    return datetime.fromisoformat(text).timestamp() if text[:1].isdigit() else None


class Record:
    """One folder, with its tables read when they are used."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / name
        asked = json.loads((self.folder / "asked.json").read_text())
        self.asked: list[dict[str, Any]] = asked["jobs"]
        self.jobs = {job["job"]: job for job in [*asked["history"], *asked["jobs"]] if "job" in job}
        self.sacct = {row["JobID"]: row for row in self.table("sacct.psv") if "." not in row["JobID"]}
        self.cores: dict[str, dict[str, list[int]]] = json.loads((self.folder / "cores.json").read_text())
        self.conf = dict(re.findall(r"^(\w+)=(.*)$", (self.folder / "slurm.conf").read_text(), re.MULTILINE))
        self.scheduler = dict(re.findall(r"(\w+)=(\d+)", self.conf["SchedulerParameters"]))
        self.partitions = self.nodes_of_partitions()

    def nodes_of_partitions(self) -> dict[str, range]:
        """Return the numbers of each partition's nodes; the default partition also has the empty name."""
        found = {}
        for line in (self.folder / "slurm.conf").read_text().splitlines():
            named = re.match(r"PartitionName=(\w+) Nodes=(?:ALL|n\[(\d+)-(\d+)\])( Default=YES)?", line)
            if named:
                found[named[1]] = range(int(named[2] or 1), int(named[3] or 32) + 1)
                if named[4]:
                    found[""] = found[named[1]]
        return found

    def text(self, name: str) -> str:
        return gzip.decompress((self.folder / f"{name}.gz").read_bytes()).decode()

    def table(self, name: str) -> list[dict[str, str]]:
        head, *lines = self.text(name).splitlines()
        names = head.split("|")
        return [dict(zip(names, line.split("|", len(names) - 1), strict=True)) for line in lines]

    def events(self) -> Iterator[Event]:
        for line in self.text("loops.psv").splitlines()[1:]:
            time, *rest = line.split("|", 4)
            yield Event(float(time), *rest)

    def passes(self, loop: str) -> list[list[Event]]:
        """Return the events of each pass of a loop, each list with the pass itself first."""
        found: list[list[Event]] = []
        for event in self.events():
            if event.loop != loop:
                continue
            if event.event == "pass":
                found.append([])
            if found:
                found[-1].append(event)
        return found

    def request(self, job: str) -> Request:
        """Return what a job asked; of a task of an array, what the array asked."""
        return Request.read(self.jobs[re.split(r"[_(]", job)[0]]["options"])


class Request(NamedTuple):
    """What a job asks of the nodes."""

    tasks: int
    threads: int
    nodes: int | None
    per_node: int | None
    exclusive: bool
    memory: int | None
    """Of each node [MB]."""
    core_memory: int
    gpus: int
    """Of each node."""
    minutes: int
    partition: str

    @property
    def cpus(self) -> int:
        return self.tasks * self.threads

    @staticmethod
    def read(options: list[str]) -> Request:
        line = " " + " ".join(options)

        def number(pattern: str) -> int | None:
            found = re.search(rf" {pattern}(\d+)", line)
            return int(found[1]) if found else None

        nodes, per_node = number("-N"), number("--ntasks-per-node=")
        partition = re.search(r" -p (\w+)", line)
        return Request(
            tasks=number("-n") or (nodes or 1) * (per_node or 1),
            threads=number("-c") or 1,
            nodes=nodes,
            per_node=per_node,
            exclusive="--exclusive" in line,
            memory=number("--mem="),
            core_memory=number("--mem-per-cpu=") or 1000,
            gpus=number("--gres=gpu:") or 0,
            minutes=number("-t") or 0,
            partition=partition[1] if partition else "",
        )


@cache
def record(name: str) -> Record:
    return Record(name)
