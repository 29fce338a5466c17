"""Judge what is published on orders, on predictions and on conservative backfilling, workload by workload."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from shadowtime.engine.statistics.comparison import compare
from shadowtime.workers.papers.batch.anchors import ANCHORS, Figures, agree
from shadowtime.workers.papers.batch.answers import Answers
from shadowtime.workers.papers.batch.cells import Whole
from shadowtime.workers.papers.batch.policies import LEARNED, ORDERS, POLICIES, RIVALS, SETTINGS, Setting
from shadowtime.workers.papers.batch.workloads import SEQUENCES
from shadowtime.workers.papers.report import Claim, Grade, grade

Judged = tuple[str, Grade | None]
"""Our values in words, and the grade."""
NOTHING: Judged = ("", None)
SHARE = 0.2
"""Share of the weeks in which each of two policies must be better for a result to be mixed."""
SC17, TSAFRIR, MUALEM = "SC 2017", "TPDS 2007", "TPDS 2001"
OF_TSAFRIR = ("KTH", "CTC")
FIELDS = ("slowdown", "wait")


def claims(answers: Answers) -> list[Claim]:
    """Return all claims."""
    found = [learned(answers, setting) for setting in SETTINGS]
    found += [narrowed(answers), predictions(answers), starvation(answers), conservative(answers), certain(answers)]
    found += [anchored(answers)] if any(cell.of_2007 for cell in answers.whole) else []
    return [*found, first(answers)]


def judge(
    answers: Answers, sentence: str, theirs: str, rule: str, of: Callable[[str], Judged], section: str = "",
    behind: Callable[[str], str] | None = None, blocks: int | None = None,
) -> Claim:  # fmt: skip
    """Return a claim with a verdict for each workload; `behind` gives what a "no" depends on.

    blocks: independent draws behind it on a workload; None: the fewest weeks or seeds.
    """
    found = {name: of(name) for name in answers.workloads}
    failing = [name for name, (_, one) in found.items() if one == Grade.NO]
    sensitivity = "; ".join(f"{name}: {behind(name)}" for name in failing) if behind else ""
    grades = {name: one for name, (_, one) in found.items()}
    ours = {name: words for name, (words, _) in found.items()}
    counted = min(map(answers.blocks, answers.workloads)) if blocks is None else blocks
    return Claim(sentence, theirs, ours, grades, rule, section, "", sensitivity, counted)


def learned(answers: Answers, setting: Setting) -> Claim:
    """The orders that regression found against those made by hand, in one setting."""

    def of(name: str) -> Judged:
        values = {order: answers.median(name, order, setting) for order in ORDERS}
        ours, rivals = [values[order] for order in LEARNED], [values[order] for order in RIVALS]
        words = ", ".join(f"{called(order)} {number(value)}" for order, value in values.items())
        return words, grade(min(ours) < min(rivals), max(ours) < min(rivals))

    def behind(name: str) -> str:
        best, rival = (min(group, key=lambda one: answers.median(name, one, setting)) for group in (LEARNED, RIVALS))
        pair = [answers.sequence_values(name, order, setting) for order in (best, rival)]
        one = compare(*pair)
        ends = f"{one.ratio.mean:.2f} ({one.ratio.low:.2f} to {one.ratio.high:.2f})"
        return f"{best} over {called(rival)} {ends} over {one.blocks} sequences, smaller in {one.smaller}"

    backfilled = "EASY backfilling" if setting.backfill == "easy" else "without backfilling"
    estimates = "actual run times" if setting.estimates == "actual" else "requested times"
    return judge(
        answers, f"F1 to F4 beat FCFS, WFP3, UNICEF and SPT: {estimates}, {backfilled}",
        "smaller medians of the average bounded slowdown; the table of values is not at hand",
        "each of F1 to F4 has a smaller median over ten sequences than each of the four others; direction: the best of "
        "F1 to F4 has", of, SC17, behind, SEQUENCES,
    )  # fmt: skip


def narrowed(answers: Answers) -> Claim:
    """How far orders are apart with and without backfilling."""

    def of(name: str) -> Judged:
        apart = []
        for setting in SETTINGS[1:]:
            values = [answers.median(name, order, setting) for order in ORDERS]
            apart.append(max(values) / min(values))
        return f"{number(apart[0])} without, {number(apart[1])} with EASY", None

    return judge(
        answers, "How far orders are apart, with and without backfilling", "the table of values is not at hand",
        "shown, not judged: largest over smallest median of the eight orders, requested times", of, SC17,
        blocks=SEQUENCES,
    )  # fmt: skip


def predictions(answers: Answers) -> Claim:
    """EASY++ < EASY-SJBF < EASY on whole logs."""
    names = ("EASY++", "EASY-SJBF", "EASY")

    def of(name: str) -> Judged:
        if not answers.has_whole(name):
            return NOTHING
        values = {what: [getattr(answers.of_whole(name, one), what) for one in names] for what in FIELDS}
        words = "; ".join(
            f"{title} {' < '.join(map(number, found)) if ascends(found) else ', '.join(map(number, found))}"
            for title, found in zip(("slowdown", "wait"), values.values(), strict=True)
        )
        if name not in OF_TSAFRIR:
            return words, None
        direction = all(found[0] < found[2] for found in values.values())
        return words, grade(direction, all(map(ascends, values.values())))

    return judge(
        answers, "EASY++ is better than EASY-SJBF, which is better than EASY",
        "in mean bounded slowdown and mean wait, on CTC and KTH among others",
        "one run of the whole log, both means: EASY++ < EASY-SJBF < EASY; direction: EASY++ < EASY", of, TSAFRIR,
        blocks=1,
    )  # fmt: skip


def starvation(answers: Answers) -> Claim:
    """The longest wait under EASY++."""

    def of(name: str) -> Judged:
        if not answers.has_whole(name):
            return NOTHING
        longest = [answers.of_whole(name, one).longest / 86_400.0 for one in ("EASY", "EASY++")]
        return f"{longest[0]:.1f} and {longest[1]:.1f} days", None

    return judge(
        answers, "What EASY++ does to the longest wait", "means only",
        "shown, not judged: longest wait under EASY and under EASY++, whole log", of, TSAFRIR,
        blocks=1,
    )  # fmt: skip


def conservative(answers: Answers) -> Claim:
    """Conservative against EASY, week by week."""

    def of(name: str) -> Judged:
        one = answers.against(name, "Conservative")
        words = (
            f"slowdown {one.ratio.mean:.2f} times EASY's ({one.ratio.low:.2f} to {one.ratio.high:.2f}), smaller in "
            f"{one.smaller} and larger in {one.larger} of {one.blocks}"
        )
        each = min(one.smaller, one.larger) >= SHARE * one.blocks
        return words, grade(each, one.ratio.low <= 1.0 <= one.ratio.high)

    def behind(name: str) -> str:
        one = answers.against(name, "Conservative", what="wait")
        return (
            f"mean wait {one.ratio.mean:.2f} times EASY's ({one.ratio.low:.2f} to {one.ratio.high:.2f})"
            f"{'; ' if answers.neighbours(name, 'Conservative') else ''}{answers.neighbours(name, 'Conservative')}"
        )

    return judge(
        answers, "Neither conservative nor EASY backfilling is better throughout",
        "mixed: which is better depends on workload and metric",
        "each has the smaller mean bounded slowdown in at least a fifth of the weeks, and the 95 % interval of the "
        "weekly ratio contains 1; direction: the former", of, MUALEM, behind,
    )  # fmt: skip


def certain(answers: Answers) -> Claim:
    """What better predictions do for conservative backfilling."""

    def of(name: str) -> Judged:
        found = [answers.against(name, f"Conservative, {what}", "Conservative").ratio for what in ("user2", "actual")]
        return " and ".join(f"{one.mean:.2f} ({one.low:.2f} to {one.high:.2f})" for one in found), None

    return judge(
        answers, "What predictions do for conservative backfilling", "no paper here states it for these logs",
        "shown, not judged: weekly ratio of the mean bounded slowdown to that with requested times, for the user's "
        "last two jobs and for actual run times", of,
    )  # fmt: skip


def anchored(answers: Answers) -> Claim:
    """Whole logs, read as the simulator of 2007 reads them."""

    def pairs(name: str) -> dict[str, tuple[Figures, Figures]]:
        runs = {policy: Whole(log, policy, of_2007=True) for log, policy in ANCHORS if log == name}
        known = {policy: answers.whole[cell] for policy, cell in runs.items() if cell in answers.whole}
        return {
            policy: ((ours.wait, ours.slowdown, ours.longest), ANCHORS[name, policy]) for policy, ours in known.items()
        }

    def of(name: str) -> Judged:
        same = [agree(*pair) for pair in pairs(name).values()]
        return (f"{sum(same)} of {len(same)} policies in all digits", grade(all(same))) if same else NOTHING

    def behind(name: str) -> str:
        return "; ".join(
            f"{policy}: {', '.join(f'{a:,.4f}' for a in ours)} against {', '.join(f'{b:,.4f}' for b in theirs)}"
            for policy, (ours, theirs) in pairs(name).items()
            if not agree(ours, theirs)
        )

    return judge(
        answers, "Whole logs give the figures of the simulator of 2007",
        "mean wait, mean bounded slowdown and longest wait",
        "all three figures are the same in all digits given, read and ordered as there", of, "",
        behind, 1,
    )  # fmt: skip


def first(answers: Answers) -> Claim:
    """Who is best, by rank and by ratio."""

    def of(name: str) -> Judged:
        found, names = answers.ranking(name), list(POLICIES)
        best = found.mean_ranks[found.order[0]]
        alike = sum(found.mean_ranks[at] - best <= found.critical_difference for at in found.order)
        leaders = ", ".join(f"{names[at]} {found.mean_ranks[at]:.1f}" for at in found.order[:3])
        return f"{leaders}; {alike} of {len(names)} not told apart from the first", None

    return judge(
        answers, "Who is best by week", "no paper compares them all",
        "shown, not judged: smallest mean ranks of the mean bounded slowdown, and Nemenyi's critical difference", of,
    )  # fmt: skip


def ascends(values: list[float]) -> bool:
    """Return whether each value is smaller than the next."""
    return all(a < b for a, b in pairwise(values))


def called(order: str) -> str:
    """Return an order as SC 2017 calls it."""
    return "SPT" if order == "SJF" else order


def number(value: float) -> str:
    """Return a value with three digits, or with thousands separated."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
