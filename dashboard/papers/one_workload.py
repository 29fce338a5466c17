"""Every family on one workload: weeks of two real logs through schedulers that were never compared."""

from __future__ import annotations

from shadowtime.dashboard.figures.drawing import DOTS, Drawing, Panel, column, columns, points
from shadowtime.dashboard.papers.page import PaperPage, Studies

KTH, HPC2N = "KTH-SP2-1996-2.1-cln.swf.gz", "HPC2N-2002-2.2-cln.swf.gz"
POINT = f"shadowtime simulate {KTH} --convert week:k=20 --convert two_tier -a measy --seed 1"
SHARED = f"shadowtime simulate {HPC2N} --convert week:k=33 --convert fractional -a 'greedyp*/opt=min' --seed 1"

DRAWN = ("MEASY", "EASY", "GreedyP*", "FCFS", "DEMT", "GreedyPM*/per", "KEASY")
"""Week by week, without those that lie on another."""


def drawings(studies: Studies) -> list[Drawing]:
    """Turnaround beside its bound, slowdown, makespan beside its bound; then week by week."""
    tables = studies[0]["figures"]
    means = {t["title"].rpartition(", ")[2]: t for t in tables if t["title"].startswith("Means over weeks")}
    made = []
    for title, ours, bound, note, command in (
        ("Mean turnaround", "turnaround s", "bound s", "seconds, on a logarithmic scale; mean over weeks", POINT),
        ("Mean bounded slowdown", "slowdown", "", "turnaround over the runtime in the log, on a logarithmic scale",
         SHARED),
        ("Largest bounded slowdown", "largest slowdown", "", "of a week, mean over weeks; on a logarithmic scale",
         SHARED),
        ("Makespan", "makespan s", "makespan bound s", "seconds, mean over weeks", POINT),
    ):  # fmt: skip
        panels = []
        for log, table in means.items():
            level = column(table, bound).values if bound else ()
            rows = [point for point, _ in table["rows"]]
            panels.append(Panel(log, rows, [column(table, ours)], level, grey="bound"))
        said = "Grey: the proven bound of the workload that the scheduler was given; no scheduler can be left of it."
        made.append(
            Drawing(title, panels, note, said if bound else "No value is below 1.", kind=DOTS, command=command,
                    is_log=True, is_alike=not bound)
        )  # fmt: skip
    for title in ("Mean bounded slowdown", "Mean turnaround"):
        panels = [
            Panel(
                t["title"].rpartition(", ")[2], [point.removeprefix("week ") for point in points(t)], columns(t, DRAWN)
            )
            for t in tables
            if t["title"].startswith(f"{title} by week")
        ]
        made.append(
            Drawing(f"{title}, week by week", panels, "on a logarithmic scale", "", "week of the log", is_log=True,
                    command=POINT)
        )  # fmt: skip
    return made


PAGE = PaperPage(
    name="one-workload",
    title="Every family on one workload",
    source="Weeks of two real logs: KTH-SP2 and HPC2N, of the Parallel Workloads Archive.",
    sentence="The same weeks of two real logs through batch, two-tier, fractional and moldable schedulers, each beside "
    "the proven bound of what it was given. This comparison was never published; it is as good as the conversions are.",
    drawings=drawings,
    runs={
        "quick": "6 weeks of KTH and 8 of HPC2N × 9 schedulers",
        "full": "all weeks with jobs, 48 of KTH and 182 of HPC2N, × 9 schedulers",
    },
    platform="KTH: 100 processors, or 50 nodes of two; HPC2N: 240 processors, or 120 nodes of two",
    unknown=(
        "Batch: takes the log as it is; FCFS and EASY know the requested times, jobs hold processors alone. This is "
        "the only family that needs no assumption.",
        "Two tiers: two_tier draws what each process uses of its processor (40 to 100 %, all of it in jobs of one) and "
        "what a background process can take of the rest. No log says either. If real jobs use all of their processors, "
        "two tiers have nothing to gain from sharing; with usage=full the gain that is left is that of a second queue.",
        "Fractional: makes tasks of processors after the rule that was published for HPC2N: two processors are a node, "
        "a processor needs half of it. KTH's nodes had one processor; it is taken as 50 nodes of two, and as its log "
        "has no memory, every processor needs a tenth of a node's. So memory hardly limits sharing there.",
        "A job that shares a CPU runs slower in proportion and loses nothing by it; pausing or moving one costs 300 s. "
        "Real caches and networks are less kind.",
        "Moldable: puts each job on Downey's curve through its size and runtime (A = its size, sigma = 1), so that it "
        "could run on more or fewer processors, with times that are known exactly. Rigid codes could not; the user's "
        "choice of size is one point, the curve is ours.",
        "DEMT and List-SAF plan jobs that are all there. Here jobs arrive, so they are planned in batches: what comes "
        "waits until the batch before has ended. That is how they are proved, not how one would run a cluster.",
        "A week begins on an empty machine. Jobs that were running or waiting when it began are not there, so the "
        "first day is easier than it was.",
        "The bounds are of different problems: the moldable one is lower, since more is allowed.",
    ),
    unknown_title="What each conversion assumes",
    unknown_lead="Only the first of these workloads is the log itself.",
    differences=(
        "Sharing nodes (GreedyP*) all but removes large slowdowns, because a short job starts at once; long jobs pay "
        "for it, so that the mean turnaround is about that of EASY. Periodic repacking with minvt=600 moves more, at "
        "300 s a move, and costs turnaround on these logs.",
        "Two tiers shorten both, with less help for the shortest jobs, if processors are as idle inside jobs as the "
        "model of the paper says.",
        "Planning in batches is the wrong tool for jobs that arrive: its makespan stays below twice the bound, and "
        "the mean turnaround is several times EASY's.",
        "EASY on nodes is EASY on the converted workload: the difference to EASY is what putting tasks on whole nodes "
        "costs or gains, before anything is shared.",
    ),
    full_seconds=400.0,
    caveats_first=True,
    logs=(KTH, HPC2N),
    unit="week",
)
