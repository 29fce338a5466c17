"""Decayed usage of accounts and users, and the fair-share factors of users (rules 13 to 22 of a site)."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, inner


@inner
def add_usage(q, j, until):
    """Add what running job `j` used up to the second `until` to its user and to every account above."""
    m, job = q.m[0], q.job[j]
    x = until - job.counted
    if x <= 0.0:
        return
    job.counted = until
    used = job.held_cores * x * m.decay**x * job.usage_factor
    at = job.user
    while at >= 0:
        q.group[at].usage += used
        at = q.group[at].parent


@inner
def decay_usage(q, until):
    """Decay all usage to the second `until`, then add what running jobs used since."""
    m = q.m[0]
    factor = m.decay ** (until - m.last_calc)
    for g in range(m.groups):
        q.group[g].usage *= factor
    for y in range(m.running):
        add_usage(q, q.running[y], until)
    m.last_calc = until


@inner
def share_among_siblings(q, group):
    """Return the part that a group below the root has of the shares of its parent; 0 where it gives none."""
    shares = q.shares_below[group.parent]
    return group.shares / shares if shares > 0.0 else 0.0


@inner
def set_levels(q):
    """Set the level of each account and user: its part of its siblings' shares over its part of their usage."""
    m = q.m[0]
    for g in range(m.groups):
        group = q.group[g]
        if group.parent < 0:
            continue
        share = share_among_siblings(q, group)
        above = q.group[group.parent].usage
        part = group.usage / above if above > 0.0 else 0.0
        if share == 0.0:
            group.level = 0.0
        elif part == 0.0:
            group.level = np.inf
        else:
            group.level = share / part


@inner
def goes_before(q, g, h):
    """Return whether group `g` comes before sibling `h`: by falling level; on a tie users before accounts."""
    a, b = q.group[g], q.group[h]
    if a.level != b.level:
        return a.level > b.level
    return a.is_user > b.is_user


@inner
def push_children(q, g, first, top):
    """Sort the children of account `g` into `order[first:top]`; return the new top.

    The sorted list is kept for the next time: it is then nearly in order."""
    group, is_alone = q.group[g], top == first
    for y in range(group.first, group.first + group.children):
        child, at = q.child[y], top
        while at > first and goes_before(q, child, q.order[at - 1]):
            q.order[at] = q.order[at - 1]
            at -= 1
        q.order[at] = child
        top += 1
    if is_alone:
        for y in range(group.children):
            q.child[group.first + y] = q.order[first + y]
    return top


@inner
def rank_tree(q):
    """Set the factor of each user by Fair Tree: its rank in a walk by falling level, over the number of users.

    `order` is a stack of sorted lists of siblings, `frame` the first place, the next place and the end of each list.
    What ties with the sibling before it takes the rank that was given last: a user itself, an account for its first
    child and those tied with that. Accounts that tie are walked one after the other; their children are not merged."""
    m = q.m[0]
    rank, taken = m.users, m.users
    depth, top = np.int64(0), push_children(q, m.root, np.int64(0), np.int64(0))
    q.frame[0], q.frame[1], q.frame[2] = 0, 0, top
    q.level_before[0], q.is_level[0] = -1.0, 0
    while depth >= 0:
        at, stop = q.frame[3 * depth + 1], q.frame[3 * depth + 2]
        if at >= stop:
            depth -= 1
            continue
        g = q.order[at]
        level = q.group[g].level
        tied = level == q.level_before[depth] or q.is_level[depth] == 1
        q.level_before[depth], q.is_level[depth] = level, 0
        at += 1
        if q.group[g].is_user:
            if not tied:
                taken = rank
            q.group[g].factor = taken / m.users
            rank -= 1
            q.frame[3 * depth + 1] = at
            continue
        top = push_children(q, g, stop, stop)
        q.frame[3 * depth + 1] = at
        depth += 1
        q.frame[3 * depth], q.frame[3 * depth + 1], q.frame[3 * depth + 2] = stop, stop, top
        q.level_before[depth] = -1.0
        q.is_level[depth] = 1 if tied else 0


@inner
def rank_classic(q):
    """Set the factor of each user to 2^(-effective usage / shares), of shares and usage normalised over the cluster."""
    m = q.m[0]
    total = q.group[m.root].usage
    q.norm[m.root], q.effective[m.root] = 1.0, 1.0
    for g in range(m.groups):
        group = q.group[g]
        if group.parent < 0:
            continue
        part = share_among_siblings(q, group)
        q.norm[g] = q.norm[group.parent] * part
        own = group.usage / total if total > 0.0 else 0.0
        q.effective[g] = own + (q.effective[group.parent] - own) * part if group.parent != m.root else own
        if group.is_user:
            group.factor = 2.0 ** (-q.effective[g] / q.norm[g]) if q.norm[g] > 0.0 else 0.0


@inner
def set_factors(q):
    """Set the fair-share factor of all users from the usage as it is; 1 before the first usage (rule 22)."""
    m = q.m[0]
    if m.classic:
        rank_classic(q)
    elif q.group[m.root].usage == 0.0:
        for g in range(m.groups):
            q.group[g].factor = 1.0
    else:
        set_levels(q)
        rank_tree(q)


@compiled
def begin(q):
    """Set the fair-share factors from the usage before the first second: they hold until the first recomputation."""
    set_factors(q)


@inner
def stop_using(q, j, until):
    """Record the usage of job `j`, which ends in the second `until`."""
    add_usage(q, j, until)
    q.job[j].counted = np.inf
