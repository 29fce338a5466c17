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
def units_of(cores, gpus, memory, job):
    """Return how many units of a job fit where so much is free; 0 where too few for the node to be taken.

    Divisions are most of the time of a backfill pass: a plain job needs none."""
    if job.plain:
        return cores
    found = cores // job.unit_cores
    if gpus < job.node_gpus:
        return 0
    if job.unit_memory > 0.0 and found > 0:
        found = min(found, int(memory / job.unit_memory + 1e-9))
    return found if found >= job.on_each else 0


@inner
def units_on(node, job):
    """Return how many units of a job fit on a node now."""
    if job.plain:
        return node.free_cores
    if job.whole and (node.free_cores < node.cores or node.free_memory < node.memory):
        return 0
    return units_of(node.free_cores, node.free_gpus, node.free_memory, job)


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
                m.most_room += units_of(node.cores, node.gpus, node.memory, job)
                if node.free_cores > 0:
                    m.room += units_on(node, job)
            bits >>= 1
            z += 1


@inner
def take_node(q, z, units):
    """Add node `z` with so many units to the choice."""
    m = q.m[0]
    q.pick_node[m.picks], q.pick_units[m.picks] = z, units
    m.picks += 1
    m.rest -= units
    m.least -= 1
    m.may -= 1


@inner
def single_node(q, nodes, begin, stop, job):
    """Return the node of a run that holds the rest with the fewest units, the first that does for a job with GPUs; -1
    without one."""
    single, fewest = -1, 0
    for z in range(begin, stop):
        units = units_on(nodes[z], job)
        if units >= q.m[0].rest and (single < 0 or units < fewest):
            single, fewest = z, units
            if job.node_gpus > 0:
                break
    return single


@inner
def take_run(q, nodes, begin, stop, job):
    """Fill the nodes of one run: the single node that holds the rest, else from the lowest up, with a unit left for
    each further node that the job must have."""
    m = q.m[0]
    if m.least <= 1 and (not m.contiguous or m.rest <= job.spread):
        single = single_node(q, nodes, begin, stop, job)
        if single >= 0:
            begin, stop = single, single + 1
    for z in range(begin, stop):
        if (m.rest <= 0 and m.least <= 0) or m.may <= 0:
            break
        units = units_on(nodes[z], job)
        if m.may == 1 and units < m.rest:
            continue
        take_node(q, z, min(min(units, job.spread), max(1, m.rest - max(0, m.least - 1))))


@inner
def list_runs(q, nodes, first, last, job, few):
    """List the runs of neighbouring candidates between two nodes on which more than `few` units fit; return their
    number."""
    count, z = 0, first
    while z < last:
        room, begin = 0, z
        while z < last and has_node(q.candidate, 0, z):
            units = units_on(nodes[z], job)
            if units <= few:
                break
            room += units
            z += 1
        if z > begin:
            q.run_begin[count], q.run_stop[count] = begin, z
            q.run_room[count], q.run_nodes[count] = room, z - begin
            count += 1
        else:
            z += 1
    return count


@inner
def best_of(q, room, nodes, count):
    """Return which of `count` runs or leaf switches, with so much `room` [units] and so many `nodes`, to take: of those
    that suffice the one with the least room, else the one with the most, the first on ties; -1 without any, or where a
    contiguous job has none that suffices."""
    m, best, suffices = q.m[0], -1, False
    for y in range(count):
        if room[y] <= 0:
            continue
        enough = room[y] >= m.rest and nodes[y] >= m.least
        if best >= 0 and enough == suffices:
            better = room[y] < room[best] if enough else room[y] > room[best]
        else:
            better = best < 0 or enough
        if better:
            best, suffices = y, enough
    return -1 if m.contiguous and not suffices else best


@inner
def neighbours_from(q, nodes, begin, stop, job):
    """Return the first node of a run from which on a whole job fits on neighbouring nodes, as many as it may take; -1
    without one."""
    room = 0
    for z in range(begin, stop):
        room += min(units_on(nodes[z], job), job.spread)
        if z - begin >= job.may:
            room -= min(units_on(nodes[z - job.may], job), job.spread)
        if room >= job.units and z - begin + 1 >= job.least:
            return max(begin, z - job.may + 1)
    return -1


@inner
def fill_runs(q, nodes, first, last, job, few):
    """Choose nodes between two for what is left of a job, run by run; those of a contiguous job in one run."""
    m = q.m[0]
    count = list_runs(q, nodes, first, last, job, few)
    while (m.rest > 0 or m.least > 0) and m.may > 0:
        best = best_of(q, q.run_room, q.run_nodes, count)
        if best < 0:
            break
        begin = q.run_begin[best]
        if m.contiguous:
            begin = neighbours_from(q, nodes, begin, q.run_stop[best], job)
        if begin >= 0:
            take_run(q, nodes, begin, q.run_stop[best], job)
        q.run_room[best] = 0


@inner
def find_leaf(q, nodes, first, last, job, few, y):
    """Set on how many candidates below leaf switch `y`, nodes `first` to before `last`, more than `few` units of a job
    fit, and how many units fit on these."""
    count, total = 0, 0
    for z in range(first, last):
        if has_node(q.candidate, 0, z):
            units = units_on(nodes[z], job)
            if units > few:
                count += 1
                total += units
    q.leaf_nodes[y], q.leaf_room[y] = count, total


@inner
def fill_leaves(q, nodes, job, few):
    """Choose nodes leaf switch by leaf switch: the best one, and again with what is left."""
    m = q.m[0]
    leaves = (m.nodes + m.leaf - 1) // m.leaf
    for y in range(leaves):
        find_leaf(q, nodes, y * m.leaf, min((y + 1) * m.leaf, m.nodes), job, few, y)
    while (m.rest > 0 or m.least > 0) and m.may > 0:
        best = best_of(q, q.leaf_room, q.leaf_nodes, leaves)
        if best < 0:
            break
        fill_runs(q, nodes, best * m.leaf, min((best + 1) * m.leaf, m.nodes), job, few)
        q.leaf_room[best] = 0


@inner
def choose(q, nodes, j):
    """Choose nodes for job `j` among the candidates; return whether all its units found room, on as many nodes as it
    asks for.

    The choice is in `pick_node` and `pick_units`, `m.picks` places, in order of choice. If a job that asks for a number
    of nodes does not fit, nodes with few units are left out, at first those with 1, then 2, and so on."""
    m, job = q.m[0], q.job[j]
    few, tries = 0, (job.units if job.least > 1 else 1)
    while few < tries:
        m.picks, m.rest, m.least, m.may = 0, job.units, max(1, job.least), job.may
        if m.leaf > 0:
            fill_leaves(q, nodes, job, few)
        else:
            fill_runs(q, nodes, 0, m.nodes, job, few)
        if m.rest <= 0 and m.least <= 0:
            return True
        few += 1
    return False


@inner
def take(node, job, units):
    """Hold `units` units of a job on a node."""
    if job.whole:
        node.free_cores, node.free_gpus, node.free_memory = 0, 0, 0.0
        return
    node.free_cores -= units * job.unit_cores
    node.free_gpus -= job.node_gpus
    node.free_memory -= units * job.unit_memory


@inner
def give(node, job, units):
    """Free `units` units of a job on a node."""
    if job.whole:
        node.free_cores, node.free_gpus, node.free_memory = node.cores, node.gpus, node.memory
        return
    node.free_cores += units * job.unit_cores
    node.free_gpus += job.node_gpus
    node.free_memory += units * job.unit_memory


@inner
def hold_picks(q, j):
    """Hold the chosen nodes for job `j`."""
    m, job = q.m[0], q.job[j]
    job.held_cores = 0
    for y in range(m.picks):
        z = q.pick_node[y]
        before = q.node[z].free_cores
        take(q.node[z], job, q.pick_units[y])
        m.free_cores -= before - q.node[z].free_cores
        job.held_cores += before - q.node[z].free_cores
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
