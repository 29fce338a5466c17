"""SynchPack against PSRS, Tetris and JSQ-MaxWeight: every figure of Shafiee and Ghaderi 2022, on a substitute trace.

The text that is left has lost its numbers: its sentences are judged (`synchpack_claims`), remembered percentages are
shown beside ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from shadowtime.engine.statistics.blocks import too_few_for_test
from shadowtime.workers.papers.cells import run_cells
from shadowtime.workers.papers.report import Claim, Counterpart, Grade, Report
from shadowtime.workers.papers.synchpack_cells import CUTS_JOBS, FACTOR, GAPS, RUN, Answer, Cell, run_single
from shadowtime.workers.papers.synchpack_claims import claims
from shadowtime.workers.papers.synchpack_points import FACTORS, LOADS, SCALES, Points, Scale, cells
from shadowtime.workers.papers.synchpack_rules import THREE, TWO
from shadowtime.workers.papers.synchpack_tables import (
    TIMES,
    tables,
)

TITLE = "Packing, placement and synchronisation: SynchPack"
SOURCE = (
    "M. Shafiee, J. Ghaderi, Scheduling parallel-task jobs subject to packing and placement constraints, Operations "
    "Research 70(6), 2022"
)
RIVALS = 4
"""Comparisons in a family of tests: the rivals of SynchPack in a plot."""
LOST = "the paper's values are lost; its sentence is judged"


def study(scale: str, tell: Callable[[str], None]) -> Report:
    """Run all points and compare the paper's claims with the results."""
    began = time.perf_counter()
    sizes = SCALES[scale]
    every = cells(sizes)
    run_single(Cell("single", 4, 2, "equal", 0))  # compiled before the children are forked
    found: dict[Cell, Answer] = {}
    for plot, function in RUN.items():
        some = [cell for cell in every if cell.plot == plot]
        found |= dict(zip(some, run_cells(function, some, tell), strict=True))
    points = Points(found, sizes)
    judged = claims(points)
    return Report(
        "synchpack", TITLE, SOURCE, scale, _method(sizes), judged, tables(points), time.perf_counter() - began,
        counterparts(sizes, judged),
    )  # fmt: skip


def counterparts(scale: Scale, judged: Sequence[Claim]) -> list[Counterpart]:
    """Return every figure and table of the paper; a grade is the worst of the claims about it."""
    single = f"{scale.main:,} jobs, {scale.cluster:,} machines"
    staying = f"{scale.placed_main:,} jobs, {scale.placed_cluster:,} machines"
    arriving = f"{scale.online:,} jobs, {scale.cluster:,} machines, loads {LOADS[0]:g} to {LOADS[-1]:g}"
    of = partial(_grade, judged)
    made = partial(Counterpart, seeds=scale.seeds, blocks=len(scale.seeds), why=LOST)
    return [
        Counterpart(
            "Figure 1", "Worked example: edges of a task to copies of two intervals", ["copies"], "one machine", (),
            None, None, "the weights of its edges are lost; ours are those of a small case",
        ),
        made("Table 1", "Ratio to the linear program by weights", ["table-1"], f"{single}; {staying}",
             grade=of("Table 1")),
        made("Figure 2(a)", "Off-line: SynchPack-3, Tetris, PSRS by weights", ["figure-2a"], single,
             grade=of("2(a)", THREE)),
        made("Figure 2(b)", "Off-line with placement: SynchPack-2, Tetris, JSQ-MW by weights", ["figure-2b"], staying,
             grade=of("2(b)", TWO)),
        made("Figure 2(c)", "The same by remote factor", ["figure-2c"],
             f"{staying}, factors {FACTORS[0]:g} to {FACTORS[-1]:g}", grade=of("2(c)", TWO)),
        made("Figure 3(a)", "On-line: SynchPack-3, Tetris, PSRS by weights", ["figure-3a"], arriving,
             grade=of("3(a)", THREE)),
        made("Figure 3(b)", "On-line with placement: SynchPack-2, Tetris, JSQ-MW by weights", ["figure-3b"],
             f"{scale.online_placed:,} jobs, {scale.placed_cluster:,} machines, loads {LOADS[0]:g} to {LOADS[-1]:g}",
             grade=of("3(b)", TWO)),
        made("Figure 3(c)", "On-line with equal weights by traffic", ["figure-3c"], arriving, grade=of("3(c)", THREE)),
        made("Appendix A", "Times to solve the linear programs", [TIMES], f"{single}; {staying}", grade=None),
    ]  # fmt: skip


def _grade(judged: Sequence[Claim], figure: str, column: str = "") -> Grade | None:
    """Return the worst grade of the claims about a figure, of one column or all."""
    order = [Grade.NO, Grade.DIRECTION, Grade.SIZE]
    columns = [column] if column else [THREE, TWO]
    found = [claim.grades[name] for claim in judged if figure in claim.section for name in columns]
    return min((one for one in found if one is not None), key=order.index, default=None)


def _method(scale: Scale) -> list[str]:
    many = ", ".join(f"{n:,}" for n in scale.jobs)
    few = too_few_for_test(len(scale.seeds), comparisons=RIVALS)
    return [
        f"Synthetic jobs after the Google trace of 2011 (generator multitask), about ten tasks each: {many} jobs where "
        f"each task has one of {', '.join(f'{m:,}' for m in scale.machines)} machines; with 3 local and {scale.remote} "
        f"remote machines a task (factor {FACTOR:g}) {', '.join(f'{n:,}' for n in scale.placed)} jobs on "
        f"{', '.join(f'{m:,}' for m in scale.placed_machines)} machines, as far as LP2 can be solved in seconds; seeds "
        f"{', '.join(map(str, scale.seeds))}.",
        f"On-line: {scale.online:,} and {scale.online_placed:,} jobs; arrivals at random, all gaps multiplied to "
        "reach each load (above 1 work comes faster than it can be done). SynchPack plans at the beginning of every "
        f"interval, as the paper does, with the remembered constants {GAPS:g} mean gaps, 50 and 3.",
        "A seed is a block: weightings, loads, factors, jobs and machines of one seed are factors within it. "
        f"Intervals are 95 % intervals over {len(scale.seeds)} blocks (log-t), p-values Wilcoxon's after Holm.",
        *([f"{few[0].upper()}{few[1:]}."] if few else []),
        "Lost from the text and not guessed: Table 1, the values of Figures 2 and 3, the task cap, the numbers of "
        "jobs, machines, local and remote machines, the remote factor, the constant of Tetris.",
        "SynchPack-3 orders jobs by the primal-dual algorithm, which has the factor of LP3, and is compared with its "
        "dual bound, which is at most LP3: ratios are at most as good as those to LP3. LP3 itself is solved by cutting "
        f"planes where that is quick (up to {CUTS_JOBS:,} jobs). LP2 charges the first interval d_0.",
    ]
