"""Compare the claims of Collins and George 2001 about OLB, SJS and PJS with our points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.metrics.statistics import improvement
from shadowtime.workers.papers.pjs_cells import Call, Cell, Cost, Point
from shadowtime.workers.papers.report import Claim

SITES = {"standin": "Stand-in site", "noisy": "Stand-in with noise"}
MIXES = ("10/10/80", "25/25/50", "50/25/25")
RATES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
SHARES = (0.0, 0.1, 0.5, 0.75, 0.9, 1.0)
LIGHT, HEAVY = (1, 2, 5, 10, 15, 20), (30, 40, 50, 75, 100)
PRIORITY_JOBS = (5, 20, 50, 100, 200, 500)
CALL_JOBS = (5, 10, 20, 40, 80, 160)
GROWTH = (25, 50, 100)

HIGH, MEDIUM, LOW = range(3)


class Answers:
    """All points, and means over seeds of them."""

    def __init__(self, points: Mapping[Call | Cell, Cost | Point], jobs_online: int, seeds: Sequence[int]):
        self._points, self.jobs_online, self.seeds = points, jobs_online, seeds

    def cost(self, call: Call) -> Cost:
        """A planning call; the seconds of the quickest seed, the mean of SJS calls."""
        found = [self._points[Call(call.rule, call.jobs, call.machines, call.clusters, call.parallel, s)]
                 for s in self.seeds]  # fmt: skip
        costs = [cost for cost in found if isinstance(cost, Cost)]
        return Cost(min(c.seconds for c in costs), round(float(np.mean([c.sjs_calls for c in costs]))))

    def calls(self, share: float, jobs: Sequence[int] = CALL_JOBS) -> float:
        """Mean number of SJS calls of PJS at a share of possibly parallel jobs."""
        found = [self._points[Call("pjs", n, 40, 5, share, s)] for n in jobs for s in self.seeds]
        return float(np.mean([cost.sjs_calls for cost in found if isinstance(cost, Cost)]))

    def mean(self, get: Callable[[Point], float], site: str, rule: str, jobs: int, mix: str = "none", rate: float = 0.0,
             ) -> float:  # fmt: skip
        """Mean over seeds of one figure of one cell."""
        found = [self._points[Cell(site, rule, jobs, seed, mix, rate)] for seed in self.seeds]
        return float(np.mean([get(point) for point in found if isinstance(point, Point)]))

    def saving(self, site: str, jobs: int, mix: str = "none", level: int | None = None) -> float:
        """Share of SJS's total job time that PJS saves, of a level or of all."""
        get: Callable[[Point], float] = (lambda p: p.total) if level is None else (lambda p: p.level_total[level])
        return improvement(self.mean(get, site, "pjs", jobs, mix), self.mean(get, site, "sjs", jobs, mix))

    def savings(self, site: str, jobs: int) -> list[float]:
        """As `saving`, seed by seed."""
        pairs = [
            (self._points[Cell(site, "pjs", jobs, s)], self._points[Cell(site, "sjs", jobs, s)]) for s in self.seeds
        ]
        return [improvement(p.total, q.total) for p, q in pairs if isinstance(p, Point) and isinstance(q, Point)]

    def flow(self, site: str, mix: str, rate: float, level: int) -> float:
        """Mean job time of a level on-line under PJS [s]."""
        return self.mean(lambda p: p.level_mean[level], site, "pjs", self.jobs_online, mix, rate)

    def parallel(self, site: str, mix: str, rate: float, level: int) -> float:
        """Parallel share of a level on-line under PJS."""
        return self.mean(lambda p: p.parallel[level], site, "pjs", self.jobs_online, mix, rate)

    def penalty(self, site: str, mix: str, rate: float) -> float:
        """Total job time with priorities over that without, less 1, on-line under PJS."""
        get: Callable[[Point], float] = lambda p: p.total  # noqa: E731
        without = self.mean(get, site, "pjs", self.jobs_online, "none", rate)
        return self.mean(get, site, "pjs", self.jobs_online, mix, rate) / without - 1.0


def overhead(answers: Answers) -> list[Claim]:
    """Study 1: the same random tables stand for both sites."""
    hundred = answers.cost(Call("sjs", 100, 100)).seconds
    slope = _exponent(GROWTH, [answers.cost(Call("sjs", n, 100)).seconds for n in GROWTH])
    thousand = answers.cost(Call("pjs", 1000, 40, 5, 0.5)).seconds
    calls = {share: answers.calls(share) for share in SHARES}
    few_calls = [calls[share] for share in SHARES if share]
    return [
        _one("SJS plans 100 jobs on 100 machines in", "less than 0.2 s, on hardware of 1998",
             f"{1000 * hundred:.2f} ms", hundred < 0.2, "it takes less than 0.2 s of processor time"),
        _one("SJS's time grows with jobs times machines", "n m in practice, n^2 m in theory",
             f"n^{slope:.1f} from {GROWTH[0]} to {GROWTH[-1]} jobs", slope < 1.5,
             "the exponent of n, fitted at 100 machines, is nearer to 1 than to 2"),
        _one("PJS plans 1,000 jobs on 40 machines in", "seconds", f"{1000 * thousand:.1f} ms", thousand < 10.0,
             "it takes less than ten seconds"),
        _one("PJS costs two to three times SJS", "2 to 3",
             ", ".join(f"{calls[share]:.1f} ({100 * share:.0f} %)" for share in SHARES) + " SJS calls",
             1.5 <= float(np.mean(few_calls)) <= 3.5,
             "the mean number of SJS calls of a PJS call, from 10 % possibly parallel jobs on, is between 1.5 and 3.5"),
        _one("The share of parallel jobs hardly matters", "overhead alike from 10 % on",
             f"{max(few_calls) / min(few_calls):.2f} times from least to most", max(few_calls) / min(few_calls) < 2.0,
             "the most SJS calls are less than twice the least, from 10 % on"),
    ]  # fmt: skip


def parallel_against_sequential(answers: Answers) -> list[Claim]:
    """Study 2."""
    every = {s: [x for n in (*LIGHT, *HEAVY) for x in answers.savings(s, n)] for s in SITES}
    light = {s: [answers.saving(s, n) for n in LIGHT] for s in SITES}
    heavy = {s: [answers.saving(s, n) for n in HEAVY if n >= 40] for s in SITES}
    olb = {s: answers.mean(lambda p: p.total, s, "olb", 20) / answers.mean(lambda p: p.total, s, "sjs", 20)
           for s in SITES}  # fmt: skip
    return [
        _both("PJS is never worse than SJS", "never", {s: f"worst {_percent(min(v))}" for s, v in every.items()},
              {s: min(v) >= -1e-9 for s, v in every.items()}, "no run has a larger total job time; so it is built"),
        _both("PJS saves nearly half at light load", "up to nearly 50 %",
              {s: f"up to {_percent(max(v))}" for s, v in light.items()}, {s: max(v) >= 0.4 for s, v in light.items()},
              "the largest saving of 1 to 20 jobs is at least 40 %"),
        _both("Under load it saves little, here and there", "small scattered savings",
              {s: _range(v) for s, v in heavy.items()},
              {s: max(v) <= 0.15 for s, v in heavy.items()}, "no saving of 40 jobs and more is above 15 %"),
        _both("OLB is far worse", "not among the paper's claims", {s: f"{x:.1f} times SJS" for s, x in olb.items()},
              dict.fromkeys(SITES), "shown, not judged: 20 jobs"),
    ]  # fmt: skip


def static_priorities(answers: Answers) -> list[Claim]:
    """Study 3."""
    busy = [n for n in PRIORITY_JOBS if n >= 20]
    high = {s: {m: float(np.mean([answers.saving(s, n, m, HIGH) for n in busy])) for m in MIXES} for s in SITES}
    low = {s: {m: float(np.mean([answers.saving(s, n, m, LOW) for n in busy])) for m in MIXES} for s in SITES}
    sums = {
        s: {rule: [answers.mean(lambda p: p.total, s, rule, n, m) / answers.mean(lambda p: p.total, s, rule, n) - 1.0
                   for m in MIXES for n in busy] for rule in ("sjs", "pjs")} for s in SITES
    }  # fmt: skip
    return [
        _both("PJS serves high jobs better than SJS", "it does", {s: _by_mix(v) for s, v in high.items()},
              {s: min(v.values()) > 0 for s, v in high.items()},
              "the job time of high jobs, mean saving over 20 to 500 jobs, is less for each mix"),
        _both("... the rarer they are, the more", "most at 10/10/80", {s: _by_mix(v) for s, v in high.items()},
              {s: v["10/10/80"] > v["25/25/50"] > v["50/25/25"] for s, v in high.items()},
              "the saving falls from mix to mix"),
        _both("Low jobs fare slightly worse under PJS", "slightly worse", {s: _by_mix(v) for s, v in low.items()},
              {s: -0.1 < float(np.mean(list(v.values()))) < 0.005 for s, v in low.items()},
              "their mean saving is between -10 % and 0.5 %"),
        _both("The sum over all levels stays near that without priorities", "within about 10 %, alike for both",
              {s: f"SJS {_range(v['sjs'])}, PJS {_range(v['pjs'])}" for s, v in sums.items()},
              {s: max(map(abs, (*v["sjs"], *v["pjs"]))) <= 0.12 for s, v in sums.items()},
              "no total of 20 to 500 jobs differs by more than 12 %"),
    ]  # fmt: skip


def preemptive_priorities(answers: Answers) -> list[Claim]:
    """Study 4."""
    rates = [rate for rate in RATES if rate >= 4]
    flows = {s: {m: [[answers.flow(s, m, r, k) for k in range(3)] for r in rates] for m in MIXES} for s in SITES}
    ordered = {s: sum(f[0] < f[1] < f[2] for m in MIXES for f in v[m]) for s, v in flows.items()}
    ends = {
        s: {m: [answers.mean(lambda p: p.total, s, "pjs", answers.jobs_online, m, r) / answers.jobs_online
                for r in (RATES[0], RATES[-1])] for m in MIXES} for s in SITES
    }  # fmt: skip
    shares = {s: [[answers.parallel(s, "25/25/50", r, k) for k in range(3)] for r in (4.0, 32.0)] for s in SITES}
    top = {s: [answers.flow(s, m, 32.0, HIGH) for m in ("10/10/80", "50/25/25")] for s in SITES}
    cost = {s: [answers.penalty(s, m, r) for m in MIXES for r in RATES] for s in SITES}
    n = len(MIXES) * len(rates)
    return [
        _both("High jobs are much faster than medium, medium than low", "at every rate",
              {s: f"at {count} of {n} points" for s, count in ordered.items()},
              {s: count == n for s, count in ordered.items()}, "mean job times are in that order at rates 4 to 32"),
        _both("Job times rise with the rate", "not monotonically",
              {s: ", ".join(f"{a:.0f} to {b:.0f} s" for a, b in v.values()) for s, v in ends.items()},
              {s: all(b > a for a, b in v.values()) for s, v in ends.items()},
              "the mean at rate 32 is above that at rate 1, for each mix"),
        _both("The parallel share falls with the rate and with the level", "it does",
              {s: f"{_levels(v[0])} at rate 4, {_levels(v[1])} at 32" for s, v in shares.items()},
              {s: all(x > y > z - 1e-9 for x, y, z in v) and v[0][0] > v[1][0] for s, v in shares.items()},
              "25/25/50: high above medium above low at both rates, and high jobs at rate 4 above those at 32"),
        _both("10/10/80 holds high jobs near 100 s, 50/25/25 needs over four times as long", "at high rate",
              {s: f"{a:.0f} s, {b / a:.1f} times" for s, (a, b) in top.items()},
              {s: b / a > 4.0 for s, (a, b) in top.items()}, "the ratio at rate 32 is above 4"),
        _both("Priorities cost little in all", "a slight penalty",
              {s: _range(v) for s, v in cost.items()},
              {s: max(v) <= 0.15 for s, v in cost.items()}, "no total is more than 15 % above that without priorities"),
    ]  # fmt: skip


def _exponent(n: Sequence[int], seconds: Sequence[float]) -> float:
    """The power of n with which times grow."""
    return float(np.polyfit(np.log(n), np.log(seconds), 1)[0])


def _one(claim: str, theirs: str, ours: str, agrees: bool, rule: str) -> Claim:
    """A claim on random tables, which the first column holds."""
    first, second = SITES.values()
    return Claim(claim, theirs, {first: f"{ours} (random tables)", second: ""}, {first: agrees, second: None}, rule)


def _both(claim: str, theirs: str, ours: Mapping[str, str], agrees: Mapping[str, Any], rule: str) -> Claim:
    return Claim(
        claim, theirs, {SITES[s]: text for s, text in ours.items()}, {SITES[s]: yes for s, yes in agrees.items()}, rule
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %".replace("-0.0 ", "0.0 ")


def _range(shares: Sequence[float]) -> str:
    return f"{_percent(min(shares))} to {_percent(max(shares))}"


def _by_mix(savings: Mapping[str, float]) -> str:
    return ", ".join(f"{_percent(saving)} ({mix})" for mix, saving in savings.items())


def _levels(shares: Sequence[float]) -> str:
    return " / ".join(f"{100 * share:.0f}" for share in shares) + " %"
