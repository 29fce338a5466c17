"""Limits of QOS and associations: how much may run at one time.

A job that a limit holds is passed over: it closes no partition and holds no reservation. A limit on what one job asks
is not applied: the jobs of a log have passed it. A job that alone exceeds a limit on the sum starts when nothing else
counts against that limit.
"""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner


@inner
def exceeds(held, more, limit):
    """Return whether a sum would exceed its limit; never for the first job."""
    return held > 0 and held + more > limit


@inner
def may_run(q, j):
    """Return whether no limit keeps job `j` from running now."""
    m, job = q.m[0], q.job[j]
    if not m.has_limits:
        return True
    at = job.user
    if exceeds(q.group[at].jobs, 1, q.group[at].user_jobs):
        return False
    while at >= 0:
        group = q.group[at]
        if exceeds(group.cores, job.cores, group.limit_cores) or exceeds(group.jobs, 1, group.limit_jobs):
            return False
        at = group.parent
    return qos_allows(q, j, job.qos) and qos_allows(q, j, q.part_qos[job.partition])


@inner
def qos_allows(q, j, x):
    """Return whether QOS `x`, -1 for none, lets job `j` run now."""
    if x < 0:
        return True
    m, job, qos = q.m[0], q.job[j], q.qos[x]
    user, account = q.by_user[x * m.groups + job.person], q.by_account[x * m.groups + job.account]
    return not (
        exceeds(qos.cores, job.cores, qos.limit_cores)
        or exceeds(qos.jobs, 1, qos.limit_jobs)
        or exceeds(user.cores, job.cores, qos.user_cores)
        or exceeds(user.jobs, 1, qos.user_jobs)
        or exceeds(account.cores, job.cores, qos.account_cores)
        or exceeds(account.jobs, 1, qos.account_jobs)
    )


@inner
def count_job(q, j, sign):
    """Count job `j` under all its limits (`sign` 1), or no more (-1)."""
    m, job = q.m[0], q.job[j]
    if not m.has_limits:
        return
    at = job.user
    while at >= 0:
        q.group[at].cores += sign * job.held_cores
        q.group[at].jobs += sign
        at = q.group[at].parent
    count_under(q, j, job.qos, sign)
    if q.part_qos[job.partition] != job.qos:
        count_under(q, j, q.part_qos[job.partition], sign)


@inner
def count_under(q, j, x, sign):
    """Count job `j` under QOS `x`, -1 for none."""
    if x < 0:
        return
    m, job = q.m[0], q.job[j]
    q.qos[x].cores += sign * job.held_cores
    q.qos[x].jobs += sign
    user, account = x * m.groups + job.person, x * m.groups + job.account
    q.by_user[user].cores += sign * job.held_cores
    q.by_user[user].jobs += sign
    q.by_account[account].cores += sign * job.held_cores
    q.by_account[account].jobs += sign
