"""Judge the claims of Collins and George 2001 on priorities (study 3) and preemption (study 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import numpy as np

from shadowtime.engine.metrics.nature import ANY
from shadowtime.engine.statistics.intervals import interval
from shadowtime.workers.papers.pjs_answers import (
    ALL_MIXES,
    HIGH,
    LEVELS,
    LOW,
    MEDIUM,
    MIXES,
    OTHER_SCALES,
    PRIORITY_JOBS,
    RATES,
    SITES,
    Answers,
    total,
)
from shadowtime.workers.papers.pjs_cells import TIME_SCALE, Point, counts
from shadowtime.workers.papers.pjs_claims import estimate, on_sites, percent, span
from shadowtime.workers.papers.report import Claim, Grade, grade

ROUNDING = 1e-9
Curve = Sequence[tuple[float, float]]


def better_everywhere(savings: Mapping[str, Sequence[float]]) -> Grade:
    """Judge "superior": on average in each mix; in size at every point."""
    means = [float(np.mean(found)) for found in savings.values()]
    return grade(min(means) > 0.0, min(min(found) for found in savings.values()) >= -0.005)


def falls(values: Sequence[float]) -> bool:
    """Return whether each value is below the one before."""
    return all(after < before for before, after in pairwise(values))


def spike(losses: Curve) -> tuple[Grade, str]:
    """Judge a rise and fall of medium jobs near 30 high ones.

    losses: number of high jobs, and PJS's job time of medium jobs over SJS's, less 1.
    """
    at, peak = max(losses, key=lambda one: one[1])
    after = [loss for count, loss in losses if count > at]
    is_spike = peak >= 0.1 and bool(after) and min(after) <= peak / 2
    return grade(is_spike, 20 <= at <= 40), f"{percent(peak)} at {at:g} high jobs, then {percent(min(after or [peak]))}"


def slightly_worse(savings: Mapping[str, float]) -> Grade:
    """Judge "marginally inferior" for low jobs, and "comparable" at 50/25/25."""
    few = [savings[mix] for mix in MIXES[:2]]
    return grade(max(few) < 0.0, min(few) >= -0.05 and abs(savings[MIXES[2]]) <= 0.02)


def slight(penalties: Sequence[float]) -> Grade:
    """Judge "generally slightly worse, somewhat less than 10 %": most are worse, and none by more than 10 %."""
    return grade(sum(one > 0.0 for one in penalties) > len(penalties) / 2, max(penalties) <= 0.10)


def close(ratios: Sequence[float]) -> Grade:
    """Judge "no significant difference" between two totals."""
    off = max(abs(ratio - 1.0) for ratio in ratios)
    return grade(off <= 0.05, off <= 0.02)


def ordered(points: Mapping[tuple[str, float], Sequence[float]]) -> Grade:
    """Judge high < medium < low: in size at every mix and rate, in direction from rate 4 on."""
    good = {key: found[HIGH] < found[MEDIUM] < found[LOW] for key, found in points.items()}
    return grade(all(yes for (_, rate), yes in good.items() if rate >= 4.0), all(good.values()))


def rises(curves: Mapping[str, Sequence[float]]) -> Grade:
    """Judge "generally increases": in size most steps of each curve rise, in direction its end is above its start."""
    most = all(sum(b > a for a, b in pairwise(curve)) >= len(curve) - 2 for curve in curves.values())
    return grade(all(curve[-1] > curve[0] for curve in curves.values()), most)


def not_monotone(steps: Mapping[str, np.ndarray]) -> tuple[Grade, str]:
    """Judge "the trends are not monotonic": some mean falls from one rate to the next, in size beyond its interval.

    steps: by name of a step, its change of the mean job time in each draw [s].
    """
    name = min(steps, key=lambda key: steps[key].mean())
    found = interval(steps[name], ANY)
    down = found.mean < 0.0
    words = f"{name}: {found.mean:+.0f} s ({found.low:+.0f} to {found.high:+.0f})" if down else "no mean falls"
    return grade(down, found.high < 0.0), words


def shares_fall(curves: Mapping[str, Sequence[float]]) -> Grade:
    """Judge "decreases as the arrival rate increases": in size at every step."""
    return grade(all(v[-1] < v[0] for v in curves.values()), all(falls(v) for v in curves.values()))


def shares_by_level(points: Sequence[Sequence[float]]) -> Grade:
    """Judge "decreases with a drop in priority": in size at every mix and rate, within one percent point."""
    means = np.mean(points, axis=0)
    exact = all(high >= medium - 0.01 and medium >= low - 0.01 for high, medium, low in points)
    return grade(bool(means[HIGH] > means[MEDIUM] > means[LOW]), exact)


def contained(seconds: float, without: float) -> Grade:
    """Judge "slightly over 100 seconds"; in direction below half of the mean without priorities."""
    return grade(seconds < without / 2, 95.0 <= seconds <= 125.0)


def reversal(differences: Mapping[float, float]) -> Grade:
    """Judge "heavier mixes do better at low rates, reversed after 8".

    differences: by rate, total job time of 50/25/25 over that of 10/10/80, less 1; at 8 nothing is claimed.
    """
    low = [value for rate, value in differences.items() if rate < 8.0]
    high = [value for rate, value in differences.items() if rate > 8.0]
    return grade(low[0] < 0.0 < high[-1], max(low) < 0.0 < min(high))


def where_dear(penalties: Mapping[str, Sequence[float]]) -> Grade:
    """Judge where the penalty is largest: 10/10/80 at a rate of at most 4, the others from 16 on."""
    at = {mix: RATES[int(np.argmax(found))] for mix, found in penalties.items()}
    return grade(at[MIXES[0]] <= 4.0, min(at[mix] for mix in MIXES[1:]) >= 16.0)


def static_priorities(answers: Answers) -> list[Claim]:
    """Study 3."""
    busy = [n for n in PRIORITY_JOBS if n >= 20]
    high = {s: {m: [float(answers.saving(s, n, m, HIGH).mean()) for n in busy] for m in MIXES} for s in SITES}
    means = {s: {m: float(np.mean(v)) for m, v in found.items()} for s, found in high.items()}
    low = {s: {m: float(np.mean([answers.saving(s, n, m, LOW).mean() for n in busy])) for m in MIXES} for s in SITES}
    medium = {s: [(counts(MIXES[0], n)[0], -float(answers.saving(s, n, MIXES[0], MEDIUM).mean())) for n in busy]
              for s in SITES}  # fmt: skip
    bars = {s: {r: {m: answers.bar(s, r, m) for m in ALL_MIXES} for r in ("sjs", "pjs")} for s in SITES}
    costs = {s: [float((v[r][m] / v[r]["none"]).mean() - 1.0) for r in v for m in MIXES] for s, v in bars.items()}
    ratio = {s: [float((v["pjs"][m] / v["sjs"][m]).mean()) for m in ALL_MIXES] for s, v in bars.items()}
    blocks, place = len(answers.few), "Section 5.3"
    lows = {s: [min(v) for v in high[s].values()] for s in SITES}
    return [
        on_sites("PJS serves high jobs better than SJS", "it does", {s: by_mix(v) for s, v in means.items()},
                 {s: better_everywhere(v) for s, v in high.items()},
                 "in size: at no number of jobs from 20 to 500 is the mean saving of high jobs below -0.5 %; in "
                 "direction: its mean over them is above 0 in each mix", f"{place}, Figure 6(a), (d), (g)",
                 "obtains performance superior to the SJS for high-priority jobs", blocks,
                 f"Smallest savings by mix: {', '.join(percent(v) for v in lows['standin'])}"),
        on_sites("The rarer high jobs are, the more PJS serves them better", "most at 10/10/80",
                 {s: by_mix(v) for s, v in means.items()},
                 {s: grade(v[MIXES[0]] > v[MIXES[2]], falls([v[m] for m in MIXES])) for s, v in means.items()},
                 "the mean saving falls from mix to mix; in direction: from the first to the last",
                 f"{place}, Figure 6", "directly related to the rarity of high-priority jobs", blocks,
                 by_mix(means["standin"])),
        on_sites("Medium jobs suffer near 30 high jobs, then less",
                 "a sharp rise after about 30 high jobs, then a fall",
                 {s: spike(v)[1] for s, v in medium.items()}, {s: spike(v)[0] for s, v in medium.items()},
                 "10/10/80: the largest loss of medium jobs against SJS is at least 10 %, and halves later; in "
                 "size: it "
                 "is at 20 to 40 high jobs", f"{place}, Figure 6(b)", "after approximately 30 high-priority jobs",
                 blocks, "Where the clusters run out depends on how much faster than a machine they are: "
                 f"{spike(medium['standin'])[1]} on the stand-in, {spike(medium['noisy'])[1]} with noise"),
        on_sites("Low jobs fare slightly worse under PJS, and alike at 50/25/25", "marginally inferior",
                 {s: by_mix(v) for s, v in low.items()}, {s: slightly_worse(v) for s, v in low.items()},
                 "in size: their mean saving is -5 to 0 % at 10/10/80 and 25/25/50, and within 2 % at 50/25/25; in "
                 "direction: below 0 at the first two", f"{place}, Figure 6(c), (f), (i)",
                 "overall performance marginally inferior to that of the SJS", blocks,
                 f"A high job on a cluster leaves sooner, and jobs behind it start sooner: {by_mix(low['standin'])}"),
        on_sites("Priorities cost little in total", "generally worse, by less than 10 %",
                 {s: span(v) for s, v in costs.items()}, {s: slight(v) for s, v in costs.items()},
                 "most bars of Figure 7 with priorities are above those without; in size: none by more than 10 %",
                 f"{place}, Figure 7", "degradation that is somewhat less than 10%", blocks,
                 f"Six bars against those without priorities: {span(costs['standin'])}, {span(costs['noisy'])}"),
        on_sites("PJS and SJS are alike in total", "no significant difference",
                 {s: f"PJS over SJS {min(v):.3f} to {max(v):.3f}" for s, v in ratio.items()},
                 {s: close(v) for s, v in ratio.items()},
                 "in size: each bar of PJS in Figure 7 is within 2 % of SJS's; in direction: within 5 %",
                 f"{place}, Figure 7", "not appear to be a significant difference between the PJS and the SJS", blocks,
                 f"{min(ratio['standin']):.3f} to {max(ratio['standin']):.3f}"),
    ]  # fmt: skip


def preemptive_priorities(answers: Answers) -> list[Claim]:
    """Study 4."""
    flows = {s: {(m, r): [float(answers.flow(s, m, r, k).mean()) for k in range(3)] for m, r in product(MIXES, RATES)}
             for s in SITES}  # fmt: skip
    whole = {s: {m: [float(answers.flow(s, m, r).mean()) for r in RATES] for m in ALL_MIXES} for s in SITES}
    steps = {
        s: {f"{m}, {LEVELS[k]}, rate {a:g} to {b:g}": answers.flow(s, m, b, k) - answers.flow(s, m, a, k)
            for m in MIXES for k in range(3) for a, b in pairwise(RATES)} for s in SITES
    }  # fmt: skip
    shares = {s: {m: [float(answers.parallel(s, m, r).mean()) for r in RATES] for m in ALL_MIXES} for s in SITES}
    levels = {s: [[float(answers.parallel(s, m, r, k).mean()) for k in range(3)] for m in MIXES for r in RATES]
              for s in SITES}  # fmt: skip
    rare = {s: [float(answers.parallel(s, m, 32.0, HIGH).mean()) for m in MIXES] for s in SITES}
    lasts = {s: answers.parallel(s, MIXES[0], 1.0, LOW) for s in SITES}
    top = {s: [float(answers.flow(s, m, 32.0, HIGH).mean()) for m in (MIXES[0], MIXES[2])] for s in SITES}
    costs = {s: {m: [float(answers.penalty(s, m, r).mean()) for r in RATES] for m in MIXES} for s in SITES}
    heavier = {s: {r: answers.online(total, s, MIXES[2], r) / answers.online(total, s, MIXES[0], r) - 1.0
                   for r in RATES} for s in SITES}  # fmt: skip
    by_rate = {s: {r: float(v.mean()) for r, v in found.items()} for s, found in heavier.items()}
    scales = sorted((*OTHER_SCALES, TIME_SCALE))
    stops = ", ".join(f"{answers.online(_stops, 'standin', m, 1.0).mean():.0f} of 500 jobs ({m})" for m in MIXES)
    dear = ", ".join(f"{percent(_worst(answers, f))} at {f:g}" for f in scales)
    blocks, place = len(answers.seeds), "Section 5.4"
    return [
        on_sites("High jobs are faster than medium, medium than low", "at every rate",
                 {s: f"at {sum(falls(f[::-1]) for f in v.values())} of {len(v)} points" for s, v in flows.items()},
                 {s: ordered(v) for s, v in flows.items()},
                 "in size: mean job times are in that order at every mix and rate; in direction: from rate 4 on",
                 f"{place}, Figure 8", "significantly superior to that of low-priority jobs",
                 blocks, lambda: _disorder(flows)),
        on_sites("Job times rise with the rate", "in general",
                 {s: ", ".join(f"{v[m][0]:.0f} to {v[m][-1]:.0f} s ({m})" for m in MIXES) for s, v in whole.items()},
                 {s: rises({m: v[m] for m in MIXES}) for s, v in whole.items()},
                 "in size: at most one step from rate to rate falls in each mix; in direction: rate 32 is above rate 1",
                 f"{place}, Figure 8", "an increasing arrival rate generally increases the average job times", blocks,
                 f"Means by rate at 10/10/80, stand-in: {_seconds(whole['standin'][MIXES[0]])}"),
        on_sites("Job times do not rise with every rate", "some fall at low rates",
                 {s: not_monotone(v)[1] for s, v in steps.items()},
                 {s: not_monotone(v)[0] for s, v in steps.items()},
                 "the mean job time of a level falls from one rate to the next; in size: the 95 % interval of that "
                 "fall excludes 0",
                 f"{place}, Figure 8", "the trends are not monotonic increasing", blocks,
                 f"Means by rate at 10/10/80, stand-in: {_seconds(whole['standin'][MIXES[0]])}"),
        on_sites("10/10/80 holds high jobs slightly over 100 s", "slightly over 100 s",
                 {s: f"{v[0]:.0f} s at rate 32" for s, v in top.items()},
                 {s: contained(v[0], whole[s]["none"][-1]) for s, v in top.items()},
                 "in size: their mean at rate 32 is 95 to 125 s; in direction: below half of that without priorities",
                 f"{place}, Figure 8(a)", "to slightly over 100 seconds", blocks,
                 "By rate, in s: " + ", ".join(f"{flows['standin'][MIXES[0], r][HIGH]:.0f} at {r:g}" for r in RATES)),
        on_sites("50/25/25 needs over four times as long for high jobs", "over four times, at high rates",
                 {s: f"{b / a:.1f} times" for s, (a, b) in top.items()},
                 {s: grade(b > a, b > 4.0 * a) for s, (a, b) in top.items()},
                 "in size: the ratio of means at rate 32 is above 4; in direction: above 1", f"{place}, Figure 8",
                 "take on average over four times as long", blocks,
                 "By factor on times, stand-in: " + ", ".join(f"{_top(answers, f):.1f} at {f:g}" for f in scales)),
        on_sites("The share of parallel jobs falls with the rate", "in general",
                 {s: ", ".join(f"{percent(v[m][0])} to {percent(v[m][-1])} ({m})" for m in ALL_MIXES)
                  for s, v in shares.items()}, {s: shares_fall(v) for s, v in shares.items()},
                 "in size: at every step from rate to rate, in each mix; in direction: from rate 1 to 32",
                 f"{place}, Figure 9(b)", "parallelism decreases as the arrival rate increases", blocks,
                 f"By rate, no priorities, stand-in: {', '.join(map(percent, shares['standin']['none']))}"),
        on_sites("The share of parallel jobs falls from level to level", "it does",
                 {s: "mean " + " / ".join(percent(x) for x in np.mean(v, axis=0)) for s, v in levels.items()},
                 {s: shares_by_level(v) for s, v in levels.items()},
                 "in size: high at least medium at least low at every mix and rate, within one percent point; in "
                 "direction: their means over mixes and rates", f"{place}, Table 1",
                 "decreases with a drop in the priority level", blocks, lambda: _unordered(levels)),
        on_sites("High jobs lose clusters where there are more of them", "faster fall",
                 {s: " > ".join(map(percent, v)) if falls(v) else ", ".join(map(percent, v)) for s, v in rare.items()},
                 {s: grade(v[0] > v[2], falls(v)) for s, v in rare.items()},
                 "the parallel share of high jobs at rate 32 falls from mix to mix; in direction: from the first to "
                 "the last", f"{place}, Table 1", "less \"special\" in distributions that allocate such status", blocks,
                 f"On the stand-in {', '.join(map(percent, rare['standin']))}"),
        on_sites("Low jobs at rate 1 usually get a cluster in the end (10/10/80)", "usually",
                 {s: estimate(v) for s, v in lasts.items()},
                 {s: grade(float(v.mean()) > 0.5) for s, v in lasts.items()}, "more than half of them run on a cluster",
                 f"{place}, Table 1", "it will usually get a cluster", blocks,
                 f"{estimate(lasts['standin'])} on the stand-in"),
        on_sites("Preemptive priorities cost little in all", "a slight degradation",
                 {s: ", ".join(f"{span(v)} ({m})" for m, v in found.items()) for s, found in costs.items()},
                 {s: slight([x for v in found.values() for x in v]) for s, found in costs.items()},
                 "most means are above those without priorities; in size: none by more than 10 %",
                 f"{place}, Figure 9(a)", "a slight degradation in overall performance", blocks,
                 f"Largest by factor on times, stand-in: {dear}"),
        on_sites("At low rates heavier mixes do better in all, reversed after 8", "better below 8, worse above",
                 {s: "; ".join(f"{estimate(v)} at {r:g}" for r, v in found.items()) for s, found in heavier.items()},
                 {s: reversal(v) for s, v in by_rate.items()},
                 "50/25/25 has less total job time than 10/10/80 at rates 1, 2 and 4, and more at 16 and 32; in "
                 "direction: at rates 1 and 32", f"{place}, Figure 9(a)", "the trend reverses after passing", blocks,
                 "At rate 1, by factor on times, stand-in: "
                 + ", ".join(f"{percent(_heavier(answers, f))} at {f:g}" for f in scales)
                 + f". Stopped runs at rate 1: {stops}"),
        on_sites("The penalty is largest at low rates for 10/10/80, at high rates for the others", "it is",
                 {s: ", ".join(f"at {RATES[int(np.argmax(v))]:g} ({m})" for m, v in found.items())
                  for s, found in costs.items()}, {s: where_dear(v) for s, v in costs.items()},
                 "the largest penalty of 10/10/80 is at a rate of at most 4; in size: that of the others at 16 or 32",
                 f"{place}, summary", "most pronounced for the combinations of low arrival rates", blocks,
                 "Penalties by rate, 50/25/25, stand-in: " + ", ".join(percent(x) for x in costs["standin"][MIXES[2]])),
    ]  # fmt: skip


def by_mix(savings: Mapping[str, float]) -> str:
    """Return a share for each mix."""
    return ", ".join(f"{percent(saving)} ({mix})" for mix, saving in savings.items())


def _seconds(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.0f}" for value in values) + " s"


def _stops(point: Point) -> float:
    return point.preemptions


def _top(answers: Answers, scale: float) -> float:
    high = [answers.flow("standin", mix, 32.0, HIGH, scale).mean() for mix in (MIXES[0], MIXES[2])]
    return float(high[1] / high[0])


def _worst(answers: Answers, scale: float) -> float:
    return max(float(answers.penalty("standin", m, r, scale).mean()) for m in MIXES for r in RATES)


def _heavier(answers: Answers, scale: float) -> float:
    few, many = (answers.online(total, "standin", mix, 1.0, scale) for mix in (MIXES[0], MIXES[2]))
    return float((many / few).mean() - 1.0)


def _disorder(flows: Mapping[str, Mapping[tuple[str, float], Sequence[float]]]) -> str:
    """Return the points at which levels are not in order."""
    found = [f"{SITES[s]}, {mix}, rate {rate:g}: {' / '.join(f'{x:.0f}' for x in v)} s"
             for s, points in flows.items() for (mix, rate), v in points.items() if not falls(v[::-1])]  # fmt: skip
    return "Not in order: " + "; ".join(found)


def _unordered(levels: Mapping[str, Sequence[Sequence[float]]]) -> str:
    """Return the points at which shares are not in order."""
    found = []
    for site, points in levels.items():
        for (mix, rate), (high, medium, low) in zip(product(MIXES, RATES), points, strict=True):
            if high < medium - 0.01 or medium < low - 0.01:
                found.append(
                    f"{SITES[site]}, {mix}, rate {rate:g}: {percent(high)} / {percent(medium)} / {percent(low)}"
                )
    return "Not in order: " + "; ".join(found)
