"""The long form: every step of every operation, then a long storm; one line of JSON.

python -m tests.chaos [--faults 400] [--seed 0] [--no-steps]
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tests.chaos.operations import OPERATIONS
from tests.chaos.steps import HOW, tried
from tests.chaos.storm import storm


def steps() -> dict[str, object]:
    """All steps; raises AssertionError at the first that leaves anything behind."""
    began, done = time.monotonic(), Counter()
    for operation in OPERATIONS:
        for how in HOW:
            with tempfile.TemporaryDirectory() as folder:
                done[how] += tried(Path(folder), operation, how, is_short=False)
    return {"faults": dict(done), "seconds": round(time.monotonic() - began, 1)}


def main() -> int:
    """Print what was done; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-steps", action="store_true")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    told: dict[str, object] = {} if options.no_steps else {"steps": steps()}
    with tempfile.TemporaryDirectory() as folder:
        report = storm(Path(folder), options.faults, options.seed)
    told["storm"] = asdict(report)
    print(json.dumps(told))
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
