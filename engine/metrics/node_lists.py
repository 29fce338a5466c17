"""The nodes on which jobs of a log ran, as rectangles: a lane a node, nodes in the order of their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import numpy as np

from shadowtime.engine.tables import RUN, Table

MOST_PAIRS = 20_000_000
"""Jobs times nodes; beyond, no rectangles are made."""
MOST_NODES = 200_000
"""Of one list."""
PARTS = re.compile(r"(?:[^,+\[\]]|\[[^\]]*\])+")
BRACKETS = re.compile(r"\[([^\]]*)\]")
RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


def nodes_of(text: str) -> list[str]:
    """Return the names in a list of nodes, each once: `n[001-003,7],gpu1` of Slurm, `n1/0*8+n2/0*8` of PBS.

    Empty where the list cannot be read, or has more than MOST_NODES.
    """
    found: list[str] = []
    for part in PARTS.findall(text):
        pieces = BRACKETS.split(part.strip().partition("/")[0])
        choices = [_numbers(piece) if at % 2 else [piece] for at, piece in enumerate(pieces)]
        if len(found) + np.prod([len(some) for some in choices], dtype="f8") > MOST_NODES:
            return []
        found += map("".join, product(*choices))
    return list(dict.fromkeys(name for name in found if name))


def _numbers(text: str) -> list[str]:
    """Return the numbers of `001-003,7`, as wide as they are written; none where it is something else."""
    made: list[str] = []
    for piece in text.split(","):
        found = RANGE.fullmatch(piece.strip())
        if not found:
            return []
        first, last = int(found[1]), int(found[2] or found[1])
        if not 0 <= last - first < MOST_NODES:
            return []
        made += [str(number).zfill(len(found[1])) for number in range(first, last + 1)]
    return made


def rectangles(jobs: Table, texts: Sequence[str], processors: int) -> tuple[Table, int] | None:
    """Return what recorded jobs held of each node, and how many nodes there are; None where that is not known.

    A job holds its processors on all its nodes alike; a node has the mean number of processors.

    Parameters
    ----------
    jobs
        Jobs of a log with `nodes`, codes of `texts`, `recorded_start`, `recorded_end` and `processors`.
    """
    if "nodes" not in jobs or "recorded_end" not in jobs:
        return None
    known = (jobs["nodes"] >= 0) & np.isfinite(jobs["recorded_start"]) & np.isfinite(jobs["recorded_end"])
    rows = np.flatnonzero(known)
    used, which = np.unique(jobs["nodes"][rows], return_inverse=True)
    lists = [nodes_of(texts[code]) for code in used.tolist()]
    lengths = np.array([len(names) for names in lists], dtype="i8")
    many = lengths[which]
    if not len(rows) or not many.sum() or many.sum() > MOST_PAIRS:
        return None
    names = sorted({name for some in lists for name in some}, key=_order)
    place = {name: at for at, name in enumerate(names)}
    flat = np.array([place[name] for some in lists for name in some], dtype="i8")
    first = np.cumsum(lengths) - lengths
    pair = np.repeat(np.arange(len(rows)), many)
    lane = flat[np.arange(len(pair)) - np.repeat(np.cumsum(many) - many - first[which], many)]
    row = rows[pair]
    share = jobs["processors"][row] / many[pair] * len(names) / processors
    made = {"first": lane, "last": lane, "start": jobs["recorded_start"][row], "end": jobs["recorded_end"][row]}
    return {**made, "share": share, "kind": np.full(len(row), RUN, "u1")}, len(names)


def _order(name: str) -> list[tuple[int, int | str]]:
    """Return a key by which n2 comes before n10."""
    return [(0, int(piece)) if piece.isdigit() else (1, piece) for piece in re.split(r"([0-9]+)", name) if piece]
