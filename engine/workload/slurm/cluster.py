"""What a Slurm controller knows of its cluster: nodes, partitions, associations, QOS and outages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

NONE = math.inf
"""A limit that is not set."""


@dataclass(frozen=True)
class Limits:
    """Limits of a QOS or an association; NONE where not set."""

    group_cores: float = NONE
    """Cores that all its jobs hold at one time (GrpTRES=cpu)."""
    group_jobs: float = NONE
    """Jobs that run at one time (GrpJobs)."""
    job_cores: float = NONE
    """Cores of one job (MaxTRES=cpu)."""
    job_nodes: float = NONE
    """Nodes of one job (MaxTRES=node)."""
    job_time: float = NONE
    """Time limit of one job (MaxWall) [s]."""
    user_cores: float = NONE
    """Cores that the jobs of one user hold at one time (MaxTRESPU=cpu)."""
    user_jobs: float = NONE
    """Jobs of one user that run at one time (MaxJobsPU; of an association, MaxJobs)."""
    account_cores: float = NONE
    """Cores that the jobs of one account hold at one time (MaxTRESPA=cpu)."""
    account_jobs: float = NONE
    """Jobs of one account that run at one time (MaxJobsPA)."""


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition: a queue with nodes and limits."""

    name: str
    nodes: np.ndarray
    """Numbers of its nodes, ascending."""
    is_default: bool = False
    job_factor: float = 1.0
    """PriorityJobFactor."""
    tier: int = 1
    """PriorityTier."""
    max_time: float = NONE
    """Largest time limit of a job [s]."""
    default_time: float = NONE
    """Time limit of a job that states none [s]; NONE: max_time."""
    max_nodes: float = NONE
    exclusive: bool = False
    """Whether a job holds whole nodes (OverSubscribe=EXCLUSIVE)."""
    qos: str = ""
    """QOS whose limits hold for all its jobs."""


@dataclass(frozen=True)
class Qos:
    """A quality of service."""

    name: str
    priority: float = 0.0
    usage_factor: float = 1.0
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Association:
    """An account, or a user in an account."""

    account: str
    user: str = ""
    """Empty for an account."""
    parent: int = -1
    """Position of the parent account in the tree; -1 for the root."""
    shares: float = 1.0
    """Raw shares; NaN: those of the parent (`parent`)."""
    usage: float = 0.0
    """Decayed usage at the first submission [core s]."""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Outage:
    """An interval in which nodes take no jobs."""

    nodes: tuple[int, ...]
    start: float
    """[s] since 1970."""
    end: float
    """[s] since 1970; NONE: to the end."""
    kind: str = "down"
    """`down` (jobs on the nodes are killed), `drain` (they end), `maintenance` (known before: jobs that would reach
    into it do not start)."""
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Cluster:
    """A cluster under Slurm. Numbers such as weights and intervals are parameters of the algorithm: a log that comes
    with a slurm.conf states them in `Workload.machine`."""

    node_names: tuple[str, ...]
    cores: np.ndarray
    """Of each node, i8."""
    memory: np.ndarray
    """Of each node [MB], f8."""
    gpus: np.ndarray
    """Of each node, i8."""
    partitions: tuple[Partition, ...]
    tracks_memory: bool = False
    """Whether memory is a resource that jobs hold (SelectTypeParameters=CR_Core_Memory and the like)."""
    whole_nodes: bool = False
    """Whether each job holds whole nodes (SelectType=select/linear)."""
    associations: tuple[Association, ...] = ()
    """Root first, parents before children, in the order of `sacctmgr show assoc tree`; empty: every user has one share
    under the root."""
    qos: tuple[Qos, ...] = ()
    outages: tuple[Outage, ...] = ()
    assumed: tuple[str, ...] = ()
    """What no file states, and what is taken instead, one sentence each."""
    ignored: tuple[str, ...] = ()
    """Options of the files that the model has not, by name."""
