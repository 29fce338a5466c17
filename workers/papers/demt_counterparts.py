"""Every figure of the DEMT paper, and what stands for it here. The paper has no tables."""

from __future__ import annotations

from collections.abc import Sequence

from shadowtime.workers.papers.demt_cells import FAMILIES, PROCESSORS
from shadowtime.workers.papers.report import Claim, Counterpart, Grade

ORDER = (Grade.NO, Grade.DIRECTION, Grade.SIZE)
LOST = "Its points are lost; the verdict is the worst of the claims about it"
WORST_MAKESPAN = "DEMT's makespan is the worst but Gang's on weakly parallel jobs (weighted"
ABOUT = {
    "weak": ("Figure 3", ("Gang is out of scale", WORST_MAKESPAN, "Others have smaller")),
    "high": ("Figure 4", ("DEMT is clearly the best on highly", "Gang is good for few", "The list algorithms' makespan",
                          "The lists are stable")),
    "mixed": ("Figure 5", ("On mixed jobs",)),
    "cirne": ("Figure 6", ("DEMT is clearly the best on Cirne", "DEMT is the only stable")),
}  # fmt: skip
"""Figure of each family, and how the claims about it begin."""
SHOWS = {
    "weak": "weakly parallel jobs", "high": "highly parallel jobs", "mixed": "mixed jobs", "cirne": "Cirne's generator",
}  # fmt: skip


def counterparts(claims: Sequence[Claim], sizes: Sequence[int], runs: int) -> list[Counterpart]:
    """Return the list for a scale of `runs` workloads at each point."""
    scale = f"{PROCESSORS} processors, {sizes[0]} to {sizes[-1]} jobs, {runs} workloads a point (theirs 40)"
    seeds = list(range(1, runs + 1))
    drawn = [
        Counterpart("Figure 1", "Jobs enter the cluster through priority queues", ["queues"], "an illustration", (),
                    None, None, "Drawn from the text: the picture itself is lost, and nothing in it can disagree."),
        Counterpart("Figure 2", "The principle of DEMT: batches of doubling length", ["batches", "compacted"],
                    "12 jobs on 8 processors, really run", (), None, None,
                    "Drawn from a run of ours: the picture itself is lost."),
    ]  # fmt: skip
    for family, (figure, starts) in ABOUT.items():
        found = worst(claims, FAMILIES[family], starts)
        said = [one.claim for one in about(claims, starts) if one.grades[FAMILIES[family]] == found != Grade.SIZE]
        why = f"{LOST}: {'; '.join(said)}." if said else f"{LOST}."
        shows = f"Weighted completion and makespan on {SHOWS[family]}: smallest, average and largest ratio"
        drawn.append(Counterpart(figure, shows, [f"figure-{figure[-1]}"], scale, seeds, runs, found, why))
    judged = [worst(claims, family, ("DEMT takes less",)) for family in FAMILIES.values()]
    time = min((one for one in judged if one is not None), key=ORDER.index, default=None)
    why = "Only its upper end survives in the text (below 2 s); machines of 2004 took longer."
    drawn.append(
        Counterpart("Figure 7", "Execution time of DEMT by number of jobs", ["figure-7"], scale, seeds, runs, time, why)
    )
    return drawn


def about(claims: Sequence[Claim], starts: Sequence[str]) -> list[Claim]:
    """Return the claims that begin with one of `starts`."""
    return [one for one in claims if one.claim.startswith(tuple(starts))]


def worst(claims: Sequence[Claim], workload: str, starts: Sequence[str]) -> Grade | None:
    """Return the worst verdict on a workload of the claims that begin with one of `starts`."""
    judged = [one.grades[workload] for one in about(claims, starts)]
    return min((one for one in judged if one is not None), key=ORDER.index, default=None)
