"""Lanes of jobs whose nodes are known."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating


@allocating
def lanes_of(order, start, end, place, many, nodes, cores, first, edges):
    """Return the lanes of all pieces: on each of its nodes a piece takes the lowest lanes that are free.

    Parameters
    ----------
    order
        The pieces by start.
    start, end
        Of each piece [s].
    place, many
        Piece y holds the nodes `nodes[place[y] : place[y] + many[y]]`, with `cores` of each.
    first
        The lanes of piece y are at `first[y]:first[y + 1]` of the result.
    edges
        Node z has the lanes `edges[z]:edges[z + 1]`.
    """
    free_at = np.full(edges[-1], -np.inf)
    chosen = np.empty(first[-1], np.int64)
    for y in order:
        at = first[y]
        for x in range(place[y], place[y] + many[y]):
            lane, left = edges[nodes[x]], cores[x]
            while left > 0 and lane < edges[nodes[x] + 1]:
                if free_at[lane] <= start[y]:
                    chosen[at] = lane
                    free_at[lane] = end[y]
                    at += 1
                    left -= 1
                lane += 1
        chosen[first[y] : first[y + 1]].sort()
    return chosen
