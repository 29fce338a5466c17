"""Assign lanes to jobs whose starts, ends and nodes are known."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import allocating


@allocating
def seat(start, end, size, first, place_first, place, edges, lanes, all_lanes):
    """Return the lanes of all jobs, the number of jobs on lanes beyond the machine, and which are not wholly on their
    nodes.

    A job takes free lanes of its nodes as `divide` says; then other free lanes of the machine: neighbouring ones if
    there are enough, else the lowest; then lanes from `lanes` on. `all_lanes` lanes suffice for all jobs.

    Parameters
    ----------
    start, end, size
        Of each job, by start [s].
    first
        The lanes of job y are at `first[y]:first[y + 1]` of the result.
    place_first, place
        The nodes of job y are `place[place_first[y] : place_first[y + 1]]`, ascending.
    edges
        Node x has the lanes `edges[x]:edges[x + 1]`.
    """
    free_at = np.full(all_lanes, -np.inf)
    chosen = np.empty(first[-1], np.int64)
    free, share = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
    beyond, moved = 0, np.zeros(len(start), np.bool_)
    for y in range(len(start)):
        at, last, now = first[y], first[y + 1], start[y]
        nodes = place[place_first[y] : place_first[y + 1]]
        if len(nodes) > 0 and len(edges) > 2:
            for z in range(len(nodes)):
                free[z] = 0
                for lane in range(edges[nodes[z]], edges[nodes[z] + 1]):
                    free[z] += free_at[lane] <= now
            divide(nodes, free, size[y], share)
            for z in range(len(nodes)):
                lane = edges[nodes[z]]
                while share[z] > 0:
                    if free_at[lane] <= now:
                        chosen[at] = lane
                        free_at[lane] = end[y]
                        at += 1
                        share[z] -= 1
                    lane += 1
            moved[y] = at < last
        lane = first_gap(free_at, now, last - at, lanes) if at < last else 0
        while at < last:
            if free_at[lane] <= now:
                chosen[at] = lane
                free_at[lane] = end[y]
                at += 1
            lane += 1
        chosen[first[y] : last].sort()
        if last > first[y] and chosen[last - 1] >= lanes:
            beyond += 1
    return chosen, beyond, moved


@allocating
def divide(nodes, free, size, share):
    """Set the processors of a job on each of its nodes, at most those that are free there.

    As Slurm fills nodes (spec of a site, rules 46 to 48): of the runs of neighbouring nodes, the one that suffices with
    the fewest free processors, else the one with the most; in it the single node that suffices with the fewest, else
    all from the first on. If that leaves a node without any, the site divided otherwise: evenly.
    """
    n, rest = len(nodes), size
    for z in range(n):
        share[z] = 0
    while rest > 0:
        begin, stop, best = -1, -1, np.int64(0)
        z = 0
        while z < n:
            if free[z] == 0 or share[z] > 0:
                z += 1
                continue
            z0, room = z, np.int64(0)
            while z < n and free[z] > 0 and share[z] == 0 and (z == z0 or nodes[z] == nodes[z - 1] + 1):
                room += free[z]
                z += 1
            better = room < best or best < rest if room >= rest else best < rest and room > best
            if better:
                begin, stop, best = z0, z, room
        if begin < 0:
            break
        single = -1
        for z in range(begin, stop):
            if free[z] >= rest and (single < 0 or free[z] < free[single]):
                single = z
        if single >= 0:
            share[single], rest = rest, 0
        for z in range(begin, stop):
            if rest > 0:
                share[z] = min(free[z], rest)
                rest -= share[z]
    for z in range(n):
        if share[z] == 0:
            divide_evenly(n, free, size, share)
            return


@allocating
def divide_evenly(n, free, size, share):
    """Set the processors of a job on its nodes: the same number on each, one more on the first ones; what one has not,
    others give."""
    rest = size
    for z in range(n):
        share[z] = min(free[z], size // n + (z < size % n))
        rest -= share[z]
    for z in range(n):
        more = min(rest, free[z] - share[z])
        share[z] += more
        rest -= more


@allocating
def first_gap(free_at, now, size, lanes):
    """Return the first lane of the first `size` neighbouring lanes of the machine that are free now; 0 without any."""
    run = 0
    for lane in range(lanes):
        run = run + 1 if free_at[lane] <= now else 0
        if run == size:
            return lane - size + 1
    return 0
