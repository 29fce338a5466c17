"""Judge the claims of Collins and George 2001 on overhead (study 1) and job time (study 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from shadowtime.engine.metrics.nature import ANY
from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.pjs_answers import (
    CALL_JOBS,
    FITTED,
    PRIORITY_JOBS,
    SHARES,
    SITES,
    SJS_JOBS,
    SJS_MACHINES,
    STATIC_JOBS,
    Answers,
    total,
)
from shadowtime.workers.papers.report import Claim, Grade, grade

NEAR = 0.25
"""Largest distance of an exponent from 1 that counts as growth in proportion."""
PEAK = (0.40, 0.55)
""""Nearly 50 %"."""


def growth(jobs: float, machines: float) -> Grade:
    """Judge "grows like jobs times machines" by both exponents."""
    return grade(jobs < 1.5 and 0.5 < machines < 1.5, max(abs(jobs - 1.0), abs(machines - 1.0)) <= NEAR)


def two_to_three(ratios: Sequence[float]) -> Grade:
    """Judge "two to three times" on every ratio, not on their mean."""
    return grade(min(ratios) > 1.0, all(2.0 <= ratio <= 3.0 for ratio in ratios))


def alike(values: Sequence[float]) -> Grade:
    """Judge "no significant effect" by the largest value over the smallest."""
    return grade(max(values) <= 1.5 * min(values), max(values) <= 1.25 * min(values))


def nearly_half(savings: Sequence[float]) -> Grade:
    """Judge "range up to nearly 50 %" by the largest saving."""
    return grade(max(savings) >= 0.1, PEAK[0] <= max(savings) <= PEAK[1])


def scattered(savings: Sequence[float]) -> Grade:
    """Judge "small improvements that occur periodically" under load."""
    return grade(0.0 < max(savings) <= 0.15, 0.0 < max(savings) <= 0.03)


def exponents(answers: Answers) -> tuple[float, float]:
    """Return the exponents of jobs and machines in the time of an SJS call, fitted in both at once."""
    grid = [(n, m) for n in SJS_JOBS for m in SJS_MACHINES if min(n, m) >= FITTED]
    known = np.array([[np.log(n), np.log(m), 1.0] for n, m in grid])
    times = np.log([answers.seconds(n, m).min() for n, m in grid])
    jobs, machines, _ = np.linalg.lstsq(known, times, rcond=None)[0]
    return float(jobs), float(machines)


def overhead(answers: Answers) -> list[Claim]:
    """Study 1: the same random tables stand for both sites."""
    hundred, blocks = float(answers.seconds(100, 100).max()), len(answers.few)
    jobs, machines = exponents(answers)
    base = answers.pjs_costs(0.0)[0]
    costs = {share: answers.pjs_costs(share) for share in SHARES if share}
    ratios = {share: float((seconds / base).mean()) for share, (seconds, _) in costs.items()}
    calls = {share: float(count.mean()) for share, (_, count) in costs.items()}
    thousand = float(np.max([c.seconds for share in SHARES for c in answers.costs("pjs", 1000, 40, 5, share)]))
    parallel = max(c.sjs_calls - 1 for share in SHARES for c in answers.costs("pjs", 1000, 40, 5, share))
    single = [float((answers.pjs_costs(share, (n,))[0] / answers.pjs_costs(0.0, (n,))[0]).mean())
              for share in costs for n in CALL_JOBS]  # fmt: skip
    inside = sum(2.0 <= ratio <= 3.0 for ratio in single)
    place = "Section 5.1"
    return [
        on_tables("SJS plans 100 jobs on 100 machines in less than 0.2 s", "0.2 s, on hardware of 1998",
                  f"{1000 * hundred:.2f} ms", grade(hundred < 0.2), "the slowest draw takes less than 0.2 s",
                  f"{place}, Figure 3", "generally well below 0.2 seconds", blocks,
                  f"{1000 * hundred:.2f} ms"),
        on_tables("SJS's time grows with jobs times machines", "n m in practice, n^2 m in theory",
                  f"n^{jobs:.2f} m^{machines:.2f}, fitted in both from {FITTED} to 100", growth(jobs, machines),
                  f"in size: both exponents are within {NEAR:g} of 1; in direction: that of n is below 1.5, that of m "
                  "between 0.5 and 1.5", f"{place}, Figure 3", "a relationship more akin to O(nm)", blocks,
                  f"Exponents n^{jobs:.2f} m^{machines:.2f}. Theirs is memory management; ours searches a row again "
                  "only when its best machine was taken, so machines cost little"),
        on_tables("PJS costs two to three times SJS", "2 to 3 times",
                  ", ".join(f"{ratio:.2f} times ({100 * share:.0f} %)" for share, ratio in ratios.items()),
                  two_to_three([*ratios.values()]), "in size: the mean delay at each share of possibly parallel "
                   "jobs is "
                  "two to three times that at 0 %; in direction: each is longer", f"{place}, Figure 4",
                  "typically takes from two to three times longer", blocks,
                  f"Calls of SJS: {min(calls.values()):.2f} to {max(calls.values()):.2f} per call of PJS. The mean is "
                  f"that of the largest sizes; of single sizes, {inside} of {len(single)} are within 2 to 3 "
                  f"({min(single):.2f} to {max(single):.2f})"),
        on_tables("The share of parallel jobs hardly matters", "no significant effect",
                  f"{max(ratios.values()) / min(ratios.values()):.2f} times from least to most",
                  alike([*ratios.values()]), "in size: the longest mean delay is at most 1.25 times the shortest, from "
                  "10 % on; in direction: at most 1.5 times", f"{place}, Figure 4",
                  "no significant overall effect on the amount of time", blocks,
                  f"From {min(ratios.values()):.2f} to {max(ratios.values()):.2f} times SJS"),
        on_tables("Few jobs run in parallel under heavy load", "only a few", f"at most {parallel} of 1,000",
                  grade(parallel <= 100, parallel <= 20), "in size: at most 20 of 1,000 jobs on 40 machines run on "
                  "clusters, in any draw; in direction: at most 100", place,
                  "only a few jobs will typically be scheduled in parallel", blocks, f"At most {parallel} jobs"),
        on_tables("1,000 jobs are planned in seconds", "axis of Figure 4 to 4 s", f"{1000 * thousand:.0f} ms",
                  grade(thousand < 4.0), "the slowest call with 1,000 jobs takes less than 4 s", f"{place}, Figure 4",
                  "modest by the standards of batch jobs", blocks, f"{1000 * thousand:.0f} ms"),
    ]  # fmt: skip


def parallel_against_sequential(answers: Answers) -> list[Claim]:
    """Study 2."""
    savings = {s: {n: answers.saving(s, n) for n in (*STATIC_JOBS, *PRIORITY_JOBS)} for s in SITES}
    worst = {s: float(min(v.min() for v in found.values())) for s, found in savings.items()}
    light = {s: {n: float(v.mean()) for n, v in found.items() if n <= 100} for s, found in savings.items()}
    heavy = {s: [float(v.mean()) for n, v in found.items() if n >= 40] for s, found in savings.items()}
    best = {s: max(found, key=found.__getitem__) for s, found in light.items()}
    olb = {s: [float((answers.static(total, s, "olb", n) / answers.static(total, s, "sjs", n)).mean())
               for n in STATIC_JOBS if n > 1] for s in SITES}  # fmt: skip
    place, blocks = "Section 5.2, Figure 5", len(answers.few)
    top = sorted((n for n in savings["noisy"] if n >= 40), key=lambda n: -savings["noisy"][n].mean())[:3]
    largest = ", ".join(f"{percent(float(savings['noisy'][n].mean()))} at {n} jobs" for n in top)
    five = ", ".join(f"{percent(light['standin'][n])} at {_jobs(n)}" for n in (1, 5, 10, 20))
    return [
        on_sites("PJS is never worse than SJS", "never", {s: f"worst {percent(v)}" for s, v in worst.items()},
                 {s: grade(v >= -1e-9) for s, v in worst.items()},
                 "no draw has a larger total job time; so it is built",
                 place, "in all cases at least equal to that of the SJS",
                 blocks, f"Worst: {percent(min(worst.values()))}"),
        on_sites("PJS saves up to nearly half at light load", "up to nearly 50 %",
                 {s: f"up to {percent(v[best[s]])} at {_jobs(best[s])}" for s, v in light.items()},
                 {s: nearly_half([*v.values()]) for s, v in light.items()},
                 f"in size: the largest mean saving over 1 to 100 jobs is {percent(PEAK[0])} to {percent(PEAK[1])}; in "
                 "direction: it is at least 10 %", place, "savings of total job time that range up to nearly 50%",
                 blocks, f"The saving at the lightest load is 1 - best cluster time / best machine time: {five}"),
        on_sites("Under load it saves little, here and there", "small savings, too small to be seen in the chart",
                 {s: span(v) for s, v in heavy.items()}, {s: scattered(v) for s, v in heavy.items()},
                 "in size: over 40 to 500 jobs some saving is above 0 and none above 3 %; in direction: none above "
                 "15 %",
                 place, "small performance improvements that occur periodically", blocks,
                 f"Largest by size, with noise: {largest}"),
        on_sites("SJS is far better than OLB", "excellent performance when compared to OLB",
                 {s: f"OLB takes {min(v):.1f} to {max(v):.1f} times SJS's time" for s, v in olb.items()},
                 {s: grade(min(v) > 1.0, min(v) >= 1.2) for s, v in olb.items()},
                 "OLB's total job time is at least 1.2 times SJS's for 2 to 100 jobs; in direction: above it",
                 "Section 6", "excellent performance when compared to OLB", blocks,
                 f"OLB takes {min(olb['standin']):.2f} to {max(olb['standin']):.2f} times SJS's time on the stand-in"),
    ]  # fmt: skip


def on_tables(
    claim: str, theirs: str, ours: str, found: Grade, rule: str, section: str, quote: str, blocks: int, why: str
) -> Claim:
    """Return a claim on random tables, which the first column holds."""
    first, second = SITES.values()
    words = {first: f"{ours} (random tables)", second: ""}
    sensitivity = "" if found == Grade.SIZE else why
    return Claim(claim, theirs, words, {first: found, second: None}, rule, section, quote, sensitivity, blocks)


def on_sites(
    claim: str,
    theirs: str,
    ours: Mapping[str, str],
    found: Mapping[str, Grade | None],
    rule: str,
    section: str,
    quote: str,
    blocks: int,
    why: str | Callable[[], str] = "",
) -> Claim:
    """Return a claim on both sites; `why` is shown behind a verdict that is not in size."""
    words, verdicts = {SITES[s]: ours[s] for s in SITES}, {SITES[s]: found[s] for s in SITES}
    is_open = any(one is not Grade.SIZE for one in found.values())
    sensitivity = (why if isinstance(why, str) else why()) if is_open else ""
    return Claim(claim, theirs, words, verdicts, rule, section, quote, sensitivity, blocks)


def _jobs(number: int) -> str:
    return f"{number} job" if number == 1 else f"{number} jobs"


def estimate(values: np.ndarray) -> str:
    """Return the mean share of some draws with its interval, in percent."""
    if len(values) < 2:
        return percent(float(values.mean()))
    found = interval(100.0 * values, ANY)
    return f"{found.mean:.1f} % ({found.low:.1f} to {found.high:.1f})"


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.1f} %".replace("-0.0 ", "0.0 ")


def span(shares: Sequence[float]) -> str:
    """Return the smallest and largest share."""
    return f"{percent(min(shares))} to {percent(max(shares))}"
