"""Parallel and sequential jobs on heterogeneous clusters (Collins and George 2001)."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.figures.drawing import Drawing, Panel, Table, columns, points, titled
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import PaperPage, Studies
from shadowtime.workers.papers.pjs import JOBS_ONLINE, SEEDS
from shadowtime.workers.papers.pjs_claims import HEAVY, LIGHT, MIXES, PRIORITY_JOBS, RATES

SITES = ("Stand-in site", "Stand-in with noise")
LEVELS = ("high", "medium", "low")
POINT = "shadowtime simulate classed:site=standin,jobs=20 -a pjs --seed 1"
ONLINE = "shadowtime simulate classed:site=standin,jobs=500,mix=25/25/50,rate=4 -a pjs --seed 1"


def drawings(studies: Studies) -> list[Drawing]:
    """The four studies of the paper."""
    tables = studies[0]["figures"]
    sweeps = grids(scale_of(studies))
    made = [*static(tables), *priorities(tables), *overhead(tables)]
    return [replace(drawing, sweep=sweeps.get(drawing.key, "")) for drawing in made]


def grids(scale: str) -> dict[str, str]:
    """The sweeps of studies 2 to 4 by the drawing that they are behind."""
    seeds = SEEDS[scale]
    static = [f"classed:site={site},jobs={n}" for site in ("standin", "noisy") for n in (*LIGHT, *HEAVY)]
    levels = [
        f"classed:site={site},jobs={n},mix={mix}"
        for site in ("standin", "noisy") for mix in MIXES for n in PRIORITY_JOBS
    ]  # fmt: skip
    online = [
        f"classed:site={site},jobs={JOBS_ONLINE},mix={mix},rate={rate:g}"
        for site in ("standin", "noisy") for mix in ("none", *MIXES) for rate in RATES
    ]  # fmt: skip
    two = toml("PJS, figure 5: job time without priorities", static, seeds, ("olb", "sjs", "pjs"))
    three = toml("PJS, figure 6: levels of priority", levels, seeds, ("sjs", "pjs"))
    four = toml("PJS, figures 7 to 9: jobs that arrive", online, seeds, ("pjs",))
    return {"total-job-time": two, "saving": two, "levels": three,
            **dict.fromkeys(("online-time", "parallel-share", "penalty"), four)}  # fmt: skip


def static(tables: list[Table]) -> list[Drawing]:
    """Study 2: job time without priorities."""
    found = {site: titled(tables, f"Total job time (figure 5), {site}") for site in SITES}
    return [
        Drawing(
            "Total job time, all jobs at second 0",
            [Panel(site, points(table), columns(table, ("PJS", "SJS", "OLB"))) for site, table in found.items()],
            "seconds, on a logarithmic scale (figure 5)", "From 40 jobs on PJS and SJS make the same plan.", "jobs",
            is_log=True, command=POINT, slug="total-job-time",
        ),
        Drawing(
            "What PJS saves of SJS's job time",
            [Panel(site, points(table), columns(table, ("saving %",), ("PJS",))) for site, table in found.items()],
            "percent (figure 5)", "The paper: up to nearly 50 % at light load.", "jobs", command=POINT, slug="saving",
        ),
    ]  # fmt: skip


def priorities(tables: list[Table]) -> list[Drawing]:
    """Studies 3 and 4: levels of priority."""
    levels = [(site, mix) for site in SITES for mix in MIXES]
    saved = [(site, mix, titled(tables, f"Saving of PJS by level at {mix} (figure 6), {site}")) for site, mix in levels]
    online = [(site, mix, titled(tables, f"parallel share at {mix} (figures 7 to 9), {site}")) for site, mix in levels]
    times = [
        (f"{site}, {mix}", points(t), columns(t, ("high s", "medium s", "low s"), LEVELS)) for site, mix, t in online
    ]
    shares = [
        (f"{site}, {mix}", points(t), columns(t, ("high parallel %", "medium", "low"), LEVELS))
        for site, mix, t in online
    ]
    penalty = [(site, titled(tables, f"Penalty of priorities in total job time, {site}")) for site in SITES]
    return [
        Drawing(
            "What PJS saves by level of priority", [Panel(f"{s}, {m}", points(t), columns(t)) for s, m, t in saved],
            "percent of SJS's job time (figure 6); shares of high / medium / low jobs", "", "jobs", is_signed=True,
            command="shadowtime simulate classed:site=standin,jobs=50,mix=25/25/50 -a pjs --seed 1", slug="levels",
        ),
        Drawing("Mean job time on-line, by level", [Panel(*one) for one in times],
                "seconds (figures 7 to 9); 500 jobs", "", "arrival rate", command=ONLINE, slug="online-time"),
        Drawing("Jobs that run in parallel, by level", [Panel(*one) for one in shares],
                "percent of the jobs of a level (figures 7 to 9)", "", "arrival rate", command=ONLINE,
                slug="parallel-share"),
        Drawing("What priorities cost in total job time", [Panel(s, points(t), columns(t)) for s, t in penalty],
                "percent more than without priorities", "", "arrival rate", is_signed=True, command=ONLINE,
                slug="penalty"),
    ]  # fmt: skip


def overhead(tables: list[Table]) -> list[Drawing]:
    """Study 1: what planning takes."""
    call, calls = titled(tables, "One SJS call"), titled(tables, "SJS calls of one PJS call")
    return [
        Drawing("What planning takes", [
            Panel("One call of SJS, milliseconds", points(call), columns(call)),
            Panel("SJS calls of one PJS call, by share of parallel jobs", points(calls), columns(calls)),
        ], "processor time, the quickest of five (figure 3); counts (figure 4)",
            "The paper: less than 0.2 s for 100 jobs on 100 machines, on hardware of 1998; PJS costs 2 to 3 times SJS.",
            "jobs", is_alike=False, slug="planning", command=POINT),
    ]  # fmt: skip


PAGE = PaperPage(
    name="pjs",
    title="Parallel and sequential jobs on clusters that differ",
    authors="Collins, George",
    work="Parallel and Sequential Job Scheduling in Heterogeneous Clusters",
    venue="2001",
    sentence="Machines and clusters learn how long a class of job takes on them; PJS runs a job in parallel where that "
    "ends earlier.",
    drawings=drawings,
    runs={
        "quick": "5 seeds × (4 studies of planning calls, static and on-line workloads on 2 sites)",
        "full": "20 seeds × (4 studies of planning calls, static and on-line workloads on 2 sites)",
    },
    platform="142 machines in 18 clusters",
    unknown=(
        "The paper's tables were never printed. A stand-in site has its shape: 142 machines in 18 clusters, eight "
        "machine classes, five job classes of which one is sequential.",
        "With noise, cluster times get a factor with a deviation of 5 %, so that equal clusters differ.",
        "Best means earliest completion: the paper's definition read literally, shortest execution, puts every job of "
        "a class on one machine, and its own figure 5 contradicts it.",
        "Plans are made at multiples of 10 s; all jobs that have not started are planned anew; a low job is stopped "
        "when a slot of a high one overlaps it.",
    ),
    differences=(
        "The tables are stand-ins, and the size of every gain depends on them. On ours a whole cluster is so much "
        "faster than a machine that one or two jobs gain 85 %, and from 40 jobs on the first candidate is refused and "
        "nothing is gained: PJS stops at the first refusal. With patience=20 it tries on, and gains under load too.",
        "Low jobs fare between slightly worse and slightly better: a high job on a cluster leaves sooner, and all "
        "behind it start sooner.",
        "With priorities PJS may save more than without, since each level is planned apart: the one refusal that ends "
        "a plan of all jobs does not end that of the next level.",
        "The penalty of preemption is largest at 4 to 8 arrivals per quantum, where low jobs fill the machines and are "
        "stopped most often.",
    ),
    notes={
        "Low jobs fare slightly worse under PJS": "some fare better here",
        "The sum over all levels stays near that without priorities": "PJS saves more with priorities at 20 jobs",
        "10/10/80 holds high jobs near 100 s, 50/25/25 needs over four times as long": "the same order, less far",
        "Priorities cost little in all": "dear at 4 to 8 arrivals per quantum",
        "OLB is far worse": "not among the paper's claims",
    },
    full_seconds=200.0,
    algorithms="pjs",
)
