"""A controller's memory follows a schedule that is known: a record, or the result of a run."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.main_loop import list_jobs
from shadowtime.engine.families.rigid.policies.slurm.nodes import add_node, choose, use_nodes
from shadowtime.engine.families.rigid.policies.slurm.priority import recompute
from shadowtime.engine.families.rigid.policies.slurm.running import (
    arrive,
    leave_queue,
    release_followers,
    start_job,
    stop_job,
)
from shadowtime.engine.families.rigid.policies.slurm.state import ENDED, RUNS
from shadowtime.engine.kernel.cache import compiled, inner

END, SUBMIT, CALC, START, LOOK = (np.int64(code) for code in range(5))
"""What happens, in the order within one instant."""


@inner
def use_known_nodes(q, j, place_first, place):
    """Make the nodes on which job `j` ran the candidates; without any, those that it may use."""
    if place_first[j + 1] == place_first[j]:
        use_nodes(q, q.job[j], False)
        return
    for w in range(q.m[0].words):
        q.candidate[w] = 0
    for y in range(place_first[j], place_first[j + 1]):
        add_node(q.candidate, 0, place[y])


@inner
def follow_start(q, j, now, place_first, place):
    """Start job `j` in second `now` where it ran; without nodes where these have no room."""
    m = q.m[0]
    use_known_nodes(q, j, place_first, place)
    if not choose(q, q.node, j):
        m.picks = 0
    start_job(q, j, now, now)


@inner
def follow_starts(q, now, place_first, place):
    """Start the waiting jobs that are due in second `now`, in the order in which a pass takes them."""
    m = q.m[0]
    for y in range(m.waiting):
        j = q.queue[y]
        if q.job[j].due:
            q.job[j].due = 0
            follow_start(q, j, now, place_first, place)
    leave_queue(q, m.waiting)


@compiled
def follow(q, at, kind, job, first, last, place_first, place):
    """Apply the events from `first` to before `last`.

    Parameters
    ----------
    at, kind, job
        Second, END, SUBMIT, CALC, START or LOOK (a pass that lists the waiting jobs), and job of each event, in order
        of time.
    place_first, place
        Job j ran on the nodes `place[place_first[j] : place_first[j + 1]]`, none where unknown.
    """
    m = q.m[0]
    for y in range(first, last):
        m.now = at[y]
        if kind[y] == END:
            if q.job[job[y]].state == RUNS:
                stop_job(q, job[y], at[y], at[y])
                q.job[job[y]].state = ENDED
                release_followers(q, job[y], at[y])
        elif kind[y] == SUBMIT:
            arrive(q, at[y])
        elif kind[y] == CALC:
            recompute(q, at[y])
        elif kind[y] == LOOK:
            list_jobs(q)
        else:
            q.job[job[y]].due = 1
            if y + 1 == last or kind[y + 1] != START or at[y + 1] != at[y]:
                follow_starts(q, at[y], place_first, place)
