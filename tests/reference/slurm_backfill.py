"""One pass of Slurm's backfill, from the jobs that run, as found from the records in `tests/data/slurm`."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise

from tests.data.slurm.records import Request
from tests.reference.slurm_nodes import Node, choose


@dataclass(frozen=True)
class Running:
    """A job that holds cores until its planned end [s of the epoch]."""

    request: Request
    cores: dict[int, int]
    end: int


@dataclass
class Interval:
    """A time in which these nodes are not reserved."""

    begin: int
    end: int
    free: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """Where and when a job would start, and what was met on the way: each retry with its instant."""

    start: int
    nodes: frozenset[int]
    retries: tuple[tuple[str, int], ...]


def take(nodes: dict[int, Node], request: Request, cores: dict[int, int], sign: int) -> None:
    """Take the cores, memory and GPUs of a job from its nodes, or give them back with sign = +1."""
    for number, count in cores.items():
        nodes[number].cores += sign * count
        nodes[number].gpus += sign * request.gpus
        nodes[number].memory += sign * (request.memory or request.core_memory * count)


def groups(jobs: list[Running], free: frozenset[int]) -> list[list[Running]]:
    """Return the jobs on these nodes in groups by planned end, whose width doubles from 30 s.

    Whether a group is full is asked after a job on these nodes, about the next job on any nodes.
    """
    jobs = sorted(jobs, key=lambda job: job.end)
    found: list[list[Running]] = [[]]
    width, bound = 30, 0
    for job, after in zip(jobs, [*jobs[1:], None], strict=True):
        if not free & job.cores.keys():
            continue
        bound = bound or (job.end // 30 + 1) * 30
        found[-1].append(job)
        if after is not None and after.end > bound + width:
            found.append([])
            while after.end > bound + width:
                width *= 2
    return [group for group in found if group]


@dataclass
class Pass:
    """A pass that begins at `now`, with what is free now and what runs."""

    now: int
    nodes: dict[int, Node]
    running: list[Running]
    window: int
    resolution: int
    intervals: list[Interval] = field(init=False)

    def __post_init__(self) -> None:
        self.intervals = [Interval(self.now, self.now + self.window, frozenset(self.nodes))]

    def candidates(self, allowed: frozenset[int], begin: int, seconds: int) -> tuple[frozenset[int], int | None]:
        """Return the nodes that are free of reservations for so long, and the next instant worth a try."""
        free, later = allowed, None
        for interval, after in zip(self.intervals, [*self.intervals[1:], None], strict=True):
            if interval.end <= begin:
                continue
            if interval.begin <= begin + seconds:
                free &= interval.free
            if later is None and after is not None and not (after.free & allowed) <= free:
                later = interval.end
        return free, later

    def earliest(self, request: Request, free: frozenset[int]) -> tuple[int, dict[int, int]] | None:
        """Return when the request fits on these nodes, and the cores it would take."""
        nodes = {number: copy(self.nodes[number]) for number in free}
        chosen = choose(request, nodes)
        if chosen is not None:
            return self.now, chosen
        for group in groups(self.running, free):
            for job in group:
                take(nodes, job.request, {number: n for number, n in job.cores.items() if number in free}, 1)
            chosen = choose(request, nodes)
            if chosen is not None:
                return max(self.now + 1, group[-1].end), chosen
        return None

    def plan(self, request: Request, allowed: frozenset[int]) -> Plan | None:
        """Return the start and the nodes that a job is given, or None if it is given none."""
        seconds, begin = 60 * request.minutes, self.now
        retries: list[tuple[str, int]] = []
        while True:
            free, later = self.candidates(allowed, begin, seconds)
            found = self.earliest(request, free)
            if found is None or (later is not None and max(found[0], begin) > later):
                if later is None:
                    return None
                begin = later
                retries.append(("later", later))
                continue
            start, chosen = max(found[0], begin), frozenset(found[1])
            if start > self.now and self.meets(start, seconds, chosen):
                if start == begin:
                    return None
                begin = start
                retries.append(("overlap", start))
                continue
            return Plan(start, chosen, tuple(retries))

    def rounded(self, start: int, seconds: int) -> tuple[int, int]:
        down = self.resolution
        begin, end = start // down * down, (start + seconds) // down * down
        return begin, max(end, begin + down)

    def meets(self, start: int, seconds: int, chosen: frozenset[int]) -> bool:
        begin, end = self.rounded(start, seconds)
        return any(one.begin < end and one.end > begin and not chosen <= one.free for one in self.intervals)

    def reserve(self, start: int, seconds: int, chosen: frozenset[int]) -> None:
        """Take whole nodes out of every interval that the reservation meets."""
        begin, end = self.rounded(start, seconds)
        parts: list[Interval] = []
        for one in self.intervals:
            cuts = sorted({one.begin, one.end, *(t for t in (begin, end) if one.begin < t < one.end)})
            for a, b in pairwise(cuts):
                parts.append(Interval(a, b, one.free - chosen if a >= begin and b <= end else one.free))
        self.intervals = parts

    def start(self, request: Request, cores: dict[int, int]) -> None:
        """Start a job now; one that asked for whole nodes is also in the list of reservations."""
        if request.exclusive:
            self.reserve(self.now, 60 * request.minutes, frozenset(cores))
        take(self.nodes, request, cores, -1)
        self.running.append(Running(request, cores, self.now + 60 * request.minutes))


def node_numbers(text: str) -> frozenset[int]:
    """Return the numbers of `n[001-003,007]` or `n007`."""
    found: set[int] = set()
    for part in text.removeprefix("n").strip("[]").split(","):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)
