"""Every figure and table of the paper, and what stands for it here."""

from __future__ import annotations

from collections.abc import Sequence

from shadowtime.workers.papers.dfrs import figures
from shadowtime.workers.papers.dfrs.answers import COLUMN, Answers
from shadowtime.workers.papers.dfrs.instances import REAL, SCALED, UNSCALED
from shadowtime.workers.papers.report import Claim, Counterpart, Grade

PAPERS = {REAL: 182, UNSCALED: 100, SCALED: 900}
"""Workloads of the paper."""
DRAWS = "the authors' draws are not public, so the synthetic workloads differ"


def worst(claims: Sequence[Claim], groups: Sequence[str]) -> Grade | None:
    """Return the worst grade of some claims on some groups; None without any."""
    found = [claim.grades[group] for claim in claims for group in groups if claim.grades.get(group)]
    return next((grade for grade in (Grade.NO, Grade.DIRECTION, Grade.SIZE) if grade in found), None)


def of_degradations(answers: Answers, claims: Sequence[Claim]) -> list[Counterpart]:
    """Return Tables 1 and 2 and Figure 1."""
    on_loads = [claim for claim in claims if "Figure 1" in claim.section]
    on_table = [claim for claim in claims if claim not in on_loads]
    return [
        Counterpart("Table 1", "The 14 combinations of rules", ["116 names"], "all 116 variants", [], None, None,
                    "definitions: nothing to compare"),
        _one(answers, "Table 2", "Degradation from the bound of 20 algorithms", "table2", answers.groups, on_table,
             f"EASY is nearer to the bound than theirs; {DRAWS}"),
        _one(answers, "Figure 1", "Mean degradation by load", "figure1", [SCALED], on_loads,
             "no digits of the figure survive but the two in the text; the purely greedy ones are better at low load"),
    ]  # fmt: skip


def of_costs(answers: Answers, claims: Sequence[Claim]) -> list[Counterpart]:
    """Return Table 3."""
    return [_one(answers, "Table 3", "Costs of preemptions and migrations", "table3", [SCALED], claims, DRAWS)]


def of_idle(answers: Answers, claims: Sequence[Claim]) -> list[Counterpart]:
    """Return Figure 2, Table 4, and the whole log of section 6.4.2."""
    on_weeks = [claim for claim in claims if "whole log" not in claim.claim]
    on_whole = [claim for claim in claims if claim not in on_weeks]
    missing = "" if answers.whole_log else "only at full scale, with the log"
    return [
        Counterpart("Figure 2", "What underutilization is", ["underutilization"], "an example", [], None, None,
                    "an illustration: nothing to compare"),
        _one(answers, "Table 4", "Normalized underutilization", "table4", answers.groups, on_weeks, DRAWS),
        Counterpart("Section 6.4.2", "Underutilization of the whole log", [figures.WHOLE_LOG] if on_whole else [],
                    "182 weeks in one run", [], 1 if on_whole else None, worst(on_whole, [REAL]), missing),
    ]  # fmt: skip


def of_variants(answers: Answers, claims: Sequence[Claim]) -> list[Counterpart]:
    """Return Table 5."""
    return [_one(answers, "Table 5", "All 116 variants, FCFS and EASY on HPC2N", "table5",
                 [REAL], claims, "means of single variants rest on a few weeks with extreme stretches")]  # fmt: skip


def of_periods(answers: Answers, claims: Sequence[Claim]) -> list[Counterpart]:
    """Return Figures 3 and 4, and the graphs of appendix B."""
    third = [claim for claim in claims if "Figure 3" in claim.section]
    fourth = [claim for claim in claims if "Figure 4" in claim.section]
    hour = [claim for claim in claims if "an hour" in claim.claim]
    made = [
        _one(answers, f"Figure 3({letter})", f"Underutilization by period, {group}", "figure3",
             [group], third, "digits are lost but those of the text; the fall flattens at the longest periods")
        for letter, group in zip("abc", (REAL, UNSCALED, SCALED), strict=True) if group in answers.groups
    ]  # fmt: skip
    return [
        *made,
        _one(answers, "Figure 4", "Degradation by period", "figure4", answers.groups, fourth,
             "single workloads at long periods make the means"),
        _one(answers, "Appendix B, bandwidth", "Bandwidth by period at high load", "bandwidth", [SCALED], hour,
             DRAWS),
        Counterpart("Appendix B, others", "Graphs without captions, lost in the text", [], "", [], None, None, "lost"),
    ]  # fmt: skip


def _one(
    answers: Answers,
    figure: str,
    shows: str,
    ours: str,
    groups: Sequence[str],
    claims: Sequence[Claim],
    why: str,
) -> Counterpart:
    """Return a counterpart whose grade is the worst of its claims on its groups."""
    here = [group for group in groups if group in answers.groups]
    sizes = ", ".join(f"{COLUMN[g]}: {len(answers.instances[g])} of {PAPERS[g]}" for g in here)
    seeds = sorted({one.number for g in here if g != REAL for one in answers.instances[g]})
    return Counterpart(
        figure, shows, [ours], f"workloads {sizes}", seeds, min(map(answers.blocks, here)), worst(claims, here), why
    )
