"""The drawn workloads and settings of the records: what each one exercises stands in the README beside this file."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

ACCOUNTS = {
    **{f"u{i}": "physics" for i in (1, 2, 3, 4)},
    **{f"u{i}": "biology" for i in (5, 6, 7)},
    **{f"u{i}": "chem" for i in (8, 9)},
    **{f"u{i}": "chemlab" for i in (10, 11, 12)},
}
USERS = list(ACCOUNTS)
TIED = {"u1": 4, "u2": 4, "u3": 2, "u4": 1, "u5": 4, "u6": 2, "u7": 2, "u8": 4, "u9": 4, "u10": 5, "u11": 5, "u12": 1}
"""Shares of the users; with SHARES, siblings tie wherever their usage is equal."""
SHARES = (
    *(f"modify account {name} set Fairshare={n}" for name, n in (("physics", 30), ("biology", 30), ("chem", 20))),
    "modify account chemlab set Fairshare=4",
    *(f"modify user {user} set Fairshare={share}" for user, share in TIED.items()),
)


def nothing() -> list[dict]:
    return []


@dataclass(frozen=True)
class Case:
    settings: dict[str, str]
    """Lines of slurm.conf that are replaced or added."""
    partitions: tuple[str, ...]
    jobs: Callable[[], list[dict]]
    nodes: tuple[tuple[int, int, str], ...] = ((1, 32, "RealMemory=16000"),)
    """First and last number of some nodes, and their resources beside 4 cores."""
    gres: tuple[str, ...] = ()
    accounting: tuple[str, ...] = ()
    """Commands of sacctmgr."""
    history: Callable[[], list[dict]] = nothing
    """Jobs that run before the record begins."""
    history_seconds: float = 0.0
    every: float = 10.0
    """Seconds between two snapshots."""


def job(at: float, user: str, run: int, *options: str, **more: str) -> dict:
    return {"at": round(at, 2), "user": user, "account": ACCOUNTS[user], "run": run, "options": list(options), **more}


def runtime(draw: random.Random, most: int = 60) -> int:
    return int(min(most, max(5, draw.lognormvariate(3.0, 0.7))))


def limit(draw: random.Random, run: int) -> str:
    return f"-t{(run + 61) // 60 * draw.choice([1, 1, 1, 2, 2, 3, 5])}"


def tied_history() -> list[dict]:
    """Equal usage of physics and biology, of u1, u2, u5 and u6, then of chem's u8 and chemlab, of u10 and u11.

    Jobs that are released by one command start in one pass, so their usage is equal to the last bit.
    """
    held = []
    for at, users, tasks in ((0, ("u1", "u2", "u5", "u6"), 8), (75, ("u8",), 16), (75, ("u10", "u11"), 8)):
        held += [job(at, user, 40, f"-n{tasks}", "-t2", "--hold", label=f"tie_{user}") for user in users]
    first = {"at": 4.0, "control": ["scontrol", "release", "{tie_u1},{tie_u2},{tie_u5},{tie_u6}"]}
    second = {"at": 79.0, "control": ["scontrol", "release", "{tie_u8},{tie_u10},{tie_u11}"]}
    return [*held, first, second]


def weights() -> list[dict]:
    """150 jobs in 200 seconds, a few of them behind others."""
    draw, at, jobs = random.Random(21), 0.0, []
    for k in range(150):
        at += draw.expovariate(150 / 240)
        user = draw.choice(USERS) if draw.random() < 0.6 else draw.choice(["u2", "u6", "u9"])
        tasks, run = draw.choice([1, 1, 2, 2, 4, 4, 6, 8, 8, 12, 16, 16, 24, 32, 48, 64]), runtime(draw)
        partition = "short" if draw.random() < 0.3 else "batch"
        qos = "urgent" if user in ("u1", "u5", "u10") and draw.random() < 0.3 else "normal"
        options = [f"-n{tasks}", limit(draw, run), "-p", partition, "-q", qos]
        options.append(f"--nice={draw.choice([0, 0, 0, 0, 40])}")
        if k % 20 == 19:
            options.append(f"--dependency=after{draw.choice(['ok', 'any'])}:{{w{k - 1}}}")
        jobs.append(job(at, user, run, *options, label=f"w{k}"))
    return jobs


def request(draw: random.Random, limited: bool) -> list[str]:
    """Draw what a job asks of the nodes; a limited user's job has at most 16 cores, or it would wait forever."""
    tasks = draw.choice([1, 1, 2, 3, 4, 6, 8, 12, 16, *([] if limited else [24, 32])])
    few = draw.choice([1, 2, 3, 4])
    kinds: dict[str, list[str]] = {
        "plain": [f"-n{tasks}"],
        "threads": [f"-n{draw.choice([1, 2, 3] if limited else [1, 2, 3, 5, 8])}", f"-c{draw.choice([2, 3, 4])}"],
        "per_node": [
            f"-N{draw.choice([2, 3, 4] if limited else [2, 3, 4, 6])}",
            f"--ntasks-per-node={draw.choice([1, 2, 3, 4])}",
        ],
        "whole_tasks": [f"-n{draw.choice([2, 5, 9])}", "--exclusive"],
        "whole_nodes": [f"-N{draw.choice([1, 2, 3])}", "--exclusive"],
        "memory_node": [f"-n{draw.choice([1, 2, 4, 8])}", f"--mem={draw.choice([3000, 5000, 12000])}"],
        "memory_core": [f"-n{draw.choice([2, 4, 8])}", f"--mem-per-cpu={draw.choice([2500, 3500])}"],
        "gpu_node": [f"-N{few // 2 or 1}", f"-n{few}", f"--gres=gpu:{draw.choice([1, 2])}"],
    }
    return kinds[draw.choices(list(kinds), [36, 12, 16, 5, 5, 9, 7, 10])[0]]


def resources() -> list[dict]:
    """150 jobs in 100 seconds, with an array, dependencies and limits of QOS and account."""
    draw, at, jobs = random.Random(22), 0.0, []
    for k in range(150):
        at += draw.expovariate(150 / 100)
        user, run = draw.choice(USERS), runtime(draw)
        capped = user in ("u1", "u5", "u10") and draw.random() < 0.6
        asked = request(draw, capped or ACCOUNTS[user] == "biology")
        partition = draw.choice(["left", "left", "right", "right", "whole"])
        if any("gpu" in option or "12000" in option for option in asked):
            partition = draw.choice(["right", "whole"])
        options = [*asked, limit(draw, run), "-p", partition, "-J", f"r{k}"]
        options += ["-q", "capped"] if capped else []
        if k % 9 == 8:
            options.append(f"--dependency=after{draw.choice(['ok', 'any'])}:{{r{k - draw.choice([1, 2])}}}")
        jobs.append(job(at, user, run, *options, label=f"r{k}"))
    jobs.append(job(20, "u2", 12, "-n4", "-t1", "-p", "left", "--array=0-7%2"))
    jobs += [job(25 + k, "u9", 10, "-n6", "-t1", "-p", "right", "-J", "one", "-dsingleton") for k in range(4)]
    return jobs


def relative() -> list[dict]:
    """100 jobs in 70 seconds with widely different limits; PriorityFavorSmall is turned on after 110 seconds."""
    draw, at, jobs = random.Random(23), 0.0, []
    for k in range(100):
        at += draw.expovariate(100 / 70)
        user, run = draw.choice(USERS), runtime(draw, 40)
        tasks, minutes = draw.choice([1, 2, 3, 4, 8, 12, 16, 24, 40, 64]), draw.choice([1, 1, 2, 3, 5, 10, 30, 240])
        asked = draw.choice(
            [[f"-n{tasks}"], [f"-n{tasks}"], [f"-N{draw.choice([2, 5, 8])}"], [f"-n{max(2, min(8, tasks))}", "-N2"]]
        )
        partition = "first" if tasks <= 24 and draw.random() < 0.25 else "batch"
        jobs.append(job(at, user, run, *asked, f"-t{minutes}", "-p", partition, label=f"f{k}"))
    turned = ["sed", "-i", "s/^PriorityFavorSmall=NO/PriorityFavorSmall=YES/", "/etc/slurm/slurm.conf"]
    return [*jobs, {"at": 110, "control": turned}, {"at": 110.1, "control": ["scontrol", "reconfigure"]}]


OCCUPIED = ({20: 3, 21: 3, 23: 2, 24: 4}, {17: 1, 18: 4, 19: 2, 20: 3, 21: 3, 22: 2, 23: 1, 24: 3})
"""Cores that are taken on nodes 17 to 24 while the jobs of CHOICES come, one after the other."""
CHOICES = (
    "-N1 -n3 --gres=gpu:1",
    "-n3 --gres=gpu:1",
    "-N1 -n3",
    "-n3",
    "-n1 --gres=gpu:1",
    "-n1",
    "-N2 -n4 --gres=gpu:1",
    "-N2 -n4",
    "-N2 -n5",
    "-N3 -n6",
    "-N2",
    "-N2 --ntasks-per-node=2",
    "-n5",
    "-n5 --gres=gpu:1",
    "-n2 -c2",
)


def choices() -> list[dict]:
    """One job every five seconds on eight nodes whose free cores are known: which nodes does it get?"""
    jobs = []
    for phase, occupied in enumerate(OCCUPIED):
        begin, seconds = 90 * phase, 5 * len(CHOICES) + 8
        for node, cores in occupied.items():
            jobs.append(job(begin, "u1", seconds - 3, f"-n{cores}", f"-wn{node:03}", "-N1", "-t5"))
        for k, options in enumerate(CHOICES):
            jobs.append(job(begin + 6 + 5 * k, "u8", 1, *options.split(), "-t1"))
    return jobs


PRIORITY = {
    "PriorityFlags": "ACCRUE_ALWAYS",
    "PriorityDecayHalfLife": "0-00:05:00",
    "PriorityMaxAge": "0-00:04:00",
    "PriorityWeightAge": "700",
    "PriorityWeightFairshare": "3000",
    "PriorityWeightJobSize": "900",
    "PriorityWeightPartition": "250",
    "PriorityWeightQOS": "150",
}
NODES = ((1, 16, "RealMemory=8000"), (17, 24, "RealMemory=8000 Gres=gpu:2"), (25, 32, "RealMemory=24000"))
GPUS = tuple(f"NodeName=n[017-024] Name=gpu File=/dev/{name}" for name in ("null", "zero"))
"""Two devices that every machine has stand for GPUs: jobs count them, and none uses them."""
CASES = {
    "weights": Case(
        settings={
            **PRIORITY,
            "PriorityFavorSmall": "YES",
            "SchedulerParameters": "bf_interval=7,sched_interval=11,bf_resolution=10,bf_window=60,"
            "bf_max_job_test=40,default_queue_depth=15,bf_continue",
        },
        partitions=(
            "batch Nodes=ALL Default=YES MaxTime=1-00:00:00 PriorityJobFactor=2",
            "short Nodes=ALL MaxTime=00:10:00 PriorityJobFactor=5",
        ),
        accounting=SHARES,
        history=tied_history,
        history_seconds=150.0,
        jobs=weights,
    ),
    "resources": Case(
        settings={
            **PRIORITY,
            "PriorityFlags": "",
            "SelectTypeParameters": "CR_Core_Memory",
            "GresTypes": "gpu",
            "DefMemPerCPU": "1000",
            "SchedulerParameters": "bf_interval=6,sched_interval=10,bf_resolution=1,bf_window=3,bf_max_job_user=2,"
            "bf_max_job_test=500,default_queue_depth=100,bf_continue",
        },
        nodes=NODES,
        partitions=(
            "left Nodes=n[001-016] Default=YES MaxTime=1-00:00:00 PriorityJobFactor=1",
            "right Nodes=n[017-032] MaxTime=1-00:00:00 PriorityJobFactor=1",
            "whole Nodes=ALL MaxTime=1-00:00:00 PriorityJobFactor=2",
        ),
        gres=GPUS,
        accounting=(
            *SHARES,
            "add qos capped Priority=5 MaxTRESPerUser=cpu=16 MaxJobsPerUser=3",
            *(f"modify user u{i} set qos+=capped" for i in (1, 5, 10)),
            "modify account biology set GrpTRES=cpu=24",
        ),
        jobs=resources,
    ),
    "relative": Case(
        settings={
            **PRIORITY,
            "PriorityFlags": "SMALL_RELATIVE_TO_TIME,NO_FAIR_TREE",
            "PriorityFavorSmall": "NO",
            "PriorityWeightTRES": "cpu=400,mem=200",
            "SelectTypeParameters": "CR_Core_Memory",
            "DefMemPerCPU": "1000",
            "SchedulerParameters": "bf_interval=5,sched_interval=7,bf_resolution=1,defer,bf_continue",
        },
        partitions=(
            "batch Nodes=ALL Default=YES MaxTime=1-00:00:00 PriorityJobFactor=2 PriorityTier=1",
            "first Nodes=n[001-008] MaxTime=1-00:00:00 PriorityJobFactor=1 PriorityTier=5",
        ),
        accounting=SHARES,
        jobs=relative,
    ),
    "choices": Case(
        settings={
            "SelectTypeParameters": "CR_Core_Memory",
            "GresTypes": "gpu",
            "DefMemPerCPU": "1000",
            "SchedulerParameters": "bf_interval=60,sched_interval=1,batch_sched_delay=1",
        },
        nodes=NODES,
        partitions=("eight Nodes=n[017-024] Default=YES MaxTime=1-00:00:00", "whole Nodes=ALL MaxTime=1-00:00:00"),
        gres=GPUS,
        jobs=choices,
        every=30.0,
    ),
}
