"""The long form: each fault at each step of each operation, flips in each class of bytes, then a long storm.

python -m tests.chaos [--every 1] [--most 2] [--faults 400] [--seed 0] prints a line of JSON for each part; its exit
code is 1 if anything went wrong.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.chaos.storm import storm


def lines_of(module: str, *options: str) -> tuple[bool, list[dict]]:
    """Run a part in a process of its own; return whether it went well, and what it printed."""
    done = subprocess.run([sys.executable, "-m", module, *options], stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode == 0, [json.loads(line) for line in done.stdout.splitlines()]


def summed(lines: list[dict]) -> dict[str, object]:
    """Add up what was done to all operations, or in all kinds of files."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.get("faults") or line["outcomes"])
    wrong = [one for line in lines for one in line["wrong"]]
    return {"of": len(lines), "counts": counts, "seconds": round(sum(line["seconds"] for line in lines)),
            "longest": max((line.get("longest", 0.0) for line in lines), default=0.0), "wrong": wrong}  # fmt: skip


def main() -> int:
    """Print what was done; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.splitlines()[0])
    parser.add_argument("--every", default="1", help="of all faults each so many-th")
    parser.add_argument("--most", default="2", help="places of each class of bytes")
    parser.add_argument("--faults", type=int, default=400, help="of the storm")
    parser.add_argument("--seed", type=int, default=0, help="of the storm")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    parts = {
        "steps": ("tests.chaos.steps", "--every", options.every),
        "steps, PostgreSQL": ("tests.chaos.steps", "--every", options.every, "--postgresql"),
        "flips": ("tests.chaos.flips", "--most", options.most),
    }
    is_well = True
    for name, command in parts.items():
        went_well, lines = lines_of(*command)
        is_well &= went_well and bool(lines)
        print(json.dumps({"part": name, **summed(lines)}), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = storm(Path(folder), options.faults, options.seed)
    print(json.dumps({"part": "storm", **report._asdict()}), flush=True)
    return 0 if is_well and not report.problems else 1


if __name__ == "__main__":
    sys.exit(main())
