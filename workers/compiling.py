"""Compile in good time: what is common at install, or beside the first runs of a worker; the rest in the first run
that needs it, which then says so."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from shadowtime.engine.errors import QuestionError
from shadowtime.engine.kernel import code
from shadowtime.engine.registry import find
from shadowtime.workers.small import JOBS

PLACE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Part:
    """Code that is compiled together."""

    name: str
    which: str
    """The function that is compiled last, as `code.is_kept` takes it."""
    seconds: float
    """Seconds of one processor that it takes."""


COMMON = (
    Part("FCFS", "shadowtime.engine.bounds.cut_repair:outline", 20.0),
    Part("EASY", "shadowtime.engine.families.rigid.policies.easy:run_easy", 4.0),
    Part("large tables", "shadowtime.engine.kernel.ordering:find", 2.0),
    Part("reading logs", "shadowtime.engine.workload.swf_scan:scan", 2.0),
)
"""What most first runs need, the kernel and the bounds with the first of them."""


@dataclass(frozen=True)
class Start:
    """How far workers that start have come."""

    done: int
    of: int
    seconds_left: float

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def missing() -> list[Part]:
    """Return what is common and not compiled on this machine yet."""
    return [part for part in COMMON if not code.is_kept(part.which)]


def start() -> Start:
    """Return how much of what is common is compiled on this machine."""
    left = missing()
    return Start(len(COMMON) - len(left), len(COMMON), sum(part.seconds for part in left))


def seconds(algorithm: str, jobs: int, parameters: Mapping[str, Any] | None = None) -> float:
    """Return about how long the first run of an algorithm compiles here [s]; 0 when nothing is left to compile.

    Runs of few jobs count as those that need no compiled code; parameters: None for the defaults.
    """
    return 0.0 if jobs <= JOBS else _seconds(algorithm, parameters)


def is_missing(algorithm: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether code of a run is not compiled on this machine yet."""
    return _seconds(algorithm, parameters) > 0.0


def _seconds(algorithm: str, parameters: Mapping[str, Any] | None) -> float:
    try:
        entry = find(algorithm)
    except QuestionError:
        return 0.0  # of a package that is not installed any more
    return entry.runner.compile_seconds(entry.defaults if parameters is None else parameters)


def compile_common(report: Callable[[Part], None] = lambda part: None) -> None:
    """Compile what is common and missing, in turn with the other processes of this machine."""
    for part in COMMON:
        with code.turn():
            if not code.is_kept(part.which):
                report(part)
                _compile(part)


def _compile(part: Part) -> None:
    from shadowtime.engine.workload import swf
    from shadowtime.workers.warm import load, warm_ordering

    if part.name == "large tables":
        warm_ordering()
    elif part.name == "reading logs":
        swf.warm()
    else:
        load(part.name.lower())


class Compiler:
    """A child process that compiles what is common; its parent forks runs without compiled code meanwhile."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def is_over(self) -> bool:
        """Start the child if there is none; return whether all is compiled, or the child has ended in vain."""
        if self._child is None:
            self._child = subprocess.Popen([sys.executable, "-m", "shadowtime.workers.compiling"], cwd=PLACE)
        return self._child.poll() is not None


def main() -> int:
    """Compile what is common, and print which part."""
    from shadowtime.workers import processes

    processes.end_with_parent()
    compile_common(lambda part: print(f"compiling {part.name}: once, about {part.seconds:.0f} s", flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
