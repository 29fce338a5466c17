"""The long form: `python -m tests.fuzz --seconds 60`, or of some targets alone.

Prints a line for each, and what was found; exit status 1 when something was.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz import counting

KEPT = Path(".fuzz")
"""Inputs that found something new, from which the next call goes on."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the parsers of what is sent.")
    parser.add_argument("targets", nargs="*", help="all where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="of each target")
    parser.add_argument("--runs", type=int, default=-1, help="inputs of each target at most")
    parser.add_argument("--seed", type=int, default=0, help="of the changes; another one each time where it is 0")
    parser.add_argument("--kept", type=Path, default=KEPT, help="folder of inputs that found something new")
    asked = parser.parse_args()
    if not counting.is_possible():
        print("atheris is not here (it needs Linux on x86-64 and Python 3.13 or older)", file=sys.stderr)
        return 2
    with counting.counted():
        from tests.fuzz import running
        from tests.fuzz.targets import TARGETS
    unknown = [name for name in asked.targets if name not in TARGETS]
    if unknown:
        print(f"unknown target {unknown[0]!r}; known: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    chosen = [TARGETS[name] for name in asked.targets or TARGETS]
    effort = running.Effort(asked.seconds, asked.runs, asked.seed or int(time.time()))
    found = []
    for tried in running.run(chosen, effort, asked.kept):
        running.report(tried)
        found.append(tried)
    faults = sum(bool(tried.fault) for tried in found)
    print(f"{len(found)} targets, {sum(tried.inputs for tried in found):,} inputs, {faults} faults, seed {effort.seed}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
