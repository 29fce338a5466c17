"""The claims of section 6.1 on stretch: Table 2, Figure 1 and Table 5."""

from __future__ import annotations

from collections.abc import Callable

from shadowtime.workers.papers.dfrs import rules
from shadowtime.workers.papers.dfrs.answers import BEST, COLUMN, TWIN, Answers, algorithms_of, theirs_of
from shadowtime.workers.papers.dfrs.figures import PLOTTED
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED
from shadowtime.workers.papers.dfrs.judging import Judged, judge, means, number, short, spread
from shadowtime.workers.papers.report import Claim, Grade

GREEDY = "Greedy*/opt=min"
PURE = (GREEDY, "GreedyP*/opt=min", "GreedyPM*/opt=min")
PERIODIC = ("Greedy*/per/opt=min", "GreedyP*/per/opt=min", "GreedyPM*/per/opt=min")
PLAIN = tuple(f"{name}/per/opt=min" for name in ("Greedy", "GreedyP", "GreedyPM"))
LIMITED = ("GreedyP/per/opt=min/minvt=600", "GreedyPM/per/opt=min/minvt=600", TWIN, BEST)
PACKED = ("MCB8*/opt=min/minvt=600", "MCB8/per/opt=min/minvt=600", "MCB8*/per/opt=min/minvt=600")
PER, STRETCH_PER = "/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600"


def of_degradations(answers: Answers) -> list[Claim]:
    """Return the claims on Table 2 and Figure 1."""

    def mean(name: str, group: str) -> float:
        return answers.mean("degradation", name, group)

    def paper(name: str, group: str, what: str = "avg") -> float:
        return theirs_of("table2", name, f"{COLUMN[group]}_{what}")

    def batch(group: str) -> Judged:
        least = min(mean("FCFS", group), mean("EASY", group))
        return means(answers, group, "FCFS", "EASY", BEST), rules.times_worse(least, mean(BEST, group), 100.0)

    def easy(group: str) -> Judged:
        found = rules.smaller_as_theirs(
            mean("EASY", group), mean("FCFS", group), paper("EASY", group) / paper("FCFS", group), 1.2
        )
        return means(answers, group, "EASY", "FCFS"), found

    def greedy(group: str) -> Judged:
        quotient = paper(GREEDY, group) / paper("EASY", group)
        found = rules.smaller_as_theirs(mean(GREEDY, group), mean("EASY", group), quotient, 1.5)
        return means(answers, group, GREEDY, "EASY"), found

    def preemption(group: str) -> Judged:
        return means(answers, group, *PURE[:2]), rules.times_worse(mean(PURE[0], group), mean(PURE[1], group), 10.0)

    def migration(group: str) -> Judged:
        names = PERIODIC[1:]
        return means(answers, group, *names), rules.alike(mean(names[1], group), mean(names[0], group), 0.05)

    def averages(group: str) -> Judged:
        with_period = [mean(name, group) for name in PLAIN + PERIODIC]
        if group == REAL:
            return means(answers, group, *PURE[1:]), rules.all_below(
                [mean(name, group) for name in PURE[1:]], with_period
            )
        return means(answers, group, *PURE, *PERIODIC), rules.all_below(
            with_period, [mean(name, group) for name in PURE]
        )

    def tails(group: str) -> Judged:
        def both(names: tuple[str, ...]) -> list[float]:
            values = [answers.values("degradation", name, group) for name in names]
            return [float(value) for one in values for value in (one.std(ddof=1), one.max())]

        stated = [paper(a, group, what) / paper(b, group, what) for a, b in zip(PURE, PERIODIC, strict=True)
                  for what in ("std", "max")]  # fmt: skip
        without, period = both(PURE), both(PERIODIC)
        words = ", ".join(
            f"{name} {number(a)} against {number(b)}"
            for name, a, b in zip(("Greedy*", "GreedyP*", "GreedyPM*"), without[1::2], period[1::2], strict=True)
        )
        return f"maxima: {words}", rules.heavier_tails(without, period, stated)

    def limited(group: str) -> Judged:
        found = rules.all_below([mean(name, group) for name in LIMITED],
                                [mean(name, group) for name in ("FCFS", "EASY", *PURE, *PLAIN, *PERIODIC)])  # fmt: skip
        best = min(algorithms_of("table2"), key=lambda name: mean(name, group))
        return f"{means(answers, group, *LIMITED)}; best of all: {short(best)} {number(mean(best, group))}", found

    def seven(group: str) -> Judged:
        return means(answers, group, BEST), rules.at_most(mean(BEST, group), 7.0)

    def packed(group: str) -> Judged:
        return means(answers, group, *PACKED), rules.all_below(
            [mean(BEST, group)], [mean(one, group) for one in PACKED]
        )

    def per(group: str) -> Judged:
        return means(answers, group, PER, BEST), rules.times_worse(mean(PER, group), mean(BEST, group), 6.0)

    def stretch(group: str) -> Judged:
        return means(answers, group, PER, STRETCH_PER), rules.alike(mean(STRETCH_PER, group), mean(PER, group), 0.05)

    judged = [
        judge(answers, "FCFS and EASY are orders of magnitude further from the bound than the best algorithm",
              "3,578 and 3,042 against 6.9 on HPC2N",
              "both means are at least 100 times that of the best algorithm (direction: larger)", batch,
              section="Section 6.1", quote="outperformed by our proposed algorithms by several orders of magnitude",
              behind=("FCFS", "EASY", BEST)),
        judge(answers, "EASY is better than FCFS, but not by much", "0.85, 0.91 and 0.90 of FCFS",
              "EASY's mean over that of FCFS is the paper's to within a factor of 1.2 (direction: below 1)", easy,
              section="Section 6.1", quote="Expectedly, EASY outperforms FCFS", behind=("EASY", "FCFS")),
        judge(answers, "Greedy* alone is better than EASY, but far from the bound", "0.31, 0.49 and 0.61 of EASY",
              "the mean of Greedy* over EASY's is the paper's to within a factor of 1.5 (direction: below 1)", greedy,
              section="Table 2", behind=(GREEDY, "EASY"),
              also="our EASY is the better one: it is nearer to the bound than theirs by a factor of "
                   + ", ".join(f"{number(paper('EASY', g) / mean('EASY', g))} ({g})" for g in answers.groups)),
        judge(answers, "Preemption brings an order of magnitude or more", "Greedy* over GreedyP*: 70, 65 and 28",
              "the mean of Greedy* is at least ten times that of GreedyP* (direction: larger)", preemption,
              section="Section 6.1", quote="demonstrating the benefits of preemption", behind=PURE[:2]),
        judge(answers, "Migration at submission brings nothing more", "17.9 and 17.9, 20.3 and 20.3, 17.9 and 17.9",
              "the means of GreedyPM*/per and GreedyP*/per differ by at most 5 % (direction: 20 %)", migration,
              section="Section 6.1", quote="does not lead to significant further improvement", behind=PERIODIC[1:]),
        judge(answers, "Without a period means are poorer on synthetic jobs, and better on HPC2N",
              "HPC2N: 13.5 against 17.9; as drawn: 37.5 against 20.3",
              "synthetic: each of the three without a period has a larger mean than all six with one; HPC2N: GreedyP* "
              "and GreedyPM* have smaller ones", averages, section="Section 6.1",
              quote="lead to results poorer than the 6 algorithms in the next 2 groups", behind=PURE + PERIODIC),
        judge(answers, "Without a period deviation and maximum are far larger", "maximum of GreedyP*: 819 against 214",
              "for all three, deviation and maximum without a period over those with one are at least half of the "
              "paper's quotients (direction: larger)", tails, section="Section 6.1",
              quote="standard deviation and maximum values that are orders of magnitude larger",
              behind=PURE + PERIODIC),
        judge(answers, "Those with a period and minvt=600 are better than batch and all other greedy ones",
              "6.9 to 8.9 on HPC2N", "each of the four has a smaller mean than each of the eleven before them", limited,
              section="Section 6.1", quote="outperform all previously discussed algorithms on all 3 sets",
              behind=(BEST, *PURE[1:]), also=_when_light(answers)),
        judge(answers, "The best algorithms are at most a factor of 7 from the bound", "6.9, 4.8 and 6.1",
              "the mean of GreedyPM*/per/opt=min/minvt=600 is at most 7 (direction: at most 14)", seven,
              section="Section 6.1", quote="on average at most a factor 7 away from this loose bound", behind=(BEST,)),
        judge(answers, "MCB8 at submission is good, but not among the best", "10.8 to 13.6 on HPC2N",
              "the mean of GreedyPM*/per/opt=min/minvt=600 is below those of all three", packed, section="Section 6.1",
              quote="they are not among the best", behind=(BEST, *PACKED)),
        judge(answers, "/per alone is more than six times further",
              "105 against 6.9, 43.0 against 4.8, 40.4 against 6.1",
              "its mean is at least six times that of the best algorithm (direction: larger)", per,
              section="Section 6.1", quote="outperformed by the best greedy algorithm more than 6-fold",
              behind=(PER, BEST)),
        judge(answers, "/stretch-per is on a par with /per", "105.0 and 105.0, 43.0 and 43.0, 40.4 and 40.2",
              "their means differ by at most 5 % (direction: 20 %)", stretch, section="Section 6.1",
              quote="performs on par with /per/opt=min/minvt=600", behind=(PER, STRETCH_PER)),
    ]  # fmt: skip
    return [*judged, *_of_loads(answers)]


def _when_light(answers: Answers) -> str:
    """Return how the purely greedy pair compares by load."""
    return "scaled, GreedyP* against GreedyPM*/per/minvt by load: " + ", ".join(
        f"{load:g}: {means_at(answers, load, 'GreedyP*/opt=min')} and {means_at(answers, load, BEST)}"
        for load in answers.loads
    )


def means_at(answers: Answers, load: float, name: str) -> str:
    """Return the mean degradation at a load in words."""
    return number(answers.at(load).mean("degradation", name, SCALED))


def _of_loads(answers: Answers) -> list[Claim]:
    """Return the claims on Figure 1."""
    scaled = answers.where(lambda one: True)
    table = {
        load: {name: answers.at(load).mean("degradation", name, SCALED) for name in PLOTTED} for load in answers.loads
    }
    subject = "GreedyPM*/opt=min"

    def series(name: str) -> str:
        return ", ".join(f"{load:g}: {number(at[name])}" for load, at in table.items())

    ends = {load: spread(answers.at(load), SCALED, (BEST, subject), "degradation") for load in (min(table), max(table))}
    intervals = "; ".join(f"load {load:g}: {words}" for load, words in ends.items())
    best = {load: short(min(at, key=at.__getitem__)) for load, at in table.items()}
    winners = ", ".join(f"{load:g}: {name}" for load, name in best.items())
    if len(set(best.values())) == 1:
        winners = f"{winners.rpartition(': ')[2]} at each"
    return [
        judge(scaled, "GreedyPM* without a period is good up to a load of 0.3 and poor above", "in Figure 1",
              "it is better than most others of the figure up to 0.3, and worse than most above (direction: at the "
              "smallest and the largest load)", lambda _: (series(subject), rules.poorer_above(table, subject, 0.3)),
              section="Section 6.1, Figure 1", quote="quickly leads to poorer performance than most other algorithms",
              also=f"best by load: {winners}; {intervals}"),
        judge(scaled, "GreedyPM*/per/opt=min/minvt=600 is best at every load", "in Figure 1",
              "no other algorithm of the figure has a smaller mean at any load (direction: over all loads)",
              lambda _: (f"best by load: {winners}", rules.best_at_all(table, BEST)), section="Section 6.1, Figure 1",
              quote="the best algorithm across the board regardless of the load level", also=intervals),
        judge(scaled, "It is a factor of 3 from the bound at low load, and 7.5 at high load", "3 and 7.5",
              "the means at the lowest and the highest load are within 30 % of 3 and 7.5 (direction: the second is "
              "larger)",
              lambda _: (series(BEST), rules.rises(table[min(table)][BEST], table[max(table)][BEST], (3.0, 7.5))),
              section="Section 6.1, Figure 1", quote="about a factor 3 away from the bound at low loads",
              also=intervals),
    ]  # fmt: skip


def of_variants(answers: Answers) -> list[Claim]:
    """Return the claims on Table 5."""

    def mean(name: str) -> float:
        return answers.mean("degradation", name, REAL)

    names = [name for name in algorithms_of("table5") if "opt=" in name]
    own = [name for name in names if not name.startswith("/stretch-per")]
    pairs = {
        "min": [(name, name.replace("opt=min", "opt=avg")) for name in own if "opt=min" in name],
        "minvt": [(name, name.replace("minvt", "minft")) for name in names if "minvt" in name],
        "600": [(name, name.replace("=600", "=300")) for name in names if "minvt=600" in name],
    }

    def pairwise(key: str) -> Callable[[str], Judged]:
        values = [(mean(a), mean(b)) for a, b in pairs[key]]
        worse = sum(a > 1.005 * b for a, b in values)
        ratio = rules.mean_ratio(values)
        words = f"worse in {worse} of {len(values)} pairs; geometric mean {100 * (ratio - 1):+.1f} %"
        return lambda _: (words, rules.never_worse(values))

    def largest(key: str) -> str:
        apart = sorted(pairs[key], key=lambda pair: mean(pair[1]) / mean(pair[0]))[:3]
        return "largest differences: " + ", ".join(f"{a} {number(mean(a))}, {b} {number(mean(b))}" for a, b in apart)

    thrash, held = "MCB8*/opt=min", "MCB8*/opt=min/minvt=600"
    per = ("/per/opt=min", "/per/opt=min/minvt=600")
    theirs: dict[str, Grade] = {
        key: rules.never_worse(
            [(theirs_of("table5", a, "real_avg"), theirs_of("table5", b, "real_avg")) for a, b in some]
        )
        for key, some in pairs.items()
    }
    return [
        judge(answers, "MCB8* without a limit thrashes", "345.6; 12.0 with minvt=600",
              "its mean is at least ten times that with minvt=600 (direction: larger)",
              lambda g: (means(answers, g, thrash, held), rules.times_worse(mean(thrash), mean(held), 10.0)),
              section="Section 6.1", quote="more than one order of magnitude further away from the bound",
              behind=(thrash, held)),
        *(judge(answers, sentence, f"of their own table the rule says: {theirs[key]}",
                "no mean of a pair is larger by more than 0.5 % (direction: the geometric mean of the "
                "quotients is at most 1)",
                pairwise(key), section="Section 6.1", quote=quote, also=largest(key))
          for key, sentence, quote in (
              ("min", "opt=min is never worse than opt=avg",
               "on average opt=min is never worse and often slightly better"),
              ("minvt", "minvt is always better than minft", "minvt is always better than minft"),
              ("600", "The bound of 600 s is slightly better than 300 s",
               "slightly better with the larger 600s bound"))),
        judge(answers, "The limit does not matter for /per", "105.0 in all rows", "means differ by at most 1 % "
              "(direction: 4 %)", lambda g: (means(answers, g, *per), rules.alike(mean(per[1]), mean(per[0]), 0.01)),
              section="Section 6.1", quote="the addition of minvt=600 does not matter", behind=per),
    ]  # fmt: skip
