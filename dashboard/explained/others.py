"""Explanations of the algorithms for two tiers, moldable, multitask, classed jobs and shared nodes."""

from __future__ import annotations

from shadowtime.dashboard.explained.pseudocode import Explanation

TIERS = """
when a job is submitted: add it to the queue  <- submit
when a job ends: release its processors  <- end
for the jobs that wait or run in the background, by submission:
    while the first fits in the foreground: start it there  <- start
    reserve for the first that does not fit, at its shadow time  <- reserve
    start others in the foreground that do not delay it  <- backfill
for each waiting job, the shortest request first:
    if enough processors have CPU left: start it in the background  <- background
a job comes from the background to the foreground:
    in place, if the foreground of its own processors is free  <- swap
    {otherwise}
"""
TIER_COST = "O(r log r + n p) for each instant, with r running and n waiting jobs on p processors."
TWO_TIER = {
    "keasy": Explanation(
        "Parallel jobs rarely use all CPU of their processors, so waiting jobs may run behind them, in the background. "
        "When the turn of such a job comes, it moves to the foreground in place if its own processors are free there. "
        "Otherwise it is killed, loses its work, and starts again on other processors.",
        TIERS.format(otherwise="else it is killed, and starts again on others  <- kill"),
        TIER_COST,
    ),
    "reasy": Explanation(
        "Waiting jobs run in the background behind jobs that do not use all CPU. A background job waits until its own "
        "processors are free in the foreground, and is then moved up in place. It is never killed or moved elsewhere, "
        "and its work is never lost.",
        TIERS.format(otherwise="else it stays in the background until they are"),
        TIER_COST,
    ),
    "measy": Explanation(
        "Waiting jobs run in the background behind jobs that do not use all CPU. When the turn of such a job comes, it "
        "moves to the foreground, in place or on other processors, and keeps its progress. A move to others costs a "
        "fixed time in which the job makes no progress.",
        TIERS.format(otherwise="else it migrates to others, at the cost of a stall  <- migrate"),
        TIER_COST,
    ),
}

PLANNED = """
when jobs are submitted: collect them until the plan before has ended  <- submit
{plan}
at the planned instant, on the planned allotment: start the job  <- start
when a job ends: release its processors  <- end
"""


def moldable(idea: str, plan: str, cost: str) -> Explanation:
    """Return the explanation of a planner of moldable jobs."""
    return Explanation(idea, PLANNED.format(plan=plan), cost)


LISTS = {
    "list-shelf": (
        "shelf by shelf",
        "First come the jobs of the first shelf, then those of the second, then small ones.",
    ),
    "list-lptf": ("by rising weight over time", "Long and light jobs come first, which keeps the makespan short."),
    "list-saf": ("by rising area", "Small jobs come first, which keeps the mean turnaround short."),
    "list-wspt": ("by falling weight over time", "It is Smith's order, which is optimal on a single machine."),
}
SHELVES = "O(n m log(1/e)) for n jobs on m processors with accuracy e: the target is found by bisection."
MOLDABLE = {
    "demt": moldable(
        "The scheduler chooses the number of processors of each job. Time is cut into batches whose lengths double, "
        "and each batch takes the set of jobs of largest weight that fits, by a knapsack. The batches are compacted by "
        "list scheduling afterwards, so that both makespan and weighted completion stay near their lower bounds.",
        "for each batch, twice as long as the one before:\n"
        "    give each job the fewest processors with which it fits the batch\n"
        "    stack small jobs on one processor, the heaviest first\n"
        "    choose the jobs of largest total weight by a knapsack\n"
        "compact: start each job as early as the order of the batches allows",
        "O(n m (b + log(1/e))) for n jobs on m processors: a knapsack for each of b batches, after a bisection to "
        "accuracy e.",
    ),
    "dual": moldable(
        "A target for the makespan is guessed, and found by bisection. Long jobs are put on a first shelf of that "
        "length, others on a second one of half of it, and small jobs between them. For monotonic jobs that are "
        "all there at once, the makespan is at most 3/2 (1 + accuracy) times the optimum.",
        "bisect the target t:\n"
        "    give each job the fewest processors with which it ends within t, or within t / 2\n"
        "    choose by a knapsack which jobs go on the first shelf, for the least work\n"
        "    if that is more than m t: t is too small\n"
        "move jobs between the shelves until both fit; add the small jobs",
        SHELVES,
    ),
    "gang": moldable(
        "Each job gets all processors, one job after another. Jobs are sorted by weight over time, the largest first, "
        "which is Smith's order. Weighted completion is then optimal if speed-up is perfect.",
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
LP = "One linear program over jobs, tasks, machines and intervals, then O(n log n) for n tasks."
MULTITASK = {
    "synchpack-1": Explanation(
        "A linear program places fractions of the tasks into intervals of time whose lengths grow. The fractions are "
        "scheduled greedily, and run in slow motion with a random factor. Tasks may be preempted, and may continue on "
        "another machine.",
        f"{ARRIVAL}solve the linear program over intervals\nschedule its fractions greedily, interval by interval\n"
        f"stretch that schedule by 1 / lambda, and cut off what exceeds a task:\n"
        f"    start a task of the job  <- start\n{PREEMPTED}"
        f"    continue a task elsewhere, if allowed  <- migrate\n{ENDED}",
        LP,
    ),
    "synchpack-2": Explanation(
        "A linear program says into which interval and on which machine each task should go. The fractions are rounded "
        "to one machine and interval for each task. The tasks of an interval are packed and shifted left, without "
        "preemption.",
        f"{ARRIVAL}solve the linear program over intervals\nround by a matching: one machine and one interval for "
        f"each task\n"
        f"for each interval, pack its tasks and shift them left:\n    start a task of the job  <- start\n{ENDED}",
        LP,
    ),
    "synchpack-3": Explanation(
        "Each task has its machine, and a linear program puts the jobs into one order for all machines. On each "
        "machine, tasks are packed in this order. A task of a job that is earlier in the order may preempt later ones.",
        f"{ARRIVAL}order the jobs by the linear program\nat each arrival and end, on each machine, in that order:\n"
        f"    start each task that fits  <- start\n{PREEMPTED}{ENDED}",
        "One linear program over pairs of jobs, or O(j (j + m)) by primal-dual for many jobs, then O(n log n) for n "
        "tasks of j jobs on m machines.",
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
        "Each pair of a waiting task and a machine gets a score. It grows with the weight of the job and the size of "
        "the task, and falls with the volume that the job has left and with the slowness of the machine. The best pair "
        "that fits starts, until none fits.",
        f"{ARRIVAL}at each event, while any task fits:\n    score each pair of task and machine\n"
        f"    start the best pair  <- start\n{ENDED}",
        "O(n m) for each start with n waiting tasks on m machines.",
    ),
    "tetris-p": Explanation(
        "Tasks are scored as under Tetris, by weight, size, and how little volume their job has left. At each "
        "arrival and end, all running tasks are chosen again among all tasks. Those that are not chosen are preempted "
        "and keep their progress.",
        f"{ARRIVAL}at each arrival and end, choose the running tasks again by score:\n"
        f"    start a task that is chosen for the first time  <- start\n{PREEMPTED}{ENDED}",
        "O(n m) for each choice, with n tasks on m machines.",
    ),
    "jsq-mw": Explanation(
        "Each task joins the shortest among the queues of the machines that hold its data and one queue of remote "
        "tasks. A machine with room serves its own queue, or the remote one at a slower rate, whichever has the larger "
        "product of length and rate. Weights are ignored.",
        f"{ARRIVAL}    each joins the shortest of its local queues and the remote queue\nwhen a machine has room:\n"
        f"    take its own or the remote queue, by the larger length x rate\n"
        f"    start the first task there that fits  <- start\n{ENDED}",
        "O(m) for each decision on m machines.",
    ),
}

CALL = """
when a job arrives: add it to the queue  <- submit
every quantum in which jobs arrived, plan all waiting jobs, high priorities first:
{rule}
    if a job of high priority is planned over a running one of low priority:
        stop that, without its progress, and plan it again  <- kill
start each job on the machines that its plan names, when they are free  <- start
when a job ends: release its machines  <- end
"""


def classed(idea: str, rule: str, cost: str) -> Explanation:
    """Return the explanation of a planner of a site whose machines differ."""
    return Explanation(idea, CALL.format(rule=rule), cost)


CLASSED = {
    "olb": classed(
        "Machines differ, and run times on them are known from earlier jobs of the class. OLB ignores them: each "
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
        "smaller sum of completions, that of min-min if both are equal.",
        "    plan by min-min, plan by min-max\n    take the plan with the smaller sum of completions",
        "O(n² m) for n waiting jobs on m machines.",
    ),
    "pjs": classed(
        "A cluster may run a parallel job faster than any of its machines. PJS places the job that gains most on "
        "a whole cluster, and plans the others around it with SJS. It goes on as long as that makes the total job time "
        "smaller, so that no plan is worse than that of SJS.",
        "    plan all jobs by SJS\n"
        "    for each job and cluster, the largest gain in execution time first:\n"
        "        place the job there, and all others around it by SJS\n"
        "        if the total job time becomes smaller: keep this; else stop",
        "O(n³ m + n² c) for n waiting jobs on m machines and c clusters: a plan by SJS for each job placed on a "
        "cluster.",
    ),
}

FRACTIONAL = Explanation(
    "Several jobs share a node, and each gets a fraction of the CPU that it needs: its yield. Jobs are paused, moved "
    "and packed again to make the smallest yield large, so that no job has to wait long. A name says what is done on "
    "submission, on completion and every period, how CPU is shared then, and which jobs may not be moved yet.",
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
    "O(n k) for a Greedy placement of n tasks on k nodes; MCB8 packs O(n k) at most nine times, and again for "
    "each job that it has to leave out.",
)
