"""Dinic's algorithm on the graph of `cut_flow`: shortest paths from jobs that lack work to intervals with room.

A path leads from a job to an interval of its window, back along an arc with flow to another job in that interval,
from there to an interval of that job's window, and so on. Source: E. Dinic 1970; arcs are implicit, and union-find
skips visited intervals.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.bounds.cut_flow import LACK, NONE, lay_out, link, pour, serve
from shadowtime.engine.kernel.cache import allocating, inner


@inner
def find(skip, i):
    """Return the first position at or after `i` that is not skipped."""
    while skip[i] != i:
        skip[i] = skip[skip[i]]
        i = skip[i]
    return i


@inner
def arc_between(slot, arc, j):
    """Return the arc from job `j` to an interval, or -1."""
    e = slot.arcs  # the arcs made by `augment` come first
    while e >= slot.until:
        if arc[e].job == j:
            return e
        e = arc[e].next
    for e in range(slot.since, slot.until):
        if arc[e].job == j:
            return e
    return NONE


@inner
def spare(job, slot, arc, e):
    """Return how much work a job can still do in an interval, given its arc there or -1."""
    full = job.width * slot.length
    return full if e == NONE else full - arc[e].flow


@inner
def search(jobs, slots, arc, skip, queue, seen, start):
    """Search breadth first from the jobs that lack work, level by level, until an interval with room is found.

    Fill `queue` with the jobs reached and `seen` with the intervals, those of level d at `start[d]:start[d + 1]`.
    Return the number of jobs that lack work, and the level with room or -1.
    """
    for t in range(len(slots)):
        slots[t].level, skip[t] = NONE, t
    skip[len(slots)] = len(slots)
    queued = np.int64(0)
    for j in range(len(jobs)):
        jobs[j].level = NONE
        if jobs[j].lack > LACK * jobs[j].work:
            jobs[j].level = 0
            queue[queued] = j
            queued += 1
    sources, done, reached, depth = queued, np.int64(0), np.int64(0), np.int64(0)
    start[0] = 0
    while done < queued:
        layer, room = queued, False
        while done < layer:
            j = queue[done]
            job = jobs[j]
            done += 1
            t = find(skip, job.first)
            while t < job.last:
                s = slots[t]
                if spare(job, s, arc, arc_between(s, arc, j)) > s.least:
                    skip[t] = t + 1
                    seen[reached] = t
                    reached += 1
                    room = room or s.room > s.least
                t = find(skip, t + 1)
        start[depth + 1] = reached
        if room:
            return sources, depth
        for i in range(start[depth], reached):
            s = slots[seen[i]]
            e = s.arcs
            while e != NONE:  # jobs that could make room there
                k = arc[e].job
                if jobs[k].level == NONE and arc[e].flow > s.least:
                    jobs[k].level = depth + 1
                    queue[queued] = k
                    queued += 1
                e = arc[e].next
        depth += 1
    return sources, NONE


@inner
def line_up(jobs, slots, skip, seen, start, depth, place):
    """Sort the intervals of each level by time for the depth-first search, so that a job's window is one run of `seen`.

    From here on `skip` refers to places in `seen`, and `at` of a job is its first place there.
    """
    for d in range(depth + 1):
        place[d] = start[d]
        for i in range(start[d], start[d + 1]):
            slots[seen[i]].level = d
    j = np.int64(0)
    for t in range(len(slots)):
        while j < len(jobs) and jobs[j].first == t:
            if jobs[j].level != NONE:
                jobs[j].at = place[jobs[j].level]
            j += 1
        s = slots[t]
        if s.level != NONE:
            seen[place[s.level]] = t
            place[s.level] += 1
            s.at = s.arcs
    for i in range(start[depth + 1] + 1):
        skip[i] = i


@inner
def push(jobs, slots, arc, arcs, depth, path_job, path_slot, path_forth, path_back):
    """Send as much flow as the path allows, and return the new number of arcs."""
    last = path_slot[depth]
    amount = min(jobs[path_job[0]].lack, slots[last].room)
    for i in range(depth + 1):
        amount = min(amount, spare(jobs[path_job[i]], slots[path_slot[i]], arc, path_forth[i]))
        if i < depth:
            amount = min(amount, arc[path_back[i]].flow)
    serve(jobs[path_job[0]], amount)
    slots[last].room -= amount
    for i in range(depth + 1):
        e = path_forth[i]
        if e == NONE:
            e = arcs
            arcs += 1
            link(slots[path_slot[i]], arc, e, path_job[i], 0.0)
        arc[e].flow += amount
        if i < depth:
            arc[path_back[i]].flow -= amount
    return arcs


@allocating
def augment(jobs, slots, arc, arcs):
    """Augment any flow within the capacities until no path is left (Dinic's algorithm).

    Return the number of arcs, or `-1 - arcs` if a new arc might not fit: the flow is valid, and the caller continues
    with more room. At the end `level >= 0` marks the source side of a minimum cut: the jobs reached from those that
    lack work, none if every job has its work.
    """
    n, m = len(jobs), len(slots)
    skip, start, seen = np.empty(m + 1, np.int64), np.empty(m + 2, np.int64), np.empty(m, np.int64)
    queue = np.empty(n, np.int64)
    path_job, path_slot, place = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    path_forth, path_back = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    while True:
        sources, depth = search(jobs, slots, arc, skip, queue, seen, start)
        if depth == NONE:
            return arcs
        total = start[depth + 1]
        line_up(jobs, slots, skip, seen, start, depth, place)
        for i in range(sources):
            d = 0
            path_job[0] = queue[i]
            root = jobs[queue[i]]
            while root.lack > LACK * root.work:
                if arcs + depth + 1 > len(arc):
                    return NONE - arcs
                # From the job at the tip to an interval of its level.
                j = path_job[d]
                p, end, e, t = find(skip, jobs[j].at), start[d + 1], NONE, NONE
                while p < end and seen[p] < jobs[j].last:
                    t = seen[p]
                    e = arc_between(slots[t], arc, j)
                    if spare(jobs[j], slots[t], arc, e) > slots[t].least:
                        break
                    p = find(skip, p + 1)
                if p < end and seen[p] < jobs[j].last:
                    jobs[j].at = p
                    place[d], path_slot[d], path_forth[d] = p, t, e
                else:
                    jobs[j].at = total  # dead end
                    if d == 0:
                        break
                    d -= 1
                    t = path_slot[d]
                    slots[t].at = arc[path_back[d]].next
                # From the interval to the sink, or back along an arc with flow to a job of the next level.
                if d == depth:
                    if slots[t].room > slots[t].least:
                        arcs = push(jobs, slots, arc, arcs, depth, path_job, path_slot, path_forth, path_back)
                        d = 0
                    else:
                        skip[place[d]] = place[d] + 1
                    continue
                e = slots[t].at
                while e != NONE:
                    k = jobs[arc[e].job]
                    if k.level == d + 1 and k.at < total and arc[e].flow > slots[t].least:
                        break
                    e = arc[e].next
                slots[t].at = e
                if e == NONE:
                    skip[place[d]] = place[d] + 1
                    continue
                path_back[d] = e
                d += 1
                path_job[d] = arc[e].job


@allocating
def flow(jobs, slots, arc, active, release, due, by_due, width, work, lanes):
    """Find a maximum flow for the deadlines `due`, and its minimum cut (`level`, see `augment`).

    One call instead of three, whose arguments take as long to check as a small flow takes.

    Return the number of intervals; the number of arcs that `pour` made, 0 if it placed all work: if more than `arc`
    holds, the caller starts again with more room; and what `augment` returned.
    """
    count = lay_out(jobs, slots, release, due, by_due, width, work, lanes)
    arcs = pour(jobs, slots[:count], arc, active)
    lacks = False
    for j in range(len(jobs)):
        jobs[j].level = NONE
        lacks = lacks or jobs[j].lack > LACK * work[j]
    if not lacks:
        return count, np.int64(0), np.int64(0)
    if arcs > len(arc):
        return count, arcs, np.int64(0)
    return count, arcs, augment(jobs, slots[:count], arc, arcs)
