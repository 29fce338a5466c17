"""Parallel and sequential jobs on heterogeneous clusters (Collins and George 2001)."""

from __future__ import annotations

from shadowtime.dashboard.papers.page import PaperPage
from shadowtime.dashboard.papers.pjs_drawings import drawings
from shadowtime.dashboard.papers.pjs_pictures import ILLUSTRATIONS
from shadowtime.workers.papers.pjs import FEW, SEEDS

PAGE = PaperPage(
    name="pjs",
    title="Parallel and sequential jobs on clusters that differ",
    paper=("Collins, George", "Parallel and Sequential Job Scheduling in Heterogeneous Clusters", "2001"),
    sentence="Machines and clusters learn how long a class of job takes on them; PJS runs a job in parallel where that "
    "ends earlier.",
    drawings=drawings,
    illustrations=ILLUSTRATIONS,
    bibtex="""@techreport{collins2001parallel,
  author      = {Dave E. Collins and Alan D. George},
  title       = {Parallel and Sequential Job Scheduling in Heterogeneous Clusters: A Simulation Study using Software
                 in the Loop},
  institution = {High-performance Computing and Simulation (HCS) Research Laboratory, University of Florida},
  year        = {2001},
  url         = {http://ufdc.ufl.edu/UF00094662/00001},
}
""",
    runs={
        scale: f"{len(SEEDS[scale])} seeds × 500 jobs that arrive (4 mixes, 6 rates), {len(FEW[scale])} seeds × "
        "planning calls and jobs at second 0; 2 sites"
        for scale in SEEDS
    },
    platform="142 machines in 18 clusters",
    unknown=(
        "The paper's tables were never printed. A stand-in site has its shape: 142 machines in 18 clusters, eight "
        "machine classes, five job classes of which one is sequential.",
        "The points of its figures are lost; ticks of six axes survive in the text. All times of the site are "
        "multiplied "
        "by 3 to fit them: see the last figures.",
        "With noise, cluster times get a factor with a deviation of 5 %, so that equal clusters differ.",
        "The digits of Table 1 cannot be read in any text of the paper: its trends are judged, its values are not.",
        "Best means earliest completion: the paper's definition read literally, shortest execution, puts every job of "
        "a class on one machine, and its own Figure 5 contradicts it.",
        "Plans are made at multiples of 10 s; all jobs that have not started are planned again; a low job is stopped "
        "when a slot of a high one overlaps it.",
        "All members of a cluster must be up; a site may ask for fewer.",
    ),
    differences=(
        "The tables are stand-ins, and the size of every gain depends on them. On ours a whole cluster is so much "
        "faster than a machine that a single job gains far more than half, and from 40 jobs on the first candidate is "
        "refused and nothing is gained: PJS stops at the first refusal. With patience=20 it tries on, and gains under "
        "load too.",
        "Low jobs fare between slightly worse and slightly better: a high job on a cluster leaves sooner, and all "
        "behind it start sooner.",
        "With priorities PJS may save more than without, since each level is planned apart: the one refusal that ends "
        "a plan of all jobs does not end that of the next level.",
        "Times of the site decide how crowded it is at a given rate, and with that the verdicts on arrivals: behind "
        "each “no” stand the values for other factors.",
    ),
    full_seconds=420.0,
    algorithms="pjs",
)
