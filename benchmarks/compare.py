"""Measure the present tree beside another commit, in turns on the same machine, so that a slowdown is seen.

`python -m benchmarks.compare [COMMIT] [benchmark ...]`, with SHADOWTIME_TRACES set; the last release by default. Each
version runs in a scratch environment of its own with the same libraries. Figures are processor seconds (elapsed ones
where the name says so), the least of all turns; a ratio below 1 says that the present tree is faster.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import emit, traces
from benchmarks._compare import BENCHMARKS
from benchmarks._versions import RELEASE, ROUNDS, in_turns

SLOWER = 1.1
"""A ratio above it is a slowdown: repeated turns of one version differ by less on a quiet machine."""


def main() -> int:
    """Measure, print, and return 0 when nothing became slower."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("commit", nargs="?", default=RELEASE, help=f"the other version ({RELEASE}, the last release)")
    parser.add_argument("benchmarks", nargs="*", metavar="benchmark", help=f"all by default: {', '.join(BENCHMARKS)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each version ({ROUNDS})")
    given = parser.parse_args()
    if unknown := set(given.benchmarks) - set(BENCHMARKS):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    traces()
    with tempfile.TemporaryDirectory() as folder:
        names = given.benchmarks or list(BENCHMARKS)
        ours, other, ratios = in_turns("_compare.py", given.commit, Path(folder), names, given.rounds)
    figures = {"commit": given.commit, "ours": ours, "other": other, "ratio": ratios, **ratios}
    return emit("compare", figures, dict.fromkeys(ratios, SLOWER))


if __name__ == "__main__":
    sys.exit(main())
