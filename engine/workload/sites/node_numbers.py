"""Numbers of the nodes that a log names."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shadowtime.engine.workload.sites.hosts import hosts, natural


def numbered(texts: Iterable[str]) -> tuple[list[np.ndarray], int]:
    """Return the numbers of the nodes that each text lists, in its order, i8, and how many nodes all texts name.

    Nodes have the numbers from 0 on, in natural order of their names; n01 comes before n1.
    """
    lists = [hosts(text) for text in texts]
    names = sorted({name for one in lists for name in one}, key=lambda name: (natural(name), name))
    number = {name: at for at, name in enumerate(names)}
    return [np.array([number[name] for name in one], "i8") for one in lists], len(names)
