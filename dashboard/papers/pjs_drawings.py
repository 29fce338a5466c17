"""The drawings of the page on PJS: every figure and table of the paper that has values, on both sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shadowtime.dashboard.figures.drawing import (
    DOTS,
    Drawing,
    Line,
    Panel,
    Table,
    column,
    columns,
    points,
    titled,
)
from shadowtime.dashboard.papers.grids import scale_of, toml
from shadowtime.dashboard.papers.page import Studies
from shadowtime.workers.papers.pjs import SEEDS
from shadowtime.workers.papers.pjs_answers import (
    JOBS_ONLINE,
    LEVELS,
    MIXES,
    PRIORITY_JOBS,
    RATES,
    STATIC_JOBS,
)
from shadowtime.workers.papers.pjs_answers import SITES as NAMES
from shadowtime.workers.papers.pjs_axes import AXES
from shadowtime.workers.papers.pjs_cells import TIME_SCALE, counts

SITES = tuple(NAMES.values())
LETTERS = {"10/10/80": "abc", "25/25/50": "def", "50/25/25": "ghi"}
TOPS = {axis.figure: axis.top for axis in AXES}
"""Ends of the paper's axes [s]."""
END = "end of their axis"
STANDIN = f"classed:site=standin,time_scale={TIME_SCALE:g}"
STATIC = f"shadowtime simulate {STANDIN},jobs=20 -a pjs"
ONLINE = f"shadowtime simulate {STANDIN},jobs=500,mix=25/25/50,rate=4 -a pjs --seed 1"


def drawings(studies: Studies) -> list[Drawing]:
    """Return all drawings, in the order of the paper."""
    tables = studies[0]["figures"]
    sweeps = grids(scale_of(studies))
    made = [*overhead(tables), *job_time(tables), *priorities(tables), *arrivals(tables), *ours(tables)]
    return [replace(drawing, sweep=sweeps.get(drawing.key, "")) for drawing in made]


def grids(scale: str) -> dict[str, str]:
    """Return the sweeps of studies 2 to 4 by the drawing that they are behind."""
    base = [f"classed:site={site},time_scale={TIME_SCALE:g}" for site in NAMES]
    static = [f"{one},jobs={n}" for one in base for n in STATIC_JOBS]
    levels = [f"{one},jobs={n},mix={mix}" for one in base for mix in MIXES for n in PRIORITY_JOBS]
    online = [
        f"{one},jobs={JOBS_ONLINE},mix={mix},rate={rate:g}"
        for one in base
        for mix in ("none", *MIXES)
        for rate in RATES
    ]
    seeds = SEEDS[scale]
    two = toml("PJS, Figure 5: job time without priorities", static, seeds, ("olb", "sjs", "pjs"))
    three = toml("PJS, Figures 6 and 7: priorities", levels, seeds, ("sjs", "pjs"))
    four = toml("PJS, Figures 8 and 9: jobs that arrive", online, seeds, ("pjs",))
    return {
        **dict.fromkeys(("saving", "total-job-time", "all-rules"), two),
        **dict.fromkeys(("levels", "levels-noisy", "savings-by-level", "mean-totals"), three),
        **dict.fromkeys(("online-time", "online-all", "online-parallel", "table-1", "penalty", "stops"), four),
    }


def overhead(tables: Sequence[Table]) -> list[Drawing]:
    """Return Figures 3 and 4."""
    call, mean = titled(tables, "(Figure 3)"), titled(tables, "(Figure 4)")
    by_jobs, calls = titled(tables, "Time of one PJS call by number"), titled(tables, "SJS calls of one PJS call")
    return [
        Drawing("Scheduling delay of SJS (Figure 3)", [Panel("", points(call), columns(call))],
                "milliseconds of processor time, the quickest of five",
                "The paper: generally well below 200 ms, on a 200 MHz UltraSPARC.", "jobs", slug="sjs-delay",
                command="shadowtime paper pjs"),
        Drawing("Scheduling delay of PJS by share of possibly parallel jobs (Figure 4)", [
            Panel("Mean of 5 to 1,000 jobs, milliseconds", points(mean), [column(mean, "milliseconds")]),
            Panel("Times the delay at 0 %", points(mean), [column(mean, "times the 0 % case")], [3.0], "paper: 2 to 3"),
            Panel("SJS calls of one PJS call", points(mean), [column(mean, "SJS calls")]),
        ], "40 machines, 20 of them in five clusters", "The mean is that of the largest sizes; below, each size.",
            "share of possibly parallel jobs", is_alike=False, slug="pjs-delay"),
        Drawing("The same by number of jobs", [
            Panel("Milliseconds", points(by_jobs), columns(by_jobs)), Panel("SJS calls", points(calls), columns(calls)),
        ], "behind Figure 4", "", "jobs", is_alike=False, slug="pjs-delay-by-jobs"),
    ]  # fmt: skip


def job_time(tables: Sequence[Table]) -> list[Drawing]:
    """Return Figure 5."""
    saving = [(site, titled(tables, f"(Figure 5a), {site}")) for site in SITES]
    total = [(site, titled(tables, f"(Figure 5b), {site}")) for site in SITES]
    return [
        Drawing("What PJS saves of SJS's total job time (Figure 5(a))",
                [Panel(s, points(t), columns(t), [50.0]) for s, t in saving], "percent",
                "Grey: “up to nearly 50%”.", "jobs", slug="saving", command=STATIC),
        Drawing("Total job time of SJS and PJS (Figure 5(b))",
                [Panel(s, points(t)[:to], [_first(line, to) for line in columns(t, ("PJS", "SJS"))],
                 [TOPS["5(b)"]], END)
                 for s, t in total for to in [_upto(t, 50)]],
                "seconds, to 50 jobs as in the paper", f"Grey: {END}, at 50 jobs.", "jobs", slug="total-job-time",
                command=STATIC),
        Drawing("... and of OLB, to 100 jobs", [Panel(s, points(t), columns(t, ("PJS", "SJS",
                "OLB"))) for s, t in total],
                "seconds, on a logarithmic scale", "", "jobs", is_log=True, slug="all-rules",
                command=STATIC.replace("-a pjs", "-a olb")),
    ]  # fmt: skip


def priorities(tables: Sequence[Table]) -> list[Drawing]:
    """Return Figures 6 and 7."""
    made = []
    for site, slug in zip(SITES, ("levels", "levels-noisy"), strict=True):
        panels = []
        for mix in MIXES:
            table = titled(tables, f"Total job time by level at {mix} (Figure 6), {site}")
            for at, level in enumerate(LEVELS):
                number = [str(counts(mix, int(n))[at]) for n in points(table)]
                lines = columns(table, (f"PJS {level}", f"SJS {level}"), ("PJS", "SJS"))
                panels.append(Panel(f"({LETTERS[mix][at]}) {mix}, {level} jobs", number, lines))
        made.append(Drawing(f"Total job time by level of priority (Figure 6), {site}", panels, "seconds",
                            "All jobs are there at second 0; each level is planned after the one above it.",
                            "jobs of the level", is_alike=False, slug=slug,
                            command=f"shadowtime simulate {STANDIN},jobs=100,mix=25/25/50 -a pjs --seed 1",
                            sweep_note="The sweep draws priorities; the figure has their exact shares."))  # fmt: skip
    savings = [
        (site, mix, titled(tables, f"Saving of PJS by level at {mix}, {site}")) for site in SITES for mix in MIXES
    ]
    totals = [(site, titled(tables, f"(Figure 7), {site}")) for site in SITES]
    made += [
        Drawing("What PJS saves by level of priority", [Panel(f"{s}, {m}", points(t),
                columns(t)) for s, m, t in savings],
                "percent of SJS's job time; behind Figure 6", "", "jobs in all",
                is_signed=True, slug="savings-by-level",
                sweep_note="The sweep draws priorities; the figure has their exact shares."),
        Drawing("Mean of total job times over all numbers of jobs (Figure 7)",
                [Panel(s, points(t), columns(t, ("PJS", "SJS")),
                       [TOPS["7"]], END) for s, t in totals], "seconds, 5 to 500 jobs",
                f"Grey: {END}.", "percent of high / medium / low jobs", slug="mean-totals",
                sweep_note="The sweep draws priorities; the figure has their exact shares."),
    ]  # fmt: skip
    return made


def arrivals(tables: Sequence[Table]) -> list[Drawing]:
    """Return Figures 8 and 9 and Table 1."""
    levels = [
        Panel(f"({letter}) {mix}, {site}", points(table), columns(table), [TOPS[f"8({letter})"]], END, scale=mix)
        for site in SITES for letter, mix in zip("abc", MIXES, strict=True)
        for table in [titled(tables, f"Mean job time by level at {mix} (Figure 8), {site}")]
    ]  # fmt: skip
    whole = [(site, titled(tables, f"(Figure 9a), {site}")) for site in SITES]
    parallel = [(site, titled(tables, f"(Figure 9b), {site}")) for site in SITES]
    return [
        Drawing("Mean job time by level and rate (Figure 8)", levels, f"seconds; {JOBS_ONLINE} jobs that arrive, PJS",
                f"Grey: {END}. The paper: high jobs of 10/10/80 take slightly over 100 s, those of 50/25/25 more than "
                "four times as long at high rates.", "mean arrivals per quantum of 10 s",
                is_alike=False, slug="online-time",
                command=ONLINE),
        Drawing("Mean job time of all jobs (Figure 9(a))",
                [Panel(s, points(t), columns(t), [TOPS["9(a)"]], END) for s, t in whole], "seconds", f"Grey: {END}.",
                "mean arrivals per quantum of 10 s", slug="online-all", command=ONLINE),
        Drawing("Share of jobs in parallel (Figure 9(b))", [Panel(s, points(t), columns(t)) for s, t in parallel],
                "percent", "", "mean arrivals per quantum of 10 s", slug="online-parallel", command=ONLINE),
        Drawing("Share of jobs in parallel by level (Table 1)", [
            Panel(f"{mix}, {site}", [_number(name) for name in table["columns"]], _rows(table, mix))
            for site in SITES for table in [titled(tables, f"(Table 1), {site}")] for mix in MIXES
        ], "percent of the jobs of a level", "The paper's digits cannot be read in any text of it; its row without "
            "priorities is the first line of Figure 9(b).", "mean arrivals per quantum of 10 s", slug="table-1",
            command=ONLINE),
    ]  # fmt: skip


def ours(tables: Sequence[Table]) -> list[Drawing]:
    """Return what the paper has no figure of: the factor on times, costs, stops, and the threshold."""
    axes = titled(tables, "Factor on times")
    penalty = [(site, titled(tables, f"What priorities cost in total job time, {site}")) for site in SITES]
    stops = [(site, titled(tables, f"Stopped runs, {site}")) for site in SITES]
    options = titled(tables, "Preemption above a threshold")
    figures = [point.partition(":")[0] for point, _ in axes["rows"]]
    fitting = columns(axes, ("smallest factor", "largest factor"), ("smallest", "largest"))
    return [
        Drawing("Factor on the times of the stand-in site", [Panel("", figures, fitting, [TIME_SCALE], "used")],
                "factors with which our largest value ends in the last step of the paper's axis",
                "An axis ends at the first tick above the data. Figure 5(b) may have lost a label at 12,000, with "
                "which "
                "its range would be that of the others.", "axis of", slug="factor"),
        Drawing("What priorities cost in total job time", [Panel(s, points(t), columns(t)) for s, t in penalty],
                "percent more than without priorities", "", "mean arrivals per quantum of 10 s", is_signed=True,
                slug="penalty", command=ONLINE),
        Drawing("Low jobs that are stopped", [Panel(s, points(t), columns(t)) for s, t in stops],
                f"runs stopped among {JOBS_ONLINE} jobs", "", "mean arrivals per quantum of 10 s", slug="stops",
                command=ONLINE),
        Drawing("Preemption above a threshold (the paper's future work)", [
            _against_first(options, name)
            for name in ("high s", "low s", "all s", "stopped runs")
        ], "mean job time in seconds, and stopped runs; 25/25/50 at rate 8, stand-in site",
            "gain: a low job is stopped only if that saves the waiting high jobs more than this.", kind=DOTS,
            is_alike=False, slug="threshold", command=f"{ONLINE} -p gain=100"),
    ]  # fmt: skip


def _against_first(table: Table, name: str) -> Panel:
    """Return a column with its first value behind each: preemption as in the paper."""
    line = column(table, name)
    scale = "seconds" if name.endswith(" s") else name
    return Panel(name, points(table), [line], [line.values[0]] * len(line.values), "as in the paper", scale)


def _rows(table: Table, mix: str) -> list[Line]:
    """Return the rows of a mix as lines over the rates."""
    found = []
    for at, level in enumerate(LEVELS):
        row = next(i for i, (name, _) in enumerate(table["rows"]) if name == f"{mix} {level}")
        found.append(Line(level, table["rows"][row][1], table["low"][row], table["high"][row], at))
    return found


def _number(name: str) -> str:
    return name.removeprefix("rate ")


def _upto(table: Table, most: int) -> int:
    """Return the number of rows with at most so many jobs."""
    return sum(int(point) <= most for point in points(table))


def _first(line: Line, to: int) -> Line:
    """Return the first values of a line."""
    return replace(line, values=line.values[:to], low=line.low[:to], high=line.high[:to])
