"""How true a simulation is to a stored log: some hundred simulations, away from the pages."""

from __future__ import annotations

from typing import Any

from shadowtime.dashboard.intake.questions import Desk, workload_of
from shadowtime.dashboard.sharing import fidelity as said
from shadowtime.engine.fidelity.answer import FITTED, SLURM, assess

SLURM_JOBS = 20_000
"""Jobs of a log with a Slurm site's own files up to which these are simulated; a larger one is fitted."""
DRAWS = 5


def fidelity(desk: Desk, workload: str) -> dict[str, Any]:
    """Return the answer as JSON values, with its sentences and tables under `said`.

    Raises
    ------
    QuestionError
        If the workload does not say when enough of its jobs started.
    """
    log, _ = workload_of(desk, {"workload": workload})
    is_site = log.cluster is not None and len(log) <= SLURM_JOBS
    answer = assess(log, said.processors_of(log), SLURM if is_site else FITTED, draws=DRAWS if is_site else 1)
    return {
        **said.as_json(answer),
        "said": {
            "title": said.title(answer),
            "halves": said.halves(answer),
            "fitted": said.fitted(answer),
            "verdict": said.verdict(answer),
            "rows": said.rows(answer),
            "missed": {way: said.missed(answer, way) for way in answer.missed},
        },
    }
