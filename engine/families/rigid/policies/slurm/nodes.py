"""Which nodes a job takes, and what it holds there (rules 28, 45 to 48 of a site)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.state import BITS
from shadowtime.engine.kernel.cache import inner


@inner
def has_node(bits, first, z):
    """Return whether node `z` is in the set of words from `first` on."""
    return (bits[first + z // BITS] >> (z % BITS)) & 1 == 1


@inner
def drop_node(bits, first, z):
    """Remove node `z` from the set of words from `first` on."""
    bits[first + z // BITS] &= ~(np.int64(1) << (z % BITS))


@inner
def add_node(bits, first, z):
    """Add node `z` to the set of words from `first` on."""
    bits[first + z // BITS] |= np.int64(1) << (z % BITS)


@inner
def use_nodes(q, job, withdrawn):
    """Make the partition's nodes that are up, without those of closed partitions (`withdrawn`), the candidates."""
    m = q.m[0]
    for w in range(m.words):
        q.candidate[w] = q.part_bits[job.partition * m.words + w] & q.up_bits[w]
        if withdrawn:
            q.candidate[w] &= ~q.closed_bits[w]


@inner
def avoid_windows(q, begin, end):
    """Remove the nodes of maintenances between two seconds from the candidates."""
    for x in range(q.m[0].windows):
        window = q.window[x]
        if window.begin < end and window.end > begin:
            for y in range(window.first, window.last):
                drop_node(q.candidate, 0, q.window_node[y])


@inner
def units_on(q, node, job):
    """Return how many units of a job fit on a node: every resource fits, and at most `spread` units."""
    if job.whole:
        if node.free_cores < node.cores:
            return np.int64(0)
        return min(node.cores // job.unit_cores, job.spread)
    found = min(node.free_cores // job.unit_cores, job.spread)
    if job.unit_gpus > 0:
        found = min(found, node.free_gpus // job.unit_gpus)
    if job.unit_memory > 0.0 and found > 0:
        found = min(found, np.int64(node.free_memory / job.unit_memory + 1e-9))
    return found


@inner
def most_units(node, job):
    """Return how many units of a job fit on a node that is empty."""
    found = min(node.cores // job.unit_cores, job.spread)
    if job.unit_gpus > 0:
        found = min(found, node.gpus // job.unit_gpus)
    if job.unit_memory > 0.0 and found > 0:
        found = min(found, np.int64(node.memory / job.unit_memory + 1e-9))
    return found


@inner
def find_room(q, j):
    """Set how many units of job `j` fit on the candidates as they are now (`m.room`), and when they are empty
    (`m.most_room`)."""
    m, job = q.m[0], q.job[j]
    m.room, m.most_room = 0, 0
    for w in range(m.words):
        bits, z = q.candidate[w], w * BITS
        while bits != 0:
            if bits & 1:
                node = q.node[z]
                m.most_room += most_units(node, job)
                if node.free_cores > 0:
                    m.room += units_on(q, node, job)
            bits >>= 1
            z += 1


@inner
def take_node(q, nodes, z, job, rest):
    """Add node `z` to the choice with as many of the `rest` units as fit; return what is left of them."""
    m = q.m[0]
    units = min(units_on(q, nodes[z], job), rest)
    q.pick_node[m.picks], q.pick_units[m.picks] = z, units
    m.picks += 1
    return rest - units


@inner
def take_run(q, nodes, begin, stop, job, rest):
    """Fill the nodes of one run: the single node that holds the rest with fewest free cores, else from the first on.

    Return the units that are left."""
    single = np.int64(-1)
    for z in range(begin, stop):
        if units_on(q, nodes[z], job) >= rest and (single < 0 or nodes[z].free_cores < nodes[single].free_cores):
            single = z
    if single >= 0:
        return take_node(q, nodes, single, job, rest)
    for z in range(begin, stop):
        if rest > 0:
            rest = take_node(q, nodes, z, job, rest)
    return rest


@inner
def list_runs(q, nodes, first, last, job):
    """List the runs of neighbouring candidates between two nodes that take units of a job; return their number."""
    count, z = 0, first
    while z < last:
        room, begin = np.int64(0), z
        while z < last and has_node(q.candidate, 0, z):
            units = units_on(q, nodes[z], job)
            if units <= 0:
                break
            room += units
            z += 1
        if room > 0:
            q.run_begin[count], q.run_stop[count], q.run_room[count] = begin, z, room
            count += 1
        else:
            z += 1
    return count


@inner
def fill_runs(q, nodes, first, last, job, rest):
    """Choose nodes between two for the `rest` units of a job; return the units that are left.

    Of the runs, the one that suffices with the fewest units, else the one with the most, the first on ties; again with
    what is left. Contiguous placement takes one run that suffices, or nothing."""
    count = list_runs(q, nodes, first, last, job)
    while rest > 0:
        best = np.int64(-1)
        for y in range(count):
            room = q.run_room[y]
            if room <= 0:
                continue
            if best < 0:
                best = y
            elif room >= rest:
                if q.run_room[best] < rest or room < q.run_room[best]:
                    best = y
            elif room > q.run_room[best]:
                best = y
        if best < 0 or (q.m[0].contiguous and q.run_room[best] < rest):
            break
        rest = take_run(q, nodes, q.run_begin[best], q.run_stop[best], job, rest)
        q.run_room[best] = 0
    return rest


@inner
def leaf_room(q, nodes, first, last, job):
    """Return how many units of a job fit on the candidates below one leaf switch."""
    total = np.int64(0)
    for z in range(first, last):
        if has_node(q.candidate, 0, z):
            total += units_on(q, nodes[z], job)
    return total


@inner
def fill_leaves(q, nodes, job):
    """Choose nodes leaf switch by leaf switch: the one that suffices with the fewest units, else the one with the most;
    again with what is left. Return the units that are left."""
    m, rest = q.m[0], job.units
    leaves = (m.nodes + m.leaf - 1) // m.leaf
    for y in range(leaves):
        q.leaf_room[y] = leaf_room(q, nodes, y * m.leaf, min((y + 1) * m.leaf, m.nodes), job)
    while rest > 0:
        best = np.int64(-1)
        for y in range(leaves):
            room = q.leaf_room[y]
            if room <= 0:
                continue
            if best < 0:
                best = y
            elif room >= rest:
                if q.leaf_room[best] < rest or room < q.leaf_room[best]:
                    best = y
            elif room > q.leaf_room[best]:
                best = y
        if best < 0:
            break
        rest = fill_runs(q, nodes, best * m.leaf, min((best + 1) * m.leaf, m.nodes), job, rest)
        q.leaf_room[best] = 0
    return rest


@inner
def choose(q, nodes, j):
    """Choose nodes for job `j` among the candidates; return whether all its units found room.

    The choice is in `pick_node` and `pick_units`, `m.picks` places, in order of choice."""
    m, job = q.m[0], q.job[j]
    m.picks = 0
    if m.leaf > 0:
        return fill_leaves(q, nodes, job) <= 0
    return fill_runs(q, nodes, np.int64(0), m.nodes, job, job.units) <= 0


@inner
def take(node, job, units):
    """Hold `units` units of a job on a node."""
    if job.whole:
        node.free_cores, node.free_gpus, node.free_memory = 0, 0, 0.0
        return
    node.free_cores -= units * job.unit_cores
    node.free_gpus -= units * job.unit_gpus
    node.free_memory -= units * job.unit_memory


@inner
def give(node, job, units):
    """Free `units` units of a job on a node."""
    if job.whole:
        node.free_cores, node.free_gpus, node.free_memory = node.cores, node.gpus, node.memory
        return
    node.free_cores += units * job.unit_cores
    node.free_gpus += units * job.unit_gpus
    node.free_memory += units * job.unit_memory


@inner
def hold_picks(q, j):
    """Hold the chosen nodes for job `j`."""
    m, job = q.m[0], q.job[j]
    for y in range(m.picks):
        z = q.pick_node[y]
        before = q.node[z].free_cores
        take(q.node[z], job, q.pick_units[y])
        m.free_cores -= before - q.node[z].free_cores
        q.held_node[job.hold + y], q.held_units[job.hold + y] = z, q.pick_units[y]
    job.held = m.picks


@inner
def leave_nodes(q, j, end):
    """Free the nodes of job `j`, which ends at `end`; the list of them stays."""
    m, job = q.m[0], q.job[j]
    for y in range(job.hold, job.hold + job.held):
        z = q.held_node[y]
        before = q.node[z].free_cores
        give(q.node[z], job, q.held_units[y])
        q.node[z].freed = max(q.node[z].freed, end)
        m.free_cores += q.node[z].free_cores - before
