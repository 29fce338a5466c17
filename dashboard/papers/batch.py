"""Batch policies on archive logs: orders, backfilling and predictions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from shadowtime.dashboard.figures.drawing import DOTS, HEAT, Drawing, Line, Panel, Table, column, columns, points
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.batch.figures import ALL, GROWTH, RANKING, SEQUENCES, SPREAD, WHOLE_LOG
from shadowtime.workers.papers.batch.policies import POLICIES
from shadowtime.workers.papers.batch.tables import SEEDS
from shadowtime.workers.papers.batch.workloads import DRAWN, LOAD, LOGS, PROCESSORS

GENERATED = f"lublin:jobs={DRAWN},processors={PROCESSORS},load={LOAD:g}"
WEEK = f"shadowtime simulate {LOGS['KTH']} --convert week:k=20 -a easy-sjbf"
ALONE = f"shadowtime simulate {LOGS['CTC']} --convert week:k=20 -a batch -p order=f1 -p backfill=none"
LEARNED = "F1 to F4 beat FCFS, WFP3, UNICEF and SPT:"
MIDDLE, LOW, HIGH = "50 %", "10 %", "90 %"
BIBTEX = """@inproceedings{carastan2017dynamic,
  author    = {Danilo Carastan-Santos and Raphael Y. de Camargo},
  title     = {Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning},
  booktitle = {SC '17},
  year      = {2017},
}
@article{tsafrir2007backfilling,
  author  = {Dan Tsafrir and Yoav Etsion and Dror G. Feitelson},
  title   = {Backfilling Using System-Generated Predictions Rather than User Runtime Estimates},
  journal = {IEEE Transactions on Parallel and Distributed Systems},
  volume  = {18},
  number  = {6},
  year    = {2007},
}
@article{mualem2001utilization,
  author  = {Ahuva W. Mu'alem and Dror G. Feitelson},
  title   = {Utilization, Predictability, Workloads, and User Runtime Estimates in Scheduling the {IBM SP2} with
             Backfilling},
  journal = {IEEE Transactions on Parallel and Distributed Systems},
  volume  = {12},
  number  = {6},
  year    = {2001},
}
@article{feitelson2014archive,
  author  = {Dror G. Feitelson and Dan Tsafrir and David Krakov},
  title   = {Experience with using the {Parallel Workloads Archive}},
  journal = {Journal of Parallel and Distributed Computing},
  volume  = {74},
  number  = {10},
  year    = {2014},
}
"""


def drawings(studies: Studies) -> list[Drawing]:
    """Ranking, ratios by week, the map of ratios, sequences of SC 2017, whole logs, and the cost of a queue."""
    drawn: dict[str, Callable[[Any], Drawing]] = {
        ALL: ratios,
        RANKING: partial(ranks, sweep=grid(scale_of(studies))),
        SPREAD: spreads,
        SEQUENCES: sequences,
        WHOLE_LOG: whole_logs,
        GROWTH: growth,
    }
    named = {title: [one for one in studies[0]["figures"] if one["title"].startswith(title)] for title in drawn}
    return [draw(named[title]) for title, draw in drawn.items() if named[title]]


def grid(scale: str) -> str:
    """The sweep on generated jobs behind the ranking."""
    variants = [(policy.slug, dict(policy.parameters)) for policy in POLICIES.values()]
    return toml(
        "Batch policies: generated jobs", [GENERATED], list(range(1, SEEDS[scale] + 1)), variants=variants,
        convert=["estimates"],
    )  # fmt: skip


def ratios(tables: Any) -> Drawing:
    """The map of log by policy."""
    return Drawing(
        "Mean bounded slowdown over EASY's", [Panel("", points(table), columns(table)) for table in tables],
        "geometric mean over weeks or seeds of the ratio to EASY",
        "Blue: smaller than under EASY; red: larger; the colour is full from a factor of 4 on.", kind=HEAT,
        command=WEEK, slug="ratios",
    )  # fmt: skip


def ranks(tables: Any, sweep: str) -> Drawing:
    """The mean ranks, a panel a workload."""
    panels = [
        Panel(workload_of(table), points(table), [column(table, "mean rank")]) for table in tables
    ]  # fmt: skip
    return Drawing(
        "Ranking by week", panels, "mean rank; of the mean bounded slowdown over weeks or seeds, 1 is the best",
        "A line is Nemenyi's critical difference long: two policies whose lines do not meet differ at 5 %.",
        kind=DOTS, command=WEEK, sweep=sweep, slug="ranking",
        sweep_note="The panel of Lublin; a week of a log is a conversion.",
    )  # fmt: skip


def spreads(tables: Any) -> Drawing:
    """The distribution of weekly ratios to EASY."""
    panels = []
    for table in tables:
        low, middle, high = (column(table, name).values for name in (LOW, MIDDLE, HIGH))
        panels.append(Panel(workload_of(table), points(table), [Line("median", middle, low, high)], [1.0], "EASY"))
    return Drawing(
        "Weekly ratios to EASY", panels,
        "ratio to EASY; of the mean bounded slowdown, median of the weeks or seeds, on a logarithmic scale",
        "A line reaches from the smallest tenth of the weeks to the largest. Grey: as EASY.", kind=DOTS, is_log=True,
        command=WEEK, slug="weekly-ratios",
    )  # fmt: skip


def sequences(tables: Any) -> Drawing:
    """The three settings of SC 2017: medians over the smallest on the same workload."""
    panels = []
    for table in tables:
        least = [min(values) for _, values in table["rows"]]
        lines = [
            Line(name, [values[at] / least[row] for row, (_, values) in enumerate(table["rows"])], style=at)
            for at, name in enumerate(table["columns"])
        ]
        orders = [line.name for line in lines]
        turned = [Line(row, [line.values[at] for line in lines]) for at, row in enumerate(points(table))]
        panels.append(Panel(table["title"].removeprefix(SEQUENCES), orders, turned))
    return Drawing(
        "Ten sequences of 15 days, as in SC 2017", panels,
        "median of the mean bounded slowdown over the smallest median on the same workload",
        "1 is the best of the eight orders. The first two settings have no backfilling.", kind=HEAT, command=ALONE,
        slug="sequences",
    )  # fmt: skip


def whole_logs(tables: Any) -> Drawing:
    """One run of each whole log."""
    panels = [Panel(workload_of(table), points(table), [column(table, "slowdown")]) for table in tables]
    return Drawing(
        "Whole logs", panels, "mean bounded slowdown, on a logarithmic scale; of all jobs", "One run of all weeks.",
        kind=DOTS, is_log=True, command=WEEK.replace(" --convert week:k=20", ""), slug="whole-logs", is_alike=False,
    )  # fmt: skip


def growth(tables: Any) -> Drawing:
    """The cost of conservative backfilling against the queue."""
    return Drawing(
        "Time of an end against the queue", [Panel("", points(table), columns(table)) for table in tables],
        "microseconds; processor time of the run over its ends, on a logarithmic scale",
        "At each end conservative backfilling tries to move every waiting job to an earlier slot; EASY looks for the "
        "first one that fits. Generated jobs at three times the load that the machine can do.",
        "mean number of waiting jobs", is_log=True, command=f"shadowtime simulate {GENERATED} -a conservative",
        slug="growth",
    )  # fmt: skip


def workload_of(table: Table) -> str:
    """Return the workload that a table is about, from its title."""
    return str(table["title"]).rpartition(": ")[2]


PAGE = PaperPage(
    name="batch",
    title="Batch policies",
    sentence="Orders of the queue, backfilling and predictions of run times on weeks of four archive logs, and what "
    "three papers claim of them: learned orders (SC 2017), EASY++ (TPDS 2007), conservative against EASY (TPDS 2001).",
    drawings=drawings,
    runs={
        "quick": "25 policies × (8 weeks of each log, 8 generated workloads); 24 × 10 sequences of each; "
        "5 × whole logs",
        "full": "25 policies × (all weeks: 49 of KTH, 49 of CTC, 182 of HPC2N, 140 of SDSC-BLUE; 50 generated "
        "workloads); 24 × 10 sequences of each; 25 × whole logs",
    },
    platform="KTH: 100 processors, CTC: 338, HPC2N: 240, SDSC-BLUE: 1,152; generated jobs: 256",
    unknown=(
        "Which ten sequences of its logs SC 2017 took is not known here: ours are disjoint and evenly spaced. Its "
        "table of medians is not at hand, so that its claims are judged as sentences.",
        "Of its logs CTC and SDSC-BLUE are here; KTH and HPC2N stand beside them.",
        "Jobs that exceed their requested time are ended there: 7 to 10 % of those of CTC, HPC2N and SDSC-BLUE.",
        "s' counts from the first submission of what is run. Within a week or a sequence log10(s') grows and keeps the "
        "order near that of submission; over years it hardly changes any more, and long or wide jobs may starve.",
        "HPC2N requests processors in 729 records that differ from those allocated: the request is taken. The check "
        "against the simulator of 2007 takes what was allocated.",
        "A week begins on an empty machine: the first day is easier than it was.",
    ),
    unknown_title="What is assumed",
    unknown_lead="What the papers leave open, and what we chose.",
    differences=(
        "With actual run times and without backfilling, SPT is as good as the learned orders or better on KTH and "
        "HPC2N, and UNICEF on generated jobs. With requested times the learned orders are ahead almost everywhere: SPT "
        "trusts what users request, F1 to F4 lean on the submission as well.",
        "With EASY backfilling all eight orders lie within a factor of 1.7 on HPC2N, and SPT is first by a little. "
        "Elsewhere the learned orders are first.",
        "SAF, which no claim here is about, is first or second by rank on every workload.",
        "Weeks that begin on an empty machine are kind to fixed orders. On whole logs of CTC and SDSC-BLUE F2 to F4 "
        "and SAF fall behind EASY++ in mean bounded slowdown, and single jobs wait for more than ten months: log10(s') "
        "hardly grows any more, and nothing is reserved for a job that is never first.",
        "EASY++ shortens both means and lengthens the longest wait on every log, to 25 days on SDSC-BLUE.",
    ),
    notes={
        f"{LEARNED} actual run times, without backfilling": "SPT is hard to beat where run times are known",
        f"{LEARNED} requested times, EASY backfilling": "all eight orders lie within a factor of 1.7 there",
    },
    full_seconds=135.0,
    algorithms="batch",
    bibtex=BIBTEX,
    unit="cell",
)
