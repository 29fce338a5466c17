"""Every figure and table of Collins and George 2001, and what stands for it here."""

from __future__ import annotations

from collections.abc import Sequence

from shadowtime.workers.papers.pjs_answers import JOBS_ONLINE
from shadowtime.workers.papers.report import Claim, Counterpart, Grade

ORDER = (Grade.NO, Grade.DIRECTION, Grade.SIZE)
"""From the worst."""
LOST = "The values of its points are lost"


def counterparts(claims: Sequence[Claim], seeds: Sequence[int], few: Sequence[int]) -> list[Counterpart]:
    """Return them in the paper's order; each has the worst verdict of the claims about it."""
    verdicts = {claim.claim: worst([found for found in claim.grades.values() if found]) for claim in claims}

    def one(
        figure: str, shows: str, ours: Sequence[str], scale: str, own: Sequence[int], about: Sequence[str]
    ) -> Counterpart:
        failing = [
            f"“{name.removeprefix('... ')}”: {verdicts[name]}"
            for name in dict.fromkeys(about)
            if verdicts[name] != Grade.SIZE
        ]
        why = "; ".join(failing) or f"{LOST}; all claims about it hold"
        return Counterpart(figure, shows, ours, scale, own, len(own), worst([verdicts[name] for name in about]), why)

    def picture(figure: str, shows: str, key: str, why: str) -> Counterpart:
        return Counterpart(figure, shows, [key], "drawn", [], None, None, why)

    site = "142 machines in 18 clusters, as theirs, with stand-in tables"
    online = f"{site}; {JOBS_ONLINE} jobs, as theirs"
    random_tables = "random tables, as theirs; a computer of today"
    levels, to_500 = ["levels", "levels-noisy"], f"{site}; 5 to 500 jobs, as theirs"
    fourth = {
        "(a)": ("10/10/80", ["10/10/80 holds high jobs slightly over 100 s"]),
        "(b)": ("25/25/50", []),
        "(c)": ("50/25/25", ["50/25/25 needs over four times as long for high jobs"]),
    }
    return [
        picture("Figure 1", "Database of a site", "database", "A picture; a site here takes each of its parts"),
        picture("Figure 2", "Software in the loop", "loop", "A picture of the method"),
        one("Figure 3", "Scheduling delay of SJS, 5 to 100 jobs and machines", ["sjs-delay"], random_tables, few,
            ["SJS plans 100 jobs on 100 machines in less than 0.2 s", "SJS's time grows with jobs times machines"]),
        one("Figure 4", "Mean delay of PJS over 5 to 1,000 jobs, by share of possibly parallel jobs",
            ["pjs-delay", "pjs-delay-by-jobs"], f"40 machines in 5 clusters of 4 and 20 more; {random_tables}",
            few, ["PJS costs two to three times SJS", "The share of parallel jobs hardly matters",
                  "1,000 jobs are planned in seconds"]),
        one("Figure 5(a)", "Saving of PJS by number of jobs", ["saving"], f"{site}; 1 to 100 jobs, as theirs", few,
            ["PJS saves up to nearly half at light load", "Under load it saves little, here and there"]),
        one("Figure 5(b)", "Total job time of SJS and PJS", ["total-job-time", "all-rules"],
            f"{site}; to 50 jobs, as theirs", few, ["PJS is never worse than SJS"]),
        one("Figure 6(a), (d), (g)", "Total job time of high jobs by their number, three mixes", levels, to_500, few,
            ["PJS serves high jobs better than SJS", "The rarer high jobs are, the more PJS serves them better"]),
        one("Figure 6(b), (e), (h)", "The same of medium jobs", levels, to_500, few,
            ["Medium jobs suffer near 30 high jobs, then less"]),
        one("Figure 6(c), (f), (i)", "The same of low jobs", levels, to_500, few,
            ["Low jobs fare slightly worse under PJS, and alike at 50/25/25"]),
        one("Figure 7", "Mean of total job times over all numbers of jobs, by mix and scheduler", ["mean-totals"],
            to_500, few, ["Priorities cost little in total", "PJS and SJS are alike in total"]),
        *(one(f"Figure 8{letter}", f"Mean job time by level and rate, {mix}", ["online-time"], online, seeds,
              ["High jobs are faster than medium, medium than low", "Job times rise with the rate",
               "Job times do not rise with every rate", *about])
          for letter, (mix, about) in fourth.items()),
        one("Figure 9(a)", "Mean job time of all jobs by rate, four mixes", ["online-all"], online, seeds,
            ["Preemptive priorities cost little in all",
             "At low rates heavier mixes do better in all, reversed after 8"]),
        one("Figure 9(b)", "Share of jobs in parallel by rate, four mixes", ["online-parallel"], online, seeds,
            ["The share of parallel jobs falls with the rate"]),
        one("Table 1", "Share of jobs in parallel by mix, level and rate", ["table-1"], online, seeds,
            ["The share of parallel jobs falls from level to level",
             "High jobs lose clusters where there are more of them",
             "Low jobs at rate 1 usually get a cluster in the end (10/10/80)"]),
    ]  # fmt: skip


def worst(grades: Sequence[Grade]) -> Grade:
    """Return the worst of some verdicts."""
    return min(grades, key=ORDER.index)
