"""Which nodes Slurm's consumable resources give a job, found from the records in `tests/data/slurm`."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.data.slurm.records import Request


@dataclass
class Node:
    """What is free on a node."""

    cores: int
    memory: float
    gpus: int = 0
    all_memory: float = field(init=False)

    def __post_init__(self) -> None:
        self.all_memory = self.memory

    def usable(self, request: Request, of_node: int = 4) -> int:
        """Return how many cores a job of this request may use here, in whole tasks."""
        cores = self.cores
        if request.exclusive and (cores < of_node or self.memory < self.all_memory):
            return 0
        if self.gpus < request.gpus or (request.memory or 0) > self.memory:
            return 0
        if request.memory is None:
            cores = min(cores, int(self.memory // request.core_memory))
        cores -= cores % request.threads
        least = request.cpus if request.nodes == 1 else (request.per_node or 0) * request.threads
        return cores if cores >= least else 0


def runs(numbers: list[int]) -> list[list[int]]:
    """Return runs of consecutive numbers."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def choose(request: Request, nodes: dict[int, Node]) -> dict[int, int] | None:
    """Return the cores taken on each node, or None if the request does not fit on these nodes now.

    As long as it does not fit, the nodes with the fewest usable cores are left out.
    """
    usable = {number: node.usable(request) for number, node in nodes.items()}
    for few in range(max(usable.values(), default=0)):
        taken = fill(request, {number: cores for number, cores in usable.items() if cores > few})
        if taken is not None:
            return taken
    return None


def fill(request: Request, usable: dict[int, int]) -> dict[int, int] | None:
    """Return the cores taken on each node of those with so many usable cores, run after run."""
    most = (request.per_node or request.cpus) * request.threads if request.per_node else request.cpus
    rest, least, may = request.cpus, request.nodes or 1, request.nodes or len(usable)
    taken: dict[int, int] = {}
    left = runs(list(usable))

    def worth(run: list[int]) -> tuple[bool, int]:
        cores = sum(usable[number] for number in run)
        enough = cores >= rest and len(run) >= least
        return not enough, cores if enough else -cores

    while left and (rest > 0 or least > 0) and may > 0:
        run = min(left, key=worth)
        left.remove(run)
        holding = [number for number in run if usable[number] >= rest]
        if holding and least <= 1:
            fewest = holding[0] if request.gpus else min(holding, key=lambda number: (usable[number], number))
            run = [fewest]
        for number in run:
            if (rest <= 0 and least <= 0) or may <= 0:
                break
            if may == 1 and usable[number] < rest:
                continue
            cores = min(usable[number], most, max(request.threads, rest - max(0, least - 1) * request.threads))
            taken[number] = cores
            rest, least, may = rest - cores, least - 1, may - 1
    return taken if rest <= 0 and least <= 0 else None
