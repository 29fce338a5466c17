"""Registry entries of the backfilling policies: order x backfill x prediction x correction, and their usual names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.entries import EVENT_ORDER, OVERRUN, POLICIES, rigid
from shadowtime.engine.families.rigid.grammar import RULE, canonical
from shadowtime.engine.families.rigid.orders import ORDERS, SC17, TANG
from shadowtime.engine.parameters import Choice, Parameter, Phrase, Real, Text, Value, Whole
from shadowtime.engine.runner.makers import Compiled, Maker

if TYPE_CHECKING:
    from shadowtime.engine.runner.runner import Question, Runner

FOLDER = f"{POLICIES}.backfilling"
MUALEM = (
    "A. W. Mu'alem and D. G. Feitelson, Utilization, predictability, workloads, and user runtime estimates, TPDS 2001"
)
TSAFRIR = "D. Tsafrir, Y. Etsion and D. G. Feitelson, Backfilling using system-generated predictions, TPDS 2007"
TALBY = (
    "D. Talby and D. G. Feitelson, Supporting priorities and improving utilization of the IBM SP scheduler, IPPS 1999"
)
SHMUELI = (
    "E. Shmueli and D. G. Feitelson, Backfilling with lookahead to optimize the packing of parallel jobs, JPDC 2005"
)
TRADITIONAL = "J. Lelong, V. Reis and D. Trystram, Tuning EASY-backfilling queues, JSSPP 2017"
SRINIVASAN = (
    "S. Srinivasan et al., Characterization of backfilling strategies for parallel job scheduling, ICPP Workshops 2002"
)

TITLES = {name: order.title for name, order in ORDERS.items()}

ORDER = Phrase(
    "order",
    "fcfs",
    "Which waiting job goes first.",
    TITLES | {"expr": "An expression of your own"},
    arguments={"expr": Text("", None, "", canonical=canonical, grammar=RULE)},
)
FACTOR = Real("factor", 1.0, "Slack of a promise, in requests of the job.", low=0.0, high=1e6)
WINDOW = Whole("window", 50, "Number of jobs that are considered at once.", low=1, high=1_000)
BACKFILL = Phrase(
    "backfill",
    "easy",
    "Which jobs hold reservations that no later job may delay.",
    {
        "none": "No backfilling",
        "easy": "EASY: the first jobs that do not fit",
        "conservative": "Conservative: all jobs",
        "slack": "Slack: all jobs, up to a promise",
        "lookahead": "Lookahead: EASY, filling the machine best",
    },
    arguments={
        "easy": Whole("depth", 1, "Number of jobs that hold reservations.", low=1, high=10_000),
        "slack": FACTOR,
        "lookahead": WINDOW,
    },
    silent={"easy": 1},
)
BACKFILL_ORDER = Choice(
    "backfill_order",
    "queue",
    "Which job is backfilled first: as in the queue, the shortest predicted one (sjbf), or by another order. Used by "
    "easy, slack and lookahead.",
    {"queue": "As in the queue", "sjbf": "Shortest prediction first"} | TITLES,
)
PREDICTION = Phrase(
    "prediction",
    "requested",
    "Run time that reservations and backfilling use; it is never above the request, which stays the limit.",
    {
        "requested": "The request",
        "actual": "The true run time (clairvoyant)",
        "user2": "Mean of the user's last two jobs",
        "mean": "Mean of the user's last k jobs",
        "percentile": "Percentile of the user's jobs",
        "user-size": "Percentile of the user's jobs of like size",
    },
    arguments={
        "mean": Whole("", 5, "Number of jobs k.", low=1, high=1_000),
        "percentile": Real("", 90.0, "Percentile q.", low=0.0, high=100.0),
        "user-size": Real("", 90.0, "Percentile q.", low=0.0, high=100.0),
    },
)
CORRECTION = Choice(
    "correction",
    "request",
    "New prediction of a job that runs past its predicted end: its request, some more time at each correction, or "
    "twice the time.",
    {"request": "The request", "gradual": "Some more, from 1 min to 100 h", "double": "Twice the time"},
)
RESERVE_AFTER = Real(
    "reserve_after",
    0.0,
    "Wait after which a job holds a reservation before any backfilling, as a guard against starvation; 0: never. Used "
    "by easy.",
    low=0.0,
    high=1e9,
    unit="s",
)
SURE = ("requested", "actual")
"""Predictions under which no reservation becomes later, as long as no job runs past its predicted end."""


@dataclass(frozen=True, kw_only=True)
class Backfilling(Maker):
    """Makes the runner that the parameter `backfill` names."""

    reserves: bool = True

    def __call__(self, question: Question) -> Runner:
        return self.compiled(question.parameters)(question)

    def code(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        return self.compiled(parameters).code(parameters)

    def compiled(self, parameters: Mapping[str, Any]) -> Compiled:
        """Return the maker for these parameters."""
        values = dict(self.fixed) | dict(parameters)
        word, _, argument = str(values["backfill"]).partition(":")
        argument = argument.partition("=")[2]
        options: dict[str, Value] = dict(self.fixed)
        run = "easy" if word == "none" else word
        match word:
            case "none" | "easy":
                depth = 0 if word == "none" else int(argument or 1)
                options["depth"] = depth
                if depth > 1 or (depth == 1 and float(values.get("reserve_after", 0.0)) > 0.0):
                    run = "deep"
            case "lookahead":
                options |= {"depth": 1, "window": int(argument or values["window"])}
            case "slack":
                options["factor"] = float(argument or values["factor"])
        sure = values["prediction"] in SURE
        options["promises"] = sure and (
            run == "conservative" or (run in ("easy", "lookahead") and values["order"] == "fcfs")
        )
        options["has_profile"] = run in ("deep", "conservative", "slack")
        options["keeps_profile"] = run in ("conservative", "slack")
        return Compiled(
            run=f"{FOLDER}.{run}:run_{run}",
            memory=f"{FOLDER}.state:make",
            options=options,
            columns={"predicted": "predicted"},
        )


@dataclass(frozen=True)
class Guaranteed:
    """What is proven of a combination; a class, since entries of the registry travel as pickles."""

    fixed: tuple[tuple[str, Value], ...]

    def __call__(self, parameters: Mapping[str, Any]) -> str:
        """Return the sentence that holds for these parameters, or for all values of those that are absent."""
        values = dict(self.fixed) | dict(parameters)
        word = str(values.get("backfill", "")).partition(":")[0]
        if values.get("prediction") not in SURE:
            return ""
        if word == "conservative":
            return "No job starts later than the reservation that it gets at submission, if no job exceeds its request."
        if word == "slack":
            return "No job starts later than its promise, if no job exceeds its request."
        if word in ("easy", "lookahead") and values.get("order") == "fcfs":
            return (
                "The first job in the queue never starts later than its reservation, if no job exceeds its requested "
                "time."
            )
        return ""


def entry(
    slug: str, title: str, summary: str, source: str, open_to: tuple[Parameter, ...], **fixed: Value
) -> Algorithm:
    """Return the entry of a combination: parameters that it is `open_to`, and the values that it fixes."""
    return rigid(
        slug=slug,
        title=title,
        summary=summary,
        source=source,
        parameters=(*open_to, EVENT_ORDER, OVERRUN),
        clairvoyant_with={"prediction": "actual"} if PREDICTION in open_to else {},
        guarantee=Guaranteed(tuple(fixed.items())),
        runner=Backfilling(fixed=tuple(fixed.items())),
    )


LEARNING = (PREDICTION, CORRECTION)
BESIDE_ORDER = (BACKFILL, BACKFILL_ORDER, *LEARNING, RESERVE_AFTER)


def ordered(slug: str, summary: str, source: str) -> Algorithm:
    """Return the entry of an order by name."""
    return entry(slug, slug.upper(), f"{summary}, with EASY backfilling", source, BESIDE_ORDER, order=slug)


ALGORITHMS: tuple[Algorithm, ...] = (
    entry(
        "batch",
        "Batch",
        "Any order of the queue with any backfilling, prediction of run times and correction",
        "D. G. Feitelson, L. Rudolph and U. Schwiegelshohn, Parallel job scheduling: a status report, JSSPP 2004",
        (ORDER, *BESIDE_ORDER),
    ),
    entry(
        "conservative",
        "Conservative",
        "Reserves for every job at its submission; backfills jobs that delay no reservation",
        MUALEM,
        (ORDER, *LEARNING),
        backfill="conservative",
    ),
    entry(
        "easy-sjbf",
        "EASY-SJBF",
        "EASY that backfills the job with the shortest predicted run time first",
        TSAFRIR,
        (*LEARNING, RESERVE_AFTER),
        order="fcfs",
        backfill="easy",
        backfill_order="sjbf",
    ),
    entry(
        "easy++",
        "EASY++",
        "EASY-SJBF with predictions from the user's last two jobs",
        TSAFRIR,
        (CORRECTION, RESERVE_AFTER),
        order="fcfs",
        backfill="easy",
        backfill_order="sjbf",
        prediction="user2",
    ),
    entry(
        "slack",
        "Slack",
        "Reserves for every job; backfills jobs that delay no other beyond its promise",
        TALBY,
        (ORDER, FACTOR, BACKFILL_ORDER, *LEARNING),
        backfill="slack",
    ),
    entry(
        "lookahead",
        "Lookahead",
        "EASY that backfills the set of jobs that uses most processors now",
        SHMUELI,
        (ORDER, WINDOW, BACKFILL_ORDER, *LEARNING),
        backfill="lookahead",
    ),
    ordered("sjf", "Starts the job with the shortest requested time first", TRADITIONAL),
    ordered("ljf", "Starts the job with the longest requested time first", TRADITIONAL),
    ordered("saf", "Starts the job with the smallest area (request times processors) first", TRADITIONAL),
    ordered("srf", "Starts the job with the smallest ratio of request to processors first", TRADITIONAL),
    ordered("lxf", "Starts the job with the largest expansion factor first", SRINIVASAN),
    ordered("wfp3", "Starts long-waiting, short and wide jobs first", TANG),
    ordered("unicef", "Starts long-waiting, short and narrow jobs first", TANG),
    ordered("f1", "Orders jobs by a function that regression found: log10(r) n + 870 log10(s)", SC17),
    ordered("f2", "Orders jobs by a function that regression found: sqrt(r) n + 25600 log10(s)", SC17),
    ordered("f3", "Orders jobs by a function that regression found: r n + 6.86e6 log10(s)", SC17),
    ordered("f4", "Orders jobs by a function that regression found: r sqrt(n) + 5.3e5 log10(s)", SC17),
)
