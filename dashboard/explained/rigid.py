"""Explanations of the algorithms for rigid jobs."""

from __future__ import annotations

from shadowtime.dashboard.explained.pseudocode import Explanation

ARRIVAL = """
when a job is submitted: add it to the queue  <- submit
when a job ends: release its processors  <- end
"""
SUBMISSION = "by submission"
"""The order of the queue in which the first job stays first until it starts."""
UNRESERVED = "if another job is first now: cancel the reservation  <- unreserve\n"
CORRECTED = "when a job runs past its predicted end: correct the prediction  <- correct\n"

FCFS = Explanation(
    "Jobs start strictly in the order of their submission. The first job in the queue waits until enough processors "
    "are free for it, and all jobs behind it wait, too. No job is ever overtaken, but processors stand idle.",
    f"""{ARRIVAL}then, while the first job of the queue fits:
    start it  <- start
""",
    "O(1) for each job that starts: only the first job of the queue is looked at.",
)

EASY = Explanation(
    "Jobs start in the order of the queue, and the first job that does not fit gets a reservation. Its shadow time is "
    "the earliest instant at which enough running jobs will have ended, as their requested times say. Jobs behind it "
    "may start at once if they do not delay this reservation.",
    f"""{ARRIVAL}then, while the first job of the queue fits:
    start it  <- start
reserve for the first job at its shadow time  <- reserve
    extra = processors that are still free then
for each other job of the queue, in order:
    if it fits now, and ends before the shadow time or uses only extra processors:
        start it  <- backfill
""",
    "O(r log r + n) for each instant with r running jobs: their ends are sorted once, the queue is read once.",
)


def backfilled(order: str, backfill: str = "easy", predicted: bool = False) -> str:
    """Return the pseudo-code of a batch policy of that order of the queue and that backfilling."""
    rule = {
        "easy": "if it fits now and delays no reservation:",
        "lookahead": "choose the set that uses most processors and delays no reservation:",
    }[backfill]
    candidates = "among the other jobs:" if backfill == "lookahead" else "for each other job:"
    more = CORRECTED if predicted else ""
    overtaken = "" if order.startswith(SUBMISSION) else UNRESERVED
    return (
        f"{ARRIVAL}{more}then sort the queue {order}\n"
        "while its first job fits:\n    start it  <- start\n"
        f"{overtaken}reserve for the first job at its shadow time  <- reserve\n"
        f"{candidates}\n    {rule}\n        start it  <- backfill\n"
    )


def planned(promise: str = "", more: str = "") -> str:
    """Return the pseudo-code of a batch policy that reserves for every job."""
    return f"""
when a job is submitted: add it to the queue  <- submit
    reserve at the earliest instant that delays no reservation  <- reserve
{promise}when a job ends: release its processors  <- end
    move reservations earlier, one after the other, where that delays no other
for each waiting job whose reservation begins now: start it  <- start
{more}"""


BACKFILL_COST = "O(n log n + r log r) for each instant with r running jobs: queue and predicted ends are sorted."
PLAN_COST = "O(n (n + r)) for each instant with r running jobs: each reservation searches the availability profile."

BATCH = Explanation(
    "A batch policy is put together from an order of the queue, a kind of backfilling, a prediction of run times and "
    "a correction of wrong predictions. The names below it on the page of all algorithms are usual combinations. By "
    "default it is EASY with requested times as predictions.",
    backfilled("by the chosen order"),
    BACKFILL_COST + " Conservative and slack backfilling search the availability profile for each job.",
)
CONSERVATIVE = Explanation(
    "Every job gets a reservation when it is submitted, at the earliest instant at which it delays no reservation "
    "made before. A job may start ahead of others only if it delays none of their reservations. When a job ends, each "
    "waiting job in turn may get an earlier reservation, and none becomes later.",
    planned(),
    PLAN_COST,
)
SLACK = Explanation(
    "Every job gets a reservation and a promise when it is submitted: its reserved start plus a slack, which is a "
    "multiple of its request. A job may start ahead of others and delay their reservations as long as no promise is "
    "broken. More slack means more backfilling, and later promises.",
    planned(
        "    promise it a start by then plus factor x request\n",
        "for each other waiting job that fits now:\n"
        "    if all others, planned again behind it, keep their promises: start it  <- backfill\n",
    ),
    "O(n² (n + r)) for each instant with r running jobs: each job that might be backfilled has all others planned "
    "again.",
)
EASY_SJBF = Explanation(
    "The first job of the queue has a reservation, as under EASY. The jobs behind it are tried by predicted run time, "
    "the shortest first. Short jobs fill gaps better and wait less, and none of them delays the first job.",
    backfilled("by submission; the others by predicted run time"),
    BACKFILL_COST,
)
EASY_PLUS = Explanation(
    "Run times are predicted as the mean of the user's last two jobs instead of the requested time. A job that runs "
    "past its predicted end gets a longer prediction, by default its request. Waiting jobs are then backfilled as "
    "under EASY-SJBF, with these predictions.",
    backfilled("by submission; the others by predicted run time", predicted=True),
    BACKFILL_COST,
)
LOOKAHEAD = Explanation(
    "The first job of the queue has a reservation, as under EASY. Instead of trying the other jobs one by one, a "
    "dynamic program chooses the set of them that uses most processors now and delays no reservation. It avoids that "
    "one early choice shuts out two better ones.",
    backfilled(SUBMISSION, "lookahead"),
    "O(w p e) for each instant, with a window of w jobs, p free and e extra processors: a knapsack of two dimensions.",
)
PLAN = Explanation(
    "All waiting jobs are planned into the availability profile, in some order. Simulated annealing swaps jobs of the "
    "order and keeps what makes the plan's waits or slowdowns smaller. The jobs that the best plan starts now are "
    "started, and the next event makes a new plan.",
    """
when a job is submitted: add it to the queue  <- submit
when a job ends: release its processors  <- end
when a job runs past its predicted end: correct the prediction  <- correct
then, for a number of iterations, or for all orders of few jobs:
    swap two jobs of the order, plan all jobs again
    keep the new plan if it is better, or with a falling probability
for each job that the best plan starts now:
    start it  <- start
""",
    "O(k n (n + r)) for each instant, with k iterations, n waiting and r running jobs.",
)
SS_EASY = Explanation(
    "Jobs are started by EASY. A job whose expansion factor, (wait + request) / request, is at least sf times that of "
    "running jobs suspends them and takes their processors. A suspended job keeps its progress and resumes on the "
    "same processors.",
    """
when a job is submitted: add it to the queue  <- submit
when a job ends: release its processors  <- end
at each event, and every period while a job waits:
    resume suspended jobs whose processors are all free  <- resume
    while the first job of the queue fits: start it  <- start
    reserve for the first job that does not fit  <- reserve
    start other jobs that do not delay it  <- backfill
    for each waiting or suspended job, the largest expansion factor first:
        if running jobs of factors up to 1 / sf of its own hold what it lacks:
            suspend them  <- pause
    if any was suspended: resume and start jobs once more
""",
    "O((n + r) log (n + r)) for each period, with n waiting and r running jobs.",
)
OUSTERHOUT = Explanation(
    "Time is cut into slices, and the processors into the columns of a matrix. A job is put into the first row where "
    "it finds enough free columns, and all its processes run in the same slices on these processors. The rows take "
    "turns, so that a job begins soon and runs slowly.",
    """
when a job is submitted: put it into the first row where it fits  <- submit
    its first slice begins: it starts  <- start
at the end of each slice, for the next row in turn:
    suspend the jobs of the row before  <- pause
    resume the jobs of the next row, and others whose columns are all free  <- resume
when a job ends: free its place in its row  <- end
""",
    "O(l p) for each slice and submission, with at most l rows and p processors.",
)
RECORDED = Explanation(
    "Nothing is decided here: each job starts and ends when its log says that it did. Where the log names nodes, the "
    "job is shown on them. What happened stands thereby beside what other algorithms would have done.",
    """
for each job of the log:
    at its recorded submission: it waits  <- submit
    at its recorded start: it runs on its recorded nodes  <- start
    at its recorded end: it releases them  <- end
""",
    "O(n log n) for n jobs: their events are sorted once.",
)
SLURM = Explanation(
    "The controller of a site under Slurm is modelled second by second. Its main loop starts the jobs of highest "
    "priority, and its backfill loop, which is slower, starts others that delay none of higher priority. Priorities "
    "follow from age, fair share, size, partition and quality of service.",
    """
when a job is submitted: compute its priority  <- submit
when a job ends: release its nodes, count its usage  <- end
main loop, for each job by priority: if limits and free nodes allow it, start it  <- start
    stop at the first job of a partition that does not fit
backfill loop, for each job by priority:
    find the earliest time at which nodes are free for it
    if that is now: start it
    else: keep these nodes for it
""",
    "O(d) tests of nodes in a pass of the main loop with depth d; O(n²) at worst in a pass of the backfill loop.",
)

ORDERS = {
    "sjf": ("by requested time, the shortest first", "Short jobs leave soon, so that the mean wait is small."),
    "ljf": ("by requested time, the longest first", "Long jobs are placed early, and short ones fill the gaps."),
    "saf": ("by requested time x processors, the smallest first", "Small jobs disturb others least."),
    "srf": ("by requested time / processors, the smallest first", "Wide and short jobs go first."),
    "lxf": ("by expansion factor, the largest first", "A job that has waited long for its length goes first."),
    "wfp3": ("by (wait / request)³ x processors, the largest first", "Long waits count, and wide jobs are favoured."),
    "unicef": (
        "by wait / (request x log2(max(processors, 2))), the largest first",
        "Small and short jobs get quick answers, and waiting counts.",
    ),
    **{
        name: (
            f"by {name.upper()} = {function}, the smallest first",
            "Regression on simulated schedules found this function of request r, processors n and submission s.",
        )
        for name, function in {
            "f1": "log10(r) n + 870 log10(s)",
            "f2": "√r n + 25,600 log10(s)",
            "f3": "r n + 6,860,000 log10(s)",
            "f4": "r √n + 530,000 log10(s)",
        }.items()
    },
}
"""Order of the queue of the named combinations, and why."""


def ordered(name: str) -> Explanation:
    """Return the explanation of EASY with another order of the queue."""
    order, why = ORDERS[name]
    return Explanation(
        f"The queue is sorted {order}. {why} The first job of the queue has a reservation, and the others are "
        "backfilled around it as under EASY.",
        backfilled(order),
        BACKFILL_COST,
    )


EXPLANATIONS = {
    "fcfs": FCFS, "easy": EASY, "batch": BATCH, "conservative": CONSERVATIVE, "easy-sjbf": EASY_SJBF,
    "easy++": EASY_PLUS, "slack": SLACK, "lookahead": LOOKAHEAD, "plan": PLAN, "ss-easy": SS_EASY,
    "ousterhout": OUSTERHOUT, "recorded": RECORDED, "slurm": SLURM,
    **{name: ordered(name) for name in ORDERS},
}  # fmt: skip
