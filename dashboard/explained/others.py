"""Explanations of the algorithms for two tiers, moldable, multitask, classed jobs and shared nodes."""

from __future__ import annotations

from shadowtime.dashboard.explained.pseudocode import Explanation

TIERS = """
when a job is submitted: add it to the queue  <- submit
when a job ends: release its processors  <- end
while the first job of the queue fits in the foreground:
    start it, or move it up if it runs in the background  <- start {up}
reserve for the first job at its shadow time  <- reserve
start other jobs in the foreground that do not delay it  <- backfill
for each waiting job, if CPU usage leaves room behind foreground jobs:
    start it in the background  <- background
{more}"""
TIER_COST = "O(r log r + n p) for each instant, with r running and n waiting jobs on p processors."
TWO_TIER = {
    "keasy": Explanation(
        "Parallel jobs rarely use all CPU of their processors, so waiting jobs may run behind them, in the background. "
        "When the turn of such a job comes, it moves to the foreground if its processors are free. Otherwise it is "
        "killed, loses its work, and starts again.",
        TIERS.format(up="swap", more="if its processors are not free for the foreground: kill it  <- kill\n"),
        TIER_COST,
    ),
    "reasy": Explanation(
        "Waiting jobs run in the background behind jobs that do not use all CPU. A background job waits until its own "
        "processors are free, and is then moved to the foreground in place. It is never killed, and its work is never "
        "lost.",
        TIERS.format(up="swap", more=""),
        TIER_COST,
    ),
    "measy": Explanation(
        "Waiting jobs run in the background behind jobs that do not use all CPU. When the turn of such a job comes, it "
        "moves to any free processors of the foreground and keeps its progress. The move costs a fixed time in which "
        "the job makes none.",
        TIERS.format(
            up="swap", more="if other processors are free: migrate it there, at the cost of a stall  <- migrate\n"
        ),
        TIER_COST,
    ),
}

PLANNED = """
when jobs are submitted: collect them until the machine is free of the plan before  <- submit
{plan}
at the planned instant, on the planned allotment: start the job  <- start
when a job ends: release its processors  <- end
"""


def moldable(idea: str, plan: str, cost: str) -> Explanation:
    """Return the explanation of a planner of moldable jobs."""
    return Explanation(idea, PLANNED.format(plan=plan), cost)


LISTS = {
    "list-shelf": ("shelf by shelf", "Jobs of the first shelf come before those of the second."),
    "list-lptf": ("by rising weight over time", "Long jobs come first, which keeps the makespan short."),
    "list-saf": ("by rising area", "Small jobs come first, which keeps the mean turnaround short."),
    "list-wspt": ("by falling weight over time", "It is Smith's order, the best one on a single machine."),
}
SHELVES = "O(n m log(1/e)) for n jobs on m processors with accuracy e: the target is found by bisection."
MOLDABLE = {
    "demt": moldable(
        "The scheduler chooses the number of processors of each job. Time is cut into batches whose lengths double, "
        "and each batch takes the set of jobs of largest weight that fits, by a knapsack. The batches are compacted by "
        "list scheduling afterwards, so that both makespan and weighted completion are near their bounds.",
        "for each batch, twice as long as the one before:\n"
        "    give each job the fewest processors with which it fits the batch\n"
        "    choose the jobs of largest total weight by a knapsack\n"
        "compact: start each job as early as the order of the batches allows",
        "O(n m log(T)) for n jobs on m processors and a horizon T, and a knapsack of n x m for each batch.",
    ),
    "dual": moldable(
        "A target for the makespan is guessed, and found by bisection. Long jobs are put on a first shelf of that "
        "length, others on a second one of half of it, and small jobs between them. The makespan is at most "
        "3/2 (1 + accuracy) times the best possible.",
        "bisect the target t:\n"
        "    give each job the fewest processors with which it ends within t, or within t / 2\n"
        "    choose by a knapsack which jobs go on the first shelf\n"
        "    if the work is more than m t: t is too small",
        SHELVES,
    ),
    "gang": moldable(
        "Each job gets all processors, one job after another. Jobs are sorted by weight over time, the largest first, "
        "which is Smith's order. It is the best possible for weighted completion if speed-up is perfect.",
        "give each job all processors\nsort the jobs by weight / time, the largest first",
        "O(n log n) for n jobs.",
    ),
    "sequential": moldable(
        "Each job gets one processor, or as few as it can run on. The longest job starts first on the first free "
        "processor. No work is lost to imperfect speed-up, but long jobs end late.",
        "give each job the fewest processors that it can run on\nsort the jobs by time, the longest first",
        "O(n log n) for n jobs.",
    ),
    **{
        name: moldable(
            f"Each job gets the number of processors that the two shelves of the dual approximation give it. The jobs "
            f"are then sorted {order}, and each starts as soon as enough processors are free. {why}",
            f"give each job its processors by the two shelves\nsort the jobs {order}",
            SHELVES,
        )
        for name, (order, why) in LISTS.items()
    },
}

ARRIVAL = "\nwhen a job is submitted: its tasks wait  <- submit\n"
ENDED = "when the last task of a job ends: the job has ended  <- end\n"
PREEMPTED = "    preempt tasks that hold the machine  <- pause\n    let preempted tasks continue  <- resume\n"
LP = "O(LP) for a linear program over jobs, tasks, machines and intervals, then O(n log n) for n tasks."
MULTITASK = {
    "synchpack-1": Explanation(
        "A linear program places fractions of the tasks into intervals of time whose lengths grow. The fractions are "
        "scheduled greedily, and run in slow motion with a random factor. Tasks may be preempted, and may continue on "
        "another machine.",
        f"{ARRIVAL}solve the linear program over intervals\nfor each interval, place its fractions on machines:\n"
        f"    start a task of the job  <- start\n{PREEMPTED}"
        f"    continue a task elsewhere, if allowed  <- migrate\n{ENDED}",
        LP,
    ),
    "synchpack-2": Explanation(
        "A linear program says into which interval and on which machine each task should go. The fractions are rounded "
        "to one machine and interval for each task. The tasks of an interval are packed and shifted left, without "
        "preemption.",
        f"{ARRIVAL}solve the linear program over intervals\nround: choose one machine and interval for each task\n"
        f"for each interval, pack its tasks and shift them left:\n    start a task of the job  <- start\n{ENDED}",
        LP,
    ),
    "synchpack-3": Explanation(
        "Each task has its machine, and a linear program puts the jobs into one order for all machines. On each "
        "machine, tasks are packed in this order. When a task of an earlier job arrives, it may preempt later ones.",
        f"{ARRIVAL}order the jobs by the linear program\nat each arrival and end, on each machine, in that order:\n"
        f"    start each task that fits  <- start\n{PREEMPTED}{ENDED}",
        LP,
    ),
    "psrs": Explanation(
        "On each machine, tasks start by weight over volume, the largest first, as soon as they fit. A task that takes "
        "more than half of the machine and has waited 1 / V of its own run time preempts all others. They continue "
        "when it has ended.",
        f"{ARRIVAL}at each event, on each machine, by weight / volume:\n    start each task that fits  <- start\n"
        f"    if a wide task has waited too long, preempt the others for it  <- pause\n"
        f"    when it has ended, let them continue  <- resume\n{ENDED}",
        "O(n log n) for each event with n waiting tasks.",
    ),
    "tetris": Explanation(
        "Each pair of a waiting task and a machine gets a score. It is larger the better the task fills the machine, "
        "and the less volume its job has left. The best pair that fits starts, until none fits.",
        f"{ARRIVAL}at each event, while any task fits:\n    score each pair of task and machine\n"
        f"    start the best pair  <- start\n{ENDED}",
        "O(n m) for each start with n waiting tasks on m machines.",
    ),
    "tetris-p": Explanation(
        "Tasks are scored as under Tetris: by how well they fill a machine, and how little their job has left. At each "
        "arrival and end, all running tasks are chosen again among all tasks. Those that are not chosen are preempted "
        "and keep their progress.",
        f"{ARRIVAL}at each arrival and end, choose the running tasks again by score:\n"
        f"    start a task that is chosen for the first time  <- start\n{PREEMPTED}{ENDED}",
        "O(n m) for each choice, with n tasks on m machines.",
    ),
    "jsq-mw": Explanation(
        "Each task joins the shortest queue among the machines that hold its data. A machine that is free serves its "
        "own queue, or another machine's at a slower rate, whichever has the larger product of length and rate. "
        "Weights are ignored.",
        f"{ARRIVAL}    each task joins the shortest of its local queues\nwhen a machine has room:\n"
        f"    take the queue with the largest length x rate\n    start its first task that fits  <- start\n{ENDED}",
        "O(m) for each decision on m machines.",
    ),
}

CALL = """
when a job arrives: add it to the queue  <- submit
every quantum, plan the waiting jobs:
{rule}
start each job on the machines that its plan names, when they are free  <- start
    if stopping a job of low priority gains enough: stop it, and plan it again  <- kill
when a job ends: release its machines, learn its run time  <- end
"""


def classed(idea: str, rule: str, cost: str) -> Explanation:
    """Return the explanation of a planner of a site whose machines differ."""
    return Explanation(idea, CALL.format(rule=rule), cost)


CLASSED = {
    "olb": classed(
        "Machines differ, and run times on them are learned from earlier jobs of the class. OLB ignores them: each "
        "job, in order of arrival, goes to the machine that is free first. All machines are busy, but a job may get "
        "one on which it is slow.",
        "    take the jobs in order of arrival\n    choose the machine that is free first",
        "O(n m) for n waiting jobs on m machines.",
    ),
    "min-min": classed(
        "For each waiting job the machine is found on which it would be completed first. The job whose completion is "
        "the earliest of all is placed there, and the others are looked at again. Short jobs thereby go first.",
        "    find the machine of earliest completion for each job\n    place the job whose completion is earliest",
        "O(n² m) for n waiting jobs on m machines.",
    ),
    "min-max": classed(
        "For each waiting job the machine is found on which it would be completed first. The job whose earliest "
        "completion is latest is placed there, and the others are looked at again. Long jobs thereby go first, and "
        "short ones fill the gaps.",
        "    find the machine of earliest completion for each job\n    place the job whose completion is latest",
        "O(n² m) for n waiting jobs on m machines.",
    ),
    "sjs": classed(
        "Neither min-min nor min-max is always better. SJS makes both plans at each call. It follows the one with the "
        "smaller sum of completions.",
        "    plan by min-min, plan by min-max\n    take the plan with the smaller sum of completions",
        "O(n² m) for n waiting jobs on m machines.",
    ),
    "pjs": classed(
        "A cluster may run a parallel job faster than any of its machines. PJS places the jobs that gain most on whole "
        "clusters, and plans the others around them with SJS. It keeps this plan only if its total job time is smaller "
        "than without any cluster.",
        "    for each job, the largest gain first:\n"
        "        place it on a whole cluster, and the others by SJS\n"
        "        keep this if the total job time becomes smaller",
        "O(c n³ m) for n waiting jobs on m machines and c clusters.",
    ),
}

FRACTIONAL = Explanation(
    "Several jobs share a node, and each gets a fraction of the CPU that it needs: its yield. Jobs are paused, moved "
    "and packed again to make the smallest yield large, so that no job has to wait long. A name says what is done on "
    "submission, on completion and every period, how CPU is shared then, and what holds jobs in place.",
    """
when a job is submitted:
    find nodes for its tasks: Greedy, GreedyP, GreedyPM or MCB8  <- submit
    start it, or postpone it if memory is short  <- start
    pause jobs of less priority where that makes room  <- pause
when a job ends: release its share, and fill the room if the name has *  <- end
every period, if the name has per or stretch-per:
    pack all jobs again by MCB8: some are moved  <- migrate
    and some resume where memory is free again  <- resume
after each of these: raise the yields by opt=min, opt=avg or opt=max
""",
    "O(n k) for a Greedy placement of n tasks on k nodes; MCB8 packs O(n k) for each of some 20 steps of a bisection.",
)
