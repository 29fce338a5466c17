"""Errors of the kernel: compiled code records a number; `error_of` makes the message: time, policy, job and lane."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.errors import PolicyError, SimulationError, Stalled
from shadowtime.engine.kernel.cache import inner
from shadowtime.engine.kernel.clock import workload_time
from shadowtime.engine.kernel.state import PAUSED, QUEUED, RUNNING

OVERFULL, NOT_RELEASED, OVER, OUTSIDE, NOT_RUNNING, STALLED, BAD_RATE, BAD_TIME, NO_UNIT, TWICE, FULL = (
    np.int64(code) for code in range(1, 12)
)


@inner
def fail(s, code, i, lane, value):
    """Record the first error of the run; the loop stops at the end of the instant."""
    k = s.k[0]
    if k.error == 0:
        k.error, k.error_unit, k.error_lane, k.error_value = code, i, lane, value


def _crowd(state, lane: int, job_ids: np.ndarray) -> str:
    """Return the ids of the first jobs on a lane, as text. A slow scan: it runs only after an error."""
    running = np.flatnonzero(np.asarray(state.u["state"]) == RUNNING)
    first, procs = state.u["first"], state.u["procs"]
    hold = np.asarray(state.hold)
    there = [i for i in running if lane in hold[first[i] : first[i] + procs[i]]]
    return ", ".join(str(job_ids[i]) for i in there[:4]) + (" ..." if len(there) > 4 else "")


def error_of(state, slug: str, job_ids: np.ndarray) -> SimulationError:
    """Return the exception for the error that the kernel recorded in `state`."""
    k = state.k[0]
    code, unit, lane = int(k["error"]), int(k["error_unit"]), int(k["error_lane"])
    origin, value = float(k["origin"]), float(k["error_value"])
    now = float(workload_time(k["now"], origin))
    job = job_ids[unit] if 0 <= unit < len(job_ids) else unit
    where = f"t={now:g}: {slug!r}"
    if code == STALLED:
        queued = np.flatnonzero(np.isin(np.asarray(state.u["state"]), (QUEUED, PAUSED)))[:5]
        jobs = ", ".join(str(job_ids[i]) for i in queued)
        return Stalled(f"{where} lets jobs wait for ever ({jobs}): no job runs and no alarm is set")
    sentences = {
        int(OVERFULL): f"{where} overfilled node {lane} ({value:g} where 1 is the limit); "
        f"there: jobs {_crowd(state, lane, job_ids)}",
        int(NOT_RELEASED): f"{where} placed job {job} before its release at {value + origin:g}",
        int(OVER): f"{where} acted on job {job}, which is done or rejected",
        int(OUTSIDE): f"{where} placed job {job} on node {lane}, but nodes are 0 to {int(k['lanes']) - 1}",
        int(TWICE): f"{where} placed job {job} twice on node {lane}",
        int(NOT_RUNNING): f"{where} acted on job {job}, which does not run",
        int(BAD_RATE): f"{where} gave job {job} the rate {value:g}: rate, share and delay are finite and >= 0",
        int(BAD_TIME): f"{where} set an alarm at {value + origin:g}, which is in the past or infinite",
        int(FULL): f"{where} filled a buffer of {value:g} rows in one instant",
        int(NO_UNIT): f"{where} acted on unit {unit}, which does not exist",
    }
    return PolicyError(sentences[code])
