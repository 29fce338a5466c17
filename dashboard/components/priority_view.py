"""Why a job of a finished run under Slurm waited, computed once by the intake."""

from __future__ import annotations

from typing import Any

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.serving import cache
from shadowtime.workers.errors import Conflict
from shadowtime.workers.store import Run

SLURM = "slurm"
PATIENCE = 60.0


def why_it_waited(context: Context, run_id: str, job: int) -> dict[str, Any]:
    """Return the object of `GET /api/runs/<run_id>/priority`.

    Raises
    ------
    NotFound
        For a run that is not here.
    Refusal
        For another algorithm, a job that is not there or did not wait.
    Conflict
        For a run that has not finished.
    """
    run = context.store.runs.get(run_id)
    refuse(run)
    return cache.remembered(
        context.cache,
        run.id,
        f"priority:{job}",
        lambda: context.intake.ask("priority", timeout=PATIENCE, run=run.digest, job=job),
    )


def refuse(run: Run) -> None:
    """Refuse a run whose jobs have no priorities, or none yet."""
    if run.spec.algorithm != SLURM:
        raise Refusal(404, "Only jobs of a site under Slurm have priorities: this run has another algorithm.")
    if not run.status.is_finished:
        raise Conflict(f"run {run.id} is {run.status.status}; only finished runs have priorities")
