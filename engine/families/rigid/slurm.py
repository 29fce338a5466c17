"""Registry entry of a site under Slurm."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.entries import POLICIES, rigid
from shadowtime.engine.parameters import Choice, Flag, Parameter, Phrase, Real, Whole
from shadowtime.engine.runner.makers import Planned

FOLDER = f"{POLICIES}.slurm"
LONG = 1e9
DAY = 86_400.0
MOST_WEIGHT = 2**32 - 1
"""Slurm's own limit."""


def weight(name: str, factor: str) -> Real:
    """Return the parameter of a PriorityWeight."""
    return Real(f"weight_{name}", 0.0, f"Weight of the {factor} factor in the priority.", low=0.0, high=MOST_WEIGHT)


def seconds(name: str, default: float, text: str, *, above: bool = False) -> Real:
    """Return a parameter that is a time."""
    return Real(name, default, text, low=0.0, high=LONG, unit="s", above=above)


PRIORITY: tuple[Parameter, ...] = (
    weight("age", "age"),
    weight("fair_share", "fair-share"),
    weight("job_size", "job-size"),
    weight("partition", "partition"),
    weight("qos", "QOS"),
    weight("cpu", "TRES (share of the partition's cores)"),
    weight("memory", "TRES (share of the partition's memory)"),
    weight("gpu", "TRES (share of the partition's GPUs)"),
    seconds("max_age", 7 * DAY, "Wait at which the age factor reaches 1 (PriorityMaxAge).", above=True),
    seconds("half_life", 7 * DAY, "Half-life of recorded usage; 0: no decay (PriorityDecayHalfLife)."),
    Real("calc_period", 300.0, "Time between two recomputations of priorities (PriorityCalcPeriod).", low=0.001,
         high=LONG, unit="s"),
    Choice("fair_share", "tree", "How usage becomes a factor: Fair Tree, or 2^(-usage/shares).",
           {"tree": "Fair Tree", "classic": "Classic"}),
    Flag("favor_small", False, "Whether small jobs have the larger job-size factor (PriorityFavorSmall)."),
    Flag("size_relative_to_time", False, "Whether the job-size factor divides by the time limit."),
    Flag("accrue_always", False, "Whether age counts from the submission, not from eligibility (ACCRUE_ALWAYS)."),
)  # fmt: skip
LOOPS: tuple[Parameter, ...] = (
    seconds("sched_interval", 60.0, "Time between two passes of the main loop over all jobs.", above=True),
    seconds("batch_sched_delay", 3.0, "Least time between two passes of the main loop after submissions and ends."),
    Whole("default_queue_depth", 100, "Jobs that a pass after submissions and ends looks at.", low=1, high=1_000_000),
    Flag("defer", False, "Whether a submission tries no start by itself; batch jobs never do, so it changes nothing."),
    Flag("backfill_loop", True, "Whether there is a backfill loop (SchedulerType=sched/backfill)."),
    seconds("bf_interval", 30.0, "Time from the end of a backfill pass to the next.", above=True),
    Real("bf_window", 1440.0, "How far reservations look ahead.", low=1.0, high=1e6, unit="min"),
    seconds("bf_resolution", 60.0, "Reservations begin and end at multiples of this time.", above=True),
    Whole("bf_max_job_test", 500, "Jobs that a backfill pass tries.", low=1, high=1_000_000),
    Whole("bf_max_job_user", 0, "Jobs of one user that a backfill pass tries; 0: all.", low=0, high=1_000_000),
    seconds("kill_wait", 30.0, "Time that a job has left when its limit has passed (KillWait)."),
)  # fmt: skip
LEAF = Whole("leaf", 18, "Nodes of a leaf switch.", low=1, high=100_000)
CHECKPOINT = Real("interval", 3600.0, "Time between two checkpoints.", low=1.0, high=LONG, unit="s")
NODES: tuple[Parameter, ...] = (
    Phrase(
        "placement",
        "best_fit",
        "Which nodes a job takes: fewest free cores that suffice; neighbouring nodes only; or the leaf switch that "
        "fits best, of so many nodes each.",
        {"best_fit": "Best fit", "contiguous": "Contiguous", "topology": "By leaf switch"},
        arguments={"topology": LEAF},
    ),
    Phrase(
        "requeue",
        "zero",
        "Where a job that lost a node begins again.",
        {"zero": "At its beginning", "checkpoint": "At its last checkpoint"},
        arguments={"checkpoint": CHECKPOINT},
    ),
)

ALGORITHMS: tuple[Algorithm, ...] = (
    rigid(
        slug="slurm",
        kinds=("rigid",),
        title="Slurm site",
        summary="A site under Slurm: main and backfill loops, multifactor priority, fair share, partitions and limits",
        source="SchedMD, Slurm 22.05 (2022): manual pages, and records of real controllers (docs/explanation/slurm.md)",
        parameters=(*PRIORITY, *LOOPS, *NODES),
        runner=Planned(planner=f"{FOLDER}.planner:make_plan", warm=f"{FOLDER}.planner:warm"),
    ),
)
