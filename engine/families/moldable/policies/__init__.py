"""Moldable jobs: the scheduler chooses how many processors a job gets, once, at its start.

`dual` tests a guess of the makespan and searches the smallest accepted guess, `shelves` builds a schedule from it;
`demt` is DEMT, `planners` has the algorithms compared with it; `online` applies any of them to jobs that arrive over
time.

P.-F. Dutot, L. Eyraud, G. Mounié, D. Trystram, Bi-criteria algorithm for scheduling jobs on cluster platforms,
SPAA 2004.
G. Mounié, C. Rapine, D. Trystram, A 3/2-approximation for scheduling independent monotonic malleable tasks, SIAM J.
Comput. 37, 2007.
"""
